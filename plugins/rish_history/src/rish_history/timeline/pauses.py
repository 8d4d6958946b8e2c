"""The recorded ticks in which the whole game was paused. Nothing moves in them, so a rewind skips them."""

from __future__ import annotations


class Pauses:
    """The pauses of the game. spans: the first and the last tick of each, in order."""

    def __init__(self) -> None:
        self.spans: list[tuple[int, int]] = []

    def note(self, tick: int) -> None:
        """Record a paused tick, which must be later than all recorded ones."""
        first = self.spans.pop()[0] if self.spans and self.spans[-1][1] == tick - 1 else tick
        self.spans.append((first, tick))

    def keep(self, first: int, last: int) -> None:
        """Discard all ticks outside of `first` to `last`."""
        self.spans = [(max(a, first), min(b, last)) for a, b in self.spans if a <= last and b >= first]

    def played(self, tick: int) -> int:
        """Return a tick; if it is within a pause, the last tick before the pause."""
        return next((first - 1 for first, last in reversed(self.spans) if first <= tick <= last), tick)

    def back(self, tick: int, count: int, least: int) -> int:
        """Return the tick that is `count` ticks back, not counting pauses, but not below `least`."""
        goal = tick
        for _ in range(count):
            before = self.played(goal - 1)
            if before < least:
                break
            goal = before
        return goal
