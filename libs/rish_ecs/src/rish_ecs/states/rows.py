"""Copies of the rows of all tables as bytes, and their return into the same tables.

All columns of all tables and event queues are joined to one `bytes` object. A load compares it with the present rows by
memcmp, first as a whole and then table by table. So tables that have not changed cost a copy of their rows and nothing
else, and a write that was not marked is still found. A column that differs is written in place: arrays and views stay
valid, and only the rows that differ are marked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..declarations.columns import Column
from ..declarations.component import Kind
from ..storage.table import Columns, Table
from ..storage.text import Pool

if TYPE_CHECKING:
    from ..storage.events import EventQueue
    from ..storage.store import Store

HANDLES = 16
"""The size in bytes of the handle and of `added_at` of a row."""
_WORDS: tuple[tuple[int, Any], ...] = ((8, np.uint64), (4, np.uint32), (2, np.uint16), (1, np.uint8))
_MOST = 2
"""If a column differs in one of this number of rows, all rows are marked, and the other columns are not compared."""
_NO_ROWS: Column = np.zeros(0, np.int64)
_Ragged = tuple[Column, Column]
"""The lengths of rows, and the items in the order of the rows."""
Pools = list[tuple[bytes, int]]
"""By pooled field: the items, and the number of unreferenced ones."""


@dataclass(slots=True, eq=False)
class Part:
    """The rows of a table within the bytes of a state. The columns follow one another; those of a component begin with
    handles and `added_at`. owner: the table, or the queue of events, which gets new columns in each tick.
    """

    owner: Columns | EventQueue
    kind: Kind
    used: int
    start: int
    end: int

    @property
    def columns(self) -> Columns:
        """The present columns."""
        return self.owner if isinstance(self.owner, Columns) else self.owner.columns


class Parts:
    """The tables and event queues with rows, in the order of their rows in a state. Shared by states with the same
    number of rows in each.
    """

    def __init__(self, owners: list[Columns | EventQueue], every: list[Columns]) -> None:
        self.every, self.memberships = every, [columns.membership for columns in every]
        self.parts: list[Part] = []
        self.views: list[Any] = []
        end = 0
        for owner, columns in zip(owners, every, strict=True):
            if columns.used:
                views, start = columns.cached(_views), end
                end += sum([view.nbytes for view in views])
                self.views += views
                self.parts.append(Part(owner, columns.schema, columns.used, start, end))
        self.by_owner = {part.owner: part for part in self.parts}
        self.pooled = [part for part in self.parts if _pools(part.columns)]


@dataclass(slots=True, eq=False)
class SavedRows:
    """The rows of all tables and event queues. pools: of the tables in `parts.pooled`."""

    parts: Parts
    data: bytes
    pools: list[Pools]


class RowSaver:
    """Saves and loads the rows of a World."""

    def __init__(self) -> None:
        self._parts = Parts([], [])

    def save(self, world: Store) -> SavedRows:
        """Return a copy of all rows, with transient and derived fields."""
        parts = self._present(world)
        return SavedRows(parts, b"".join(parts.views), [_save_pools(part.columns) for part in parts.pooled])

    def load(self, world: Store, saved: SavedRows) -> bool:
        """Let all tables have their saved rows again; mark the rows that differ. Return whether rows were added,
        removed or moved.
        """
        present, parts, data = self._present(world), saved.parts, saved.data
        now, moved = b"".join(present.views), False
        pools = dict(zip(parts.pooled, saved.pools, strict=True))
        for part in parts.parts if parts is not present or now != data else parts.pooled:
            columns, chunk = part.columns, data[part.start : part.end]
            held = present.by_owner.get(part.owner)
            before = now[held.start : held.end] if held is not None and held.used == part.used else None
            if before != chunk:
                membership = columns.membership
                _load(part, chunk, before, pools.get(part))
                moved |= columns.membership != membership
            elif part in pools and _save_pools(columns) != pools[part]:
                columns.mark(_load_pools(columns, pools[part], _gathered(columns)))
        for part in present.parts if parts is not present else ():
            if part.owner not in parts.by_owner:
                clear_rows(part.columns)
                moved = True
        return moved

    def _present(self, world: Store) -> Parts:
        tables, queues = [*world.tables.values(), *world.columns.values()], [*world.queues.values()]
        every = [*tables, *[queue.columns for queue in queues]]
        parts = self._parts
        if every != parts.every or [columns.membership for columns in every] != parts.memberships:
            parts = self._parts = Parts([*tables, *queues], every)
        return parts


def clear_rows(columns: Columns) -> None:
    """Remove all rows."""
    if isinstance(columns, Table):
        columns.reset_rows(_NO_ROWS, _NO_ROWS)
    columns.clear()


def _load(part: Part, data: bytes, before: bytes | None, pools: Pools | None) -> None:
    """Let a table have the rows in `data`. before: its present rows; None if it has another number of rows."""
    columns, start = part.columns, 0
    former = _gathered(columns)
    if isinstance(columns, Table):
        handles = np.frombuffer(data, np.int64, 2 * part.used)  # aligned, as the first column
        columns.reset_rows(handles[: part.used], handles[part.used :])
        start = HANDLES * part.used
    elif before is None:
        columns.resize(part.used)
    rows = _load_fields(columns, data, start, before)
    if pools is not None:
        changed = _load_pools(columns, pools, former)
        rows = np.concatenate([rows, changed]) if rows is not None else None
    if rows is None or len(rows):
        columns.mark(rows)


def _load_fields(columns: Columns, data: bytes, start: int, before: bytes | None) -> Column | None:
    """Write the columns that differ; return the rows that differ, None if they are most rows or not known.

    data, before: of all columns, as for `_load`. start: where the fields begin.
    """
    rows: list[Column] = [_NO_ROWS]
    few = before is not None or isinstance(columns, Table)
    for name in columns.schema.fields:
        present = columns.flat(name)
        end = start + present.nbytes
        column = data[start:end]  # a copy is aligned; numpy needs five times as long for arrays that are not
        if before is None or before[start:end] != column:
            width = present.nbytes // columns.used
            dtype = next(dtype for size, dtype in _WORDS if width % size == 0)
            present, saved = present.view(dtype), np.frombuffer(column, dtype)
            if few:
                differs = present != saved
                differs = differs if len(differs) == columns.used else differs.reshape(columns.used, -1).any(axis=1)
                rows.append(differs.nonzero()[0])
                few = _MOST * len(rows[-1]) < columns.used
            present[:] = saved
        start = end
    return np.concatenate(rows) if few else None


def _views(columns: Columns) -> list[Any]:
    """Return all columns, of the rows in use."""
    arrays = [columns.entities, columns.added_at[: columns.used]] if isinstance(columns, Table) else []
    return [array.data for array in (*arrays, *map(columns.flat, columns.schema.fields))]


def _pools(columns: Columns) -> dict[str, Pool]:
    pools: dict[str, Pool] = columns.__dict__["_pools"]
    return pools


def _save_pools(columns: Columns) -> Pools:
    return [(pool.items[: pool.used].tobytes(), pool.garbage) for pool in _pools(columns).values()]


def _gathered(columns: Columns) -> list[_Ragged]:
    """Return the lengths and items of each pooled field."""
    spans_of = {name: columns.column(name) for name in _pools(columns)}
    return [(spans[:, 1].copy(), columns.pool_of(name).gather(spans)) for name, spans in spans_of.items()]


def _load_pools(columns: Columns, saved: Pools, before: list[_Ragged]) -> Column:
    """Load the items of the pools, after the spans; return the rows that differ. before: the former `_gathered`."""
    for pool, (data, garbage) in zip(_pools(columns).values(), saved, strict=True):
        pool.used = 0
        pool.append(np.frombuffer(data, pool.items.dtype).reshape(-1, *pool.items.shape[1:]))
        pool.garbage = garbage
    rows: list[Column] = [_NO_ROWS]
    for (lengths, items), (former_lengths, former) in zip(_gathered(columns), before, strict=True):
        if not np.array_equal(lengths, former_lengths):
            return np.arange(columns.used)
        if len(items):
            different = (items.view(np.uint8) != former.view(np.uint8)).reshape(len(items), -1).any(axis=1)
            rows.append(np.repeat(np.arange(columns.used), lengths)[different])
    return np.unique(np.concatenate(rows))
