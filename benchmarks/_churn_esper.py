"""esper's side of the benchmark `churn`: single entities of three objects, as in its manual."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

import esper

from ._task import Task

AT_ONCE = 50
"""The number of entities of a run, or of reads and writes."""


class Place:
    """The position of an entity."""

    __slots__ = ("x", "y")

    def __init__(self, x: float = 0.0, y: float = 0.0) -> None:
        self.x, self.y = x, y


class Speed:
    """How fast an entity is."""

    __slots__ = ("value",)

    def __init__(self, value: float = 1.0) -> None:
        self.value = value


class Health:
    """The hit points of an entity."""

    __slots__ = ("points",)

    def __init__(self, points: int = 100) -> None:
        self.points = points


def _crowd(count: int) -> list[int]:
    """Start a world of entities with three components; return them in random order."""
    esper.clear_database()
    alive = [esper.create_entity(Place(), Speed(), Health()) for _ in range(count)]
    random.Random(1).shuffle(alive)
    return alive


def _despawn(count: int) -> Task:
    alive = _crowd(count)
    chosen: list[int] = []

    def before() -> None:
        chosen[:] = alive[:AT_ONCE]
        del alive[:AT_ONCE]
        alive.extend([esper.create_entity(Place(), Speed(), Health()) for _ in range(AT_ONCE)])

    def run() -> None:
        for entity in chosen:
            esper.delete_entity(entity, immediate=True)

    return Task(run, before, esper.clear_database, parts=AT_ONCE)


def __getattr__(name: str) -> Callable[[], Task]:
    """Return the task of a name such as `despawn_1000`."""
    what, _, count = name.partition("_")
    if what == "despawn" and count.isdigit():
        return partial(_despawn, int(count))
    raise AttributeError(name)


def spawn_3() -> Task:
    """Spawn a single entity with three components."""
    _crowd(1000)
    spawned: list[int] = []

    def before() -> None:
        for entity in spawned:
            esper.delete_entity(entity, immediate=True)
        spawned.clear()

    def run() -> None:
        for _ in range(AT_ONCE):
            spawned.append(esper.create_entity(Place(1, 2), Speed(2.0), Health()))

    return Task(run, before, esper.clear_database, parts=AT_ONCE)


def _held() -> Speed:
    return esper.component_for_entity(_crowd(1000)[0], Speed)


def view_read() -> Task:
    """Read an attribute of an object."""
    speed = _held()

    def run() -> None:
        for _ in range(AT_ONCE):
            speed.value  # noqa: B018 - the read is measured

    return Task(run, after=esper.clear_database, parts=AT_ONCE)


def view_write() -> Task:
    """Write an attribute of an object."""
    speed = _held()

    def run() -> None:
        for _ in range(AT_ONCE):
            speed.value = 2.5

    return Task(run, after=esper.clear_database, parts=AT_ONCE)
