"""The gallery of widgets looks like its pictures, in both themes, in Chinese, from right to left, and with large text.

Run with RISH_SAVE_PICTURES=1 to write the references again, and check the written images by eye.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from rish_core import WindowEvent, open_game
from rish_frame.testing import compare_pictures
from rish_render.backends.software.backend import SoftwareBackend
from rish_render.kinds.text.fonts import can_shape
from rish_ui import UiState, change
from tools import needing

MENUS = Path(__file__).parents[2] / "games" / "menus"
REFERENCES = Path(__file__).parents[1] / "pictures" / "menus"
PAGES = ("basic", "pictures", "lists", "form", "layout")
LOOKS: dict[str, list[str]] = {
    "dark": [],
    "light": ["theme=light"],
    "contrast": ["theme=contrast"],
    "chinese": ["language=zh-Hant"],
    "large": ["text_scale=1.5"],
}
pytestmark = [
    pytest.mark.skipif(not can_shape(), reason="Pillow has no Raqm here, which shapes writing"),
    needing("noto_cjk_sans_otc", "fonts"),
]


class Window(SoftwareBackend):
    """A backend that draws, and reports the events that it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[WindowEvent] = []

    def poll(self) -> list[WindowEvent]:
        """Return the events once."""
        found, self.events = self.events, []
        return found


Act = Callable[[Any, Window], None]


def send(app: Any, window: Window, *events: WindowEvent) -> None:
    """Send events of the window."""
    window.events += events
    app.run(2, draw=False)


def key(*names: str) -> Act:
    """Return a function that presses keys or buttons."""

    def press(app: Any, window: Window) -> None:
        for name in names:
            kind = "gamepad_button" if name.startswith("gamepad.") else "key"
            send(app, window, WindowEvent(kind, name, True))
            send(app, window, WindowEvent(kind, name, False))

    return press


def on(path: str) -> Act:
    """Return a function that clicks a widget by the mouse."""

    def press(app: Any, window: Window) -> None:
        app.frame(draw=True)
        node = next(n for root in app.world[UiState].tree.roots for n in root.nodes if n.path == path and n.w)
        place = {"x": node.x + node.w / 2, "y": node.root.height - node.y - node.h / 2}
        send(app, window, WindowEvent("mouse_move", **place), WindowEvent("mouse_button", "mouse.left", True, **place))
        send(app, window, WindowEvent("mouse_button", "mouse.left", False, **place))

    return press


def open_keyboard(app: Any, window: Window) -> None:
    """Open the keyboard on the screen for the first field of the form."""
    change(app.world, "gallery.tabs", 3)
    app.frame()
    on("gallery.tabs.form.nick")(app, window)
    key("gamepad.a", "gamepad.dpad_down")(app, window)


OPENED: dict[str, Act] = {
    "dropdown": on("gallery.head.theme"),
    "dialog": on("gallery.tabs.basic.left.buttons.danger"),
    "options": on("gallery.head.options"),
    "keyboard": open_keyboard,
}
"""What is opened over the gallery."""


@contextmanager
def gallery(look: str) -> Iterator[tuple[Any, Window]]:
    """Open the gallery with the settings of a look, in English if it says nothing else."""
    settings = [f"settings.ui.{change}" for change in ["language=en", "reduced_motion=true", *LOOKS[look]]]
    window = Window()
    with open_game(MENUS, settings, headless=True, backend=window, policy="raise") as app:
        app.frame(draw=True)
        yield app, window


def compare(app: Any, name: str) -> None:
    """Compare the picture with the reference."""
    app.run(3, draw=False)
    app.frame()
    compare_pictures(app.pixels()[:, :, :3], REFERENCES / f"{name}.png", ssim=0.97, worst=0.4)


@pytest.mark.parametrize("look", LOOKS)
def test_all_pages_look_like_their_pictures(look: str) -> None:
    """All widgets, at the size of the game."""
    with gallery(look) as (app, window):
        for page in PAGES:
            compare(app, f"{page}-{look}")
            key("RIGHT")(app, window)


@pytest.mark.parametrize("look", ["dark", "light"])
def test_what_opens_over_the_pages_looks_like_its_picture(look: str) -> None:
    """A list, a dialog, the screen of options, and the keyboard for gamepads; the key for back closes each."""
    with gallery(look) as (app, window):
        for what, act in OPENED.items():
            act(app, window)
            compare(app, f"{what}-{look}")
            key("ESCAPE")(app, window)
