"""The screens that ship with the plugin: title, pause, options and credits, taken in by one line each."""

from __future__ import annotations

from typing import Any

import pytest

from rish_core import Layers, Scenes, Session, find
from rish_ui import Preferences, Screen, UiSettings
from ui_driver import UiDriver, ui_game

HEAD = """
input: {jump: [SPACE, gamepad.a], pause: [ESCAPE, gamepad.start]}
layers: [world]
"""


def game(**options: Any) -> Any:
    """Open a game with a title and a scene that can be paused."""
    title = "- {prefab: title_screen, choices.play.Button.goto: play}"
    play = "play:\n  - {prefab: pause_screen, leave.Button.goto: main}\n"
    return ui_game(title, HEAD, scenes=play, **options)


def scene(ui: UiDriver) -> str:
    """Return the scene that is played."""
    return ui.world[Scenes].current or ""


def is_open(ui: UiDriver, name: str) -> bool:
    """Whether a screen is shown."""
    entity = find(ui.world, name)
    return entity is not None and ui.world.get(entity, Screen).visible


KEYS = {"down": "DOWN", "up": "UP", "accept": "ENTER", "back": "ESCAPE", "pause": "ESCAPE", "right": "RIGHT"}
PAD = {
    "down": "gamepad.dpad_down", "up": "gamepad.dpad_up", "accept": "gamepad.a", "back": "gamepad.b",
    "pause": "gamepad.start", "right": "gamepad.dpad_right",
}  # fmt: skip


@pytest.mark.parametrize("names", [KEYS, PAD], ids=["keyboard", "gamepad"])
def test_all_screens_work_without_a_mouse(names: dict[str, str]) -> None:
    """Options and credits open and close, the game begins, pauses, goes on, and goes back to the title."""
    with game() as ui:

        def press(*words: str) -> None:
            ui.key(*(names[word] for word in words))
            ui.frame(2)

        assert ui.focus == "title_screen.choices.play"
        press("down", "accept")
        assert is_open(ui, "options_screen")
        press("back")
        assert not is_open(ui, "options_screen")
        press("down", "accept")
        assert is_open(ui, "credits_screen")
        press("back")
        press("up", "up", "accept")
        assert scene(ui) == "play"
        press("pause")
        assert is_open(ui, "pause_screen")
        assert ui.world[Layers].is_paused("world")
        press("accept")
        assert not is_open(ui, "pause_screen")
        assert not ui.world[Layers].is_paused("world")
        press("pause", "down", "accept")
        assert is_open(ui, "options_screen")
        press("back", "down", "accept")
        assert scene(ui) == "main"
        assert not ui.world[Layers].is_paused("world")


def test_all_screens_work_by_the_mouse() -> None:
    """The same way, by clicks."""
    with game() as ui:
        ui.click("title_screen.choices.options")
        ui.frame()
        ui.click("options_screen.foot.back")
        ui.click("title_screen.choices.credits")
        ui.frame()
        ui.click("credits_screen.back")
        ui.click("title_screen.choices.play")
        ui.frame(2)
        assert scene(ui) == "play"
        ui.key("ESCAPE")
        ui.frame()
        ui.click("pause_screen.leave")
        ui.frame(2)
        assert scene(ui) == "main"
        ui.click("title_screen.choices.quit")
        assert ui.world[Session].quit


def test_options_change_what_the_player_prefers() -> None:
    """The widgets are bound to preferences, which change the settings at once and are kept."""
    with game() as ui:
        ui.click("title_screen.choices.options")
        ui.frame()
        page = "options_screen.tabs.display"
        ui.click(f"{page}.theme")
        ui.key("DOWN", "ENTER")
        ui.frame(2)
        assert ui.world[Preferences].get("theme") == ui.world[UiSettings].theme == "light"
        ui.click(f"{page}.language")
        ui.key("DOWN", "DOWN", "DOWN", "ENTER")
        ui.frame(2)
        assert ui.world[UiSettings].language == "zh-Hant"
        assert "選項" in ui.texts
        ui.click(f"{page}.reduced_motion")
        ui.frame()
        assert ui.world[UiSettings].reduced_motion


def test_the_keys_of_the_game_are_changed_in_the_options() -> None:
    """The third tab lists the actions of the manifest."""
    with game() as ui:
        ui.click("title_screen.choices.options")
        ui.frame()
        ui.key("RIGHT", "RIGHT", "DOWN", "ENTER", "J")
        ui.frame(3)
        assert ui.world[Preferences].keys("jump") == ["J", "gamepad.a"]


def test_the_title_is_that_of_the_game() -> None:
    """`$game.title` is the title of the manifest, or the text of the game's own translations."""
    with game() as ui:
        assert "Test" in ui.texts
    with game(files={"locale/en.yaml": "game: {title: My Quest}\n"}) as ui:
        assert "My Quest" in ui.texts


def test_what_needs_a_plugin_is_not_shown_without_it() -> None:
    """The tab with volumes needs the plugin for sound."""
    with game() as ui:
        ui.click("title_screen.choices.options")
        ui.frame()
        assert "Controls" in ui.texts
        assert "Sound" not in ui.texts
