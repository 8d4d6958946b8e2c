"""A running game as the rollback needs it."""

from __future__ import annotations

from typing import Any

from rish_core import InputRecord
from rish_ecs.states import SavedState
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

    def save(self) -> SavedState:
        """Return a copy of the state in memory."""
        state: SavedState = self._app.world.save_state()
        return state

    def load(self, state: SavedState) -> None:
        """Load a state that `save` returned."""
        self._app.world.load_state(state)
        self._history.undo(self.tick)

    def simulate(self, record: InputRecord) -> None:
        """Run a tick without hooks. It does not ask for the clipboard again: the answer would be input twice."""
        self._app.simulate(record)
        requests = self._app.world.resource("frame.DeviceRequests")
        if requests is not None:
            requests.pasting = False
        self._history.add(record)

    def hash(self) -> int:
        """Return 64 bits of the hash of the state."""
        return int(self._app.world.hash()[:16], 16)
