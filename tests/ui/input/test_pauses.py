"""A screen can pause the game: it opens and closes by a key, and nothing moves meanwhile."""

from __future__ import annotations

from typing import Any

from rish_core import Layers
from rish_expressions import Variables
from ui_driver import UiDriver, ui_game

HEAD = """
plugins: [ui, rules]
input: {pause: [P, gamepad.start]}
variables: {ticks: 0}
on: {tick: {add: {ticks: 1}}}
"""
SCENE = """
- prefab: pause_screen
"""


def ticks(ui: UiDriver) -> Any:
    """Return the number of ticks that the rules have counted."""
    return ui.world[Variables].values["ticks"]


def test_a_pause_screen_stops_the_game_until_it_closes() -> None:
    """Keys and gamepads open and close it; meanwhile no rule runs, and afterwards the game goes on."""
    with ui_game(SCENE, HEAD) as ui:
        for name in ("P", "gamepad.start"):
            ui.key(name)
            before = ticks(ui)
            ui.frame(5)
            assert ticks(ui) == before
            ui.key(name)
            ui.frame(2)
            assert ticks(ui) > before


def test_a_pause_of_the_game_itself_stays() -> None:
    """A screen that closes does not end a pause that the game has begun before."""
    with ui_game(SCENE, HEAD) as ui:
        ui.world[Layers].pause_all()
        ui.key("P", "P")
        ui.frame(2)
        assert ui.world[Layers].all_paused
