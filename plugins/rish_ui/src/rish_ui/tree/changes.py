"""The entities of a table whose values have changed."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_ecs import RowChanges, Table
from rish_jit import Array


class ChangedValues:
    """Finds the entities whose rows changed. Where a table does not know which rows were written, their values are
    compared with a copy.
    """

    def __init__(self) -> None:
        self._copies: dict[Table, tuple[Any, list[Array]]] = {}

    def of(self, table: Table, changes: RowChanges) -> list[int]:
        """Return the entities that are new in a table, were written, or have another row."""
        if not changes.all:
            self._copies.pop(table, None)
            return table.entities[changes.rows].tolist()
        (schema, before), now = self._copies.get(table, (None, [])), _values(table)
        self._copies[table] = table.schema, now
        if schema is not table.schema:
            return table.entities.tolist()
        common = min(len(before[0]), len(table))
        differs = np.zeros(common, np.bool_)
        for old, new in zip(before, now, strict=True):
            differs |= (old[:common] != new[:common]).reshape(common, -1).any(axis=1) if common else False
        return [*table.entities[:common][differs].tolist(), *table.entities[common:].tolist()]


def _values(table: Table) -> list[Array]:
    """Return copies of the entities and all columns; values of unlimited length as bytes, in arrays of objects."""
    columns = [table.entities.copy()]
    for name, spec in table.schema.fields.items():
        column = table.column(name)
        columns.append(_bytes(table, name) if spec.type.pooled else column.copy())
    return columns


def _bytes(table: Table, name: str) -> Array:
    spans = table.column(name)
    items = table.pool_of(name).gather(spans)
    data, size = items.tobytes(), items[:1].nbytes
    ends = (np.cumsum(spans[:, 1]) * size).tolist()
    values = np.empty(len(spans), np.object_)
    values[:] = [data[end - count * size : end] for end, count in zip(ends, spans[:, 1].tolist(), strict=True)]
    return values
