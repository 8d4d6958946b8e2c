"""The inputs of one seat, tick after tick."""

from __future__ import annotations

from rish_core import InputRecord
from rish_core.loop import NOTHING

NEVER = 1 << 62
"""A tick that no game reaches."""


class InputStream:
    """The inputs of a seat from the tick `opened` on. Those of ticks before `known` are known and never change.

    closed: the tick from which on the seat has no more input; `NEVER` while somebody plays. A stream that is closed and
    complete is known for ever.
    """

    def __init__(self, opened: int) -> None:
        self.opened = opened
        self.closed = NEVER
        self._next = opened
        self._records: dict[int, InputRecord] = {}

    @property
    def known(self) -> int:
        """The first tick whose input is not known."""
        return NEVER if self._next >= self.closed else self._next

    @property
    def next(self) -> int:
        """The first tick whose input was not put in yet."""
        return self._next

    def put(self, tick: int, record: InputRecord) -> bool:
        """Add the input of the first unknown tick; return False, without a change, for any other tick."""
        if tick != self._next or tick >= self.closed:
            return False
        if record.events:
            self._records[tick] = record
        self._next += 1
        return True

    def at(self, tick: int) -> InputRecord:
        """Return the input of a tick; no input if it is not known: then keys and axes stay as they are."""
        return self._records.get(tick, NOTHING)

    def awaits(self, tick: int) -> bool:
        """Return whether the input of a tick is not known yet and will come."""
        return self._next <= tick < self.closed

    def close(self, tick: int) -> int:
        """End the stream: from this tick on there is no input. Return the first tick that had one; `NEVER` for none."""
        self.closed, self._next = tick, min(self._next, tick)
        removed = [late for late in self._records if late >= tick]
        for late in removed:
            del self._records[late]
        return min(removed, default=NEVER)

    def reopen(self, tick: int) -> None:
        """Begin again at a tick, after the stream was closed; what was known of earlier ticks stays."""
        self.opened = self._next = tick
        self.closed = NEVER

    def forget(self, tick: int) -> None:
        """Remove the records before a tick, which nobody needs any more."""
        for old in [old for old in self._records if old < tick]:
            del self._records[old]
