"""The window: its events, and the settings that can be changed.

Sizes and pointer positions are in pixels of the framebuffer. On a high-density display these are more than the units in
which the system measures windows; values that pyglet reports in units are scaled here.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from rish_core import WindowEvent

from .. import gl
from .events import HANDLED, WindowInput
from .offered import take

_log = logging.getLogger("rish.render")


class Window:
    """A window on the screen: the one that is offered (`offered.py`), otherwise a new one.

    native: the pyglet window.
    """

    def __init__(self, title: str, size: tuple[int, int]) -> None:
        offered = take(title, size)
        self.native = native = gl.open_window(title, size) if offered is None else offered
        self._input = WindowInput(native, self._pixels)
        self.gamepads = self._input.gamepads
        self._size = self._framebuffer()
        self._settings: dict[str, Callable[[Any], object]] = {
            "title": native.set_caption,
            "size": self._set_size,
            "fullscreen": self._set_fullscreen,
            "cursor": native.set_mouse_visible,
            "lock": self._hold_pointer,
            "icon": lambda pixels: native.set_icon(gl.make_icon(pixels)),
            "vsync": native.set_vsync,
        }
        native.push_handlers(
            **self._input.handlers,
            on_close=lambda: self._input.note(WindowEvent("close")),
            on_resize=lambda width, height: HANDLED,
        )

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the framebuffer in pixels."""
        return self._size

    def fullscreen(self, wanted: bool | None = None) -> bool:
        """Let it fill the screen, or return to its former size; None: neither. Return whether it fills the screen."""
        if wanted is not None:
            self._set_fullscreen(wanted)
        return bool(self.native.fullscreen)

    def poll(self) -> list[WindowEvent]:
        """Return the window events since the last call, oldest first."""
        self.native.switch_to()
        self.native.dispatch_events()
        size = self._framebuffer()
        if size != self._size:
            self._size = size
            self._input.note(WindowEvent("resize", x=float(size[0]), y=float(size[1])))
        return self._input.take()

    # Settings

    def change(self, option: str, value: Any) -> None:
        """Change a setting of the window.

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

    def _hold_pointer(self, wanted: bool) -> None:
        """Hide and hold the pointer, and report its motion; or let it go."""
        if self._input.held != wanted:
            self.native.set_exclusive_mouse(wanted)
            self._input.held = wanted

    # Clipboard

    def write_clipboard(self, text: str) -> None:
        """Put a text into the clipboard, if the window system has one."""
        try:
            self.native.set_clipboard_text(text)
        except Exception as error:
            _log.info("the clipboard can't be written: %s", error)

    def read_clipboard(self) -> str | None:
        """Return the clipboard's text; None if there is none."""
        return self._input.read_clipboard()

    # Sizes

    def _framebuffer(self) -> tuple[int, int]:
        width, height = self.native.get_framebuffer_size()
        return max(1, int(width)), max(1, int(height))

    def _density(self) -> tuple[float, float]:
        """Return how many pixels a unit of the window has, horizontally and vertically."""
        (width, height), (wide, high) = self._framebuffer(), self.native.get_size()
        return width / max(wide, 1), height / max(high, 1)

    def _pixels(self, x: float, y: float) -> tuple[float, float]:
        across, up = self._density()
        return x * across, y * up
