"""The menus of Breakout: by keys, by a gamepad and by the mouse, in both languages, and in recordings."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import pytest

from rish_core import Input, Layers, Scenes, Session, WindowEvent
from rish_ui import UiSettings
from shipped_menus import SharedMenus, menus_of, replays_in_chinese, scene, screens
from ui_driver import UiDriver

KEYS = {"up": "UP", "down": "DOWN", "ok": "ENTER", "back": "ESCAPE", "pause": "P"}
PAD = {
    "up": "gamepad.dpad_up",
    "down": "gamepad.dpad_down",
    "ok": "gamepad.a",
    "back": "gamepad.b",
    "pause": "gamepad.start",
}


@pytest.fixture(scope="module")
def menus() -> Iterator[SharedMenus]:
    """The game, opened once."""
    with menus_of("breakout") as ui:
        yield SharedMenus(ui)


def match_of(ui: UiDriver) -> Any:
    """Return the match."""
    return ui.world[importlib.import_module(f"{ui.app.plugins['game'].module.__name__}.components").Match]


@pytest.mark.parametrize("keys", [KEYS, PAD], ids=["keys", "gamepad"])
def test_all_menus_by_keys_alone_and_by_a_gamepad_alone(menus: SharedMenus, keys: dict[str, str]) -> None:
    """Each screen is reached and left by the keys of one device, and the serve does not need another one."""
    ui = menus.begin()
    ui.key(keys["down"], keys["ok"])
    ui.frame()
    assert screens(ui)[-1] == "options_screen"
    ui.key(keys["back"])
    ui.frame()
    assert ui.focus == "title_screen.choices.options"
    ui.key(keys["down"], keys["ok"])
    ui.frame()
    assert screens(ui)[-1] == "credits_screen"
    ui.key(keys["ok"])
    ui.frame()
    ui.key(keys["up"], keys["up"], keys["ok"])
    ui.frame(2)
    assert scene(ui) == "play"
    assert match_of(ui).by_hand
    ui.frame(70)
    ui.key(keys["ok"])
    assert match_of(ui).phase.name == "PLAY"
    ui.key(keys["pause"])
    assert ui.world[Layers].all_paused
    ui.key(keys["down"], keys["down"], keys["ok"])
    ui.frame()
    assert screens(ui)[-1] == "options_screen"
    ui.key(keys["back"])
    ui.frame()
    ui.key(keys["back"])
    ui.frame(2)
    assert not ui.world[Layers].all_paused
    ui.key(keys["pause"], keys["down"], keys["down"], keys["down"], keys["ok"])
    ui.frame(2)
    assert scene(ui) == "title"


def test_all_menus_by_the_mouse_alone(menus: SharedMenus) -> None:
    """Buttons are clicked; a click beside them begins no match, and a click in a match serves."""
    ui = menus.begin()
    for down in (True, False):
        ui.send(WindowEvent("mouse_button", "mouse.left", down, 30.0, 30.0))
    ui.frame(2)
    assert scene(ui) == "title"
    ui.click("title_screen.choices.options")
    ui.click("options_screen.foot.back")
    ui.click("title_screen.choices.play")
    ui.frame(70)
    assert scene(ui) == "play"
    ui.send(WindowEvent("mouse_button", "mouse.left", True, 480.0, 500.0))
    assert ui.world[Input].down("serve")
    assert match_of(ui).phase.name == "PLAY"


def test_the_buttons_of_a_pause_and_of_an_ending(menus: SharedMenus) -> None:
    """A match begins anew from its pause and from its ending, with all lives, and nothing stays paused."""
    ui = menus.begin()
    ui.click("title_screen.choices.play")
    match_of(ui).score = 70
    ui.key("P")
    ui.click("pause_screen.restart")
    ui.frame(2)
    assert (match_of(ui).score, ui.world[Layers].all_paused) == (0, False)
    ui.world[Scenes].go("lose")
    ui.frame(2)
    ui.click("ending.choices.again")
    ui.frame(2)
    assert scene(ui) == "play"
    ui.world[Scenes].go("win")
    ui.frame(2)
    ui.key("ESCAPE")
    ui.frame(2)
    assert scene(ui) == "title"
    ui.click("title_screen.choices.quit")
    assert ui.world[Session].quit


def test_readouts_are_in_the_language_of_the_player(menus: SharedMenus) -> None:
    """Score, level, message and hint are texts of the chosen language, and name the key of the last device."""
    ui = menus.begin()
    ui.click("title_screen.choices.play")
    match_of(ui).score = 1230
    ui.frame(6)
    assert any("LEVEL 1\nWARM-UP" in text for text in ui.texts)
    assert any("001230" in text for text in ui.texts)
    ui.frame(70)
    assert any("Space or a click serves" in text for text in ui.texts)
    ui.world[UiSettings].language = "zh-Hant"
    ui.frame()
    assert any("第 1 關" in text for text in ui.texts)
    assert any("發球" in text for text in ui.texts)


def _match(ui: UiDriver) -> None:
    ui.key("ENTER")
    ui.frame(70)
    ui.key("SPACE", "P", "DOWN", "DOWN", "ENTER", "ESCAPE", "ESCAPE")
    ui.send(WindowEvent("key", "RIGHT", True))
    ui.frame(40)


def test_a_recording_replays_in_the_other_language(menus: SharedMenus) -> None:
    """A serve, a pause and the options give equal hashes in Traditional Chinese with other sizes."""
    assert replays_in_chinese(menus.begin(), _match)
