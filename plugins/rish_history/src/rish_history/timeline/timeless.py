"""Entities with `Timeless` keep their components during a seek.

A game with rewind may need entities that a rewind does not change: a hero that keeps its memory, a door that stays
open. Such an entity keeps all its components through the seek. But `Timeless` keeps components,
not entities: an entity that did not exist at the target tick does not exist after the seek, and an entity that was
despawned since then exists again.
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


_Captured = tuple[NDArray[np.int64], NDArray[np.int32], TableState]
"""The timeless entities of one table, their rows in it, and a copy of the table."""


@contextmanager
def keep_timeless(world: Any) -> Iterator[None]:
    """After the block, give Timeless entities the components and values that they had before it."""
    captured = _take(world)
    yield
    if captured:
        _put_back(world, captured)


def _take(world: Any) -> dict[type, _Captured]:
    """Return copies of the components of all Timeless entities, by class."""
    table = world.tables.get(Timeless)
    if table is None or not len(table):
        return {}
    entities = table.entities.copy()
    captured: dict[type, _Captured] = {}
    for cls, table_of_class in world.tables.items():
        rows = table_of_class.rows_of(entities)
        rows = rows[rows >= 0]
        if len(rows):
            captured[cls] = table_of_class.entities[rows].copy(), rows, capture_rows(table_of_class, True)
    return captured


def _put_back(world: Any, captured: dict[type, _Captured]) -> None:
    """Add, remove and write components so that living Timeless entities are as in the copies."""
    entities = captured[Timeless][0]
    alive = entities[world.alive(entities)]
    for cls, table in world.tables.items():
        owners_before = captured[cls][0] if cls in captured else entities[:0]
        owners_now = alive[table.rows_of(alive) >= 0]
        surplus, missing = (
            np.setdiff1d(owners_now, owners_before),
            np.intersect1d(np.setdiff1d(owners_before, owners_now), alive),
        )
        if len(surplus):
            world.remove(surplus, cls)
        if len(missing):
            world.add(missing, cls)
    for cls, (handles, captured_rows, state) in captured.items():
        rows = world.tables[cls].rows_of(handles)
        present = rows >= 0
        put_captured(world.tables[cls], rows[present], state, captured_rows[present])
