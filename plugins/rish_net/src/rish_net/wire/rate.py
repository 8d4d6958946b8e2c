"""Limits of what somebody may send in a time."""

from __future__ import annotations


class Rate:
    """A token bucket: `burst` at once, and `per_second` in the long run. Times are seconds."""

    def __init__(self, per_second: float, burst: float) -> None:
        self.per_second = per_second
        self.burst = burst
        self._left = burst
        self._then = 0.0

    def take(self, amount: float, now: float) -> bool:
        """Return whether the amount is within the limit, and count it if it is."""
        self._left = min(self.burst, self._left + (now - self._then) * self.per_second)
        self._then = now
        if amount > self._left:
            return False
        self._left -= amount
        return True
