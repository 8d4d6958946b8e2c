"""The times of clips as the clock needs them: durations, ends and markers, by the index of a clip."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from rish_jit import Array

from .model import PlayMode


def _bools() -> Array:
    return np.zeros(0, np.bool_)


@dataclass(frozen=True)
class Timing:
    """The times of one clip. name, next: text numbers, 0 for none. markers: seconds and text number, by time."""

    seconds: float
    mode: PlayMode
    name: int
    next: int = 0
    markers: tuple[tuple[float, int], ...] = ()


@dataclass(eq=False)
class Timings:
    """The times of clips by index, also as arrays (n,): seconds float64, the others bool.

    once: whether the mode is ONCE. bounces: whether it is PING_PONG. marked: whether the clip has markers.
    """

    rows: list[Timing] = field(default_factory=list[Timing])
    seconds: Array = field(default_factory=lambda: np.zeros(0))
    once: Array = field(default_factory=_bools)
    bounces: Array = field(default_factory=_bools)
    marked: Array = field(default_factory=_bools)

    def add(self, timing: Timing) -> int:
        """Add a clip; return its index."""
        self.rows.append(timing)
        self.seconds = np.array([row.seconds for row in self.rows])
        self.once = np.array([row.mode is PlayMode.ONCE for row in self.rows])
        self.bounces = np.array([row.mode is PlayMode.PING_PONG for row in self.rows])
        self.marked = np.array([bool(row.markers) for row in self.rows])
        return len(self.rows) - 1

    def carried_on(self, clips: Array, time: Array, way: Array) -> Array:
        """Return float64 (n,): the times of clips within a pass after `way` more seconds, if no clip follows them.

        The times of a PING_PONG clip run to twice its duration. A clip with the mode ONCE stays at its end. The time of
        an unknown clip, -1, is arbitrary.
        """
        known = clips >= 0
        seconds = np.where(known, self.seconds[clips] if len(self.seconds) else 1.0, 1.0)
        period = np.where(self.bounces[clips], 2 * seconds, seconds) if len(self.seconds) else seconds
        once = self.once[clips] if len(self.seconds) else known
        end = time + way
        return np.where(once, np.clip(end, 0, seconds), end - period * np.floor(end / period))

    def folded(self, clips: Array, time: Array) -> Array:
        """Return float64 (n,): times within a pass, with the way back of PING_PONG clips mapped to the way there."""
        seconds = self.seconds[clips]
        return np.where(self.bounces[clips] & (time > seconds), 2 * seconds - time, time)
