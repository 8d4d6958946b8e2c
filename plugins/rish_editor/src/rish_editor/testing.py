"""Drives the editor as a user does, through events of its window; for tests of panels.

    driver = UIDriver(shell)
    driver.click("toolbar/play.start")
    driver.drag("editor.scene/view", by=(40, 0))
    driver.type("hello")

One step is one frame. Places of widgets are found by their marks: names without language, see `rish_editor.ui`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from .ui.keys import key_code
from .ui.marks import Place

if TYPE_CHECKING:
    from .shell.shell import Shell

Where = str | tuple[float, float]
LEFT, MIDDLE, RIGHT = 1, 2, 4
_BITS = {"shift": 1, "ctrl": 2, "alt": 4}
_KEYS = {"shift": "LSHIFT", "ctrl": "LCTRL", "alt": "LALT"}


class UIDriver:
    """A user at the editor. shell: made with `marks=True`."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell
        self.window: Any = shell.window
        self.at = (0.0, 0.0)
        self._buttons = 0
        self._modifiers = 0

    # Seeing

    def step(self, frames: int = 1) -> None:
        """Run frames."""
        for _ in range(frames):
            self.shell.frame(1 / 60)

    def sees(self, name: str) -> bool:
        """Return whether a widget is drawn."""
        return self.shell.editor.ui.marks.get(name) is not None

    def place(self, name: str) -> Place:
        """Return the place of a widget. Raises AssertionError with similar names if it is not drawn."""
        place = self.shell.editor.ui.marks.get(name)
        if place is None:
            end = name.rpartition("/")[2]
            near = [mark for mark in self.shell.editor.ui.marks.names() if end in mark or mark.split("/")[0] in name]
            raise AssertionError(f"the editor draws no {name!r}; it draws {', '.join(near[:60]) or 'nothing like it'}")
        return place

    def marks(self, prefix: str = "") -> list[str]:
        """Return the names of the widgets that are drawn, those that begin with a prefix."""
        return self.shell.editor.ui.marks.names(prefix)

    def wait(self, until: Callable[[], bool], frames: int = 300) -> None:
        """Run frames until something is true. Raises AssertionError if that takes too long."""
        for _ in range(frames):
            if until():
                return
            self.step()
        raise AssertionError(f"it did not happen within {frames} frames")

    # Pointer

    def move(self, to: Where) -> None:
        """Move the pointer to the center of a widget, or to a point of the window (y down)."""
        x, y = self.place(to).center if isinstance(to, str) else to
        before, self.at = self.at, (x, y)
        up = self.window.height - y
        moved = x - before[0], before[1] - y
        if self._buttons:
            self.window.dispatch_event("on_mouse_drag", x, up, *moved, self._buttons, self._modifiers)
        else:
            self.window.dispatch_event("on_mouse_motion", x, up, *moved)
        self.step()

    def press(self, button: int = LEFT) -> None:
        """Press a button of the mouse."""
        self._buttons |= button
        x, y = self.at
        self.window.dispatch_event("on_mouse_press", x, self.window.height - y, button, self._modifiers)
        self.step()

    def release(self, button: int = LEFT) -> None:
        """Release a button of the mouse."""
        self._buttons &= ~button
        x, y = self.at
        self.window.dispatch_event("on_mouse_release", x, self.window.height - y, button, self._modifiers)
        self.step()

    def click(self, on: Where, *, button: int = LEFT, held: str = "") -> None:
        """Click. held: modifiers, such as `ctrl` or `ctrl+shift`."""
        with self.holding(held):
            self.move(on)
            self.press(button)
            self.release(button)
        self.step()

    def double_click(self, on: Where) -> None:
        """Click twice."""
        self.move(on)
        for _ in range(2):
            self.press()
            self.release()
        self.step()

    def drag(
        self, start: Where, to: Where | None = None, *, by: tuple[float, float] = (0.0, 0.0), steps: int = 4,
        button: int = LEFT, held: str = "",
    ) -> None:  # fmt: skip
        """Drag from a place to another one, or by a way in units of the window (y down)."""
        with self.holding(held):
            self.move(start)
            self.press(button)
            x, y = self.at
            end = self.place(to).center if isinstance(to, str) else to or (x + by[0], y + by[1])
            for step in range(1, steps + 1):
                self.move((x + (end[0] - x) * step / steps, y + (end[1] - y) * step / steps))
            self.release(button)
        self.step()

    def scroll(self, on: Where, notches: float) -> None:
        """Turn the wheel over a place."""
        self.move(on)
        x, y = self.at
        self.window.dispatch_event("on_mouse_scroll", x, self.window.height - y, 0.0, notches)
        self.step(2)

    # Keyboard

    @contextlib.contextmanager
    def holding(self, held: str) -> Iterator[None]:
        """Hold modifiers."""
        with self._held(held):
            if held:
                self.step()
            yield
        if held:
            self.step()

    @contextlib.contextmanager
    def _held(self, held: str) -> Iterator[None]:
        """Hold modifiers without frames of their own."""
        names = [name for name in held.split("+") if name]
        for name in names:
            self._modifiers |= _BITS[name]
            self.window.dispatch_event("on_key_press", key_code(_KEYS[name]), self._modifiers)
        try:
            yield
        finally:
            for name in names:
                self._modifiers &= ~_BITS[name]
                self.window.dispatch_event("on_key_release", key_code(_KEYS[name]), self._modifiers)

    def key(self, shortcut: str) -> None:
        """Press a key, such as `F5`, `Enter` or `Ctrl+Z`."""
        *held, name = shortcut.split("+")
        code = key_code(name)
        with self._held("+".join(held).lower()):
            self.window.dispatch_event("on_key_press", code, self._modifiers)
            self.step()
            self.window.dispatch_event("on_key_release", code, self._modifiers)
        self.step()

    def type(self, text: str) -> None:
        """Type a text into the field that has the keyboard focus."""
        for character in text:
            self.window.dispatch_event("on_text", character)
        self.step(2)

    def enter(self, field: str, text: str) -> None:
        """Replace the content of a text or number field, and press Enter."""
        self.double_click(field)
        self.key("Ctrl+A")
        self.type(text)
        self.key("Enter")

    def picture(self) -> Any:
        """Return the picture of the window, uint8 (h, w, 4), the top row first."""
        return self.shell.pixels()
