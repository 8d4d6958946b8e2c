"""Held keys, buttons and sticks repeat, and one push is one move."""

from __future__ import annotations

from rish_core import WindowEvent
from rish_ui import TextInput, UiSettings
from ui_driver import UiDriver, ui_game

MENU = """
- name: menu
  Screen: {takes_keys: true}
  children:
    - {name: b0, Button: {text: "0"}}
    - {name: b1, Button: {text: "1"}}
    - {name: b2, Button: {text: "2"}}
    - {name: b3, Button: {text: "3"}}
    - {name: b4, Button: {text: "4"}}
    - {name: nick, TextInput: {text: abcdef}}
"""


def wait(ui: UiDriver, seconds: float) -> None:
    """Let a time pass."""
    for _ in range(round(seconds * 60)):
        ui.frame()


def hold(ui: UiDriver, kind: str, name: str, value: float = 1.0) -> None:
    """Send a key that goes down, or the place of a stick."""
    ui.send(WindowEvent(kind, name, kind != "gamepad_axis", value=value))


def test_a_held_key_moves_again_after_a_delay_until_it_is_released() -> None:
    """The delay and the pace are settings."""
    with ui_game(MENU) as ui:
        settings = ui.world[UiSettings]
        settings.repeat_delay, settings.repeat_every = 0.5, 0.25
        hold(ui, "key", "DOWN")
        wait(ui, 0.4)
        assert ui.focus == "menu.b1"
        wait(ui, 0.2)
        assert ui.focus == "menu.b2"
        wait(ui, 0.25)
        assert ui.focus == "menu.b3"
        ui.send(WindowEvent("key", "DOWN", False))
        wait(ui, 1.0)
        assert ui.focus == "menu.b3"


def test_a_stick_moves_once_per_push_and_repeats_while_it_is_pushed() -> None:
    """A stick that trembles near its limit is one push; the middle ends it."""
    with ui_game(MENU) as ui:
        for value in (-0.3, -0.6, -0.5, -0.6, -1.0):
            hold(ui, "gamepad_axis", "gamepad.left_y", value)
        assert ui.focus == "menu.b1"
        wait(ui, 0.38)
        assert ui.focus == "menu.b2"
        hold(ui, "gamepad_axis", "gamepad.left_y", 0.0)
        wait(ui, 1.0)
        assert ui.focus == "menu.b2"
        hold(ui, "gamepad_axis", "gamepad.left_y", 0.9)
        assert ui.focus == "menu.b1"


def test_a_click_does_not_repeat() -> None:
    """The key that clicks is one click however long it is held."""
    with ui_game(MENU) as ui:
        hold(ui, "key", "ENTER")
        wait(ui, 2.0)
        assert [event[0] for event in ui.heard].count("Clicked") == 1


def test_a_held_key_removes_letter_after_letter() -> None:
    """Keys that edit a text repeat as well."""
    with ui_game(MENU.replace("takes_keys: true", "takes_keys: true, first: nick")) as ui:
        ui.key("END")
        hold(ui, "key", "BACKSPACE")
        wait(ui, 0.7)
        assert len(ui.world.get(ui.node("menu.nick").entity, TextInput).text) < 5


def test_nothing_repeats_after_the_window_lost_the_focus() -> None:
    """The release of a key is not reported then."""
    with ui_game(MENU) as ui:
        hold(ui, "key", "DOWN")
        ui.send(WindowEvent("focus", down=False))
        wait(ui, 2.0)
        assert ui.focus == "menu.b1"
