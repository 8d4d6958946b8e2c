"""The input of a pyglet window under the engine's names: keys, buttons, the pointer, typed text, and gamepads."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from rish_core import WindowEvent
from rish_core.loop import KEY_INDEX
from rish_frame import pasted_text
from rish_frame.paint.writing import typed_text

from .. import gl
from .gamepads import Gamepads

_log = logging.getLogger("rish.render")
_BUTTONS = {1: "mouse.left", 2: "mouse.middle", 4: "mouse.right", 8: "mouse.back", 16: "mouse.forward"}
_CTRL, _ALT, _COMMAND = 2, 4, 64
"""pyglet's bits of modifiers."""
HANDLED = True
"""The result of a handler that stops pyglet's default action, such as closing the window on ESCAPE."""
Placing = Callable[[float, float], tuple[float, float]]


class WindowInput:
    """Turns events of a pyglet window into those of a game.

    native: the window. place: converts a point of the window, in its units, y up, to pixels of the game's screen.
    handlers: the functions to call with the arguments of pyglet's events, by their names, such as `on_key_press`. held:
    whether the pointer is held, so that its motion is reported instead of its position.
    """

    def __init__(self, native: Any, place: Placing) -> None:
        self._native, self._place = native, place
        self._events: list[WindowEvent] = []
        self._keys = key_table()
        self.gamepads = Gamepads()
        self.held = False
        self._last = (0.0, 0.0)
        self.handlers: dict[str, Callable[..., bool]] = {
            "on_key_press": self._press,
            "on_key_release": lambda symbol, _: self._key(symbol, False),
            "on_text": self._text,
            "on_text_motion": lambda _: HANDLED,  # the keys say it already
            "on_mouse_press": lambda x, y, button, _: self._mouse_button(x, y, button, True),
            "on_mouse_release": lambda x, y, button, _: self._mouse_button(x, y, button, False),
            "on_mouse_motion": lambda x, y, right, up, *_: self._move(x, y, right, up),
            "on_mouse_drag": lambda x, y, right, up, *_: self._move(x, y, right, up),
            "on_mouse_scroll": lambda x, y, right, up: self.note(WindowEvent("scroll", x=float(right), y=float(up))),
            "on_activate": lambda: self.note(WindowEvent("focus", down=True)),
            "on_deactivate": lambda: self.note(WindowEvent("focus", down=False)),
        }

    def take(self) -> list[WindowEvent]:
        """Return the events since the last call, oldest first, those of gamepads last."""
        events, self._events = self._events + self.gamepads.poll(), []
        return events

    def note(self, event: WindowEvent) -> bool:
        """Add an event; return `HANDLED`."""
        self._events.append(event)
        return HANDLED

    def read_clipboard(self) -> str | None:
        """Return the clipboard's text; None if there is none."""
        try:
            return str(self._native.get_clipboard_text() or "") or None
        except Exception as error:
            _log.info("the clipboard can't be read: %s", error)
            return None

    def _press(self, symbol: int, modifiers: int) -> bool:
        """Add the events of a key that went down; those that paste are followed by the clipboard's text.

        Ctrl and Alt together are AltGr on Windows, which writes a sign.
        """
        self._key(symbol, True)
        shortcut = modifiers & (_CTRL | _COMMAND) and not modifiers & _ALT
        if shortcut and self._keys.get(symbol) == "V":
            self.note(WindowEvent("paste", text=pasted_text(self.read_clipboard() or "")))
        return HANDLED

    def _key(self, symbol: int, down: bool) -> bool:
        name = self._keys.get(symbol)
        return self.note(WindowEvent("key", name, down)) if name is not None else HANDLED

    def _text(self, text: str) -> bool:
        shown = typed_text(text)
        return self.note(WindowEvent("text", text=shown)) if shown else HANDLED

    def _move(self, x: float, y: float, right: float, up: float) -> bool:
        """Add an event for the pointer's position. It replaces a directly preceding move.

        right, up: how far it moved; this is reported instead while the pointer is held.
        """
        if self.held:
            return self._turn(*self._place(right, up))
        if self._events and self._events[-1].kind == "mouse_move":
            self._events.pop()
        self._last = across, above = self._place(x, y)
        return self.note(WindowEvent("mouse_move", x=across, y=above))

    def _turn(self, right: float, up: float) -> bool:
        """Add an event for the motion of a held pointer; a directly preceding one is added to it."""
        if self._events and self._events[-1].kind == "mouse_motion":
            before = self._events.pop()
            right, up = before.x + right, before.y + up
        return self.note(WindowEvent("mouse_motion", x=float(right), y=float(up)))

    def _mouse_button(self, x: float, y: float, button: int, down: bool) -> bool:
        """Add an event for a button, after a move to the position where it was pressed.

        While the pointer is held it does not move, and a button has the last position.
        """
        name = _BUTTONS.get(button)
        if name is None:
            return HANDLED
        if not self.held:
            self._move(x, y, 0, 0)
        return self.note(WindowEvent("mouse_button", name, down, *self._last))


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
