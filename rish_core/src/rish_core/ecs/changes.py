"""Change detection: what was added and removed since a system last asked.

Each reader, named by its system, has a cursor for each table and event type; the cursors are state of the World.
Additions need no log, for every row carries the number of the change that made it. Removals are logged only for
components that somebody asks about, and trimmed as soon as all readers have seen them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .columns import Column

if TYPE_CHECKING:
    from .world import World

Cursor = tuple[str, str, str]


class Changes:
    """The counter of changes, the readers' cursors, and the logs of removals.

    sequence: the number of the last change of structure. cursors: (what, reader, kind key) to a number.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self.sequence = 0
        self.cursors: dict[Cursor, int] = {}
        self.log_start: dict[str, int] = {}
        self.logs: dict[str, list[int]] = {}

    def next(self) -> int:
        """Number a new change."""
        self.sequence += 1
        return self.sequence

    def cursor(self, what: str, cls: type) -> int:
        """How far the running system has read; 0 where it never did."""
        return self.cursors.get((what, self._world.running, cls.__kind__.key), 0)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownArgumentType, reportUnknownMemberType]

    def move_cursor(self, what: str, cls: type, number: int) -> None:
        """Set how far the running system has read."""
        self.cursors[what, self._world.running, cls.__kind__.key] = number  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]

    def added(self, cls: type) -> Column:
        """int64: the entities whose rows are younger than the reader's cursor."""
        table = self._world.table(cls)
        since = self.cursor("added", cls)
        self.move_cursor("added", cls, self.sequence)
        if since == self.sequence:
            return np.zeros(0, np.int64)
        return table.entities[table.added_at[: len(table)] > since]

    def removed(self, cls: type) -> Column:
        """int64: the logged removals that the reader has not seen; the first call starts the log."""
        key = self._world.table(cls).schema.key
        log = self.logs.setdefault(key, [])
        start = self.log_start.setdefault(key, 0)
        known = ("removed", self._world.running, key) in self.cursors
        since = self.cursor("removed", cls) - start if known else len(log)
        self.move_cursor("removed", cls, start + len(log))
        return np.array(log[since:], np.int64)

    def log_removed(self, key: str, handles: Column) -> None:
        """Note removals, if anybody asks about that component."""
        log = self.logs.get(key)
        if log is not None:
            log.extend(handles.tolist())

    def trim(self) -> None:
        """Forget the removals that every reader has seen."""
        for key, log in self.logs.items():
            if log:
                start = self.log_start[key]
                seen = min(n for (what, _, k), n in self.cursors.items() if what == "removed" and k == key)
                if seen > start:
                    del log[: seen - start]
                    self.log_start[key] = seen
