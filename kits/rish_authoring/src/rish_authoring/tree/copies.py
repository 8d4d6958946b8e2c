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
from .prefab_instances import origins_of_copies, write_origins
from .selection import tops, with_children

_COPYING = "copying entities:"
_NUMBERED = re.compile(r"(.*?)(?: (\d+))?\Z", re.DOTALL)


def duplicate(app: App, handles: Sequence[int]) -> list[int]:
    """Copy entities and their descendants; return the copies, each directly after its original.

    References between copied entities refer to the copies, others stay. A name gets the next free number: `Box 2`.
    Copies of instances of a prefab are instances too. The copies are marked as authored. If a progress listener cancels
    the work, the entities that are copied so far stay; within a group of the history they are undone. Raises
    StaleEntity.
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
    origins = origins_of_copies(world, app.game, sources, scene)
    tell_progress(_COPYING, 1, 4)
    copies = _spawned(world, sources)
    tell_progress(_COPYING, 2, 4)
    _point_to_copies(world, sources, copies)
    write_origins(world, copies, origins)
    roots = _copies_of(sources, copies, originals)
    rename_copies(world, copies)
    tell_progress(_COPYING, 3, 4)
    mark_authored(world, *roots.tolist())
    _place_after(app, originals, roots)
    return roots.tolist()


def _copies_of(sources: Column, copies: Column, originals: Column) -> Column:
    """Return int64 (n,): the copies of some of the sources. sources, copies: int64, in the same order."""
    ranks = np.argsort(sources)
    return copies[ranks[np.searchsorted(sources, originals, sorter=ranks)]]


def _spawned(world: World, sources: Column) -> Column:
    """Spawn entities with the same components and values; return their handles in the order of the sources."""
    signature = world.entities.signature[:, sources & 0xFFFFFFFF].T
    kinds, which = np.unique(np.ascontiguousarray(signature), axis=0, return_inverse=True)
    which = which.reshape(-1)
    copies: Column = np.zeros(len(sources), np.int64)
    first = [int(np.flatnonzero(which == kind)[0]) for kind in range(len(kinds))]
    for kind in np.argsort(first).tolist():
        rows = np.flatnonzero(which == kind)
        classes = world.components_of(int(sources[rows[0]]))
        copies[rows] = world.spawn_many(len(rows), *classes)
    for table in world.tables.values():
        source_rows = table.lookup(sources)
        present = source_rows >= 0
        if present.any():
            _copy_rows(table, source_rows[present], table.rows_of(copies[present]))
    return copies


def _copy_rows(table: Table, source: Column, target: Column) -> None:
    """Copy the values of rows of a table into other rows."""
    for name, spec in table.schema.fields.items():
        column = table.column(name)
        if spec.type.pooled:
            spans, pool = column[source], table.pool_of(name)
            pool.put_joined(column, target, pool.gather(spans), spans[:, 1])
        else:
            column[target] = column[source]
    table.mark(target)


def _point_to_copies(world: World, sources: Column, copies: Column) -> None:
    """Replace references of copies to the copied entities by references to the copies."""
    ranks = np.argsort(sources)
    ordered = sources[ranks]

    def mapped(values: Column) -> Column:
        place = np.minimum(np.searchsorted(ordered, values), len(ordered) - 1)
        return np.where(ordered[place] == values, copies[ranks[place]], values)

    for table in world.tables.values():
        rows = table.lookup(copies)
        rows = rows[rows >= 0]
        for name, spec in table.schema.fields.items() if len(rows) else ():
            if spec.type.special == "entity":
                table.column(name)[rows] = mapped(table.column(name)[rows])
            elif spec.type.pooled and spec.type.item is not None and spec.type.item.special == "entity":
                spans = table.column(name)[rows]
                pool = table.pool_of(name)
                pool.put_joined(table.column(name), rows, mapped(pool.gather(spans)), spans[:, 1])


def _place_after(app: App, originals: Column, copies: Column) -> None:
    """Arrange copies directly after their originals."""
    world = app.world
    parents = parents_of(world, originals)
    order = tree_order(app)
    for parent in np.unique(parents).tolist():
        in_family = parents == parent
        family = order.children(parent)
        family = family[~np.isin(family, copies[in_family])]
        positions = np.arange(len(family), dtype=np.float64)
        ranks = np.argsort(family)
        copy_positions = positions[ranks[np.searchsorted(family, originals[in_family], sorter=ranks)]] + 0.5
        all_handles = np.concatenate([family, copies[in_family]])
        store_arrangement(world, all_handles[np.argsort(np.concatenate([positions, copy_positions]), kind="stable")])


# Names


def rename_copies(world: World, copies: Column) -> None:
    """Give copies names that no other entity has, except for children of prefab instances."""
    table = world.table(Name)
    rows = table.lookup(copies)
    origin = world.table(Origin)
    origin_rows = origin.lookup(copies)
    from_prefab = (
        (origin_rows >= 0) & (origin.column("entry")[np.maximum(origin_rows, 0)] > 0)
        if len(origin)
        else origin_rows >= 0
    )
    rows = rows[(rows >= 0) & ~from_prefab]
    if not len(rows):
        return
    texts = [world.text(number) for number in table.column("value")[rows].tolist()]
    names = free_names(world, texts, without=rows)
    table.column("value")[rows] = world.texts.encode(tuple(names))
    table.mark(rows)


def free_names(world: World, names: Sequence[str], without: Column | None = None) -> list[str]:
    """Return names that no entity has: each unchanged, or with the lowest free number from 2 up.

    without: int64, rows of the table of names that are ignored, because they get the new names.
    """
    table = world.table(Name)
    counted = np.ones(len(table), np.bool_)
    counted[without if without is not None else slice(0)] = False
    taken = {world.text(number) for number in np.unique(table.column("value")[counted]).tolist()}
    next_numbers: dict[str, int] = {}
    result: list[str] = []
    for name in names:
        free = name
        if name and name in taken:
            match = _NUMBERED.match(name)
            base = match[1] if match is not None and match[1] else name
            number = next_numbers.get(base, 2)
            while (free := f"{base} {number}") in taken:
                number += 1
            next_numbers[base] = number + 1
        taken.add(free)
        result.append(free)
    return result
