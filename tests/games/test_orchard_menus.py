"""The menus of Orchard: by keys, by a gamepad and by the mouse, in both languages, and in recordings."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rish_core import Input, Session, WindowEvent
from rish_expressions import FieldPath, Variables
from rish_ui import UiSettings
from shipped_menus import SharedMenus, menus_of, replays_in_chinese, scene, screens
from ui_driver import UiDriver

KEYS = {"down": "DOWN", "ok": "ENTER", "back": "ESCAPE", "pause": "P"}
PAD = {"down": "gamepad.dpad_down", "ok": "gamepad.a", "back": "gamepad.b", "pause": "gamepad.start"}


@pytest.fixture(scope="module")
def menus() -> Iterator[SharedMenus]:
    """The game, opened once."""
    with menus_of("orchard") as ui:
        yield SharedMenus(ui)


def walk(ui: UiDriver, keys: dict[str, str]) -> None:
    """Look at options and credits, play, pause, restart, and return to the title."""
    ui.key(keys["down"], keys["ok"])
    ui.frame()
    assert screens(ui)[-1] == "options_screen"
    ui.key(keys["back"], keys["down"], keys["ok"])
    ui.frame()
    assert screens(ui)[-1] == "credits_screen"
    ui.key(keys["ok"])
    ui.frame()
    assert ui.focus == "title_screen.choices.credits"
    ui.key("UP" if keys is KEYS else "gamepad.dpad_up", "UP" if keys is KEYS else "gamepad.dpad_up", keys["ok"])
    ui.frame(2)
    assert scene(ui) == "play"
    ui.wait(60)
    ui.key(keys["pause"])
    assert screens(ui)[-1] == "pause_screen"
    ui.key(keys["back"])
    ui.frame()
    assert "pause_screen" not in screens(ui)
    ui.key(keys["pause"], keys["down"], keys["ok"])
    ui.frame(2)
    assert scene(ui) == "play"
    assert ui.world[Variables].values["day"] < 0.01
    ui.key(keys["pause"], keys["down"], keys["down"], keys["down"], keys["ok"])
    ui.frame(2)
    assert scene(ui) == "title"


@pytest.mark.parametrize("keys", [KEYS, PAD], ids=["keys", "gamepad"])
def test_all_menus_by_keys_alone_and_by_a_gamepad_alone(menus: SharedMenus, keys: dict[str, str]) -> None:
    """Each screen is reached and left by the keys of one device."""
    ui = menus.begin()
    walk(ui, keys)


def test_all_menus_by_the_mouse_alone(menus: SharedMenus) -> None:
    """Buttons are clicked; a click beside them begins no day."""
    ui = menus.begin()
    ui.send(WindowEvent("mouse_button", "mouse.left", True, 30.0, 30.0))
    ui.send(WindowEvent("mouse_button", "mouse.left", False, 30.0, 30.0))
    ui.frame(2)
    assert scene(ui) == "title"
    ui.click("title_screen.choices.options")
    ui.click("options_screen.foot.back")
    ui.click("title_screen.choices.play")
    ui.frame(2)
    assert scene(ui) == "play"
    ui.send(WindowEvent("mouse_move", x=200.0, y=60.0))
    ui.frame(60)
    assert ui.world[Variables].values["aim"] == pytest.approx(200)


def test_escape_and_the_button_at_the_title_end_the_game(menus: SharedMenus) -> None:
    """The key for back does so at the title only."""
    for leave in (lambda ui: ui.key("ESCAPE"), lambda ui: ui.click("title_screen.choices.quit")):
        ui = menus.begin()
        leave(ui)
        assert ui.world[Session].quit


def test_nothing_moves_in_a_pause(menus: SharedMenus) -> None:
    """Neither the sun nor the fruit moves while the game is paused, and then both go on."""
    ui = menus.begin()
    ui.click("title_screen.choices.play")
    ui.wait(100)
    ui.key("ESCAPE")
    hands = FieldPath.parse("orchard.Animator.time").bind(ui.world)
    day, tree = ui.world[Variables].values["day"], hands.read()
    ui.wait(30)
    assert (ui.world[Variables].values["day"], hands.read()) == (day, tree)
    ui.key("ESCAPE")
    ui.frame(3)
    assert ui.world[Variables].values["day"] > day


def test_a_player_at_the_menus_is_not_disturbed_by_the_demonstration(menus: SharedMenus) -> None:
    """Without a player a day begins by itself, but not while the options are open."""
    ui = menus.begin()
    ui.click("title_screen.choices.options")
    ui.world[Variables].values["idle"] = 7.9
    ui.frame(20)
    assert scene(ui) == "title"
    ui.key("ESCAPE")
    ui.frame()
    ui.world[Variables].values["idle"] = 7.9
    ui.frame(20)
    assert scene(ui) == "play"
    assert any("by itself" in text for text in ui.texts)
    ui.key("A")
    ui.frame(2)
    assert not any("by itself" in text for text in ui.texts)


def test_readouts_say_what_is() -> None:
    """The count of fruits and both endings are shown in English and in Traditional Chinese."""
    with menus_of("orchard", ["variables.goal=3"]) as ui:
        ui.click("title_screen.choices.play")
        ui.frame(10)
        assert any("0[/]" in text and "/ 3" in text for text in ui.texts)
        ui.world[Variables].values["score"] = 1
        ui.world[Variables].values["second"] = 1
        ui.world[Variables].values["lives"] = 0
        ui.wait(90)
        ui.frame()
        assert scene(ui) == "over"
        assert {"1 of 3 fruits", "0 from player 1, 1 from player 2", "Try again"} <= set(ui.texts)
        ui.world[UiSettings].language = "zh-Hant"
        ui.frame()
        assert {"接到 1 顆，目標是 3 顆", "再試一次", "主選單"} <= set(ui.texts)
        ui.key("ENTER")
        ui.frame(2)
        assert scene(ui) == "play"
        assert not ui.world[Input].down("pause")


def _day(ui: UiDriver) -> None:
    ui.key("ENTER")
    ui.frame(30)
    ui.key("P", "DOWN", "DOWN", "ENTER", "ESCAPE", "ESCAPE")
    ui.send(WindowEvent("key", "D", True))
    ui.frame(40)


def test_a_recording_replays_in_the_other_language(menus: SharedMenus) -> None:
    """A day with a pause and the options gives equal hashes in Traditional Chinese with other sizes."""
    assert replays_in_chinese(menus.begin(), _day)
