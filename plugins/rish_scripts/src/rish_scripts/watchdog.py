"""The watchdog of scripts: reports a call of a script that does not return, and finally stops it.

A stopped script is set aside. This depends on the clock, so it is recorded as an intervention; without it the game
would hang.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any

from rish_ecs import Place, shorten_path
from rish_reload import CallWatch

from . import faults

_log = logging.getLogger("rish.scripts")


class Watchdog(CallWatch):
    """Watches calls of scripts. callers: the functions that call scripts."""

    stop = faults.ScriptStuck

    def __init__(self, callers: Sequence[Callable[..., Any]]) -> None:
        super().__init__()
        self._callers = frozenset(caller.__code__ for caller in callers)

    def is_call(self, frame: FrameType) -> bool:
        """Return whether a frame is that of a script's method."""
        return frame.f_back is not None and frame.f_back.f_code in self._callers

    def tell(self, frame: FrameType, call: FrameType, seconds: float, *, stopped: bool) -> None:
        """Log the current line of the script."""
        what = "%s: %s is stopped after %.1f seconds" if stopped else "%s: %s has been running for %.1f seconds"
        _log.log(logging.ERROR if stopped else logging.WARNING, what, *_describe(frame, call), seconds)


def _describe(frame: FrameType, call: FrameType) -> tuple[Place, str]:
    """Return the current line of the script, and a text with the script and the called method."""
    script = call.f_locals.get("self")
    script = script if hasattr(type(script), "__live__") else None
    line: FrameType | None = frame
    while line is not None and line is not call and not faults.belongs(line, script):
        line = line.f_back
    line = line or call
    place = Place(shorten_path(line.f_code.co_filename), line.f_lineno)
    owner = f"script {faults.label(script)}" if script is not None else "a script"
    return place, f"{owner}, in {call.f_code.co_name}"
