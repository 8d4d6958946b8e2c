"""Rish's side of the benchmark `authoring`."""

from __future__ import annotations

from itertools import count

import numpy as np

import rish_authoring as authoring
from rish_authoring import History, ManifestText
from rish_core import App, Name, Tags, Transform, parse_manifest
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


# The tree


def _app() -> tuple[App, list[int]]:
    """Return a game with 10,000 entities."""
    entry = f"{{name: box, Transform: {{}}, tags: [a, b], count: {ENTITIES}}}"
    app = App(parse_manifest(f"rish: 1\nscenes: {{main: [{entry}]}}"), headless=True, warm_up=False)
    return app, authoring.tree_order(app).handles.tolist()


def order() -> Task:
    """Measure the order of 100,000 entities, half of them below others, after one of them has moved."""
    app, _ = _app()
    world, number = app.world, count(1)
    world.spawn_many(90_000, Transform())
    every = world[Transform].entities.copy()
    world.set(every[50_000:], Transform(parent=every[np.arange(len(every) - 50_000) % 1000]))

    def run() -> None:
        world.set(int(every[-1]), Transform(parent=int(every[next(number) % 1000])))
        authoring.tree_order(app)

    return Task(run)


def _undone(work: str) -> Task:
    """Measure one edit of all entities, which is undone each time; undo is included."""
    app, every = _app()
    history = History(app.world)

    def run() -> None:
        with history.group(work):
            if work == "duplicate":
                authoring.duplicate(app, every)
            else:
                authoring.reparent(app, every[1:], every[0])
        history.undo()

    return Task(run)


def copy_entities() -> Task:
    """Measure duplicating all entities in a group, and undoing it."""
    return _undone("duplicate")


def hang() -> Task:
    """Measure moving all entities below one in a group, and undoing it."""
    return _undone("reparent")


def clipboard_copy() -> Task:
    """Measure copying all entities as text."""
    app, every = _app()
    return Task(lambda: authoring.copy_entities(app, every))


def clipboard_paste() -> Task:
    """Measure pasting all entities and deleting them."""
    app, every = _app()
    text = authoring.copy_entities(app, every)
    return Task(lambda: authoring.delete(app, authoring.paste_entities(app, text)))
