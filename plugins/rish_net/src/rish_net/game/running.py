"""A running game as the rollback needs it."""

from __future__ import annotations

from typing import Any

from rish_core import InputRecord, Snapshot


class RunningGame:
    """Saves, restores and simulates the World of an App."""

    def __init__(self, app: Any) -> None:
        self._app = app

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

    def simulate(self, record: InputRecord) -> None:
        """Run a tick without hooks."""
        self._app.simulate(record)

    def hash(self) -> int:
        """Return 60 bits of the hash of the state."""
        return int(self._app.world.hash()[:15], 16)
