"""The list of keys in the options."""

from __future__ import annotations

from rish_core import Input
from rish_ui import UiSettings
from ui_driver import ui_game

HEAD = "input: {players: [{left: [A]}, {left: [LEFT]}], pause: [P]}"
SCENE = "- {name: menu, Screen: {takes_keys: true}, children: [{name: keys, KeyBindings: {}}]}"


def test_the_keys_of_all_players_are_listed_and_changed() -> None:
    """Actions of players are listed with their player; a key that is pressed for one changes nothing for the other."""
    with ui_game(SCENE, HEAD) as ui:
        ui.world[UiSettings].language = "en"
        ui.frame()
        assert ui.texts == ["Player 1: Left", "A", "Player 2: Left", "Left", "Pause", "P"]
        ui.key("DOWN", "ENTER", "J")
        ui.frame(2)
        assert [player.actions["left"] for player in ui.world[Input].players] == [["A"], ["J"]]
        ui.world[UiSettings].language = "zh-Hant"
        ui.frame()
        assert ui.texts[2:4] == ["玩家 2：Left", "J"]
