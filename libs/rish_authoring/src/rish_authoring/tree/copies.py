"""Copies of entities, column by column."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from rish_core import App, Name, Origin, Scenes, Table, World
from rish_core.manifest import SpawnPlan
from rish_ecs.declarations import Column


from .chosen import parents_of, tops, with_children
from .marks import mark_authored
from .moves import store_arrangement
from .order import tree_order

_NUMBERED = re.compile(r"(.*?)(?: (\d+))?\Z", re.DOTALL)


def duplicate(app: App, handles: Sequence[int]) -> list[int]:
    """Copy entities with all below them; return the copies, each directly behind its original.

    References among the copied entities go to the copies, others stay. A name gets the next free number: `Box 2`.
    Copies of what a prefab brings stay uses of the prefab. The copies are marked as authored. Raises StaleEntity.
    """
    world = app.world
    originals = tops(world, handles)
    if not len(originals):
        return []
    order = tree_order(app)
    sources = with_children(world, originals)
    sources = sources[np.argsort(order.rows_of(sources), kind="stable")]
    origins = _origins(app, sources)
    made = _spawned(world, sources)
    _point_to_copies(world, sources, made)
    _write_origins(world, made, origins)
    roots = _matching(sources, made, originals)
    rename_copies(world, made)
    mark_authored(world, *roots.tolist())
    _place_behind(app, originals, roots)
    return roots.tolist()


def _matching(sources: Column, made: Column, wanted: Column) -> Column:
    ranks = np.argsort(sources)
    return made[ranks[np.searchsorted(sources, wanted, sorter=ranks)]]


def _spawned(world: World, sources: Column) -> Column:
    """Spawn entities with the same components and values; return their handles in the order of the sources."""
    signature = world.entities.signature[:, sources & 0xFFFFFFFF].T
    kinds, which = np.unique(np.ascontiguousarray(signature), axis=0, return_inverse=True)
    which = which.reshape(-1)
    made: Column = np.zeros(len(sources), np.int64)
    first = [int(np.flatnonzero(which == k)[0]) for k in range(len(kinds))]
    for k in np.argsort(first).tolist():
        rows = np.flatnonzero(which == k)
        classes = world.components_of(int(sources[rows[0]]))
        made[rows] = world.spawn_many(len(rows), *classes)
    for table in world.tables.values():
        here = table.lookup(sources)
        mine = here >= 0
        if mine.any():
            _copy_rows(table, here[mine], table.rows_of(made[mine]))
    return made


def _copy_rows(table: Table, source: Column, target: Column) -> None:
    for name, spec in table.schema.fields.items():
        column = table.column(name)
        if spec.type.pooled:
            spans = column[source]
            ends = np.cumsum(spans[:, 1])[:-1]
            table.put_rows(name, target, np.split(table.pool_of(name).gather(spans), ends))
        else:
            column[target] = column[source]
    table.mark(target)


def _point_to_copies(world: World, sources: Column, made: Column) -> None:
    """Let the references of copies to copied entities go to the copies."""
    ranks = np.argsort(sources)
    ordered = sources[ranks]

    def mapped(values: Column) -> Column:
        place = np.minimum(np.searchsorted(ordered, values), len(ordered) - 1)
        return np.where(ordered[place] == values, made[ranks[place]], values)

    for table in world.tables.values():
        rows = table.lookup(made)
        rows = rows[rows >= 0]
        for name, spec in table.schema.fields.items() if len(rows) else ():
            if spec.type.special == "entity":
                table.column(name)[rows] = mapped(table.column(name)[rows])
            elif spec.type.pooled and spec.type.item is not None and spec.type.item.special == "entity":
                spans = table.column(name)[rows]
                items = mapped(table.pool_of(name).gather(spans))
                table.put_rows(name, rows, np.split(items, np.cumsum(spans[:, 1])[:-1]))


def _origins(app: App, sources: Column) -> dict[int, tuple[str, int, int]]:
    """Return the origins that the copies get, by index among the sources: those of uses of prefabs.

    sources: in the order of the tree. What is in the text of the scene itself has no origin in a copy.
    """
    world = app.world
    table = world.table(Origin)
    rows = table.lookup(sources)
    current, found = world[Scenes].current, dict[int, tuple[str, int, int]]()
    scene = app.game.scenes.get(current)
    below = _Below()
    parents = parents_of(world, sources).tolist()
    uses: dict[int, tuple[str, int, int]] = {}  # by handle: the prefab, the step in it, the step in the scene
    for index, (handle, row) in enumerate(zip(sources.tolist(), rows.tolist(), strict=True)):
        if row < 0:
            continue
        label, number = table.read_row("scene", row), int(table.column("entry")[row])
        copy = int(table.column("copy")[row])
        if label != current or scene is None or number >= len(scene.steps):
            found[index] = (label, number, copy)
            continue
        above, prefab = uses.get(parents[index]), scene.steps[number].node.prefab
        if above is not None:
            plan = app.game.prefabs[above[0]]
            theirs, mine = below.of(plan, above[1]), below.of(scene, above[2])
            place = mine.index(number) if number in mine else len(theirs)
            if place < len(theirs):  # the children of a prefab are the first ones
                uses[handle] = (above[0], theirs[place], number)
                found[index] = (f"prefab:{above[0]}", theirs[place], copy % plan.steps[theirs[place]].rows)
                continue
        if prefab in app.game.prefabs:
            uses[handle] = (prefab, 0, number)
            found[index] = (f"prefab:{prefab}", 0, 0)
    return found


class _Below:
    """The children of the steps of plans."""

    def __init__(self) -> None:
        self._of: dict[str, dict[int, list[int]]] = {}

    def of(self, plan: SpawnPlan, number: int) -> list[int]:
        """Return the numbers of the children of a step."""
        known = self._of.get(plan.label)
        if known is None:
            known = self._of[plan.label] = {}
            for index, step in enumerate(plan.steps):
                known.setdefault(step.parent, []).append(index)
        return known.get(number, [])


def _write_origins(world: World, made: Column, origins: dict[int, tuple[str, int, int]]) -> None:
    lost = np.array([handle for index, handle in enumerate(made.tolist()) if index not in origins], np.int64)
    if len(lost):
        world.remove(lost, Origin)
    by_label: dict[str, list[int]] = {}
    for index, (label, _, _) in origins.items():
        by_label.setdefault(label, []).append(index)
    for label, indices in by_label.items():
        entries = np.array([origins[index][1] for index in indices], np.int32)
        copies = np.array([origins[index][2] for index in indices], np.int32)
        values: dict[str, Any] = {"scene": label, "entry": entries, "copy": copies}
        world.set(made[indices], Origin(**values))


def _place_behind(app: App, originals: Column, made: Column) -> None:
    """Arrange copies directly behind their originals."""
    world = app.world
    parents = parents_of(world, originals)
    order = tree_order(app)
    for parent in np.unique(parents).tolist():
        mine = parents == parent
        family = order.children(parent)
        family = family[~np.isin(family, made[mine])]
        at = np.arange(len(family), dtype=np.float64)
        ranks = np.argsort(family)
        behind = at[ranks[np.searchsorted(family, originals[mine], sorter=ranks)]] + 0.5
        every = np.concatenate([family, made[mine]])
        store_arrangement(world, every[np.argsort(np.concatenate([at, behind]), kind="stable")])


# Names


def rename_copies(world: World, made: Column) -> None:
    """Give copies names that no other entity has, except for those that a prefab brings."""
    table = world.table(Name)
    rows = table.lookup(made)
    origin = world.table(Origin)
    held = origin.lookup(made)
    brought = (held >= 0) & (origin.column("entry")[np.maximum(held, 0)] > 0) if len(origin) else held >= 0
    rows = rows[(rows >= 0) & ~brought]
    if not len(rows):
        return
    texts = [table.read_row("value", row) for row in rows.tolist()]
    names = free_names(world, texts, without=rows)
    for row, name, text in zip(rows.tolist(), names, texts, strict=True):
        if name != text:
            table.write_row("value", row, name)


def free_names(world: World, names: Sequence[str], without: Column | None = None) -> list[str]:
    """Return names that are not taken: each as it is, or with the lowest free number from 2 up.

    without: rows of the table of names that do not count, because they get the new names.
    """
    table = world.table(Name)
    counted = np.ones(len(table), np.bool_)
    counted[without if without is not None else slice(0)] = False
    taken = {world.text(number) for number in np.unique(table.column("value")[counted]).tolist()}
    following: dict[str, int] = {}
    made: list[str] = []
    for name in names:
        free = name
        if name and name in taken:
            found = _NUMBERED.match(name)
            base = found[1] if found is not None and found[1] else name
            number = following.get(base, 2)
            while (free := f"{base} {number}") in taken:
                number += 1
            following[base] = number + 1
        taken.add(free)
        made.append(free)
    return made
