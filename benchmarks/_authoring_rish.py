"""Rish's side of the benchmark `authoring`."""

from __future__ import annotations

from itertools import count

import numpy as np

from rish_authoring import History, ManifestText
from rish_core import Name, Tags, Transform
from rish_ecs import World

from ._task import Task

ENTRIES, ENTITIES = 3000, 10_000
MIDDLE = ("scenes", "main", ENTRIES // 2)


def _manifest() -> str:
    entries = [f"    # {k}\n    - prefab: crate\n      name: e{k}\n      at: [{k}, 2]\n" for k in range(ENTRIES)]
    return "rish: 1\nprefabs:\n  crate: {Transform: {}}\nscenes:\n  main:\n" + "".join(entries)


def read() -> Task:
    """Measure reading a text."""
    text = _manifest()
    return Task(lambda: ManifestText(text))


def edit() -> Task:
    """Measure replacing one value."""
    text, number = ManifestText(_manifest()), count()
    return Task(lambda: text.set((*MIDDLE, "at"), [next(number), 5]))


def insert() -> Task:
    """Measure inserting and deleting one entry."""
    text = ManifestText(_manifest())

    def run() -> None:
        text.insert(MIDDLE, {"prefab": "crate", "at": [1, 2]})
        text.delete(MIDDLE)

    return Task(run, parts=2)


def _world() -> tuple[World, History, int]:
    world = World([Transform, Name, Tags])
    world.spawn_many(ENTITIES, Transform(position=np.zeros((ENTITIES, 2))), Name(value="crate"), Tags(values=["solid"]))
    return world, History(world), int(world[Transform].entities[7])


def group() -> Task:
    """Measure a group that writes one field."""
    world, history, one = _world()
    number = count(1)

    def run() -> None:
        with history.group("move"):
            world.set(one, Transform(position=(next(number), 0)))

    return Task(run)


def undo() -> Task:
    """Measure undoing and redoing one field."""
    world, history, one = _world()
    with history.group("move"):
        world.set(one, Transform(position=(5, 0)))
    return Task(lambda: (history.undo(), history.redo()), parts=2)


def undo_despawn() -> Task:
    """Measure undoing and redoing the removal of one entity."""
    world, history, one = _world()
    with history.group("delete"):
        world.despawn(one)
    return Task(lambda: (history.undo(), history.redo()), parts=2)
