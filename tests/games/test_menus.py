"""The gallery of widgets: every kind is in it; its form can be filled by the keyboard alone or by a gamepad alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rish_core import open_game
from rish_frame import NullBackend
from rish_ui import UiSettings, UiState, Widget
from ui_driver import UiDriver

MENUS = Path(__file__).parents[2] / "games" / "menus"
FORM = "gallery.tabs.form"


@pytest.fixture
def ui() -> Iterator[UiDriver]:
    """The gallery, with the focus at its tabs."""
    backend = NullBackend(keep=0)
    with open_game(MENUS, headless=True, backend=backend, policy="raise") as app:
        driver = UiDriver(app, backend)
        driver.frame()
        yield driver


def sent(ui: UiDriver) -> str:
    """Return the name in the form that was sent; empty before."""
    form = next(ui.world[kind] for kind in ui.world.resources if kind.__name__ == "Form")
    return str(form.nick)


def test_the_form_is_filled_by_the_keyboard_alone(ui: UiDriver) -> None:
    """Arrow keys, TAB and letters lead to a form that can be sent; before that, the button does nothing."""
    ui.key("RIGHT", "RIGHT", "RIGHT", "DOWN")
    assert ui.focus == f"{FORM}.nick"
    ui.type("Zoë 中文")
    ui.key("TAB")
    ui.type("zoe@example.org")
    ui.key("TAB")
    ui.type("secret")
    ui.key("TAB")
    assert not ui.world.get(ui.node(f"{FORM}.foot.send").entity, Widget).enabled  # the rules are not accepted yet
    ui.key("SPACE")
    ui.frame(2)
    ui.key("TAB", "ENTER")
    ui.frame(2)
    assert sent(ui) == "Zoë 中文"


LETTERS = ["1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "^# <."]
SIGNS = ["1234567890", "!?.,:;'\"-_", "@#&%*+=/\\~", "()[]{}<>$^", "^# <."]
"""The keys of the keyboard on the screen; in the last row are those for capitals, signs, space, erasing and the end."""


def go(ui: UiDriver, rows: list[str], row: int, column: int) -> None:
    """Move over the keys by directions, and press the one at a place."""
    for direction in ("down", "right"):
        for _ in range(12):
            popup = ui.world[UiState].popup
            assert popup is not None
            y = next(k for k in range(len(rows)) if popup.hovered < sum(map(len, rows[: k + 1])))
            x = popup.hovered - sum(map(len, rows[:y]))
            if (y == row) if direction == "down" else (x == column):
                break
            ui.key(f"gamepad.dpad_{direction}")
    ui.key("gamepad.a")


def write(ui: UiDriver, words: str) -> None:
    """Write words with the keyboard on the screen, by directions alone."""
    ui.key("gamepad.a")
    rows = LETTERS
    for letter in words:
        if not any(letter in row for row in rows[:-1]):
            go(ui, rows, len(rows) - 1, 1)
            rows = SIGNS if rows is LETTERS else LETTERS
        row = next(k for k, each in enumerate(rows) if letter in each)
        go(ui, rows, row, rows[row].index(letter))
    go(ui, rows, len(rows) - 1, 4)


def test_the_form_is_filled_by_a_gamepad_alone(ui: UiDriver) -> None:
    """Texts are written with the keyboard on the screen."""
    ui.key("gamepad.dpad_right", "gamepad.dpad_right", "gamepad.dpad_right", "gamepad.dpad_down")
    for words in ("ada", "a@b.c", "pass1"):
        write(ui, words)
        ui.key("gamepad.dpad_down")
    ui.key("gamepad.a")
    ui.frame(2)
    ui.key("gamepad.dpad_down", "gamepad.a")
    ui.frame(2)
    assert sent(ui) == "ada"


def test_the_form_is_filled_by_the_mouse(ui: UiDriver) -> None:
    """Clicks choose the tab, the fields and the switch; a wrong address leaves the button disabled."""
    ui.key("RIGHT", "RIGHT", "RIGHT")
    for name, words in (("nick", "Ada"), ("mail", "ada"), ("secret", "12345")):
        ui.click(f"{FORM}.{name}")
        ui.type(words)
    ui.click(f"{FORM}.agree", 0.05)
    ui.click(f"{FORM}.foot.send")
    assert not sent(ui)
    ui.click(f"{FORM}.mail", 0.9)
    ui.type("@x.org")
    ui.frame(2)
    ui.click(f"{FORM}.foot.send")
    ui.frame(2)
    assert sent(ui) == "Ada"
    assert any("Ada" in text for text in ui.texts[-3:] + ui.texts)


def test_every_kind_of_widget_is_in_it(ui: UiDriver) -> None:
    """A kind that is added to the plugin is shown here as well."""
    shown = {type(node.kind).__name__ for root in ui.world[UiState].tree.roots for node in root.nodes}
    ui.click("gallery.head.options")
    ui.frame(2)
    shown |= {type(node.kind).__name__ for root in ui.world[UiState].tree.roots for node in root.nodes}
    assert {type(kind).__name__ for kind in ui.world[UiState].kinds.values()} <= shown


@pytest.mark.parametrize("language", ["en", "zh-Hant"])
def test_no_page_is_larger_than_its_place(ui: UiDriver, language: str) -> None:
    """On a window of the size of the game, all widgets of all pages are within the window."""
    ui.world[UiSettings].language = language
    for _ in range(5):
        ui.frame(2)
        root = ui.node("gallery").root
        over = [node.path for node in root.nodes if node.shown and node.w and not _within(node, root)]
        assert not [path for path in over if ".scrolled." not in path]
        ui.key("RIGHT")


def _within(node: Any, root: Any) -> bool:
    return node.x >= 0 and node.y >= 0 and node.x + node.w <= root.width + 1 and node.y + node.h <= root.height + 1
