"""Callbacks for the progress of reading and checking a large manifest; commands show it on the terminal."""

from __future__ import annotations

import functools
from collections.abc import Callable

Listener = Callable[[str, int, int], object]
"""Called with what is being done, how much of it is done, and how much there is."""

EVERY = 1000
"""Lines or entries between two calls."""
_listeners: list[Listener] = []


def on_progress(listener: Listener) -> Callable[[], None]:
    """Call a function regularly while manifests are read and checked. Return a function that removes it."""
    _listeners.append(listener)
    return functools.partial(_listeners.remove, listener)


def tell(what: str, done: int, total: int) -> None:
    """Report progress to the listeners."""
    for listener in tuple(_listeners):
        listener(what, done, total)
