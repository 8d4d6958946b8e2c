"""Callbacks for the progress of long work, such as reading and checking a large manifest; commands show it on the
terminal."""  # fmt: skip

from __future__ import annotations

import functools
from collections.abc import Callable

Listener = Callable[[str, int, int], object]
"""A function that is called with the name of the activity, the amount done and the total amount."""

PROGRESS_INTERVAL = 1000
"""The number of values or entries between two calls."""
_listeners: list[Listener] = []


def on_progress(listener: Listener) -> Callable[[], None]:
    """Call a function regularly during long work, such as while manifests are read and checked.

    An exception that it raises ends the work. Return a function that removes it.
    """
    _listeners.append(listener)
    return functools.partial(_listeners.remove, listener)


def tell_progress(what: str, done: int, total: int) -> None:
    """Call the listeners. A listener may raise, so call this only where nothing has changed or changes are undone."""
    for listener in tuple(_listeners):
        listener(what, done, total)
