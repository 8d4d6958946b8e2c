"""The watchdog: reports a script call that does not return, and stops it after a longer time.

A thread checks at intervals which call of a script is running. If it is the same call for `named` seconds, the thread
logs its current line. After `stops` seconds it raises `ScriptStuck` in the call, and the script is no longer called.
This depends on the clock, so it is recorded as an intervention; without it the game would hang.

The checks do not slow down the scripts: a call is identified by its Python frame. A call is not stopped while it is in
a debugger, or while numba compiles. A call of native code can neither be inspected nor stopped.
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
    """Watches the thread that is inside `with watchdog:`.

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
        """Start the thread, unless both times are 0."""
        self.named, self.stops = named, stops
        if self._thread is None and (named or stops):
            self._over.clear()
            self._thread = threading.Thread(target=self._watch, name="rish-watchdog", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """End the thread."""
        self._over.set()
        if self._thread is not None:
            self._thread.join(1)
            self._thread = None

    def __enter__(self) -> None:
        """Begin to watch this thread; may be nested."""
        if not self._depth:
            self._who = threading.get_ident()
        self._depth += 1

    def __exit__(self, *_: object) -> None:
        """Stop watching this thread."""
        self._depth -= 1
        if self._call is not None:
            self.forget()

    def forget(self, *, reached: bool = False) -> None:
        """Record that the call is over. An exception that was sent too late for the call is caught here.

        It can't be cancelled: CPython 3.11 would then check for it before every instruction.
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
        """Log the current line of a long call, or stop the call; the lock must be held."""
        frame = sys._current_frames().get(self._who)
        call = self._find(frame)
        if frame is None or call is None or call is not self._call:
            self._call, self._since, self._said, self._fired = call, now, False, False
            return
        seconds = now - self._since
        if self.named and seconds >= self.named and not self._said:
            self._said = True
            _log.warning("%s: %s has been running for %.1f seconds", *_describe(frame, call), seconds)
        if self.stops and seconds >= self.stops * (1 + self._fired) and not _is_excused(frame):
            self._fired, self._since = True, now - self.stops
            self.stopped += 1
            _log.error("%s: %s is stopped after %.1f seconds", *_describe(frame, call), seconds)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._who), ctypes.py_object(faults.ScriptStuck))

    def _find(self, frame: FrameType | None) -> FrameType | None:
        """Return the Python frame of the running script method, None if no script runs."""
        while frame is not None and frame.f_back is not None:
            if frame.f_back.f_code in self._callers:
                return frame
            frame = frame.f_back
        return None


def _describe(frame: FrameType, call: FrameType) -> tuple[Place, str]:
    """Return the current line of the script, and a text with the script and the called method."""
    script = call.f_locals.get("self")
    script = script if hasattr(type(script), "__live__") else None
    line: FrameType | None = frame
    while line is not None and line is not call and not faults.belongs(line, script):
        line = line.f_back
    line = line or call
    place = Place(shorten_path(line.f_code.co_filename), line.f_lineno)
    whose = f"script {faults.label(script)}" if script is not None else "a script"
    return place, f"{whose}, in {call.f_code.co_name}"


def _is_excused(frame: FrameType | None) -> bool:
    """Return True if the call is in a debugger, or waits for numba to compile."""
    while frame is not None:
        module = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if frame.f_trace is not None or module in _PATIENT_WITH:
            return True
        frame = frame.f_back
    return False
