"""Copies of entities, column by column."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from rish_core import App, Name, Origin, Scenes, Table, World
from rish_core.manifest import tell_progress
from rish_ecs.declarations import Column
from rish_ecs.storage import parents_of

from .marks import mark_authored
from .moves import store_arrangement
from .order import tree_order
from .prefab_instances import origins_of_uses, write_origins
from .selection import tops, with_children

_COPYING = "copying entities:"
_NUMBERED = re.compile(r"(.*?)(?: (\d+))?\Z", re.DOTALL)


def duplicate(app: App, handles: Sequence[int]) -> list[int]:
    """Copy entities with all below them; return the copies, each directly behind its original.

    References among the copied entities go to the copies, others stay. A name gets the next free number: `Box 2`.
    Copies of what a prefab brings stay uses of the prefab. The copies are marked as authored. A listener to progress
    that ends the work leaves what is copied so far; within a group of the history it is undone. Raises StaleEntity.
    """
    world = app.world
    originals = tops(world, handles)
    if not len(originals):
        return []
    tell_progress(_COPYING, 0, 4)
    order = tree_order(app)
    sources = with_children(world, originals)
    sources = sources[np.argsort(order.rows_of(sources), kind="stable")]
    scene = app.game.scene(world[Scenes].current)
    origins = origins_of_uses(world, app.game, sources, scene)
    tell_progress(_COPYING, 1, 4)
    made = _spawned(world, sources)
    tell_progress(_COPYING, 2, 4)
    _point_to_copies(world, sources, made)
    write_origins(world, made, origins)
    roots = _matching(sources, made, originals)
    rename_copies(world, made)
    tell_progress(_COPYING, 3, 4)
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
            spans, pool = column[source], table.pool_of(name)
            pool.put_joined(column, target, pool.gather(spans), spans[:, 1])
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
                pool = table.pool_of(name)
                pool.put_joined(table.column(name), rows, mapped(pool.gather(spans)), spans[:, 1])


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
    texts = [world.text(number) for number in table.column("value")[rows].tolist()]
    names = free_names(world, texts, without=rows)
    table.column("value")[rows] = world.texts.encode(tuple(names))
    table.mark(rows)


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
