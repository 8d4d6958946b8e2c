"""The clock, which converts the irregular times of frames to ticks of constant length.

Real time is added to an accumulator, and one tick is run for each full tick length in it. The accumulator is an
integer, so that a thousand short frames give exactly as many ticks as one long frame. A frame runs at most `max_ticks`
ticks. If a tick takes longer to compute than it lasts, catching up would make the next frame even longer (the spiral of
death); so the remaining ticks are dropped and counted, and the game runs slower.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from rish_ecs import resource

_NS = 1_000_000_000
_MAX_FRAME_DT = 0.25
"""The longest `dt` of a frame system, in seconds, so that nothing jumps after a stall."""


@resource(derived=True)
class Clock:
    """The clock of a game, with pause, single steps and time scale. It is not state; the World counts the ticks.

    dt: seconds of a tick. time_scale: 2 runs twice as fast; `dt` stays. paused: no ticks run. max_ticks: the limit of
    ticks in a frame, times the time scale if that is above 1. alpha: position of the drawn frame between the last two
    ticks, 0..1. frame: its number. frame_dt: its length in real seconds. dropped: ticks skipped because of `max_ticks`.
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
        """Set the accumulated time and the requested single steps to zero."""
        self._steps = 0
        self._filled = 0
        self._unit_of: tuple[float, int, int] = (0.0, 1, 1)

    def rebuild(self, world: Any) -> None:
        """Take the tick length from the World after a restore; the accumulated fraction of a tick is kept."""
        self.dt = world.dt

    def advance(self, seconds: float) -> int:
        """Begin a frame, `seconds` of real time after the last; return the number of ticks to run.

        A negative or non-finite number of seconds counts as 0.
        """
        seconds = seconds if math.isfinite(seconds) and seconds > 0 else 0.0
        self.frame += 1
        self.frame_dt = seconds if seconds < _MAX_FRAME_DT else _MAX_FRAME_DT
        if self.paused:
            return self._take_steps()
        unit, tick = self._units()
        self._filled += round(seconds * self.time_scale * _NS) * unit
        ticks, remainder = divmod(self._filled, tick)
        if ticks > self.max_ticks:
            limit = max(1, math.ceil(self.max_ticks * max(1.0, self.time_scale)))
            self.dropped += max(0, ticks - limit)
            ticks = min(ticks, limit)
        self._filled = remainder
        self.alpha = remainder / tick
        return ticks

    def step(self) -> int:
        """Begin a frame of exactly one tick (headless mode); return 1, or 0 if paused without a single step."""
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
        """Pause or resume; the paused time is not caught up, and unused single steps are discarded."""
        self.paused = paused
        self._steps = 0

    def _take_steps(self) -> int:
        if not self._steps:
            return 0
        self._steps -= 1
        self.alpha = 1.0
        return 1

    def _units(self) -> tuple[int, int]:
        """Return the lengths of a nanosecond and of a tick in integer units of the accumulator, which divide `dt`."""
        dt, unit, tick = self._unit_of
        if dt != self.dt:
            fraction = Fraction(self.dt).limit_denominator(1_000_000)
            unit, tick = fraction.denominator, fraction.numerator * _NS
            self._unit_of = (self.dt, unit, tick)
            self._filled = 0
        return unit, tick
