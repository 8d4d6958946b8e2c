"""The input of a running game: the events of the window that belong to it while its view has the keyboard focus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rish_core import WindowEvent
from rish_render import window_input

from .play import PlayState

if TYPE_CHECKING:
    from .game import Game

Rect = tuple[float, float, float, float]
_POINTER = ("on_mouse_motion", "on_mouse_drag", "on_mouse_press", "on_mouse_release", "on_mouse_scroll")
_KEYS = ("on_key_press", "on_key_release", "on_text", "on_text_motion")
LEAVE = "Shift+F1"
"""The key that gives the keyboard back to the editor."""


class GameInput:
    """Passes events of the window on to the game while it is played.

    window: of the editor. focused: whether the game has the keyboard focus and the pointer. area: where the view shows
    the game, left, top, width and height in units of the window, y down. size: of the game's screen there, pixels.
    """

    def __init__(self, window: Any) -> None:
        self.focused = False
        self.area: Rect = (0.0, 0.0, 1.0, 1.0)
        self.size: tuple[int, int] = (1, 1)
        self._window = window
        self._reader: Any = window_input(window, self._place)
        self._held = 0
        self._shown = False

    def show(self, area: Rect, size: tuple[int, int]) -> None:
        """Set where the game is shown in this frame; a game that is not shown gets no keys."""
        self.area, self.size, self._shown = area, size, True

    def enter(self) -> None:
        """Give keyboard and pointer to the game."""
        if not self.focused:
            self.focused = True
            self._reader.note(WindowEvent("focus", down=True))

    def leave(self) -> None:
        """Give keyboard and pointer back to the editor; the game sees that all keys are released."""
        if self.focused:
            self.focused = False
            self._held = 0
            self._reader.note(WindowEvent("focus", down=False))

    def event(self, name: str, arguments: tuple[Any, ...]) -> bool:
        """Pass an event on, by pyglet's name and arguments; return whether the editor should not get it."""
        if not self.focused:
            return False
        if name == "on_deactivate":
            self.leave()
        elif name in _KEYS:
            if name == "on_key_press" and _leaves(*arguments):
                self.leave()
            else:
                self._reader.handlers[name](*arguments)
            return True
        elif name in _POINTER and self._concerns(name, arguments):
            self._reader.handlers[name](*arguments)
        return False

    def deliver(self, game: Game | None) -> None:
        """Give the events since the last call to a game that is played; those of gamepads also without the keyboard
        focus."""
        playing = game is not None and game.play.state is PlayState.PLAYING
        if not (playing and self._shown):
            self.leave()
        self._shown = False
        events = self._reader.take()
        if game is not None and game.play.running:
            game.surface.events += events

    def _concerns(self, name: str, arguments: tuple[Any, ...]) -> bool:
        """Return whether a pointer event is over the picture, or is the release of a button that was pressed there."""
        x, y = self._place(arguments[0], arguments[1])
        inside = 0 <= x <= self.size[0] and 0 <= y <= self.size[1]
        if name == "on_mouse_press" and inside:
            self._held |= arguments[2]
        if name == "on_mouse_release":
            pressed = self._held & arguments[2]
            self._held &= ~arguments[2]
            return bool(pressed)
        return inside or (bool(self._held) and name != "on_mouse_press")

    def _place(self, x: float, y: float) -> tuple[float, float]:
        """Convert a point of the window, y up, to pixels of the game's screen, y up."""
        left, top, width, height = self.area
        bottom = self._window.height - top - height
        return (x - left) * self.size[0] / max(width, 1e-9), (y - bottom) * self.size[1] / max(height, 1e-9)


def _leaves(code: int, modifiers: int) -> bool:
    from pyglet.window import key

    return code == key.F1 and bool(modifiers & key.MOD_SHIFT)
