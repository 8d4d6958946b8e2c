"""The times of clips as the clock needs them: durations, ends and markers, by the index of a clip."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from .model import PlayMode

Array = npt.NDArray[Any]


def _bools() -> Array:
    return np.zeros(0, np.bool_)


@dataclass(frozen=True)
class Timing:
    """The times of one clip. name, next: the numbers of texts, 0: none. markers: (seconds, text), by time."""

    seconds: float
    mode: PlayMode
    name: int
    next: int = 0
    markers: tuple[tuple[float, int], ...] = ()


@dataclass(eq=False)
class Timings:
    """The times of clips by index, and the same as arrays (n,): float64 seconds, and bools.

    once, bounces: whether the mode is ONCE, PING_PONG. marked: whether there are markers.
    """

    rows: list[Timing] = field(default_factory=list[Timing])
    seconds: Array = field(default_factory=lambda: np.zeros(0))
    once: Array = field(default_factory=_bools)
    bounces: Array = field(default_factory=_bools)
    marked: Array = field(default_factory=_bools)

    def add(self, timing: Timing) -> int:
        """Add a clip; return its index."""
        self.rows.append(timing)
        self.seconds = np.array([one.seconds for one in self.rows])
        self.once = np.array([one.mode is PlayMode.ONCE for one in self.rows])
        self.bounces = np.array([one.mode is PlayMode.PING_PONG for one in self.rows])
        self.marked = np.array([bool(one.markers) for one in self.rows])
        return len(self.rows) - 1

    def carried_on(self, clips: Array, time: Array, way: Array) -> Array:
        """Return the times within the pass, float64 n, of clips that go on by `way` seconds and are followed by none.

        Times of a PING_PONG clip run to twice its duration; clips that are played once stay at their ends. A clip -1
        is not known; its time is any.
        """
        known = clips >= 0
        seconds = np.where(known, self.seconds[clips] if len(self.seconds) else 1.0, 1.0)
        period = np.where(self.bounces[clips], 2 * seconds, seconds) if len(self.seconds) else seconds
        once = self.once[clips] if len(self.seconds) else known
        end = time + way
        return np.where(once, np.clip(end, 0, seconds), end - period * np.floor(end / period))

    def folded(self, clips: Array, time: Array) -> Array:
        """Return the times on the way there, seconds, of times within a pass of clips."""
        seconds = self.seconds[clips]
        return np.where(self.bounces[clips] & (time > seconds), 2 * seconds - time, time)
