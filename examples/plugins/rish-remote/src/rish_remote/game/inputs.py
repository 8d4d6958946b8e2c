"""Input from clients: window events that are added to the input of coming ticks.

They go through a tick hook, so that a recording contains them like those of a person, and a replay needs no client.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rish_core import InputRecord, TickHooks, WindowEvent

if TYPE_CHECKING:
    from rish_core import World


class InputQueue:
    """The events of coming ticks. Nothing is called in ticks while there are none."""

    def __init__(self, world: World) -> None:
        self._hooks: TickHooks = world[TickHooks]
        self._ticks: dict[int, list[WindowEvent]] = {}
        self._next = 0

    def add(self, events: Sequence[WindowEvent], after: int = 0) -> None:
        """Add events to a tick. after: the number of ticks before that one."""
        if not events:
            return
        if not self._ticks:
            self._hooks.before.append(self._before)
        self._ticks.setdefault(self._next + after, []).extend(events)

    @property
    def waiting(self) -> int:
        """The number of ticks until the last event is used."""
        return max(self._ticks) + 1 - self._next if self._ticks else 0

    def close(self) -> None:
        """Drop all events."""
        if self._ticks:
            self._hooks.before.remove(self._before)
            self._ticks.clear()

    def _before(self, world: Any, record: InputRecord) -> InputRecord:
        events = self._ticks.pop(self._next, ())
        self._next += 1
        if not self._ticks:
            self._hooks.before.remove(self._before)
        return InputRecord((*record.events, *events)) if events else record
