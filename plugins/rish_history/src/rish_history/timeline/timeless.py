"""Entities with `Timeless` keep their components during a seek.

A game with rewind may need entities that a rewind does not change: a hero that keeps its memory, a door that stays
open. Such an entity keeps all its components through the seek. But an entity that did not exist at the target tick is
gone after the seek, and one that existed then and does not exist now is restored: `Timeless` keeps components, not
entities.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rish_core import component
from rish_ecs.snapshots import TableState, capture_rows, put_captured


@component
class Timeless:
    """A seek or rewind does not change the components of this entity."""


_Kept = tuple[NDArray[np.int64], NDArray[np.int32], TableState]
"""The timeless entities of one table, their rows in it, and a copy of the table."""


@contextmanager
def keep_timeless(world: Any) -> Iterator[None]:
    """Restore the components of Timeless entities after the block to their values before it."""
    kept = _take(world)
    yield
    if kept:
        _put_back(world, kept)


def _take(world: Any) -> dict[type, _Kept]:
    table = world.tables.get(Timeless)
    if table is None or not len(table):
        return {}
    everyone = table.entities.copy()
    kept: dict[type, _Kept] = {}
    for cls, found in world.tables.items():
        rows = found.rows_of(everyone)
        rows = rows[rows >= 0]
        if len(rows):
            kept[cls] = found.entities[rows].copy(), rows, capture_rows(found, True)
    return kept


def _put_back(world: Any, kept: dict[type, _Kept]) -> None:
    everyone = kept[Timeless][0]
    alive = everyone[world.alive(everyone)]
    for cls, table in world.tables.items():
        had = kept[cls][0] if cls in kept else everyone[:0]
        now = alive[table.rows_of(alive) >= 0]
        lost, won = np.setdiff1d(now, had), np.intersect1d(np.setdiff1d(had, now), alive)
        if len(lost):
            world.remove(lost, cls)
        if len(won):
            world.add(won, cls)
    for cls, (handles, places, state) in kept.items():
        rows = world.tables[cls].rows_of(handles)
        there = rows >= 0
        put_captured(world.tables[cls], rows[there], state, places[there])
