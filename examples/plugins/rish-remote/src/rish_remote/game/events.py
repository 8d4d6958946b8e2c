"""The last events of the game, kept only while a client asks for or watches them, so that nothing is read otherwise."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from itertools import islice
from typing import TYPE_CHECKING, Any

from ..api.values import typed

if TYPE_CHECKING:
    from rish_core import App

KEPT = 2000
"""The number of events that are kept."""
_PER_FRAME = 200
"""The greatest number of events of one type that are kept of a frame."""
_LEASE = 600
"""The number of frames for which events are kept after the last request for them."""


class EventLog:
    """Keeps events by number. listening: whether events are kept. dropped: events that were too many in a frame."""

    def __init__(self) -> None:
        self.listening = False
        self.count = self.dropped = 0
        self._kept: deque[dict[str, Any]] = deque(maxlen=KEPT)
        self._left = 0

    def listen(self) -> None:
        """Keep events for the next ten seconds."""
        self.listening, self._left = True, _LEASE

    def take(self, app: App) -> None:
        """Keep the events of this frame; called in a frame stage."""
        self._left -= 1
        if not self._left:
            self.listening = False
            self._kept.clear()
            return
        world = app.world
        for key, kind in app.registry.events.items():
            batch = world.bus.of_frame(kind.cls)
            for row in islice(batch, _PER_FRAME):
                self.count += 1
                values = {name: typed(spec, getattr(row, name)) for name, spec in kind.fields.items()}
                self._kept.append({"number": self.count, "tick": world.tick, "type": key, "values": values})
            self.dropped += max(0, len(batch) - _PER_FRAME)

    def since(self, number: int, types: Collection[str], limit: int) -> list[dict[str, Any]]:
        """Return the last events after a number, oldest first. types: full names; empty for all."""
        fitting = (
            event
            for event in reversed(self._kept)
            if event["number"] > number and (not types or event["type"] in types)
        )
        return [*islice(fitting, limit)][::-1]
