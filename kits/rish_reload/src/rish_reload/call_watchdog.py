"""Finds calls that do not return: a thread names the current line of such a call, and can stop it by an exception.

The checks do not slow down the calls: a call is identified by its Python frame. A call is neither named nor stopped
while it is in a debugger, or while a kernel is compiled. Native code is stopped when it returns to Python; while it
holds Python's lock, no thread can look at it.
"""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from types import FrameType
from weakref import WeakSet

from rish_core.loop import debugged

_PATIENT_WITH = ("numba", "llvmlite", "rish_jit.ahead.workers")
_LATE = 0.1
"""The longest time, in seconds, until an exception that was sent to the thread is raised in it."""
_watches: WeakSet[CallWatch] = WeakSet()


class CallWatch:
    """Watches the thread that is inside `with watch:`; subclasses say which calls, and what is told about them.

    named, stops: seconds after which a call is named and stopped, 0 for never. stop: the exception that is raised in
    it. stopped: how many calls it stopped. excused: when a look was last excused, in seconds of `perf_counter`. Of
    nested calls the innermost counts; if another watch stops calls inside of it, the call is left to that one.
    """

    stop: type[BaseException]

    def __init__(self) -> None:
        self.named = self.stops = 0.0
        self.stopped, self.excused = 0, 0.0
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._depth = self._who = 0
        self._call: FrameType | None = None
        self._seconds = self._looked = self._pause = 0.0
        self._said = self._fired = False

    def is_call(self, frame: FrameType) -> bool:
        """Return True if a frame is that of a watched call."""
        raise NotImplementedError

    def may_stop(self, call: FrameType) -> bool:
        """Return True if the caller of a call catches `stop`."""
        return True

    def tell(self, frame: FrameType, call: FrameType, seconds: float, *, stopped: bool) -> None:
        """Tell that a call is stopped or only named; called in the thread of the watch. frame: the deepest one."""
        raise NotImplementedError

    def start(self, named: float, stops: float) -> None:
        """Start the thread, unless both times are 0."""
        self.named, self.stops = named, stops
        if self._thread is None and (named or stops):
            self._pause = max(0.02, min(limit for limit in (named, stops) if limit) / 4)
            self._over.clear()
            self._thread = threading.Thread(target=self._watch, name="rish-watchdog", daemon=True)
            _watches.add(self)
            self._thread.start()

    def close(self) -> None:
        """End the thread."""
        _watches.discard(self)
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
        self.end_call()

    def end_call(self, *, reached: bool = False) -> None:
        """Record that the call is over; after it no exception of the watch arrives.

        An exception that was sent too late for the call is caught here. It can't be cancelled: CPython 3.11 would then
        check for it before every instruction. reached: whether the exception was raised in the call.
        """
        if self._call is None:
            return
        try:
            with self._lock:
                self._call, fired, self._fired = None, self._fired, False
            end = time.perf_counter() + _LATE
            while fired and not reached and time.perf_counter() < end:
                pass
        except self.stop:
            self._fired = False

    def look(self, now: float) -> None:
        """Name or stop a call that is too long; called at intervals with the lock held, so the call can't end now."""
        frame = sys._current_frames().get(self._who)  # pyright: ignore[reportPrivateUsage]
        call = self._find(frame)
        gap, self._looked = min(now - self._looked, 1.5 * self._pause), now  # of a suspended process little counts
        if _is_excused(frame):
            call, self.excused = None, now
        if frame is None or call is None or call is not self._call:
            self._fired = self._fired and call is self._call  # the exception may be on its way
            self._call, self._seconds, self._said = call, 0.0, False
            return
        self._seconds += gap
        if self.named and self._seconds >= self.named and not self._said:
            self._said = True
            self.tell(frame, call, self._seconds, stopped=False)
        late = self.stops and self._seconds >= self.stops * (1 + self._fired)
        if late and self.may_stop(call) and not self._is_watched_inside(frame, call):
            self.stopped += 1
            self.tell(frame, call, self._seconds, stopped=True)
            self._fired, self._seconds = True, self.stops
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._who), ctypes.py_object(self.stop))

    def _watch(self) -> None:
        while not self._over.wait(self._pause):
            with self._lock:
                if self._depth:
                    self.look(time.perf_counter())

    def _find(self, frame: FrameType | None) -> FrameType | None:
        while frame is not None and not self.is_call(frame):
            frame = frame.f_back
        return frame

    def _is_watched_inside(self, frame: FrameType | None, call: FrameType) -> bool:
        others = [watch for watch in _watches if watch is not self and watch.stops]
        while frame is not None and frame is not call:
            if any(other.is_call(frame) for other in others):
                return True
            frame = frame.f_back
        return False


def _is_excused(frame: FrameType | None) -> bool:
    """Return True if the thread is in a debugger, or waits for a kernel to compile."""
    if debugged(frame):
        return True
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if module in _PATIENT_WITH or module.partition(".")[0] in _PATIENT_WITH:
            return True
        frame = frame.f_back
    return False
