"""Finds the rows of a component that differ, if a system may have written any row.

`Compared` of `rish_ecs` does the same, but it copies the values of lists too, which takes ten times as long.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_ecs import RowChanges
from rish_jit import Array


class SeenColumns:
    """A copy of the columns of a table. Without it, a frame after a write of all Model3D takes three times as long.

    names: of the columns that differed at the last call of `narrowed`; empty if that is not known.
    """

    def __init__(self) -> None:
        self.names: set[str] = set()
        self._entities: Array = np.zeros(0, np.int64)
        self._columns: list[Array] | None = None
        self._is_written = False  # without rows; a copy is made when it is written so again

    def narrowed(self, table: Any, changes: RowChanges) -> RowChanges:
        """Return changes of the table; if all rows count as changed, only those that differ from the copy.

        All rows still count as changed at the first two such calls, and if they belong to other entities.
        """
        names, self.names = table.schema.fields, set()
        if not changes.all:
            if self._columns is not None and len(table) == len(self._entities) and not len(changes.removed):
                rows = changes.rows
                self._entities[rows] = table.entities[rows]
                for name, column in zip(names, self._columns, strict=True):
                    column[rows] = table.column(name)[rows]
            elif changes:
                self._columns = None
            return changes
        if not self._is_written:
            self._is_written = True
            return changes
        if self._columns is None or not np.array_equal(self._entities, table.entities):
            self._entities = table.entities.copy()
            self._columns = [table.column(name).copy() for name in names]
            return changes
        differs = np.zeros(len(table), np.bool_)
        for name, before in zip(names, self._columns, strict=True):
            column = table.column(name)
            unequal = before != column
            if unequal.any():
                differs |= unequal if unequal.ndim == 1 else unequal.any(axis=1)
                before[:] = column
                self.names.add(name)
        return RowChanges(len(table), np.flatnonzero(differs))
