"""Children: the entities that a cascading field hangs below others, without a search for those that have none.

A despawn asks for the children of each entity, and few have any. So the rows that name each entity are counted, and the
column is searched only for entities with a count. The counts follow the changes of the table: a changed row costs the
same in a table of any length. Only after a write that names no rows, the column is compared once.
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

    Entities are counted by the low bits of their handles. So an entity may have a count without a child, which one of
    another entity has caused; the search then finds none. With a search for each despawn, `despawn_1000000` takes ten
    times as long.
    """

    def __init__(self, table: Table, name: str) -> None:
        self._table, self._name = table, name
        self._version, self._used = -1, 0
        self._parents: Column = np.zeros(0, np.int64)  # by row, as they were counted
        self._counts: Column = np.zeros(0, np.int32)  # the length is a power of two

    def of(self, entities: Entities, targets: Column) -> Column:
        """Return int64: the entities whose field names one of the targets, which must be alive."""
        if self._table.version != self._version or entities.used > len(self._counts):
            self._follow(entities.used)
        counts, mask = self._counts, len(self._counts) - 1
        if len(targets) == 1:
            target = targets.item()
            return self._table.entities[self._column == target] if counts.item(target & mask) else targets[:0]
        targets = targets[counts[targets & mask] > 0]
        return self._table.entities[entities.among(self._column, targets)] if len(targets) else targets

    @property
    def _column(self) -> Column:
        return self._table.column(self._name)

    def _follow(self, slots: int) -> None:
        """Count what changed since the last call. slots: the number of slots of entities in use."""
        table = self._table
        rows = table.recent_rows(self._version)
        if slots > len(self._counts):
            self._counts = np.zeros(1 << slots.bit_length(), np.int32)
            self._parents, rows = np.zeros(table.room, np.int64), None
            self._used = 0
        elif table.room > len(self._parents):
            grown = np.zeros(table.room, np.int64)
            grown[: self._used] = self._parents[: self._used]
            self._parents = grown
        if rows is None:
            self._count_different()
        else:
            self._count_rows([*rows, *range(table.used, self._used)])
        self._version, self._used = table.version, table.used

    def _count_rows(self, rows: list[int]) -> None:
        now, used, mask = self._column, self._table.used, len(self._counts) - 1
        for row in rows:
            before, after = self._parents.item(row), now.item(row) if row < used else 0
            if before != after:
                self._parents[row] = after
                for parent, change in (before, -1), (after, 1):
                    if parent:
                        self._counts[parent & mask] += change

    def _count_different(self) -> None:
        """Count all rows that differ from what was counted."""
        parents, now, used, mask = self._parents, self._column, self._table.used, len(self._counts) - 1
        rows = np.flatnonzero(parents[:used] != now)
        after = now[rows]
        before = np.concatenate([parents[rows], parents[used : self._used]])
        np.subtract.at(self._counts, before[before != 0] & mask, 1)
        np.add.at(self._counts, after[after != 0] & mask, 1)
        parents[rows], parents[used : self._used] = after, 0
