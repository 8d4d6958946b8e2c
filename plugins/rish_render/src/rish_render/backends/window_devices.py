"""The devices of a backend that may have a window: gamepads, the clipboard, the full screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .arcade.window.window import Window


class WindowDevices:
    """The methods of `Backend` for devices. Off screen there is no window, and they do nothing."""

    _window: Window | None

    def rumble(self, device: int, low: float, high: float, seconds: float) -> None:
        """Shake a gamepad, or all for device 0."""
        if self._window is not None:
            self._window.gamepads.rumble(device, low, high, seconds)

    def write_clipboard(self, text: str) -> None:
        """Put a text into the clipboard."""
        if self._window is not None:
            self._window.write_clipboard(text)

    def read_clipboard(self) -> str | None:
        """Return the clipboard's text; None if it has none."""
        return self._window.read_clipboard() if self._window is not None else None

    def fullscreen(self, wanted: bool | None = None) -> bool:
        """Let the window fill the screen, or return to its former size; return whether it fills the screen."""
        return self._window is not None and self._window.fullscreen(wanted)
