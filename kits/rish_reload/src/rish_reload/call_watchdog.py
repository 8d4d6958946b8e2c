"""Finds calls that do not return: a thread reports the current line of such a call, and can stop it by an exception.

The checks do not slow down the calls: a call is identified by its Python frame. A call is neither reported nor stopped
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

_EXCUSED_MODULES = ("numba", "llvmlite", "rish_jit.ahead.workers")
"""Packages and modules that compile kernels, which may take long."""
_MAX_DELAY = 0.1
"""The longest time, in seconds, until an exception that was sent to the thread is raised in it."""
_watches: WeakSet[CallWatch] = WeakSet()


class CallWatch:
    """Watches the thread that is inside `with watch:`. Subclasses decide which calls are watched and write the reports.

    named, stops: seconds after which a call is reported and stopped, 0 for never. stop: the exception that is raised in
    the call. stopped: the number of calls that were stopped. excused: the last time at which the thread was in a
    debugger or compiled a kernel, in seconds of `perf_counter`. Of nested calls only the innermost is watched. A call
    is not stopped while it is inside a call of another watch that can stop it.
    """

    stop: type[BaseException]

    def __init__(self) -> None:
        self.named = self.stops = 0.0
        self.stopped, self.excused = 0, 0.0
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._depth = self._thread_id = 0
        self._call: FrameType | None = None
        self._seconds = self._last_look = self._pause = 0.0
        self._reported = self._raised = False

    def is_call(self, frame: FrameType) -> bool:
        """Return whether a frame is that of a watched call."""
        raise NotImplementedError

    def may_stop(self, call: FrameType) -> bool:
        """Return whether the caller of a call catches `stop`."""
        return True

    def tell(self, frame: FrameType, call: FrameType, seconds: float, *, stopped: bool) -> None:
        """Report a call. Called in the thread of the watch.

        frame: the innermost frame. call: the frame of the call. seconds: its duration. stopped: whether it is stopped.
        """
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
            self._thread_id = threading.get_ident()
        self._depth += 1

    def __exit__(self, *_: object) -> None:
        """Stop watching this thread."""
        self._depth -= 1
        self.end_call()

    def end_call(self, *, reached: bool = False) -> None:
        """Record that the call has ended. After this no exception of the watch is raised in the thread.

        An exception that was sent too late for the call is caught here. It can't be cancelled: CPython 3.11 would then
        check for it before every instruction. reached: whether the exception was raised in the call.
        """
        if self._call is None:
            return
        try:
            with self._lock:
                self._call, raised, self._raised = None, self._raised, False
            end = time.perf_counter() + _MAX_DELAY
            while raised and not reached and time.perf_counter() < end:
                pass
        except self.stop:
            self._raised = False

    def look(self, now: float) -> None:
        """Report or stop a call that takes too long.

        Called at intervals with the lock held, so that the call can't end.

        now: the time in seconds of `perf_counter`.
        """
        frame = sys._current_frames().get(self._thread_id)  # pyright: ignore[reportPrivateUsage]
        call = self._find(frame)
        gap, self._last_look = min(now - self._last_look, 1.5 * self._pause), now  # less if the process was suspended
        if _is_excused(frame):
            call, self.excused = None, now
        if frame is None or call is None or call is not self._call:
            self._raised = self._raised and call is self._call  # the exception may not have arrived yet
            self._call, self._seconds, self._reported = call, 0.0, False
            return
        self._seconds += gap
        if self.named and self._seconds >= self.named and not self._reported:
            self._reported = True
            self.tell(frame, call, self._seconds, stopped=False)
        late = self.stops and self._seconds >= self.stops * (1 + self._raised)
        if late and self.may_stop(call) and not self._is_watched_inside(frame, call):
            self.stopped += 1
            self.tell(frame, call, self._seconds, stopped=True)
            self._raised, self._seconds = True, self.stops
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread_id), ctypes.py_object(self.stop))

    def _watch(self) -> None:
        """Look at the thread at intervals until `close`."""
        while not self._over.wait(self._pause):
            with self._lock:
                if self._depth:
                    self.look(time.perf_counter())

    def _find(self, frame: FrameType | None) -> FrameType | None:
        """Return the innermost frame of a watched call, from a frame outwards."""
        while frame is not None and not self.is_call(frame):
            frame = frame.f_back
        return frame

    def _is_watched_inside(self, frame: FrameType | None, call: FrameType) -> bool:
        """Return whether another watch that can stop calls watches one inside a call."""
        others = [watch for watch in _watches if watch is not self and watch.stops]
        while frame is not None and frame is not call:
            if any(other.is_call(frame) for other in others):
                return True
            frame = frame.f_back
        return False


def _is_excused(frame: FrameType | None) -> bool:
    """Return whether the thread is in a debugger, or waits for a kernel to compile."""
    if debugged(frame):
        return True
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if module in _EXCUSED_MODULES or module.partition(".")[0] in _EXCUSED_MODULES:
            return True
        frame = frame.f_back
    return False
