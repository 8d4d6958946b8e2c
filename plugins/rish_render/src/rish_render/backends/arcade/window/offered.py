"""A window that is open already is offered here, and the next backend that opens a window of its size takes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class _Offer(NamedTuple):
    native: Any
    size: tuple[int, int]
    on_taken: Callable[[], object]


_offers: list[_Offer] = []
"""At most one."""


def offer(native: Any, size: tuple[int, int], on_taken: Callable[[], object]) -> None:
    """Offer a pyglet window.

    size: width and height that it was opened with. on_taken: called when a backend takes it, to remove handlers and
    OpenGL objects.
    """
    _offers[:] = [_Offer(native, size, on_taken)]


def is_offered(native: Any) -> bool:
    """Return whether no backend has taken the window yet."""
    return any(each.native is native for each in _offers)


def withdraw(native: Any) -> None:
    """Close a window if no backend has taken it."""
    if is_offered(native):
        _offers.clear()
        native.close()


def take(title: str, size: tuple[int, int]) -> Any | None:
    """Return the window that is offered, with this title; None if there is none. One of another size is closed."""
    if not _offers:
        return None
    native, opened, on_taken = _offers.pop()
    if opened != size:
        native.close()
        return None
    on_taken()
    native.set_caption(title)
    return native
