"""Writing the value that a column has changes nothing.

A world plays on by itself, and once more with every field of its transforms, bodies, colliders, joints and areas
and the gravity rewritten to its present value before each tick: the two must end with the same hash.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from disturbances import change_at
from random_worlds import AREAS, JOINTS, Cast, make, tick

from rish_core import App, Transform, World
from rish_ecs import Each
from rish_physics import Body, Collider, PhysicsSettings

FIRST, TICKS, PUSHES = 12, 10, 2
"""The ticks before the two plays, those of each play, and the changes in each."""
REWRITTEN = (Transform, Body, Collider, *JOINTS, *AREAS)
"""The components whose fields are rewritten."""


def rewrite(world: World, cls: type) -> None:
    """Write every visible field of a component of all entities to its present value."""
    entities = np.sort(world.query(cls).entities)
    table: Any = world.table(cls)
    if not len(entities):
        return
    rows, values = table.rows_of(entities), dict[str, Any]()
    for name, spec in table.schema.fields.items():
        if spec.hidden:
            continue
        column = getattr(table, name)
        if isinstance(column, np.ndarray):
            values[name] = column[rows].copy()
        else:
            values[name] = Each([getattr(world.get(int(e), cls), name) for e in entities])
    world.set(entities, cls(**values))


def play(app: App, snapshot: Any, seed: int, *, again: bool) -> list[dict[str, str]]:
    """Return the hashes of all parts of the World after each change. again: whether all fields are rewritten."""
    world, hashes = app.world, list[dict[str, str]]()
    world.end_frame()
    world.restore(snapshot)
    for number in range(PUSHES):
        change, random = change_at(seed, number)
        change(world, random, Cast(world), True)
        for _ in range(TICKS // PUSHES):
            for cls in REWRITTEN if again else ():
                rewrite(world, cls)
            if again:
                world[PhysicsSettings].gravity = world[PhysicsSettings].gravity
            tick(app)
        hashes.append(world.hashes())
    return hashes


def check_rewrite(seed: int) -> None:
    """Check the world of a seed. Raises AssertionError with the parts of the state that differ."""
    app = make(seed)
    for _ in range(FIRST):
        tick(app)
    app.world.end_frame()
    snapshot = app.world.snapshot()
    alone, rewritten = (play(app, snapshot, seed, again=again) for again in (False, True))
    for number, (one, other) in enumerate(zip(alone, rewritten, strict=True)):
        parts = sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))
        change = change_at(seed, number)[0].__name__
        assert not parts, f"seed {seed}, after change {number}, {change}: rewriting changes {parts}"
