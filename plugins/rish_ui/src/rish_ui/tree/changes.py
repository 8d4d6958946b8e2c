"""Finds the rows of a table whose values have changed since the last call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rish_ecs import RowChanges, Table, kind_of
from rish_jit import Array


@dataclass(eq=False)
class _Seen:
    """A table at the last call. fixed: uint8 (n, bytes), the columns side by side. pooled: other values of each row."""

    version: int
    entities: Array
    fixed: Array
    pooled: list[tuple[Any, ...]]


class Changes:
    """Keeps copies of tables. A table reports which rows were written, except after rows were added or removed; then
    its values are compared.
    """

    def __init__(self) -> None:
        self._seen: dict[type, _Seen] = {}

    def of(self, cls: type, table: Table) -> list[int]:
        """Return the entities that are new in a component's table, or have other values than at the last call."""
        previous = self._seen.get(cls)
        if previous is not None and previous.version == table.version:
            return []
        changes = table.changes(previous.version) if previous is not None else None
        if previous is not None and changes is not None and _only_written(previous, table, changes):
            rows = changes.rows
            fixed, pooled = _values(cls, table, rows)
            previous.fixed[rows] = fixed
            for row, value in zip(rows.tolist(), pooled, strict=True):
                previous.pooled[row] = value
            previous.version = table.version
            return table.entities[rows].tolist()
        current = _Seen(table.version, table.entities.copy(), *_values(cls, table, np.arange(len(table))))
        self._seen[cls] = current
        return current.entities.tolist() if previous is None else _differing(previous, current)


def _only_written(previous: _Seen, table: Table, changes: RowChanges) -> bool:
    """Return True if it is known which rows were written, and none were added, removed or moved."""
    return not changes.all and not len(changes.removed) and len(table) == len(previous.entities)


def _differing(previous: _Seen, current: _Seen) -> list[int]:
    """Return the entities of a table that are new, or have other values than before."""
    if not len(previous.entities) or not len(current.entities):
        return current.entities.tolist()
    order = np.argsort(previous.entities)
    matches = np.minimum(np.searchsorted(previous.entities, current.entities, sorter=order), len(order) - 1)
    rows = order[matches]
    is_same = (previous.entities[rows] == current.entities) & (previous.fixed[rows] == current.fixed).all(axis=1)
    if current.pooled:
        is_same &= np.array(
            [previous.pooled[old] == new for old, new in zip(rows.tolist(), current.pooled, strict=True)], np.bool_
        )
    return current.entities[~is_same].tolist()


def _values(cls: type, table: Table, rows: Array) -> tuple[Array, list[tuple[Any, ...]]]:
    """Return the values of rows: the fixed columns as bytes, and the values of unlimited length as tuples."""
    fields = kind_of(cls).fields
    if not len(rows):
        return np.zeros((0, 0), np.uint8), []
    columns = [table.column(name)[rows] for name, spec in fields.items() if not spec.type.pooled]
    parts = [np.ascontiguousarray(column).reshape(len(rows), -1).view(np.uint8) for column in columns]
    fixed = np.concatenate(parts, axis=1) if parts else np.zeros((len(rows), 0), np.uint8)
    names = [name for name, spec in fields.items() if spec.type.pooled]
    if not names:
        return fixed, [()] * len(rows)
    pooled = [tuple(_plain(table.read_row(name, row)) for name in names) for row in rows.tolist()]
    return fixed, pooled


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, (list, np.ndarray)) else value
