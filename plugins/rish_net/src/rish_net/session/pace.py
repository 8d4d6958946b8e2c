"""The pace: estimates of the round trip and of the other peer's tick, and from them the input delay and the speed.

A guest follows the tick of the host. It runs up to `MOST` faster or slower, which nobody notices, until its tick is the
one that the host runs at the same moment.
"""

from __future__ import annotations

import math

MOST = 0.05
"""The greatest change of speed."""
_SPEED_PER_TICK = 0.02
"""The change of speed for each tick of difference."""
_SHARE = 0.1
"""The weight of a new measurement in the average."""
_CALM_TICKS = 2.0
"""The ticks of one way that prediction hides without an input delay."""
MOST_LOCKSTEP_DELAY = 30
"""The longest input delay without prediction, in ticks."""
LONGEST_STEP = 250.0
"""The most milliseconds by which `SteadyTime` goes on at once."""


class SteadyTime:
    """Milliseconds of a clock whose jumps are left out: it goes on by at most `LONGEST_STEP` a call, and never back.

    So a clock that is set, or a process that was stopped, neither spoils the round trip nor makes others look silent.
    """

    def __init__(self) -> None:
        self._last: float | None = None
        self._now = 1.0

    def at(self, now: float) -> float:
        """Return the steady time for a reading of the clock."""
        if self._last is not None:
            self._now += max(0.0, min(now - self._last, LONGEST_STEP))
        self._last = now
        return self._now


class Pace:
    """What a peer knows of the link to another one. Times are milliseconds.

    round_trip: average; None before the first measurement. jitter: average difference from it. ahead: average number
    of ticks by which this game is ahead of the other one.
    """

    def __init__(self, tick_ms: float) -> None:
        self.tick_ms = tick_ms
        self.round_trip: float | None = None
        self.jitter = 0.0
        self.ahead = 0.0

    def measure(self, round_trip: float, own_tick: int, other_tick: int) -> None:
        """Use a packet: its round trip, and the ticks of both games when it arrived and when it was sent."""
        round_trip = max(0.0, round_trip)
        ahead = own_tick - (other_tick + round_trip / 2 / self.tick_ms)
        if self.round_trip is None:
            self.round_trip, self.ahead = round_trip, ahead
            return
        self.jitter += _SHARE * (abs(round_trip - self.round_trip) - self.jitter)
        self.round_trip += _SHARE * (round_trip - self.round_trip)
        self.ahead += _SHARE * (ahead - self.ahead)

    def delay(self, most: int) -> int:
        """Return the input delay in ticks: what one way takes beyond what prediction hides, at most `most`."""
        if self.round_trip is None:
            return 0
        one_way = (self.round_trip / 2 + self.jitter) / self.tick_ms
        return max(0, min(most, round(one_way - _CALM_TICKS)))

    def lockstep_delay(self) -> int:
        """Return the input delay in ticks without prediction: a guest's input goes to the host and comes back."""
        if self.round_trip is None:
            return 0
        return min(MOST_LOCKSTEP_DELAY, math.ceil((self.round_trip + 2 * self.jitter) / self.tick_ms) + 1)

    @property
    def speed(self) -> float:
        """The factor of speed that brings this game to the tick of the other one."""
        return 1.0 - max(-MOST, min(MOST, _SPEED_PER_TICK * self.ahead))
