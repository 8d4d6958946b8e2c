"""Files that are dragged onto a window of X11: the messages of the protocol XDND, without a display."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from rish_render.backends.arcade.window.x_drops import XDrops

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="X11 is of Linux")
FILES, OTHER = 70, 71
LIST = 1
"""The flag of a message whose source has a list of more than three types."""


class Window:
    """What pyglet's window of X11 has for drags. read: the drags that pyglet reads itself."""

    def __init__(self) -> None:
        self._xdnd_atoms = {"text/uri-list": FILES}
        self._xdnd_source = self._xdnd_version = self._xdnd_format = None
        self.read: list[Any] = []

    def _event_drag_enter(self, event: Any) -> None:
        self.read.append(event)

    def dispatch_events(self) -> None:
        """Do nothing."""


def entered(*types: int, flags: int = 5 << 24) -> Window:
    """Return a window over which something with these types is dragged."""
    window = Window()
    XDrops(window)
    data = [9, flags, *types, *[0] * (3 - len(types))]
    window._event_drag_enter(SimpleNamespace(xclient=SimpleNamespace(data=SimpleNamespace(l=data))))
    return window


@pytest.mark.parametrize("types", [(FILES,), (OTHER, FILES), (OTHER, OTHER, FILES)])
def test_files_among_few_types_are_taken(types: tuple[int, ...]) -> None:
    """A source with at most three types may have files at any place of them."""
    window = entered(*types)
    assert (window._xdnd_source, window._xdnd_version, window._xdnd_format) == (9, 5, FILES)


def test_what_is_no_file_is_not_taken() -> None:
    """A dragged text is no file."""
    assert entered(OTHER)._xdnd_format is None


def test_a_list_of_types_is_read_by_pyglet() -> None:
    """A source with more types has them in a list."""
    assert len(entered(flags=5 << 24 | LIST).read) == 1
