"""The watchdog: names a script that does not come to an end, and in the end stops it.

A thread looks now and then which call of a script is under way. Where it is the same one for `named` seconds, it says
in which line that is; after `stops` seconds it raises `ScriptStuck` there, and the script is set aside. That is the one
thing here that depends on the clock, so it is noted as an intervention; without it the game would be lost.

Looking costs the scripts nothing: a call is known by its frame. Nothing is stopped while a debugger looks at it, or
while numba compiles; what runs inside one call of native code can neither be seen nor stopped.
"""

from __future__ import annotations

import ctypes
import logging
import sys
import threading
import time
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any

from rish_ecs import Place, shorten_path

from . import faults

_log = logging.getLogger("rish.scripts")
_PATIENT_WITH = ("numba", "llvmlite", "pdb", "bdb")
_LATE = 0.1
"""The longest time, in seconds, until an exception that was sent to the thread is raised in it."""


class Watchdog:
    """Watches the thread that is within `with watchdog:`.

    callers: the functions that call scripts. named, stops: seconds, 0 for never. stopped: how many calls it stopped.
    """

    def __init__(self, callers: Sequence[Callable[..., Any]]) -> None:
        self.named = self.stops = 0.0
        self.stopped = 0
        self._callers = frozenset(caller.__code__ for caller in callers)
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._depth = self._who = 0
        self._call: FrameType | None = None
        self._since = 0.0
        self._said = self._fired = False

    def start(self, named: float, stops: float) -> None:
        """Begin to watch, where there is anything to watch for."""
        self.named, self.stops = named, stops
        if self._thread is None and (named or stops):
            self._thread = threading.Thread(target=self._watch, name="rish-watchdog", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """End the thread."""
        self._over.set()
        if self._thread is not None:
            self._thread.join(1)

    def __enter__(self) -> None:
        """Scripts run from here on; may be nested."""
        if not self._depth:
            self._who = threading.get_ident()
        self._depth += 1

    def __exit__(self, *_: object) -> None:
        """They don't any more."""
        self._depth -= 1
        if self._call is not None:
            self.forget()

    def forget(self, *, reached: bool = False) -> None:
        """The call is over. An exception that was sent too late to have reached it is caught here.

        It can't be taken back: CPython 3.11 would go on to look for it before every instruction.
        """
        try:
            with self._lock:
                self._call, fired, self._fired = None, self._fired, False
            end = time.monotonic() + _LATE
            while fired and not reached and time.monotonic() < end:
                pass
        except faults.ScriptStuck:
            self._fired = False

    def _watch(self) -> None:
        minimum = min(limit for limit in (self.named, self.stops) if limit)
        while not self._over.wait(max(0.02, minimum / 4)):
            with self._lock:
                if self._depth:
                    self._look(time.monotonic())

    def _look(self, now: float) -> None:
        """Say where the call that is under way stands, or stop it; with the lock held."""
        frame = sys._current_frames().get(self._who)
        call = self._find(frame)
        if frame is None or call is None or call is not self._call:
            self._call, self._since, self._said, self._fired = call, now, False, False
            return
        seconds = now - self._since
        if self.named and seconds >= self.named and not self._said:
            self._said = True
            _log.warning("%s has been running for %.1f seconds", _describe(frame, call), seconds)
        if self.stops and seconds >= self.stops * (1 + self._fired) and not _is_excused(frame):
            self._fired, self._since = True, now - self.stops
            self.stopped += 1
            _log.error("%s is stopped after %.1f seconds", _describe(frame, call), seconds)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._who), ctypes.py_object(faults.ScriptStuck))

    def _find(self, frame: FrameType | None) -> FrameType | None:
        """The Python frame of the script's method that runs, None if no script runs."""
        while frame is not None and frame.f_back is not None:
            if frame.f_back.f_code in self._callers:
                return frame
            frame = frame.f_back
        return None


def _describe(frame: FrameType, call: FrameType) -> str:
    """The line where the script is, and whose it is."""
    script = call.f_locals.get("self")
    script = script if hasattr(type(script), "__live__") else None
    line: FrameType | None = frame
    while line is not None and line is not call and not faults.belongs(line, script):
        line = line.f_back
    line = line or call
    place = Place(shorten_path(line.f_code.co_filename), line.f_lineno)
    whose = f"script {faults.label(script)}" if script is not None else "a script"
    return f"{place}: {whose}, in {call.f_code.co_name}"


def _is_excused(frame: FrameType | None) -> bool:
    """Whether a debugger holds it, or something is compiled that a script asked for."""
    while frame is not None:
        module = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if frame.f_trace is not None or module in _PATIENT_WITH:
            return True
        frame = frame.f_back
    return False
