"""Copies of the rows of a table as bytes, and their return into the same table.

All columns of a table are joined to one `bytes` object, which is compared with the present rows by one memcmp. So a
table that has not changed costs a copy of its rows and nothing else, and a write that was not marked is still found. A
column that differs is written in place: arrays and views stay valid, and only the rows that differ are marked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..declarations.columns import Column
from ..declarations.component import Kind
from ..storage.table import Columns, Table
from ..storage.text import Pool

HANDLES = 16
"""The size in bytes of the handle and of `added_at` of a row."""
_WORDS: tuple[tuple[int, Any], ...] = ((8, np.uint64), (4, np.uint32), (2, np.uint16), (1, np.uint8))
_NO_ROWS: Column = np.zeros(0, np.int64)
_Ragged = tuple[Column, Column]
"""The lengths of rows, and the items in the order of the rows."""


@dataclass(slots=True, eq=False)
class SavedRows:
    """The rows of a table. component: whether they belong to entities. data: the columns one after another; those of a
    component begin with handles and `added_at`. pools: the items of each pooled field and the number of unreferenced
    ones.
    """

    kind: Kind
    component: bool
    used: int
    data: bytes
    pools: list[tuple[bytes, int]]

    @property
    def nbytes(self) -> int:
        """The size in bytes."""
        return len(self.data) + sum(len(items) for items, _ in self.pools)


def save_rows(columns: Columns) -> SavedRows:
    """Return a copy of all rows, with transient and derived fields."""
    data = b"".join(columns.cached(_views))
    return SavedRows(columns.schema, isinstance(columns, Table), columns.used, data, _save_pools(columns))


def load_rows(columns: Columns, saved: SavedRows) -> None:
    """Let a table have the rows of a copy of the same kind again; mark the rows that differ."""
    before = b"".join(columns.cached(_views)) if columns.used == saved.used else None
    if before == saved.data:
        if _pools(columns) and _save_pools(columns) != saved.pools:
            columns.mark(_load_pools(columns, saved, _gathered(columns)))
        return
    former = _gathered(columns)
    start = 0
    if isinstance(columns, Table):
        handles = np.frombuffer(saved.data, np.int64, 2 * saved.used)
        columns.reset_rows(handles[: saved.used], handles[saved.used :])
        start = HANDLES * saved.used
    elif before is None:
        columns.resize(saved.used)
    rows = _load_fields(columns, saved.data, start, before or b"".join(columns.cached(_views)))
    if former:
        rows.append(_load_pools(columns, saved, former))
    if rows:
        columns.mark(rows[0] if len(rows) == 1 else np.concatenate(rows))


def clear_rows(columns: Columns) -> None:
    """Remove all rows."""
    if isinstance(columns, Table):
        columns.reset_rows(_NO_ROWS, _NO_ROWS)
    columns.clear()


def _load_fields(columns: Columns, data: bytes, start: int, now: bytes) -> list[Column]:
    """Write the columns that differ; return their rows that differ. data, now: of all columns; start: of the fields."""
    rows: list[Column] = []
    for name in columns.schema.fields if columns.used else ():
        present = columns.flat(name)
        end = start + present.nbytes
        if now[start:end] != data[start:end]:
            width = present.nbytes // columns.used
            dtype = next(dtype for size, dtype in _WORDS if width % size == 0)
            present = present.view(dtype).reshape(columns.used, -1)
            saved = np.frombuffer(data[start:end], dtype).reshape(present.shape)
            rows.append(np.flatnonzero((present != saved).any(axis=1)))
            present[...] = saved
        start = end
    return rows


def _views(columns: Columns) -> list[Any]:
    """Return all columns, of the rows in use."""
    arrays = [columns.entities, columns.added_at[: columns.used]] if isinstance(columns, Table) else []
    return [array.data for array in (*arrays, *map(columns.flat, columns.schema.fields))]


def _pools(columns: Columns) -> dict[str, Pool]:
    pools: dict[str, Pool] = columns.__dict__["_pools"]
    return pools


def _save_pools(columns: Columns) -> list[tuple[bytes, int]]:
    return [(pool.items[: pool.used].tobytes(), pool.garbage) for pool in _pools(columns).values()]


def _gathered(columns: Columns) -> list[_Ragged]:
    """Return the lengths and items of each pooled field."""
    columns_of = {name: columns.column(name) for name in _pools(columns)}
    return [(spans[:, 1].copy(), columns.pool_of(name).gather(spans)) for name, spans in columns_of.items()]


def _load_pools(columns: Columns, saved: SavedRows, before: list[_Ragged]) -> Column:
    """Load the items of the pools, after the spans; return the rows that differ. before: the former `_gathered`."""
    for pool, (data, garbage) in zip(_pools(columns).values(), saved.pools, strict=True):
        pool.used = 0
        pool.append(np.frombuffer(data, pool.items.dtype).reshape(-1, *pool.items.shape[1:]))
        pool.garbage = garbage
    rows: list[Column] = [_NO_ROWS]
    for (lengths, items), (former_lengths, former) in zip(_gathered(columns), before, strict=True):
        if not np.array_equal(lengths, former_lengths):
            return np.arange(columns.used)
        if len(items):
            different = items.view(np.uint8) != former.view(np.uint8)
            different = different.reshape(len(items), -1).any(axis=1)
            rows.append(np.repeat(np.arange(columns.used), lengths)[different])
    return np.unique(np.concatenate(rows))
