"""Versions: show whether a table has changed since a reader's last check, and which of its rows were written.

A reader stores the version and compares it with the current one later; see docs/how-to/tables-and-changes.md.
"""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import Any

import numpy as np

from ..declarations.columns import Column, distinct

_KEPT, _ROWS = 64, 1024
"""The number of changes that are stored, and the longest list of written rows; beyond it, all rows count as written."""
_NONE: Column = np.zeros(0, np.int64)


class Versioned:
    """The part of a table that counts its changes.

    version: increases with each write of values and whenever rows are added, removed or moved. membership: increases
    only in the latter case, and when columns are replaced by longer ones.
    """

    version: int
    membership: int

    def start_versions(self) -> None:
        """Start with version 0."""
        state = self.__dict__
        state["version"] = state["membership"] = 0
        state["_marks"] = deque[tuple[int, Any]](maxlen=_KEPT)

    def mark(self, rows: Any = None) -> None:
        """Mark rows as written. rows: an index or an array of them; None: any row may have been written.

        `world.set` and entity views mark the rows that they write, and the schedule marks all tables in the `writes` of
        a system after it has run. A system declared with `marks=True` must itself mark the rows that it writes.
        """
        state = self.__dict__
        version = state["version"] = state["version"] + 1
        if rows is not None:
            state["_marks"].append((version, rows))

    @property
    def writes(self) -> int:
        """A version that increases with each write of values, but not when rows are added, removed or moved."""
        return self.version - self.membership

    def written_since(self, version: int) -> Column | None:
        """Return int64: the rows that were written since the table had this version, ascending.

        None if any row may have been written: a write did not name its rows, too many rows were named, or rows were
        added, removed or moved.
        """
        missed = self.version - version
        if not missed:
            return _NONE
        marks: deque[tuple[int, Any]] = self.__dict__["_marks"]
        if not 0 < missed <= len(marks) or marks[-missed][0] != version + 1:
            return None
        rows: list[int] = []
        for _, each in islice(marks, len(marks) - missed, None):
            if type(each) is int:
                rows.append(each)
                continue
            if np.size(each) > _ROWS:
                return None
            rows += np.ravel(each).tolist()
        if len(rows) > _ROWS:
            return None
        return np.array(rows, np.int64) if len(rows) < 2 else distinct(np.array(rows, np.int64))
