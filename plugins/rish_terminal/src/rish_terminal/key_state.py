"""Converts a terminal's key reports into window events of the kernel.

A terminal reports that a key was pressed and, while it is held, reports it again; it does not report releases. So a key
counts as held for a moment after each press. Keys such as ENTER, which are not held in games, are excepted: each of
their reports is a press. A terminal with the kitty protocol reports releases too, and nothing is guessed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from rish_core import WindowEvent

from .keys import MODIFIERS
from .layout import Layout
from .parser import Focus, Key, Message, Pasted, Pointer, Typed

HOLD = 0.15
"""Seconds for which a key counts as held after a press. Longer than the repeat interval, so that repeats join."""

TAPPED = frozenset({"BACKSPACE", "DELETE", "TAB", "ENTER", "ESCAPE", "HOME", "END", "PAGEUP", "PAGEDOWN"})
"""Keys of which each report counts as a press, also two quick presses and the repeats of a held key."""


class KeyState:
    """The keys and buttons that are down. guess: whether releases are guessed, because the terminal reports none."""

    def __init__(self) -> None:
        self.guess = True
        self._held: dict[str, float] = {}

    def events(self, messages: Iterable[Message], layout: Layout, now: float) -> list[WindowEvent]:
        """Return the events of these messages, and the releases of keys whose time has ended. now: seconds."""
        out: list[WindowEvent] = []
        for message in messages:
            if isinstance(message, Key):
                self._key(message, now, out)
            elif isinstance(message, Typed):
                out.append(WindowEvent("text", text=message.text))
            elif isinstance(message, Pasted):
                out.append(WindowEvent("paste", text=message.text))
            elif isinstance(message, Pointer):
                self._pointer(message, layout, out)
            elif isinstance(message, Focus):
                if not message.has:
                    out += self.let_go()
                out.append(WindowEvent("focus", down=message.has))
        return out + self.let_go(now)

    def let_go(self, now: float = math.inf) -> list[WindowEvent]:
        """Return the releases of keys whose time has ended; of all keys if no time is given."""
        due = [name for name, until in self._held.items() if until <= now or now == math.inf]
        for name in due:
            del self._held[name]
        return [_pressable(name, False) for name in due]

    def _key(self, key: Key, now: float, out: list[WindowEvent]) -> None:
        names = [name for bit, name in MODIFIERS if key.modifiers & bit] if self.guess else []
        for _, name in MODIFIERS if self.guess else ():
            if name not in names:
                self._up(name, out)
        for name in (*names, key.name):
            if key.act == "release":
                self._up(name, out)
            else:
                self._down(name, now + HOLD if self.guess else math.inf, out)

    def _pointer(self, pointer: Pointer, layout: Layout, out: list[WindowEvent]) -> None:
        x, y = layout.pixel(pointer.column, pointer.row)
        out.append(WindowEvent("mouse_move", x=x, y=y))
        if pointer.wheel != (0, 0):
            out.append(WindowEvent("scroll", x=pointer.wheel[0], y=pointer.wheel[1]))
        elif pointer.button and pointer.down:
            self._down(pointer.button, math.inf, out)
        elif pointer.button:
            self._up(pointer.button, out)

    def _down(self, name: str, until: float, out: list[WindowEvent]) -> None:
        if self.guess and name in TAPPED:
            self._up(name, out)
        if name not in self._held:
            out.append(_pressable(name, True))
        self._held[name] = until

    def _up(self, name: str, out: list[WindowEvent]) -> None:
        if self._held.pop(name, None) is not None:
            out.append(_pressable(name, False))


def _pressable(name: str, down: bool) -> WindowEvent:
    return WindowEvent("mouse_button" if name.startswith("mouse.") else "key", name, down)
