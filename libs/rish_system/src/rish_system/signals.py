"""Signals by their names. Systems have different ones; a name that this system lacks is ignored."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any

Call = Callable[[str], object]
"""A function that is called with the name of a signal."""


def _number(name: str) -> int | None:
    return getattr(signal, name, None)


class Handlers:
    """Functions that are called at signals which nobody else handles. calls: by the names of the signals."""

    def __init__(self, calls: Mapping[str, Call]) -> None:
        numbers = {name: _number(name) for name in calls}
        self._calls = {number: (name, calls[name]) for name, number in numbers.items() if number is not None}
        self._former: dict[int, Any] = {}

    def install(self) -> None:
        """Call the functions from now on. Only the main thread can handle signals; in others this does nothing."""
        if threading.current_thread() is not threading.main_thread():
            return
        for number in self._calls:
            if signal.getsignal(number) == signal.SIG_DFL:
                self._former[number] = signal.signal(number, self._handle)

    def remove(self) -> None:
        """Restore what happened before; may be called twice."""
        for number, handler in self._former.items():
            signal.signal(number, handler)
        self._former.clear()

    def _handle(self, number: int, frame: Any) -> None:
        name, call = self._calls[number]
        call(name)


def default_action(name: str) -> None:
    """Do to this process what the system does at a signal: end or stop it. Handlers are installed again afterwards."""
    number = _number(name)
    if number is None:
        return
    handler = signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    signal.signal(number, handler)


@contextmanager
def signal_ignored(name: str) -> Generator[None]:
    """A context manager in which a signal does nothing. A process that is started in it ignores the signal always.

    Only the main thread can do that; in others the signal acts as before.
    """
    number = _number(name)
    if number is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    former = signal.signal(number, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(number, former)


def raise_signal(name: str) -> None:
    """Send a signal to this process."""
    number = _number(name)
    if number is not None:
        signal.raise_signal(number)


def handlers_of(*names: str) -> tuple[Any, ...]:
    """Return what handles these signals; None for those that the system lacks."""
    numbers = map(_number, names)
    return tuple(None if number is None else signal.getsignal(number) for number in numbers)
