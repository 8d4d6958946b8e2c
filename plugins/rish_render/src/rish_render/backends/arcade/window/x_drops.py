"""Files that are dragged onto a window of X11, as far as pyglet 2.1 leaves that out.

While something with at most three types of data is dragged over a window that takes files, pyglet raises an error: it
adds a number to an array of C. And it asks for the names of the files, but only its own loop of events takes the
answer; a program with another loop never gets them.
"""

from __future__ import annotations

import importlib
from ctypes import byref
from typing import Any


class XDrops:
    """Takes the beginning and the end of a drag over a pyglet window with `file_drops`. window: of X11.

    Raises AttributeError or ImportError if pyglet has other names in this version.
    """

    def __init__(self, window: Any) -> None:
        self._window = window
        self._xlib: Any = importlib.import_module("pyglet.libs.x11.xlib")
        self._event = self._xlib.XEvent()
        self._of_many, self._others = window._event_drag_enter, window.dispatch_events
        self._files = window._xdnd_atoms["text/uri-list"]
        window._event_drag_enter = self._enter
        window.dispatch_events = self._dispatch_events

    def _enter(self, event: Any) -> None:
        """Note who drags, and whether files are dragged; by the protocol XDND the message has up to three types."""
        source, flags, *types = [event.xclient.data.l[number] for number in range(5)]
        if flags & 1:  # a list of more types, which pyglet reads
            self._of_many(event)
            return
        self._window._xdnd_source, self._window._xdnd_version = source, flags >> 24
        self._window._xdnd_format = self._files if self._files in types else None

    def _dispatch_events(self) -> None:
        """Dispatch the events of the window, and the names of dropped files."""
        window, event = self._window, self._event
        kind = self._xlib.SelectionNotify
        while self._xlib.XCheckTypedWindowEvent(window._x_display, window._window, kind, byref(event)):
            window.dispatch_platform_event(event)
        self._others()
