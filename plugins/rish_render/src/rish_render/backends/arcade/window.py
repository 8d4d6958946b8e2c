"""The window: its events under the engine's names, and the settings that can be changed.

Sizes and pointer positions are in pixels of the framebuffer. On a high-density display these are more than the units in
which the system measures windows; values that pyglet reports in units are scaled here.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from rish_core import WindowEvent
from rish_core.loop import KEY_INDEX
from rish_frame import pasted_text

from . import gl
from .gamepads import Gamepads

_log = logging.getLogger("rish.render")
_BUTTONS = {1: "mouse.left", 2: "mouse.middle", 4: "mouse.right", 8: "mouse.back", 16: "mouse.forward"}
_HANDLED = True
"""The result of a handler that stops pyglet's default action, such as closing the window on ESCAPE."""


class Window:
    """A window on the screen. native: the pyglet window."""

    def __init__(self, title: str, size: tuple[int, int]) -> None:
        self.native = native = gl.open_window(title, size)
        self._events: list[WindowEvent] = []
        self._keys = key_table()
        self.gamepads = Gamepads()
        self._size = self._framebuffer()
        self._settings: dict[str, Callable[[Any], object]] = {
            "title": native.set_caption,
            "size": self._set_size,
            "fullscreen": self._set_fullscreen,
            "cursor": native.set_mouse_visible,
            "icon": lambda pixels: native.set_icon(gl.make_icon(pixels)),
            "vsync": native.set_vsync,
        }
        native.push_handlers(
            on_key_press=lambda symbol, _: self._key(symbol, True),
            on_key_release=lambda symbol, _: self._key(symbol, False),
            on_text=self._text,
            on_text_motion=self._text_motion,
            on_mouse_press=lambda x, y, button, _: self._mouse_button(x, y, button, True),
            on_mouse_release=lambda x, y, button, _: self._mouse_button(x, y, button, False),
            on_mouse_motion=lambda x, y, *_: self._move(x, y),
            on_mouse_drag=lambda x, y, *_: self._move(x, y),
            on_mouse_scroll=lambda x, y, right, up: self._note(WindowEvent("scroll", x=float(right), y=float(up))),
            on_activate=lambda: self._note(WindowEvent("focus", down=True)),
            on_deactivate=lambda: self._note(WindowEvent("focus", down=False)),
            on_close=lambda: self._note(WindowEvent("close")),
            on_resize=lambda width, height: _HANDLED,
        )

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the framebuffer in pixels."""
        return self._size

    def poll(self) -> list[WindowEvent]:
        """Return the window events since the last call, oldest first."""
        self.native.switch_to()
        self.native.dispatch_events()
        size = self._framebuffer()
        if size != self._size:
            self._size = size
            self._note(WindowEvent("resize", x=float(size[0]), y=float(size[1])))
        self._events += self.gamepads.poll()
        events, self._events = self._events, []
        return events

    # Settings

    def change(self, option: str, value: Any) -> None:
        """Change the title, the size of the framebuffer, the icon, full screen, the pointer or waiting for the display.

        option, value: see `rish_frame.Backend.configure`.
        """
        self._settings[option](value)

    def _set_size(self, size: tuple[int, int]) -> None:
        """Set the size of the framebuffer; the window keeps its position on the screen."""
        across, up = self._density()
        units = max(1, round(size[0] / across)), max(1, round(size[1] / up))
        self.native.set_size(*units)
        if units != size and self._framebuffer() == units:  # pyglet expects pixels on X, units elsewhere
            self.native.set_size(*size)
        self._size = self._framebuffer()

    def _set_fullscreen(self, wanted: bool) -> None:
        """Fill the screen, or return to a window of the previous size."""
        if bool(self.native.fullscreen) != wanted:
            self.native.dispatch_events()  # a change of size that is still queued would undo this one
            self.native.set_fullscreen(wanted)

    # Clipboard

    def write_clipboard(self, text: str) -> None:
        """Put a text into the clipboard, if the window system has one."""
        try:
            self.native.set_clipboard_text(text)
        except Exception as error:
            _log.info("the clipboard can't be written: %s", error)

    def read_clipboard(self) -> str | None:
        """Return the clipboard's text; None if there is none."""
        try:
            return str(self.native.get_clipboard_text() or "") or None
        except Exception as error:
            _log.info("the clipboard can't be read: %s", error)
            return None

    # Events

    def _framebuffer(self) -> tuple[int, int]:
        width, height = self.native.get_framebuffer_size()
        return max(1, int(width)), max(1, int(height))

    def _density(self) -> tuple[float, float]:
        """Return how many pixels a unit of the window has, horizontally and vertically."""
        (width, height), (wide, high) = self._framebuffer(), self.native.get_size()
        return width / max(wide, 1), height / max(high, 1)

    def _note(self, event: WindowEvent) -> bool:
        self._events.append(event)
        return _HANDLED

    def _key(self, symbol: int, down: bool) -> bool:
        name = self._keys.get(symbol)
        return self._note(WindowEvent("key", name, down)) if name is not None else _HANDLED

    def _text(self, text: str) -> bool:
        shown = "".join(letter for letter in text if letter.isprintable())
        return self._note(WindowEvent("text", text=shown)) if shown else _HANDLED

    def _text_motion(self, motion: int) -> bool:
        """Add an event with the clipboard's text when the system's keys for pasting are pressed."""
        text = self.read_clipboard() if motion == gl.paste_motion() else None
        return self._note(WindowEvent("paste", text=pasted_text(text))) if text else _HANDLED

    def _move(self, x: float, y: float) -> bool:
        """Add an event for the pointer's position. It replaces a directly preceding move."""
        across, up = self._density()
        if self._events and self._events[-1].kind == "mouse_move":
            self._events.pop()
        return self._note(WindowEvent("mouse_move", x=x * across, y=y * up))

    def _mouse_button(self, x: float, y: float, button: int, down: bool) -> bool:
        """Add an event for a button, after a move to the position where it was pressed."""
        name = _BUTTONS.get(button)
        if name is None:
            return _HANDLED
        self._move(x, y)
        moved = self._events[-1]
        return self._note(WindowEvent("mouse_button", name, down, moved.x, moved.y))


def key_table() -> dict[int, str]:
    """Return the engine's key names by pyglet's codes. pyglet names the digits `_0` to `_9`, the engine `KEY_0` to
    `KEY_9`.
    """
    table: dict[int, str] = {}
    for name, code in gl.key_names().items():
        ours = f"KEY{name}" if name[:1] == "_" and name[1:].isdigit() else name
        if ours in KEY_INDEX:
            table.setdefault(code, ours)
    return table
