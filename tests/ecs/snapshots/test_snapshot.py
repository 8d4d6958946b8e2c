"""Snapshots: restoring in the same world or another."""

from __future__ import annotations

import dataclasses
from enum import Enum
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rish_ecs.declarations.columns import Array, Asset, Chars, Entity, Str, Vec2
from rish_ecs.declarations.component import Each, component, event, field, table
from rish_ecs.declarations.resource import resource
from rish_ecs.snapshots.snapshot import Snapshot
from rish_ecs.world import World


class Mode(Enum):
    """The kind of movement."""

    WALK = 1
    RUN = 2
    FLY = 3


@component
class Body:
    """A component with many types of fields."""

    mass: float = 1.0
    at: Vec2 = field((0, 0))
    mode: Mode = Mode.RUN
    name: Str = "x"
    image: Asset = "i.png"
    note: Chars = "n"
    path: list[Vec2] = field()
    words: list[Str] = field()
    target: Entity = field(0, cascade=True)
    grid: Array[int, 3] = field((1, 2, 3))
    shown: float = field(0.0, view=True)
    force: float = field(2.0, transient=True)


@component
class Tag:
    """A component without fields."""


@event
class Hit:
    """An event with texts."""

    name: Str = ""
    label: Chars = ""


@table
class Contacts:
    """A table whose rows are not entities."""

    depth: float = 0.0
    who: Str = ""


@dataclasses.dataclass
class Slot:
    """A dataclass within a resource."""

    mode: Mode
    counts: Any


@resource
class Bag:
    """A resource with many types of values."""

    slots: list[Slot] = dataclasses.field(default_factory=list)
    by_mode: dict[Mode, Slot] = dataclasses.field(default_factory=dict)
    pairs: dict[tuple[int, str], bytes] = dataclasses.field(default_factory=dict)
    seen: Any = None
    flag: bool = False


@resource(view=True)
class Shake:
    """A view resource."""

    strength: float = 0.0


KINDS = (Body, Tag, Hit, Contacts)


def _world(seed: int = 0) -> World:
    world = World(KINDS, seed=seed)
    world.put(Bag())
    world.put(Shake())
    return world


def _stranger() -> World:
    """Return a world whose text numbers, tables and resources are all different."""
    world = World(reversed(KINDS), seed=99)
    for text in ("other", "zz", "n", "x"):
        world.intern(text)
    world.put(Bag(flag=True, seen=[1]))
    world.put(Shake(strength=3))
    world.spawn_many(17, Body(mass=5, note="long ago", words=["p"]), Tag)
    world.emit(Hit, name="old")
    world[Contacts].append(5, who="them")
    world.end_tick()
    world.running = "somebody"
    world.added(Body)
    world.removed(Body)
    world.running = ""
    return world


_STEPS = st.lists(
    st.tuples(
        st.sampled_from(["spawn", "many", "despawn", "add", "remove", "set", "emit", "rows", "bag", "read", "tick"]),
        st.integers(0, 50),
    ),
    max_size=25,
)


def _run(world: World, steps: list[tuple[str, int]]) -> None:
    """Run steps, each of which depends only on the state and its number."""
    for what, number in steps:
        living = world.query(Body, optional=Tag).entities
        chosen = int(living[number % len(living)]) if len(living) else 0
        word = f"w{number % 7}"
        if what == "spawn":
            world.spawn(Body(mass=number, name=word, note=word * (number % 3), path=[(number, 1)] * (number % 4)))
        elif what == "many":
            count = number % 5
            world.spawn_many(count, Tag, Body(words=Each([[word] * k for k in range(count)]), target=chosen))
        elif what == "emit":
            world.emit(Hit, name=word, label=Each([word] * (number % 3)))
        elif what == "rows":
            world[Contacts].append(number % 3, who=word, depth=number)
        elif what == "bag":
            bag = world[Bag]
            slot = Slot(list(Mode)[number % 3], np.arange(number % 4))
            bag.slots.append(slot)
            bag.by_mode[slot.mode] = Slot(Mode.FLY, float(number))
            bag.pairs[number, word] = word.encode()
            bag.seen, bag.flag = (number, [None, {"a": np.float32(number)}]), number % 2 == 0
        elif what == "read":
            world.running = word
            world.events(Hit)
            world.added(Body)
            world.removed(Tag)
            world.running = ""
        elif what == "tick":
            world.random(word).uniform(size=number)
            world.end_tick()
        elif chosen and what == "despawn":
            world.despawn(chosen)
        elif chosen and what in ("add", "remove"):
            getattr(world, what)(chosen, Tag)
        elif chosen:
            world.set(chosen, Body(at=(number, 0), mode=number % 3, image=word, note=word * 3, shown=number))


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(_STEPS, _STEPS)
def test_going_back(before: list[tuple[str, int]], after: list[tuple[str, int]]) -> None:
    """After a restore, in this world or another, from memory or bytes, state and further steps are the same."""
    world = _world()
    _run(world, before)
    saved, at_save = world.snapshot(), world.hashes()
    data = saved.to_bytes()
    _run(world, after)
    at_end = world.hashes()
    for other in (world, _stranger(), _world(seed=5)):
        for snapshot in (saved, Snapshot.from_bytes(data)):
            other.restore(snapshot)
            assert other.hashes() == at_save
            _run(other, after)
            assert other.hashes() == at_end
    assert world.hash() == _replayed(data, after)


def _replayed(data: bytes, steps: list[tuple[str, int]]) -> str:
    world = _stranger()
    world.restore(Snapshot.from_bytes(data))
    _run(world, steps)
    return world.hash()


def test_a_snapshot_is_a_copy() -> None:
    """Neither later steps nor a restored world change a snapshot."""
    world = _world()
    _run(world, [("spawn", 9), ("bag", 3), ("emit", 2)])
    saved = world.snapshot()
    data = saved.to_bytes()
    _run(world, [("set", 8), ("bag", 3), ("emit", 2)])
    world.restore(saved)
    _run(world, [("set", 8), ("bag", 3), ("emit", 2)])
    world[Bag].slots[0].counts[:] = 9
    assert saved.to_bytes() == data
    assert saved.nbytes > 0


def test_resources_keep_their_identity() -> None:
    """A restore writes into existing resources, removes later ones, and adds missing ones."""
    world = _world()
    bag = world[Bag]
    bag.seen = [1]
    saved = world.snapshot()
    bag.seen = [2]
    world.restore(saved)
    assert world[Bag] is bag
    assert bag.seen == [1]
    world.drop(Bag)
    world.restore(saved)
    assert world[Bag].seen == [1]
    world.drop(Bag)
    without = world.snapshot()
    world.put(Bag())
    world.restore(without)
    assert Bag not in world


def test_view_and_transient_fields() -> None:
    """View fields are saved; transient fields get their defaults, except in snapshots with `transient=True`."""
    world = _world()
    handle = world.spawn(Body(shown=5, force=7))
    saved, within = world.snapshot(), world.snapshot(transient=True)
    world.set(handle, Body(shown=1, force=1))
    world.restore(saved)
    assert (world.get(handle, Body).shown, world.get(handle, Body).force) == (5, 2)
    world.restore(within)
    assert world.get(handle, Body).force == 7


def test_entities_of_the_other_future_are_unknown() -> None:
    """A handle from an undone future is invalid until the same handle is assigned again."""
    world = _world()
    saved = world.snapshot()
    undone = world.spawn(Body(mass=5))
    world.restore(saved)
    assert not world.alive(undone)
    assert world.spawn(Tag) == undone


def test_times_many() -> None:
    """Many restores neither grow nor change the state."""
    world = _world()
    _run(world, [("many", 4), ("spawn", 7), ("emit", 2), ("bag", 1), ("rows", 2)])
    saved, expected = world.snapshot(), world.hash()
    for _ in range(50):
        _run(world, [("spawn", 3), ("despawn", 1), ("tick", 1)])
        world.restore(saved)
    assert world.hash() == expected
    assert world.tables[Body].room == 64
