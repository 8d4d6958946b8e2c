"""The ledger: which pairs touch or overlap according to the Begin and End events, and what is wrong with these."""

from __future__ import annotations

from typing import Any

import numpy as np
from gaps import Pair, ordered

from rish_core import Transform, World
from rish_physics import (
    Body,
    Collider,
    ContactBegin,
    ContactEnd,
    ContactStay,
    Hit,
    JointBroke,
    SensorBegin,
    SensorEnd,
    SensorStay,
)

EVENTS = (ContactBegin, ContactStay, ContactEnd, Hit, SensorBegin, SensorStay, SensorEnd, JointBroke)
"""All events of a step except those of sleep."""
Event = tuple[str, int, int]


def events_of(world: World) -> dict[Event, int]:
    """Return how often each event of the last tick was emitted, by its class and its two entities.

    The two colliders of a contact are in ascending order; of a sensor the sensor is first. A joint is its own pair.
    """
    counts: dict[Event, int] = {}
    for cls in EVENTS:
        batch: Any = world.bus.of_frame(cls)
        if not len(batch):
            continue
        if cls is JointBroke:
            pairs = [(int(joint), 0) for joint in batch.joint]
        elif cls in (SensorBegin, SensorStay, SensorEnd):
            pairs = list(zip(batch.sensor.tolist(), batch.visitor.tolist(), strict=True))
        else:
            pairs = [ordered(a, b) for a, b in zip(batch.a.tolist(), batch.b.tolist(), strict=True)]
        for a, b in pairs:
            event = (cls.__name__, a, b)
            counts[event] = counts.get(event, 0) + 1
    return counts


def describe(world: World, entity: int) -> str:
    """Return what an entity is: its index, its shape, and the type of its body or its parent."""
    if not world.alive(entity):
        return f"[{entity & 0xFFFF} gone]" if entity else "[edge]"
    words = [str(entity & 0xFFFF)]
    if world.has(entity, Collider):
        form = world.get(entity, Collider)
        words += [form.shape.value, *["sensor"] * bool(form.sensor), *["untold"] * (not form.contact_events)]
        words += ["one-way"] * bool(np.any(form.one_way))
    if world.has(entity, Body):
        body = world.get(entity, Body)
        words += [body.type.value, *["asleep"] * bool(body.asleep), *["disabled"] * (not body.enabled)]
    parent = int(world.get(entity, Transform).parent) if world.has(entity, Transform) else 0
    return f"[{' '.join(words)}{' of ' + describe(world, parent) if parent else ''}]"


class Ledger:
    """The pairs that began and did not end. contacts: (lower, higher entity). visits: (sensor, visitor)."""

    def __init__(self) -> None:
        self.contacts, self.visits = set[Pair](), set[Pair]()

    def read(self, world: World) -> list[tuple[str, Pair]]:
        """Update the pairs from the events of the last tick; return what violates their order, and the pair."""
        counts, faults = events_of(world), list[tuple[str, Pair]]()
        for begin, end, pairs in (
            ("ContactBegin", "ContactEnd", self.contacts), ("SensorBegin", "SensorEnd", self.visits)
        ):  # fmt: skip
            begun = {event[1:]: n for event, n in counts.items() if event[0] == begin}
            over = {event[1:]: n for event, n in counts.items() if event[0] == end}
            for pair in sorted(begun.keys() | over.keys()):
                b, e = begun.get(pair, 0), over.get(pair, 0)
                if b + e > 1:
                    faults.append((f"{begin} {b} times and {end} {e} times in one tick", pair))
                elif b and pair in pairs:
                    faults.append((f"a second {begin}", pair))
                elif e and pair not in pairs:
                    faults.append((f"{end} without a {begin}", pair))
            pairs |= begun.keys() - over.keys()
            pairs -= over.keys() - begun.keys()
        return faults
