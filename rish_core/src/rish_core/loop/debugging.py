"""Detects a debugger, because time that passes while it stops the game must not count as game time."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

_MODULES = ("pdb", "bdb")
"""The modules whose frames are on the stack while `breakpoint()` waits for a person."""
_ATTACHED = "pydevd"
"""The debugger below debugpy (VS Code) and PyCharm; it is imported when it is attached."""


def debugged(frame: FrameType | None = None) -> bool:
    """Return whether a debugger is attached to the process, or has stopped the code of a frame or of its callers.

    frame: the innermost frame; None: that of the caller. After `breakpoint()` the result is True for the rest of the
    run, because pdb continues to trace the outermost frame.
    """
    if _ATTACHED in sys.modules or _is_monitored():
        return True
    inner = sys._getframe() if frame is None else frame  # pyright: ignore[reportPrivateUsage]
    while inner is not None:
        if inner.f_trace is not None or inner.f_globals.get("__name__") in _MODULES:
            return True
        inner = inner.f_back
    return False


def _is_monitored() -> bool:
    """Return whether a debugger uses `sys.monitoring`, which Python has since 3.12."""
    monitoring: Any = getattr(sys, "monitoring", None)
    return monitoring is not None and monitoring.get_tool(monitoring.DEBUGGER_ID) is not None
