"""The entities that an edit is asked to change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rish_core import Name, UsageError, World
from rish_ecs.declarations import Column
from rish_ecs.storage import links_of, parents_of

from .marks import without_previews


def chosen(world: World, handles: Sequence[int]) -> Column:
    """Return int64: the handles without duplicates, in their order. Raises StaleEntity for one that does not live."""
    given = np.asarray([int(handle) for handle in handles], np.int64)
    dead = ~world.alive(given) if len(given) else np.zeros(0, np.bool_)
    if dead.any():
        raise world.entities.stale(int(given[dead][0]))
    _, first = np.unique(given, return_index=True)
    return given[np.sort(first)]


def tops(world: World, handles: Sequence[int]) -> Column:
    """Return int64: the chosen entities that are not below others of them, in their order; without those that are
    only shown, see `Previews`. Raises StaleEntity."""
    mine = without_previews(world, chosen(world, handles))
    inside = np.zeros(len(mine), np.bool_)
    above = parents_of(world, mine)
    for _ in range(world.entities.used):
        hung = above != 0
        if not hung.any():
            break
        inside |= np.isin(above, mine)
        above[hung] = parents_of(world, above[hung])
        above[inside] = 0
    return mine[~inside]


def with_children(world: World, handles: Column) -> Column:
    """Return int64: entities and all below them, breadth first: each generation in the order of its parents; without
    those that are only shown, see `Previews`."""
    links = links_of(world)
    found = [handles]
    last = handles
    while len(last):
        rows = np.flatnonzero(np.isin(links.parents, last))
        ranks = np.argsort(last)
        place = ranks[np.searchsorted(last, links.parents[rows], sorter=ranks)]
        rows = rows[np.lexsort((links.children[rows], links.added[rows], place))]
        last = links.children[rows]
        found.append(last)
    return without_previews(world, np.concatenate(found))


def said(world: World, handle: int) -> str:
    """Return a phrase for an entity."""
    view: Any = world.get(handle, Name) if world.has(handle, Name) else None
    return repr(view.value) if view is not None and view.value else f"entity {handle & 0xFFFFFFFF}"


def placed(world: World, handles: Column) -> Column:
    """Return bool: whether each entity has a Transform or another component with a parent."""
    found: Column = np.zeros(len(handles), np.bool_)
    for table in world.trees:
        found |= table.lookup(handles) >= 0
    return found


def require_place(world: World, handles: Column) -> None:
    """Raise UsageError if an entity has no component with a parent, so that it can't be below another one."""
    lacking = handles[~placed(world, handles)]
    if len(lacking):
        raise UsageError(f"{said(world, int(lacking[0]))} has no Transform", hint="Add a Transform first")
