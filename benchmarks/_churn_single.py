"""The tasks of the benchmark `churn` with single entities: one comes, one goes, one field is read or written.

A tenth of the entities hang below others. `_churn_esper` does the same with esper.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from rish_core import Transform, World, component

from ._churn_rish import DT, open_sprites
from ._churn_turns import timed
from ._task import Task, figure

AT_ONCE = 50
"""The number of entities of a run, or of reads and writes."""


@component
class Speed:
    """How fast an entity is."""

    value: float = 1.0


@component
class Health:
    """The hit points of an entity."""

    points: int = 100


def _crowd(count: int) -> tuple[World, list[int]]:
    """Return a World of entities with three components, and those without children."""
    world = World([Transform, Speed, Health])
    handles = world.spawn_many(count, Transform, Speed, Health)
    table = world[Transform]
    table.parent[::10] = np.roll(handles, -5)[::10]
    table.mark()
    leaves = np.setdiff1d(handles, table.parent)
    np.random.default_rng(1).shuffle(leaves)
    return world, leaves.tolist()


def _despawn(count: int) -> Task:
    world, alive = _crowd(count)
    chosen: list[int] = []

    def before() -> None:
        chosen[:] = alive[:AT_ONCE]
        del alive[:AT_ONCE]
        alive.extend([world.spawn(Transform, Speed, Health) for _ in range(AT_ONCE)])

    def run() -> None:
        for handle in chosen:
            world.despawn(handle)

    return Task(run, before, parts=AT_ONCE)


def __getattr__(name: str) -> Callable[[], Task]:
    """Return the task of a name such as `despawn_1000`."""
    what, _, count = name.partition("_")
    if what == "despawn" and count.isdigit():
        return partial(_despawn, int(count))
    raise AttributeError(name)


def spawn_3() -> Task:
    """Spawn a single entity with three components."""
    world, _ = _crowd(1000)
    spawned: list[int] = []

    def before() -> None:
        if spawned:
            world.despawn(spawned)
            spawned.clear()

    def run() -> None:
        for _ in range(AT_ONCE):
            spawned.append(world.spawn(Transform(position=(1, 2)), Speed(value=2.0), Health()))

    return Task(run, before, parts=AT_ONCE)


def _held() -> Any:
    world, alive = _crowd(1000)
    return world.get(alive[0], Speed)


def view_read() -> Task:
    """Read a field of a view."""
    view = _held()

    def run() -> None:
        for _ in range(AT_ONCE):
            view.value  # noqa: B018 - the read is measured

    return Task(run, parts=AT_ONCE)


def view_write() -> Task:
    """Write a field of a view."""
    view = _held()

    def run() -> None:
        for _ in range(AT_ONCE):
            view.value = 2.5

    return Task(run, parts=AT_ONCE)


def chain_10000() -> Task:
    """Show the first frame after 10,000 sprites were hung each below the one before it."""
    app = open_sprites(10_000)
    world = app.world
    table: Any = world.table(Transform)

    def hang(parents: Any) -> None:
        table.parent[1:] = parents
        table.mark()

    def measure() -> float:
        seconds = timed(partial(app.frame, seconds=DT), partial(hang, table.entities[:-1]))
        hang(0)
        app.frame(seconds=DT)
        return seconds

    return figure(measure, app.close)
