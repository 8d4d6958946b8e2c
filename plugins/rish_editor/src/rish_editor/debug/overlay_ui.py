"""The interface of the overlay in a game's window: input that it does not use goes on to the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from imgui_bundle import imgui

from ..ui.host import HANDLED, Host

_BUSY = 4
"""Frames after an event in which the interface may still act on it; Dear ImGui spreads events over frames."""
_POINTER = frozenset({"on_mouse_motion", "on_mouse_drag", "on_mouse_scroll"})
_TEXT = frozenset({"on_text", "on_text_motion"})


class Guest(Host):
    """Shares the input of a game's window between the overlay and the game. The release of a key or button goes where
    its press went.

    backend: the game's backend, which draws with OpenGL.
    """

    def __init__(self, backend: Any) -> None:
        self._backend = backend
        super().__init__(backend.window)
        self._held: set[tuple[str, int]] = set()
        self._left = 0
        self.window.remove_handlers(**self._handlers)
        self._handlers["on_text_motion"] = lambda motion: None
        self._handlers = {name: self._shared(name, handler) for name, handler in self._handlers.items()}

    def listen(self, on: bool) -> None:
        """Begin or stop receiving events; held keys and buttons are released."""
        self.window.remove_handlers(**self._handlers)
        self._held.clear()
        self._waiting.clear()
        self.io.clear_input_keys()
        self.io.clear_input_mouse()
        if on:
            self.window.push_handlers(**self._handlers)

    def sizes(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return width and height in units and in pixels; off screen both are those of the picture."""
        if "window" in self._backend.capabilities:
            return super().sizes()
        return self._backend.size, self._backend.size

    @property
    def busy(self) -> bool:
        """Whether the interface handles input in this frame, so that an edit may follow."""
        return self._left > 0 or bool(self._held) or bool(imgui.is_any_item_active())

    def frame(self, seconds: float, build: Callable[[], None]) -> None:
        """Run one frame of the interface, see `Host.frame`."""
        super().frame(seconds, build)
        self._left = max(self._left - 1, 0)

    def _shared(self, name: str, handler: Callable[..., Any]) -> Callable[..., Any]:
        def share(*arguments: Any) -> bool | None:
            takes = self._takes(name, arguments)
            handler(*arguments)
            if takes:
                self._left = _BUSY
            return HANDLED if takes else None

        return share

    def _takes(self, name: str, arguments: tuple[Any, ...]) -> bool:
        """Return whether the interface keeps an event from the game."""
        io = self.io
        if name in _POINTER:
            return bool(io.want_capture_mouse)
        if name in _TEXT:
            return bool(io.want_capture_keyboard)
        device = "key" if name.startswith("on_key") else "button"
        if name in ("on_key_press", "on_mouse_press"):
            thing = device, int(arguments[0] if device == "key" else arguments[2])
            captured = bool(io.want_capture_keyboard if device == "key" else io.want_capture_mouse)
            if captured:
                self._held.add(thing)
            return captured
        if name in ("on_key_release", "on_mouse_release"):
            thing = device, int(arguments[0] if device == "key" else arguments[2])
            was_pressed = thing in self._held
            self._held.discard(thing)
            return was_pressed
        return False
