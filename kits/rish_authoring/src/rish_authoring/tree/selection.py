"""Checks and orders the entities that an edit changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rish_core import Name, UsageError, World
from rish_ecs.declarations import Column
from rish_ecs.storage import links_of, parents_of

from .marks import without_previews


def require_alive(world: World, handles: Sequence[int]) -> Column:
    """Return int64 (n,): the handles without duplicates, in their order. Raises StaleEntity for a dead entity."""
    entities = np.asarray([int(handle) for handle in handles], np.int64)
    dead = ~world.alive(entities) if len(entities) else np.zeros(0, np.bool_)
    if dead.any():
        raise world.entities.stale(int(entities[dead][0]))
    _, first = np.unique(entities, return_index=True)
    return entities[np.sort(first)]


def tops(world: World, handles: Sequence[int]) -> Column:
    """Return int64 (n,): the entities that have no ancestor among the others, in their order, without previews.

    Raises StaleEntity.
    """
    entities = without_previews(world, require_alive(world, handles))
    inside = np.zeros(len(entities), np.bool_)
    ancestors = parents_of(world, entities)
    for _ in range(world.entities.used):
        has_ancestor = ancestors != 0
        if not has_ancestor.any():
            break
        inside |= np.isin(ancestors, entities)
        ancestors[has_ancestor] = parents_of(world, ancestors[has_ancestor])
        ancestors[inside] = 0
    return entities[~inside]


def with_children(world: World, handles: Column) -> Column:
    """Return int64 (n,): entities and their descendants, breadth first, without previews.

    Each generation is in the order of its parents.
    """
    links = links_of(world)
    generations = [handles]
    last = handles
    while len(last):
        rows = np.flatnonzero(np.isin(links.parents, last))
        ranks = np.argsort(last)
        place = ranks[np.searchsorted(last, links.parents[rows], sorter=ranks)]
        rows = rows[np.lexsort((links.children[rows], links.added[rows], place))]
        last = links.children[rows]
        generations.append(last)
    return without_previews(world, np.concatenate(generations))


def phrase_for(world: World, handle: int) -> str:
    """Return the name of an entity in quotes, or its number, for messages."""
    view: Any = world.get(handle, Name) if world.has(handle, Name) else None
    return repr(view.value) if view is not None and view.value else f"entity {handle & 0xFFFFFFFF}"


def placed(world: World, handles: Column) -> Column:
    """Return bool (n,): whether each entity has a Transform or another component with a parent."""
    has_place: Column = np.zeros(len(handles), np.bool_)
    for table in world.trees:
        has_place |= table.lookup(handles) >= 0
    return has_place


def require_place(world: World, handles: Column) -> None:
    """Raise UsageError if an entity has no component with a parent, so that it can't be below another one."""
    unplaced = handles[~placed(world, handles)]
    if len(unplaced):
        raise UsageError(f"{phrase_for(world, int(unplaced[0]))} has no Transform", hint="Add a Transform first")
