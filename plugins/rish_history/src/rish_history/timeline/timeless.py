"""Entities with `Timeless` keep their components during a seek.

A game with rewind may need entities that a rewind does not change: a hero that keeps its memory, a door that stays
open. Such an entity keeps all its components through the seek. But an entity that did not exist at the target tick is
gone after the seek, and one that existed then and does not exist now is restored: `Timeless` keeps components, not
entities.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rish_core import component


@component
class Timeless:
    """A seek or rewind does not change the components of this entity."""


@dataclass
class _Kept:
    """The rows of timeless entities in one table. values: by field; a list for fields of variable length."""

    handles: NDArray[np.int64]
    values: dict[str, Any]


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
            values = {name: _read(found, name, rows) for name in found.schema.fields}
            kept[cls] = _Kept(found.entities[rows].copy(), values)
    return kept


def _read(table: Any, name: str, rows: NDArray[Any]) -> Any:
    if table.schema.fields[name].type.pooled:
        return [table.read_row(name, int(row)) for row in rows]
    return table.column(name)[rows].copy()


def _put_back(world: Any, kept: dict[type, _Kept]) -> None:
    everyone = kept[Timeless].handles
    alive = everyone[world.alive(everyone)]
    for cls, table in world.tables.items():
        had = kept[cls].handles if cls in kept else everyone[:0]
        now = alive[table.rows_of(alive) >= 0]
        lost, won = np.setdiff1d(now, had), np.intersect1d(np.setdiff1d(had, now), alive)
        if len(lost):
            world.remove(lost, cls)
        if len(won):
            world.add(won, cls)
    for cls, found in kept.items():
        _write(world.tables[cls], found)


def _write(table: Any, kept: _Kept) -> None:
    rows = table.rows_of(kept.handles)
    there = np.flatnonzero(rows >= 0)
    rows = rows[there]
    for name, values in kept.values.items():
        if isinstance(values, list):
            for row, place in zip(rows.tolist(), there.tolist(), strict=True):
                table.write_row(name, row, values[place])
        else:
            table.column(name)[rows] = values[there]
    if len(rows):
        table.mark(rows)
