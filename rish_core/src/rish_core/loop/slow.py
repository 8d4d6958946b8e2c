"""Systems that hold up the game: named in the log after the frame in which it happened."""

from __future__ import annotations

import logging

from rish_ecs import jit

from .profile import Profiler

LIMIT = 1.0
"""Seconds of one frame from which on a system is named."""
_log = logging.getLogger("rish.schedule")


class SlowSystems:
    """Looks at each frame of a profiler, and names a system once. Frames in which kernels were compiled don't count."""

    def __init__(self, profiler: Profiler) -> None:
        self.profiler = profiler
        self._named: set[str] = set()
        self._compiled = jit.compilations

    def look(self) -> None:
        """Log what was slow in the last frame."""
        frame = self.profiler.frames[-1]
        if frame.seconds > LIMIT and self._compiled == jit.compilations:
            for (name, _), seconds in zip(self.profiler.slots, frame.times, strict=False):
                if seconds > LIMIT and name not in self._named:
                    self._named.add(name)
                    _log.warning("system '%s' took %.1f s of one frame; the game stood still meanwhile", name, seconds)
        self._compiled = jit.compilations
