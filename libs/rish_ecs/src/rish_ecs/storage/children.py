"""Children: the entities that a cascading field hangs below others.

A despawn asks for the children of each entity, and few have any. So the rows that name each entity are counted, and the
column is searched only for entities with a count. The counts follow the changes of the table; only after a write that
names no rows, the column is compared once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..declarations.columns import Column

if TYPE_CHECKING:
    from .entities import Entities
    from .table import Table


class Children:
    """The children of all entities by one cascading field.

    Entities are counted by the low bits of their handles, so an entity may have the count of another one; the search
    then finds no child. With a search for each despawn, `despawn_1000000` takes ten times as long.
    """

    def __init__(self, table: Table, name: str) -> None:
        self._table, self._name = table, name
        self._version, self._used = -1, 0
        self._parents: Column = np.zeros(0, np.int64)  # by row, as they were counted
        self._counts: Column = self._parents

    def of(self, entities: Entities, targets: Column) -> Column:
        """Return int64: the entities whose field names one of the targets, which must be alive."""
        table = self._table
        if table.version != self._version:
            self._follow()
        counts, mask = self._counts, len(self._counts) - 1
        if len(targets) == 1:
            target = targets.item()
            return table.entities[table.column(self._name) == target] if counts.item(target & mask) else targets[:0]
        targets = targets[counts[targets & mask] > 0]
        return table.entities[entities.among(table.column(self._name), targets)] if len(targets) else targets

    def _follow(self) -> None:
        """Count what changed since the last call."""
        table, name = self._table, self._name
        rows, room = table.recent_rows(self._version), int(table.room)
        if len(self._parents) != room:
            self._parents, self._used, rows = np.zeros(room, np.int64), 0, None
            self._counts = np.zeros(1 << room.bit_length(), np.int32)
        parents, counts, used, mask = self._parents, self._counts, table.used, len(self._counts) - 1
        if rows is not None:
            now = table.flat(name)
            for row in (*rows, *range(used, self._used)):
                before, after = parents.item(row), now.item(row) if row < used else 0
                if before != after:
                    counts[before & mask] -= before != 0
                    counts[after & mask] += after != 0
                    parents[row] = after
        else:
            self._count(parents[used : self._used], -1)
            parents[used : self._used] = 0
            now = table.column(name)
            changed = np.flatnonzero(parents[:used] != now)
            self._count(parents[changed], -1)
            self._count(now[changed], 1)
            parents[changed] = now[changed]
        self._version, self._used = table.version, used

    def _count(self, parents: Column, change: int) -> None:
        if len(parents):
            np.add.at(self._counts, parents[parents != 0] & (len(self._counts) - 1), change)
