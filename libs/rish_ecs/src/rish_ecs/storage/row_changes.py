"""Row changes: which rows of a table were written, added or moved since a version.

Each row has the number of its last change, as in Bevy's change ticks. A reader stores the version of a table and asks
later for the changes since; a value declared with `derived` does both, see docs/how-to/tables-and-changes.md.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from ..declarations.columns import Column, distinct

_REMOVALS = 256
"""The number of removals that are stored; for a reader with an older version, all rows count as changed."""
RECENT, _FEW = 64, 64
"""The number of changes whose rows are stored, and the greatest number of rows of one that is looked at."""
MASK = 2**32 - 1
"""A row stores the version of its last change in 32 bits."""
_NONE: Column = np.zeros(0, np.int64)


class RowChanges:
    """The rows of a table that changed since a version. False in a condition if none changed.

    all: any row may have changed, and all of them count as changed. removed: int64, the handles of entities that lost
    their row, in the order of removal; empty if `all` is true, and for tables without entities. written: whether values
    may have been written; False if it is known that rows were only added, removed or moved.
    """

    __slots__ = ("_rows", "all", "count", "removed", "written")

    def __init__(
        self, count: int, rows: Column | None = None, removed: Column = _NONE, *, written: bool = True
    ) -> None:
        self.count = count
        self.all = rows is None
        self.removed = removed
        self.written = written
        self._rows = rows

    @property
    def rows(self) -> Column:
        """int64, ascending: the rows that were written or added, and those that another row was moved into."""
        if self._rows is None:
            self._rows = np.arange(self.count)
        return self._rows

    def __bool__(self) -> bool:
        return self._rows is None or self._rows.size > 0 or self.removed.size > 0

    def __repr__(self) -> str:
        rows = "all rows" if self.all else f"{len(self.rows)} rows"
        return f"<{rows} of {self.count} changed, {len(self.removed)} removed>"


NO_CHANGES = RowChanges(0, _NONE, written=False)
"""The changes of a table since its present version."""


def joined_changes(parts: Sequence[RowChanges]) -> RowChanges:
    """Return the changes of several parts together. The last one gives the number of rows."""
    if any(part.all for part in parts):
        return RowChanges(parts[-1].count)
    count = parts[-1].count
    rows = distinct(np.concatenate([part.rows for part in parts]))
    return RowChanges(count, rows[rows < count], distinct(np.concatenate([part.removed for part in parts])))


class Versioned:
    """The part of a table that counts its changes.

    version: increases with each write of values and whenever rows are added, removed or moved. membership: increases
    only in the latter case, and when columns are replaced by longer ones.
    """

    version: int
    membership: int
    used: int

    def start_versions(self, capacity: int) -> None:
        """Start with version 0. capacity: the number of rows for which there is room."""
        state = self.__dict__
        state["version"] = state["membership"] = 0
        state["_all_changed"] = 0
        state["_changed"] = np.zeros(capacity, np.uint32)
        state["_changed_cells"] = state["_changed"].data
        state["_recent"] = [_NONE] * RECENT  # the rows of the last changes, by version modulo their number
        state["_moves"] = [_NONE] * RECENT  # the rows that moved with the last changes, by membership
        state["_removals"] = deque[tuple[int, Any]](maxlen=_REMOVALS)
        state["_last"] = (0, 0, NO_CHANGES)  # the last result of `changes`, with both versions

    def mark(self, rows: Any = None) -> None:
        """Mark rows as written. rows: an index or an array of them; None: any row may have been written.

        `world.set` and entity views mark the rows that they write, and the schedule marks all tables in the `writes` of
        a system after it has run. A system declared with `marks=True` must itself mark the rows that it writes.
        """
        state = self.__dict__
        version = state["version"] = state["version"] + 1
        if type(rows) is int:  # the most frequent case, of scripts and rules
            state["_changed_cells"][rows] = version & MASK  # half the time of the array
            state["_recent"][version % RECENT] = rows
        elif rows is None:
            state["_all_changed"] = version
        elif type(rows) is np.ndarray and rows.size == 1 and rows.dtype != np.bool_:
            self._note(rows.item())
        else:
            self._note(rows if isinstance(rows, slice) else np.array(rows))

    def _note(self, rows: Any) -> None:
        """Store that rows (an index, an array or a slice) changed with the present version."""
        state = self.__dict__
        version = self.version
        state["_changed_cells" if type(rows) is int else "_changed"][rows] = version & MASK
        state["_recent"][version % RECENT] = rows

    def changes(self, since: int) -> RowChanges:
        """Return the rows that changed since the table had this version.

        All rows count as changed if a write did not name its rows, and if more rows were removed than are stored.
        """
        version = self.version
        if since == version:
            return NO_CHANGES
        state = self.__dict__
        last_since, last_version, last = state["_last"]
        if last_since == since and last_version == version:  # several readers ask, such as one for each field
            return last
        result = self._find_changes(since)
        state["_last"] = since, version, result
        return result

    def _find_changes(self, since: int) -> RowChanges:
        state, version = self.__dict__, self.version
        if not state["_all_changed"] <= since < version:
            return RowChanges(self.used)
        removals: deque[tuple[int, Any]] = state["_removals"]
        if len(removals) == _REMOVALS and removals[0][0] > since:
            return RowChanges(self.used)
        latest = state["_recent"][version % RECENT] if version - since == 1 else None
        few = [latest] if type(latest) is int and latest < self.used else self.recent_rows(since)
        if few is not None:
            rows = np.array(sorted(few), np.int64)
        else:
            changed: Column = state["_changed"][: self.used]
            if version <= MASK:
                rows = np.flatnonzero(changed > since)
            else:  # the ages are right as long as no row is older than 2^32 changes; such a row may count as changed
                rows = np.flatnonzero(np.uint32(version & MASK) - changed < version - since)
        removed = _removed(removals, since)
        return RowChanges(self.used, rows, np.array(removed, np.int64) if removed else _NONE)

    def recent_rows(self, since: int) -> set[int] | None:
        """Return the rows that changed since a version; None if there were many changes, or a write without rows.

        Without it, a frame in which only the camera moves among 100,000 sprites takes a fifth longer.
        """
        version, used = self.version, self.used
        if not max(self.__dict__["_all_changed"], version - RECENT) <= since < version:
            return None
        recent: list[Any] = self.__dict__["_recent"]
        rows = _few_rows([recent[number % RECENT] for number in range(since + 1, version + 1)])
        return None if rows is None else {row for row in rows if row < used}

    def moved_since(self, version: int, membership: int) -> tuple[set[int], list[int]] | None:
        """Return the rows that may belong to another entity than when the table had a version and a membership, and the
        handles that were removed since; None after many changes. Rows that no longer exist may be among them."""
        moves, removals, now = self.__dict__["_moves"], self.__dict__["_removals"], self.membership
        if not now - RECENT <= membership <= now or (len(removals) == _REMOVALS and removals[0][0] > version):
            return None
        rows = _few_rows([moves[number % RECENT] for number in range(membership + 1, now + 1)])
        return None if rows is None else (rows, _removed(removals, version))

    def _mark_moved(self) -> None:
        """Mark all rows as written and moved."""
        self.mark()
        self.__dict__["_moves"][self.membership % RECENT] = None

    def _reserve_changes(self, capacity: int) -> None:
        """Replace the numbers of the rows by a longer column."""
        grown = np.zeros(capacity, np.uint32)
        grown[: self.used] = self.__dict__["_changed"][: self.used]
        self.__dict__["_changed"], self.__dict__["_changed_cells"] = grown, grown.data


def _few_rows(changes: Sequence[Any]) -> set[int] | None:
    """Return the rows of some changes; None if one of them has many rows, or rows that are not indices."""
    rows = set[int]()
    for each in changes:
        if type(each) is int:
            rows.add(each)
        elif each is None:
            return None
        elif type(each) is slice:
            numbers = range(each.start or 0, each.stop or 0)
            if len(numbers) > _FEW:
                return None
            rows.update(numbers)
        elif each.size > _FEW or each.dtype == np.bool_:
            return None
        else:
            rows.update(each.ravel().tolist())
    return None if rows and min(rows) < 0 else rows


def _removed(removals: deque[tuple[int, Any]], since: int) -> list[int]:
    """Return the handles of the removals after a version, in their order."""
    if not removals or removals[-1][0] <= since:
        return []
    parts: list[list[int]] = []
    for version, handles in reversed(removals):
        if version <= since:
            break
        parts.append([handles] if type(handles) is int else handles.tolist())
    return [*chain.from_iterable(reversed(parts))]
