"""Reports calls of systems and hooks that do not return, and interrupts them if the policy requires it.

Each system and hook is called through a *guard*, a small function that `App.wrap_calls` inserts. The thread of
`CallWatch` finds the innermost guard on the stack of the main thread; the lines of the plugin are above it. Work of
the loop without a guard, such as drawing by the host, is named too, and never interrupted.
"""

from __future__ import annotations

import contextlib
import faulthandler
import functools
import sys
import time
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any, Literal

from rish_core import App, Place, place_of
from rish_core.loop import debugged
from rish_reload import CallWatch

from .owners import Owners
from .reports import CallStopped

State = Literal["running", "stopped", "ended"]
OnReport = Callable[[str, str, Place | None, float, State], None]
"""`on_report(plugin, what, place, seconds, state)`; state: of the call."""
_HOOK = "rish_"
_LOOP = (App.frame.__code__, App.__init__.__code__)
"""Code whose calls are reported, but not interrupted."""


class Stop(BaseException):
    """Raised in a call that does not return. It is no Exception, so `except Exception` does not catch it."""


class Hangs(CallWatch):
    """Watches the main thread. add_hook_time: called with plugin, hook and seconds after each call of a hook."""

    stop = Stop

    def __init__(self, owners: Owners, on_report: OnReport, add_hook_time: Callable[[str, str, float], None]) -> None:
        super().__init__()
        self._owners, self._on_report, self._add_hook_time = owners, on_report, add_hook_time
        self._last_report = 0.0

    def guard(self, plugin: str, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function that is called in place of a system or hook."""
        add_time, end_call, clock = self._add_hook_time, self.end_call, time.perf_counter
        is_hook, limit = name.startswith(_HOOK), self.named or float("inf")

        @functools.wraps(function)
        def guarded(*arguments: Any) -> Any:
            returned, result, begin = False, None, clock()
            try:
                try:
                    result = function(*arguments)
                    returned = True
                finally:
                    end_call()
            except Stop as stop:
                if not returned:  # otherwise it arrived after the call had ended
                    error = CallStopped(f"it did not return within {clock() - begin:.1f} s")
                    raise error.with_traceback(stop.__traceback__) from None
            seconds = clock() - begin
            if is_hook:  # the thread reads these names from this frame
                add_time(plugin, name, seconds)
            if seconds > limit:
                self._missed(plugin, name, function, begin, seconds)
            return result

        code: Any = getattr(guarded, "__code__")  # noqa: B009  # functools.wraps hides that it is a function
        _guards.add(code)
        return guarded

    def start(self, named: float, stops: float) -> None:
        """Start the thread, unless both times are 0."""
        super().start(named, stops)
        self._alarm()

    def is_call(self, frame: FrameType) -> bool:
        """Return whether a frame is a guard, or a frame of the loop."""
        return frame.f_code in _guards or frame.f_code in _LOOP

    def may_stop(self, call: FrameType) -> bool:
        """Return whether a frame is a guard."""
        return call.f_code in _guards

    def look(self, now: float) -> None:
        """Look at the main thread."""
        super().look(now)
        self._alarm()

    def _alarm(self) -> None:
        """Ask faulthandler to write the lines of all threads, unless it is asked again in time.

        It needs no lock; while native code holds Python's lock, the thread of this watch can't look.
        """
        if debugged():  # it stops the thread of this watch too
            faulthandler.cancel_dump_traceback_later()
        elif self.named:
            with contextlib.suppress(ValueError, OSError, RuntimeError, AttributeError):  # no standard error
                faulthandler.dump_traceback_later(2 * self.named, file=sys.__stderr__ or sys.stderr)

    def close(self) -> None:
        """End the thread."""
        super().close()
        faulthandler.cancel_dump_traceback_later()

    def tell(self, frame: FrameType, call: FrameType, seconds: float, *, stopped: bool) -> None:
        """Report the plugin, the system or hook, and the current line."""
        if call.f_code in _guards:
            plugin, name = call.f_locals["plugin"], call.f_locals["name"]
            place, _ = self._owners.line(frame, plugin)
            what = _name(name)
        else:
            place, owner = self._owners.line(frame)
            plugin, what = owner or "core", _doing(frame)
        self._last_report = time.perf_counter()
        self._on_report(plugin, what, place, seconds, "stopped" if stopped else "running")

    def _missed(self, plugin: str, name: str, function: Callable[..., Any], begin: float, seconds: float) -> None:
        """Report a long call that has ended, and that the thread could not look at."""
        if max(self._last_report, self.excused) < begin and not debugged():
            self._on_report(plugin, _name(name), place_of(function), seconds, "ended")


_guards: set[CodeType] = set()
"""The code of the guards; all have the same."""


def _name(name: str) -> str:
    return f"hook {name}" if name.startswith(_HOOK) else f"system '{name}'"


def _doing(frame: FrameType | None) -> str:
    """Return what the loop does outside of systems and watched hooks: a hook of the start, or a function."""
    inner = frame
    while frame is not None:
        if frame.f_code.co_name.startswith(_HOOK):
            return f"hook {frame.f_code.co_name}"
        frame = frame.f_back
    return f"{inner.f_code.co_qualname}, outside of systems and hooks" if inner is not None else "the loop"
