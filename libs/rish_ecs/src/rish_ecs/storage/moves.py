"""Which poses of a table move: from tick to tick, and from one picture to the next.

A component with a pose has the fields `position`, `rotation` and `scale`, and the same with `last_` before the name for
the pose at the start of the tick. What draws between two ticks mixes both.
"""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from ..declarations.columns import Column, distinct

if TYPE_CHECKING:
    from .store import Store
    from .table import Table

POSE = ("position", "rotation", "scale")
LAST_POSE = ("last_position", "last_rotation", "last_scale")
_NO_ROWS: Column = np.zeros(0, np.int64)
_FEW = 16
"""Up to this number, rows are handled in a Python loop, which is faster than numpy."""
_SMALL = 512
"""A table with up to this number of rows is copied completely, which is faster than finding the written rows."""
_COPIED = 16
"""A table in which a greater part than one of so many rows was written is copied completely too."""
_NOTES = 64
"""The number of changes that are stored. For a reader with an older version, all rows count as moved."""


class PoseMoves:
    """Keeps the last poses of a table, and finds the rows whose poses between two ticks change.

    version: rises with each `note`. moved: the rows that the last look found, int64; None for any row. back: how far
    the drawn poses are before the current ones on the way from the last ones, 0..1.
    """

    def __init__(self) -> None:
        self.version = 0
        self.forget()

    def forget(self) -> None:
        """Forget all but the version, as after a restore: no pose is mixed with one from before it."""
        self.back: float = -1.0
        self.moved: Column | None = None
        self._sequence = self._remembered = self._seen = -1
        self._open: Column | None = None
        self._removed = False
        self._pairs: list[tuple[memoryview, memoryview]] = []
        self._pairs_for: Column | None = None
        self._notes: deque[Column | None] = deque(maxlen=_NOTES)

    def remember(self, world: Store, table: Table) -> None:
        """Copy the poses at the start of a tick to the `last_` fields; only rows written since the last tick change."""
        if table.version != self._remembered:
            changes = table.changes(self._remembered) if table.used > _SMALL else None
            if changes is None or changes.all or _COPIED * len(changes.rows) > table.used:
                for last, now in self._pairs_of(table):
                    last[:] = now
            elif len(changes.rows):
                _copy_rows(table, changes.rows)
            self._remembered = table.version
        self._sequence = world.changes.sequence

    def look(self, world: Store, table: Table, alpha: float) -> bool:
        """Return whether poses may differ from those of the last look; if so, set `moved` and `back`.

        alpha: how far the picture is on the way from the last poses to the current ones.
        """
        moving = _rows(table, self._remembered)
        resting = moving is not None and not len(moving)
        back = 0.0 if resting else float(np.float32(1) - np.float32(alpha))
        if table.version == self._seen and back == self.back:
            return False
        if world.changes.sequence != self._sequence:
            added = np.flatnonzero(table.added_at[: len(table)] > self._sequence)
            if len(added):  # rows that were added since the tick began have no last pose
                _copy_rows(table, added)
        still_open = self._open
        if still_open is not None and len(still_open) and still_open[-1] >= len(table):
            still_open = still_open[still_open < len(table)]
        changes = table.changes(self._seen)
        self._removed = len(changes.removed) > 0
        self.moved = joined_rows(None if changes.all else changes.rows, moving, still_open)
        self._seen, self.back, self._open = table.version, back, moving
        return True

    def note(self, rows: Column | None) -> None:
        """Store that the matrices of these rows, None for any, may have changed, or that rows were removed."""
        if rows is None or len(rows) or self._removed:
            self.version += 1
            self._notes.append(rows)

    def since(self, version: int) -> Column | None:
        """Return the rows that were noted since a version, int64; None if it may be any row.

        Rows may be among them that do not exist any more.
        """
        if version == self.version:
            return _NO_ROWS
        missed, noted = self.version - version, len(self._notes)
        if not 0 < missed <= noted:
            return None
        return joined_rows(*islice(self._notes, noted - missed, None))

    def _pairs_of(self, table: Table) -> list[tuple[memoryview, memoryview]]:
        """Return each column of last poses with that of the current poses; looked up again if the columns changed.

        They are memoryviews, which are copied faster than arrays.
        """
        now = table.flat(POSE[0])
        if self._pairs_for is not now:
            columns = zip(POSE, LAST_POSE, strict=True)
            self._pairs_for = now
            self._pairs = [(table.flat(last).data, table.flat(name).data) for name, last in columns]
        return self._pairs


def _rows(table: Table, since: int) -> Column | None:
    """Return the rows that changed since a version; None if it may be any row."""
    changes = table.changes(since)
    return None if changes.all else changes.rows


def _copy_rows(table: Table, rows: Column) -> None:
    """Copy the poses of some rows to their last poses."""
    each: Any = rows.tolist() if len(rows) <= _FEW else [rows]
    for name, last in zip(POSE, LAST_POSE, strict=True):
        now, before = table.column(name), table.column(last)
        for some in each:
            before[some] = now[some]


def joined_rows(*parts: Column | None) -> Column | None:
    """Return the distinct rows of all parts, int64; None, which means any row, if one part is None."""
    some: list[Column] = []
    for part in parts:
        if part is None:
            return None
        if len(part):
            some.append(part)
    if len(some) < 2:
        return some[0] if some else _NO_ROWS
    if sum(map(len, some)) > _FEW:
        return distinct(np.concatenate(some))
    return np.array(sorted({row for part in some for row in part.tolist()}), np.int64)
