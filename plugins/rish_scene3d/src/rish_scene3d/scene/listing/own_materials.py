"""The table of materials: those of files, of billboards, and the different ones of Material3D, each counted."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs import RowChanges
from rish_jit import Array

from ... import layout as at
from ...components.models import Material3D
from ...models.store import Models3D
from .looks import looks_of_materials

if TYPE_CHECKING:
    from rish_core import World

_MAX_PATCHED = 0.125
"""The greatest share of Material3D that are looked up one by one; if more have changed, all are sorted again."""
_versions = itertools.count(1)


class OwnMaterials:
    """The table of materials, and the row that each Material3D has in it.

    table: all materials, float32 (m, MATERIAL); another object with each change, but its memory is written in place.
    version: of the table, a number that no other table has. numbers: int32, by rows of Material3D, rows of the table.
    looks: int64, by rows of the table, the bits that it adds to the looks of its models.
    """

    def __init__(self) -> None:
        self.table: Array = np.zeros((0, at.MATERIAL), np.float32)
        self.version = 0
        self.numbers: Array = np.zeros(0, np.int32)
        self.looks: Array = np.zeros(0, np.int64)
        self._table = self.table
        self._first = self._end = self._count = 0  # rows of the table; rows of Material3D
        self._used: Array = np.zeros(0, np.int64)  # how many Material3D have each row of the table
        self._numbers: dict[bytes, int] | None = None  # by the values of a Material3D; None: not yet needed
        self._values: dict[int, bytes] = {}
        self._free: list[int] = []

    def _changed(self) -> None:
        self.table, self.version = self._table[: self._end], next(_versions)

    def start(self, world: World, store: Models3D, boards: Array) -> None:
        """List all materials. boards: those of billboards, (b, MATERIAL)."""
        table = world.table(Material3D)
        self._first = len(store.materials) + len(boards)
        rows, flags, number = store.rows_of(world, table)
        parts = (np.array(store.materials, np.float32), boards, rows)
        before, self._table, self._numbers = self.table, np.concatenate(parts), None
        self._end, self._count = len(self._table), len(table)
        self.numbers = (number + self._first).astype(np.int32)
        self.looks = np.append(np.zeros(self._first, np.int64), looks_of_materials(rows, flags))
        self._used = np.bincount(self.numbers, minlength=self._end)
        self._free = []
        if not np.array_equal(before, self._table):
            self._changed()

    def put_boards(self, store: Models3D, boards: Array) -> bool:
        """Replace the materials of billboards; return False, and do nothing, if their number differs."""
        files = len(store.materials)
        if files + len(boards) != self._first:
            return False
        if not np.array_equal(self._table[files : self._first], boards):
            self._table[files : self._first] = boards
            self._changed()
        return True

    def patch(self, world: World, store: Models3D, changes: RowChanges) -> bool:
        """Apply changes of Material3D; return False if so many changed that all must be listed again."""
        table = world.table(Material3D)
        rows, count = changes.rows.tolist(), len(table)
        gone = list(range(count, self._count))
        if changes.all or len(rows) + len(gone) > _MAX_PATCHED * max(count, 1):
            return False
        if self._numbers is None:
            unchanged = np.ones(self._count, np.bool_)
            unchanged[changes.rows[changes.rows < self._count]] = False
            unchanged[count:] = False
            self._read_values(table, np.flatnonzero(unchanged))
        former = [int(self.numbers[row]) for row in rows + gone if row < self._count]
        if count > len(self.numbers):
            self.numbers = np.resize(self.numbers, 2 * count)
        for row in rows:
            number = self._number(world, store, table, row)
            self.numbers[row] = number
            self._used[number] += 1
        for number in former:
            self._release(number)
        self._count = count
        return True

    def _read_values(self, table: Any, unchanged: Array) -> None:
        """Find the values of each row of the table of materials, from rows of Material3D that did not change."""
        distinct, first = np.unique(self.numbers[unchanged], return_index=True)
        rows = unchanged[first]
        parts = [
            np.ascontiguousarray(table.column(name)[rows]).reshape(len(rows), -1).view(np.uint8).reshape(len(rows), -1)
            for name in table.schema.fields
        ]
        values = [value.tobytes() for value in np.concatenate(parts, axis=1)]
        self._numbers = dict(zip(values, distinct.tolist(), strict=True))
        self._values = dict(zip(distinct.tolist(), values, strict=True))

    def _number(self, world: World, store: Models3D, table: Any, row: int) -> int:
        """Return the row of the table of materials for a row of Material3D; it is added if there is none."""
        assert self._numbers is not None
        value = b"".join(table.flat_rows(slice(row, row + 1)))
        number = self._numbers.get(value)
        if number is None:
            rows, flags, _ = store.rows_of(world, table, np.array([row]))
            number = self._numbers[value] = self._free.pop() if self._free else self._add()
            self._values[number] = value
            self._table[number], self.looks[number] = rows[0], looks_of_materials(rows, flags)[0]
            self._changed()
        return number

    def _add(self) -> int:
        """Return a new row of the table."""
        number = self._end
        if number == len(self._table):
            rows = max(8, 2 * number)
            self._table = np.resize(self._table, (rows, at.MATERIAL))
            self.looks, self._used = np.resize(self.looks, rows), np.resize(self._used, rows)
        self._used[number] = 0
        self._end += 1
        return number

    def _release(self, number: int) -> None:
        """Count one Material3D less that has a row of the table."""
        assert self._numbers is not None
        self._used[number] -= 1
        if not self._used[number]:
            self._free.append(number)
            value = self._values.pop(number, None)
            if value is not None:
                del self._numbers[value]
