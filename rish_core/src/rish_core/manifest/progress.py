"""Progress: how far a large manifest was read and checked. A command shows it on the terminal."""

from __future__ import annotations

import functools
from collections.abc import Callable

Listener = Callable[[str, int, int], object]
"""Called with what is being done, how much of it is done, and how much there is."""

EVERY = 1000
"""Lines or entries between two calls."""
_listeners: list[Listener] = []


def on_progress(listener: Listener) -> Callable[[], None]:
    """Call a function while manifests are read and checked; returns what ends that."""
    _listeners.append(listener)
    return functools.partial(_listeners.remove, listener)


def tell(what: str, done: int, total: int) -> None:
    """Call the listeners."""
    for listener in tuple(_listeners):
        listener(what, done, total)
