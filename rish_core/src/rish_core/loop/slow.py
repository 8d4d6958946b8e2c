"""Logs systems that take more than a second of one frame."""

from __future__ import annotations

import logging

import rish_jit

from .debugging import debugged
from .profile import Profiler

SLOW_SECONDS = 1.0
"""Seconds in one frame above which a system is reported."""
_log = logging.getLogger("rish.schedule")


class SlowSystems:
    """Logs each slow system once. Frames that compiled kernels or were stopped by a debugger are ignored."""

    def __init__(self, profiler: Profiler) -> None:
        self.profiler = profiler
        self._logged: set[str] = set()
        self._compiled = rish_jit.compilations

    def forgive(self) -> None:
        """Report no system of this frame, because it waited for a kernel that another process compiled."""
        self._compiled = -1

    def look(self) -> None:
        """Log the systems that were slow in the last frame."""
        frame = self.profiler.frames[-1]
        if frame.seconds > SLOW_SECONDS and self._compiled == rish_jit.compilations and not debugged():
            for (name, _), seconds in zip(self.profiler.slots, frame.times, strict=False):
                if seconds > SLOW_SECONDS and name not in self._logged:
                    self._logged.add(name)
                    _log.warning("system '%s' took %.1f s in one frame; the game stopped meanwhile", name, seconds)
        self._compiled = rish_jit.compilations
