"""The keyboard on the screen, with which a gamepad writes texts."""

from __future__ import annotations

from rish_core import WindowEvent
from rish_ui import TextInput, UiState
from ui_driver import UiDriver, ui_game

FORM = """
- name: form
  Screen: {takes_keys: true}
  Layout: {align: start}
  children:
    - {name: nick, TextInput: {most: 8, allowed: "a-z A-Z0-9"}, Layout: {size: [200, 0]}}
    - {name: next, Button: {text: Next}}
"""
LETTERS = {"locale/en.yaml": 'ui: {keyboard: {letters: "αβγ\\nδε"}}\n'}


def text(ui: UiDriver) -> str:
    """Return what is written."""
    return str(ui.world.get(ui.node("form.nick").entity, TextInput).text)


def pad(ui: UiDriver, *names: str) -> None:
    """Press buttons of a gamepad; single words are directions."""
    ui.key(*(f"gamepad.dpad_{n}" if n in ("up", "down", "left", "right") else f"gamepad.{n}" for n in names))
    ui.frame()


def test_a_gamepad_writes_a_word() -> None:
    """The first button opens the keyboard at the letters; directions move over keys, and the button presses one."""
    with ui_game(FORM) as ui:
        pad(ui, "a", "a", "right", "right", "a")
        assert text(ui) == "qe"
        assert ui.world[UiState].popup is not None
        assert "q" in ui.texts


def test_buttons_are_short_cuts() -> None:
    """One button removes a letter, one begins a capital letter for one key, and start finishes the text."""
    with ui_game(FORM) as ui:
        pad(ui, "a", "a", "a", "x", "y", "a", "a")
        assert text(ui) == "qQq"
        _ = ui.heard
        pad(ui, "start")
        assert ("Submitted", "form.nick", "qQq", True) in ui.heard
        assert ui.world[UiState].popup is None


def test_directions_go_round_in_rows_and_columns() -> None:
    """To the left of the first key is the last one of its row, and above the first row is the last row."""
    with ui_game(FORM) as ui:
        pad(ui, "a", "left", "a")
        assert text(ui) == "p"
        pad(ui, "right", "up", "a")
        assert text(ui) == "p1"
        pad(ui, "up", "right", "right", "a")
        assert text(ui) == "p1 "


def test_the_last_row_has_keys_for_signs_and_the_end() -> None:
    """The key for signs shows others, which are limited as typed ones are; the key at the end finishes the text."""
    with ui_game(FORM) as ui:
        pad(ui, "a", "up", "up", "right", "a")
        assert "!" in ui.texts
        pad(ui, "down", "down", "a")
        assert text(ui) == ""  # signs are not allowed in this field
        pad(ui, "up", "up", "left", "left", "a")
        assert ui.world[UiState].popup is None


def test_b_closes_the_keyboard_and_the_field_keeps_the_focus() -> None:
    """After that, directions move the focus again."""
    with ui_game(FORM) as ui:
        pad(ui, "a", "a", "b")
        assert ui.world[UiState].popup is None
        assert ui.focus == "form.nick"
        pad(ui, "down")
        assert ui.focus == "form.next"


def test_the_mouse_presses_keys_too() -> None:
    """A click on a key types it; a click outside of the keyboard closes it."""
    with ui_game(FORM) as ui:
        pad(ui, "a")
        popup = ui.world[UiState].popup
        assert popup is not None
        high = ui.node("form.nick").root.height
        place = {"x": popup.x + 25, "y": high - popup.y - popup.row * 1.5}
        ui.send(WindowEvent("mouse_move", **place), WindowEvent("mouse_button", "mouse.left", True, **place))
        ui.send(WindowEvent("mouse_button", "mouse.left", False, **place))
        ui.frame()
        assert text(ui) == "q"
        outside = {"x": 630.0, "y": 5.0}
        ui.send(WindowEvent("mouse_button", "mouse.left", True, **outside))
        assert ui.world[UiState].popup is None


def test_letters_are_those_of_the_language() -> None:
    """A translation may give the rows of letters by the text `ui.keyboard.letters`."""
    with ui_game(FORM.replace("a-z A-Z0-9", ""), files=LETTERS) as ui:
        pad(ui, "a", "right", "a")
        assert text(ui) == "β"


def test_a_key_of_the_keyboard_still_finishes_the_text() -> None:
    """ENTER opens no keyboard on the screen."""
    with ui_game(FORM) as ui:
        ui.key("ENTER")
        assert ui.world[UiState].popup is None
        assert ("Submitted", "form.nick", "", True) in ui.heard
