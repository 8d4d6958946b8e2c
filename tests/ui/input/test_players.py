"""Screens of one player: only that player's devices operate them, and each player has a focus."""

from __future__ import annotations

from rish_core import Input, WindowEvent
from rish_ui import Clicked, UiState
from ui_driver import UiDriver, ui_game

HEAD = """
input:
  players:
    - {fire: [SPACE, gamepad.x]}
    - {fire: [NUM_0, gamepad.x]}
"""
TWO = """
- name: one
  Screen: {player: 1, takes_keys: true}
  Layout: {align: start}
  children: [{name: a, Button: {text: A}}, {name: b, Button: {text: B}}]
- name: two
  Screen: {player: 2, takes_keys: true}
  Layout: {align: end}
  children: [{name: a, Button: {text: A}}, {name: b, Button: {text: B}}]
"""
PADS = (11, 12)


def seat(ui: UiDriver) -> None:
    """Give each player a gamepad, by a button that is used in the game."""
    for pad in PADS:
        ui.key("gamepad.x", device=pad)
    assert [ui.world[Input].player_of(pad) for pad in PADS] == [1, 2]


def focus(ui: UiDriver, player: int) -> str:
    """Return the path of the widget with the focus of a player."""
    node = ui.world[UiState].focused(player)
    return "" if node is None else node.path


def test_each_player_has_a_focus_that_only_own_devices_move() -> None:
    """The gamepad of one player leaves the focus of the other one where it is."""
    with ui_game(TWO, HEAD) as ui:
        seat(ui)
        assert (focus(ui, 1), focus(ui, 2)) == ("one.a", "two.a")
        ui.key("gamepad.dpad_down", device=PADS[1])
        assert (focus(ui, 1), focus(ui, 2)) == ("one.a", "two.b")
        ui.key("gamepad.dpad_down", device=PADS[0])
        assert (focus(ui, 1), focus(ui, 2)) == ("one.b", "two.b")


def test_an_event_says_which_player_clicked() -> None:
    """`Clicked.player` is the number of the player of the device."""
    seen: list[int] = []
    with ui_game(TWO, HEAD) as ui:
        seat(ui)
        for pad in (PADS[1], PADS[0]):
            ui.send(WindowEvent("gamepad_button", "gamepad.a", True, device=pad))
            seen += ui.world.events(Clicked).player.tolist()
            ui.send(WindowEvent("gamepad_button", "gamepad.a", False, device=pad))
    assert seen == [2, 1]


def test_a_screen_for_all_is_operated_by_every_player() -> None:
    """Without a player, any device moves the same focus."""
    with ui_game(TWO.split("- name: two")[0].replace("player: 1, ", ""), HEAD) as ui:
        seat(ui)
        ui.key("gamepad.dpad_down", device=PADS[1])
        assert focus(ui, 0) == "one.b"
        ui.key("gamepad.dpad_up", device=PADS[0])
        assert focus(ui, 0) == "one.a"
