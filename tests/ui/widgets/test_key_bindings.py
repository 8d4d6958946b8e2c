"""The list of actions in which the player changes keys."""

from __future__ import annotations

import pytest

from rish_core import Input, WindowEvent
from rish_ui import Preferences, UiSettings, UiState
from ui_driver import UiDriver, ui_game

HEAD = "input: {jump: [SPACE, gamepad.a], fire: [X], ui_up: [W]}\n"
SCENE = """
- name: menu
  Screen: {takes_keys: true, modal: true}
  children:
    - name: view
      ScrollView: {}
      Layout: {size: [300, 100]}
      children: [{name: keys, KeyBindings: {}}]
    - {name: back, Button: {text: Back}}
"""


def actions(ui: UiDriver) -> dict[str, list[str]]:
    """Return the keys of the actions in the game."""
    return {name: list(keys) for name, keys in ui.world[Input].actions.items()}


def press(ui: UiDriver, *names: str) -> None:
    """Press keys, and let the change take effect."""
    ui.key(*names)
    ui.frame(3)


def test_a_key_replaces_those_of_the_same_kind_of_device() -> None:
    """A key of the keyboard leaves the buttons of gamepads, and the other way round."""
    with ui_game(SCENE, HEAD) as ui:
        press(ui, "ENTER", "J")
        assert actions(ui)["jump"] == ["J", "gamepad.a"]
        press(ui, "ENTER", "gamepad.y")
        assert actions(ui)["jump"] == ["gamepad.y", "J"]
        assert ui.world[Preferences].keys("jump") == ["gamepad.y", "J"]


def test_escape_changes_nothing_and_backspace_removes_the_keys() -> None:
    """Neither of them can be chosen as a key here."""
    with ui_game(SCENE, HEAD) as ui:
        press(ui, "ENTER", "ESCAPE")
        assert actions(ui)["jump"] == ["SPACE", "gamepad.a"]
        assert not ui.world[UiState].capture
        press(ui, "DOWN", "ENTER", "BACKSPACE")
        assert actions(ui)["fire"] == []


def test_a_push_of_a_stick_and_a_mouse_button_can_be_chosen() -> None:
    """A stick counts when it is pushed far, with its side."""
    with ui_game(SCENE, HEAD) as ui:
        press(ui, "ENTER")
        ui.send(WindowEvent("gamepad_axis", "gamepad.left_y", value=0.2))
        assert ui.world[UiState].capture
        ui.send(WindowEvent("gamepad_axis", "gamepad.left_y", value=-0.9))
        ui.frame(3)
        assert actions(ui)["jump"] == ["gamepad.left_y-", "SPACE"]


def test_the_row_that_waits_says_so_and_clashes_are_seen() -> None:
    """The text asks for a key; two actions with one key are shown in another color."""
    with ui_game(SCENE, HEAD) as ui:
        ui.key("ENTER")
        ui.frame()
        assert "Press a key" in ui.texts
        press(ui, "X")
        assert ui.world[Preferences].conflicts()
        assert "Press a key" not in ui.texts


def test_actions_that_operate_widgets_are_not_listed() -> None:
    """Their names begin with `ui_`."""
    with ui_game(SCENE, HEAD) as ui:
        assert "Jump" in ui.texts
        assert "Ui up" not in ui.texts


def test_names_of_actions_are_translated() -> None:
    """By the texts `actions.NAME`."""
    with ui_game(SCENE, HEAD, files={"locale/en.yaml": "actions: {jump: Leap}\n"}) as ui:
        assert "Leap" in ui.texts


def test_the_last_row_resets_all_keys() -> None:
    """The keys of the manifest come back; other preferences stay."""
    with ui_game(SCENE, HEAD) as ui:
        ui.world[Preferences].set("theme", "light")
        press(ui, "ENTER", "J", "DOWN", "ENTER", "K")
        press(ui, "DOWN", "ENTER")
        assert actions(ui) == {"jump": ["SPACE", "gamepad.a"], "fire": ["X"], "ui_up": ["W"]}
        assert ui.world[Preferences].get("theme") == "light"


def test_the_selected_row_scrolls_into_view() -> None:
    """The list is higher than its scroll view."""
    many = "input: {" + ", ".join(f"action{k}: [F{k}]" for k in range(1, 13)) + "}\n"
    with ui_game(SCENE, many) as ui:
        before = ui.node("menu.view.keys").y
        press(ui, *["DOWN"] * 8)
        assert ui.node("menu.view.keys").y < before - 50


@pytest.mark.parametrize("text", ["jump = NOTHING", "leap = J", "= J", ""])
def test_a_damaged_command_is_reported_and_changes_nothing(text: str, caplog: pytest.LogCaptureFixture) -> None:
    """Such as one of a recording that was edited."""
    with ui_game(SCENE, HEAD) as ui:
        before = actions(ui)
        ui.backend.send(WindowEvent("command", "Changed menu.view.keys", text=text))
        ui.frame(3)
        assert actions(ui) == before
        assert any("KeyBindings menu.view.keys" in r.getMessage() for r in caplog.records)


def test_the_keys_of_all_players_are_listed_and_changed() -> None:
    """Actions of players are listed with their player; a key that is pressed for one changes nothing for the other."""
    head = "input: {players: [{left: [A]}, {left: [LEFT]}], pause: [P]}\n"
    with ui_game("- {name: menu, Screen: {takes_keys: true}, children: [{name: keys, KeyBindings: {}}]}", head) as ui:
        ui.world[UiSettings].language = "en"
        ui.frame()
        assert ui.texts[:6] == ["Player 1: Left", "A", "Player 2: Left", "←", "Pause", "P"]
        ui.key("DOWN", "ENTER", "J")
        ui.frame(2)
        assert [player.actions["left"] for player in ui.world[Input].players] == [["A"], ["J"]]
        ui.world[UiSettings].language = "zh-Hant"
        ui.frame()
        assert ui.texts[2:4] == ["玩家 2：Left", "J"]
