"""Change detection: which entities were added and removed since a system's last call.

Each reader, identified by its system's name, has a cursor for each table and event type. Additions need no log, because
each row stores the number of the change that added it. Removals are logged only for components for which a system calls
`removed`, and are dropped from the log when all readers have read them.

The readers of tick stages are state of the World: they are hashed, saved and restored. Those of frame stages (such as a
renderer) are stored separately and cleared by a restore, so that the hash does not depend on the frame rate.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ..declarations.columns import Column
from ..declarations.system import TICK_STAGES, Stage

if TYPE_CHECKING:
    from ..declarations.component import Declaration
    from .table import Table

Cursor = tuple[str, str, str]
_TICK = frozenset(TICK_STAGES)


class Readers:
    """The position of each reader, and the removals that not all readers have read.

    cursors: the position by (what, reader, kind key). logs: the removed handles by kind key; the first one has the
    number `log_start`.
    """

    def __init__(self) -> None:
        self.cursors: dict[Cursor, int] = {}
        self.log_start: dict[str, int] = {}
        self.logs: dict[str, list[int]] = {}

    def removed(self, reader: str, key: str) -> list[int]:
        """Return the removals that a reader has not read; the first call starts the log."""
        log = self.logs.setdefault(key, [])
        start = self.log_start.setdefault(key, 0)
        cursor = ("removed", reader, key)
        since = self.cursors.get(cursor, start + len(log))
        self.cursors[cursor] = start + len(log)
        return log[since - start :]

    def log_removed(self, key: str, handles: Column) -> None:
        """Log removals, if a system reads those of that component."""
        if key in self.logs:
            self.logs[key].extend(handles.tolist())

    def trim(self) -> None:
        """Drop the removals that all readers have read."""
        for key, log in self.logs.items():
            if log:
                start = self.log_start[key]
                cursors = self.cursors.items()
                seen = min((n for (what, _, k), n in cursors if what == "removed" and k == key), default=start)
                del log[: seen - start]
                self.log_start[key] = seen

    def forget(self, readers: Collection[str], keys: Collection[str]) -> None:
        """Drop some readers, and all cursors and logs of some kinds."""
        self.cursors = {c: n for c, n in self.cursors.items() if c[1] not in readers and c[2] not in keys}
        read_keys = {key for what, _, key in self.cursors if what == "removed"}
        for key in [key for key in self.logs if key not in read_keys]:
            del self.logs[key], self.log_start[key]

    def clear(self) -> None:
        """Drop all readers."""
        self.cursors.clear()
        self.log_start.clear()
        self.logs.clear()


class Runs(Protocol):
    """The part of a store that `Changes` needs: the running stage and system, and the tables."""

    stage: Stage | None
    running: str

    def table(self, cls: type) -> Table:
        """Return the table of a component."""
        ...

    def is_view(self, declared: Declaration) -> bool:
        """Whether a declaration affects only what is drawn or heard."""
        ...


class Changes:
    """The number of the last change of structure, and the readers in tick stages and frame stages.

    view_sequence: the same for components for drawing, which are numbered apart, because `sequence` may be hashed.
    """

    def __init__(self, store: Runs) -> None:
        self._store = store
        self.sequence = 0
        self.view_sequence = 0
        self.tick = Readers()
        self.frame = Readers()

    @property
    def _readers(self) -> Readers:
        stage = self._store.stage
        return self.tick if stage is None or stage in _TICK else self.frame

    def next(self) -> int:
        """Return the number of a new change."""
        self.sequence += 1
        return self.sequence

    def next_view(self) -> int:
        """Return the number of a new change of components for drawing."""
        self.view_sequence += 1
        return self.view_sequence

    def move_cursor(self, what: str, key: str, number: int) -> int:
        """Set the running system's cursor for the kind `key`; return the previous one, 0 at first."""
        cursors, cursor = self._readers.cursors, (what, self._store.running, key)
        before = cursors.get(cursor, 0)
        cursors[cursor] = number
        return before

    def added(self, cls: type) -> Column:
        """Return int64: the entities whose rows were added after the reader's cursor."""
        table = self._store.table(cls)
        now = self.view_sequence if self._store.is_view(table.schema) else self.sequence
        since = self.move_cursor("added", table.schema.key, now)
        if since == now:
            return np.zeros(0, np.int64)
        return table.entities[table.added_at[: len(table)] > since]

    def removed(self, cls: type) -> Column:
        """Return int64: the logged removals that the reader has not read; the first call starts the log."""
        key = self._store.table(cls).schema.key
        return np.array(self._readers.removed(self._store.running, key), np.int64)

    def log_removed(self, key: str, handles: Column) -> None:
        """Log removals for the readers in tick stages and frame stages."""
        if self.tick.logs or self.frame.logs:
            self.tick.log_removed(key, handles)
            self.frame.log_removed(key, handles)

    def forget(self, readers: Collection[str] = (), keys: Collection[str] = ()) -> None:
        """Drop the cursors of systems, and of component and event types (full names), that no longer exist.

        Otherwise their removals would stay in the log for ever.
        """
        self.tick.forget(readers, keys)
        self.frame.forget(readers, keys)

    def trim(self) -> None:
        """Drop the removals that all readers have read."""
        if self.tick.logs or self.frame.logs:
            self.tick.trim()
            self.frame.trim()

    def save(self) -> dict[str, Any]:
        """Return a copy of the numbers and of the readers in tick stages, which are state."""
        return {
            "sequence": self.sequence,
            "view_sequence": self.view_sequence,
            "cursors": dict(self.tick.cursors),
            "log_start": dict(self.tick.log_start),
            "logs": {key: list(log) for key, log in self.tick.logs.items()},
        }

    def load(self, saved: dict[str, Any]) -> None:
        """Let the state be as `save` returned it, and drop the readers in frame stages."""
        self.sequence = saved["sequence"]
        self.view_sequence = saved.get("view_sequence", 0)
        self.tick.cursors = dict(saved["cursors"])
        self.tick.log_start = dict(saved["log_start"])
        self.tick.logs = {key: list(log) for key, log in saved["logs"].items()}
        self.frame.clear()
