"""Sleeping changes nothing but the time that a tick takes.

From snapshots of a random world a random change is made and one tick is run, once as it is and once with all bodies
awake: both must emit the same events, except `FellAsleep` and `WokeUp`. After a change whose effect is a motion, such
as one of gravity, some more ticks are run: what moves when it is awake must not sleep on.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from disturbances import SLOW, change_at
from gaps import Forms
from ledger import Event, describe, events_of
from random_worlds import Cast, make, tick

from long_runs import long
from rish_core import App, Transform, World
from rish_physics import Body, PhysicsSettings

SNAPSHOTS, EVERY, FIRST = long(20, 6), 7, 24
"""The number of snapshots, the ticks between two, and the ticks before the first."""
LATER, FAR, STILL = 9, 3.0, 1e-3
"""The further ticks after a slow change, the distance in units that counts as moved, and the one that counts as not."""
SPECULATIVE, BORDER = 1.28, 0.1
"""The gap at which contacts begin, 0.02 m, and the distance from it within which a pair is not judged, in units."""
WAYS = ("asleep", "allow_sleep", "sleeping")
"""The fields that keep bodies awake: two of `Body`, one of the settings."""


def wake_all(world: World, way: str) -> None:
    """Wake all bodies in one of three ways."""
    bodies = np.sort(world.query(Body).entities)
    world.set(bodies, Body(asleep=False))
    if way == "allow_sleep":
        world.set(bodies, Body(allow_sleep=False))
    elif way == "sleeping":
        world[PhysicsSettings].sleeping = False


def play(app: App, snapshot: Any, seed: int, number: int, way: str) -> tuple[dict[Event, int], Any, str]:
    """Return the events of the tick after a change, the positions of the sleepers later, and the change's name.

    way: how all bodies are woken before; empty: they are not. Positions are None if the change is not slow.
    """
    world = app.world
    world.end_frame()
    world.restore(snapshot)
    cast = Cast(world)
    if way:
        wake_all(world, way)
    change, random = change_at(seed, number)
    change(world, random, cast, not way)
    tick(app)
    events = events_of(world)
    if change not in SLOW:
        return events, None, change.__name__
    for _ in range(LATER):
        tick(app)
    places = {int(e): np.array(world.get(int(e), Transform).position) for e in cast.sleepers if world.alive(int(e))}
    return events, places, change.__name__


def borderline(world: World, events: set[Event]) -> set[Event]:
    """Return the events of pairs that are as far apart as a contact or a visit begins.

    A body that falls asleep moves in its last tick, and its pairs are not tested again. So a pair may cross that
    distance by as much as a slow body moves in a tick.
    """
    if not events:
        return set()
    forms = Forms(world)
    contacts, visits = forms.contacts(4.0, set()), forms.visits(1.0)
    return {
        (name, a, b)
        for name, a, b in events
        if ("Contact" in name and abs(contacts.get((a, b), (np.inf, True))[0] - SPECULATIVE) < BORDER)
        or ("Sensor" in name and abs(visits.get((a, b), np.inf)) < BORDER)
    }


def faults_of(seed: int) -> tuple[list[str], int]:
    """Return what differs, a sentence each, and how many bodies slept in all snapshots together."""
    app = make(seed)
    world, way, faults, slept = app.world, WAYS[seed % 3], list[str](), 0
    for _ in range(FIRST):
        tick(app)
    for number in range(SNAPSHOTS):
        world.end_frame()
        snapshot, cast, now = world.snapshot(), Cast(world), world.tick
        start = {int(e): np.array(world.get(int(e), Transform).position) for e in cast.sleepers}
        slept += len(start)
        others, moved, _ = play(app, snapshot, seed, number, way)
        events, places, name = play(app, snapshot, seed, number, "")
        here = f"seed {seed}, tick {now}, {name}, woken by {way}"
        different = set(events) ^ set(others)
        for event in sorted(different - borderline(world, different)):
            who = " and ".join(describe(world, entity) for entity in event[1:])
            faults.append(f"{here}: {event[0]} only if bodies {'sleep' if event in events else 'are awake'}: {who}")
        for entity in sorted(set(places or ()) & set(moved or ())):
            far, still = (float(np.hypot(*(where[entity] - start[entity]))) for where in (moved, places))
            if far > FAR and still < STILL:
                faults.append(f"{here}: sleeps on, but moves {far:.1f} units if it is awake: {describe(world, entity)}")
        world.restore(snapshot)
        change, random = change_at(seed, number, wild=0.3)
        change(world, random, cast, False)  # what is put to sleep in the air would stay there, but fall if it is awake
        for _ in range(EVERY):
            tick(app)
    return faults, slept


def check_sleep(seed: int) -> int:
    """Check the world of a seed; return how many bodies slept in its snapshots. Raises AssertionError with faults."""
    faults, slept = faults_of(seed)
    assert not faults, "\n".join(faults)
    return slept
