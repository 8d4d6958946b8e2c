"""The clock: from the irregular time of frames to ticks of constant length.

Real time fills an accumulator, and every full tick in it is run. The accumulator counts in whole numbers, so
that a thousand short frames give exactly as many ticks as one long one. A frame runs at most `max_ticks`
ticks: when ticks take longer than they last, catching up would only make the next frame longer still (the
spiral of death), so the rest is dropped and counted, and the game runs slower instead.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from rish_ecs import resource

_NS = 1_000_000_000
_LONGEST_FRAME = 0.25
"""Seconds; the longest `dt` of a frame system, so that what it moves does not jump after a stall."""


@resource(derived=True)
class Clock:
    """Ticks out of real time, with pause, single steps and a time scale. Not state: the tick itself is the World's.

    dt: seconds of a tick. time_scale: 2 runs twice as fast; ticks stay as long as they are. max_ticks: in one frame,
    times the time scale where that is above 1. alpha: how far the picture stands between the last two ticks, 0..1.
    frame_dt: seconds of this frame, of real time. dropped: ticks given up so far because a frame had too many.
    """

    dt: float = 1 / 60
    time_scale: float = 1.0
    paused: bool = False
    max_ticks: int = 5
    alpha: float = 1.0
    frame: int = 0
    frame_dt: float = 0.0
    dropped: int = 0

    def __post_init__(self) -> None:
        """Empty the accumulator."""
        self._steps = 0
        self._filled = 0
        self._unit_of: tuple[float, int, int] = (0.0, 1, 1)

    def rebuild(self, world: Any) -> None:
        """After a restore: the length of a tick is the World's; the fraction of a tick that waits goes on waiting."""
        self.dt = world.dt

    def advance(self, seconds: float) -> int:
        """Begin a frame that comes `seconds` of real time after the last; gives the number of ticks to run.

        A clock that went backwards, or is no number, counts as standing still.
        """
        seconds = seconds if math.isfinite(seconds) and seconds > 0 else 0.0
        self.frame += 1
        self.frame_dt = seconds if seconds < _LONGEST_FRAME else _LONGEST_FRAME
        if self.paused:
            return self._take_steps()
        unit, tick = self._units()
        self._filled += round(seconds * self.time_scale * _NS) * unit
        ticks, rest = divmod(self._filled, tick)
        if ticks > self.max_ticks:
            limit = max(1, math.ceil(self.max_ticks * max(1.0, self.time_scale)))
            self.dropped += max(0, ticks - limit)
            ticks = min(ticks, limit)
        self._filled = rest
        self.alpha = rest / tick
        return ticks

    def step(self) -> int:
        """Begin a frame of exactly one tick, whatever the time: the headless mode. Gives 1, or 0 while paused."""
        self.frame += 1
        self.frame_dt = self.dt
        if self.paused:
            return self._take_steps()
        self.alpha = 1.0
        return 1

    def request_steps(self, count: int = 1) -> None:
        """While paused, run single ticks: one in each of the next `count` frames."""
        self._steps += count

    def pause(self, paused: bool = True) -> None:
        """Stop or go on; time that passes meanwhile is not caught up, and unused single steps lapse."""
        self.paused = paused
        self._steps = 0

    def _take_steps(self) -> int:
        if not self._steps:
            return 0
        self._steps -= 1
        self.alpha = 1.0
        return 1

    def _units(self) -> tuple[int, int]:
        """How many units of the accumulator a nanosecond and a tick are; dt as the simple fraction that it is."""
        known, unit, tick = self._unit_of
        if known != self.dt:
            fraction = Fraction(self.dt).limit_denominator(1_000_000)
            unit, tick = fraction.denominator, fraction.numerator * _NS
            self._unit_of = (self.dt, unit, tick)
            self._filled = 0
        return unit, tick
