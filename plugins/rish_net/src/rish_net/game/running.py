"""A running game as the rollback needs it."""

from __future__ import annotations

from typing import Any

from rish_core import InputRecord, Snapshot
from rish_history import History


class RunningGame:
    """Saves, restores and simulates the World of an App; its history learns what is undone and run again."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._history: History = app.world[History] if History in app.world else History()

    @property
    def tick(self) -> int:
        """The number of ticks that ran."""
        return int(self._app.world.tick)

    def save(self) -> Snapshot:
        """Return a copy of the state."""
        snapshot: Snapshot = self._app.world.snapshot()
        return snapshot

    def load(self, state: Snapshot) -> None:
        """Restore a state."""
        self._app.world.restore(state)
        self._history.undo(self.tick)

    def simulate(self, record: InputRecord) -> None:
        """Run a tick without hooks."""
        self._app.simulate(record)
        self._history.add(record)

    def hash(self) -> int:
        """Return 64 bits of the hash of the state."""
        return int(self._app.world.hash()[:16], 16)
