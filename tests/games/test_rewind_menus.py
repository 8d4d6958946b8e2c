"""The screens of Rewind: title, pause, options and ending, by keys, by gamepad and by mouse, in both languages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rish_core import Layers, Scenes, Session, Transform, named
from rish_history import History
from rish_ui import UiSettings
from shipped_menus import SharedMenus, menus_of, replays_in_chinese, scene, screens, walk_pause
from ui_driver import UiDriver

KEYS = {"accept": "ENTER", "down": "DOWN", "pause": "ESCAPE", "back": "ESCAPE"}
PAD = {
    "accept": "gamepad.a",
    "down": "gamepad.dpad_down",
    "pause": "gamepad.start",
    "back": "gamepad.b",
}


@pytest.fixture(scope="module")
def menus() -> Iterator[SharedMenus]:
    """The game, opened once."""
    with menus_of("rewind") as ui:
        yield SharedMenus(ui)


@pytest.fixture
def ui(menus: SharedMenus) -> UiDriver:
    """The game on its title."""
    return menus.begin()


@pytest.mark.parametrize("by", [KEYS, PAD], ids=["keys", "gamepad"])
def test_the_menus_work_without_a_mouse(ui: UiDriver, by: dict[str, str]) -> None:
    """Play, pause, options, back, resume, restart and quit are reached by keys alone, and by a gamepad alone."""
    ui.key(by["accept"])
    ui.frame(3)
    assert scene(ui) == "pit"
    walk_pause(ui, by, ["level"])
    ui.key(by["down"], by["down"], by["down"], by["accept"])
    ui.frame(3)
    assert scene(ui) == "title"
    ui.key(by["down"], by["down"], by["down"], by["accept"])
    ui.frame(2)
    assert ui.world[Session].quit


def test_the_menus_work_by_mouse(ui: UiDriver) -> None:
    """A click on a button plays; the pause restarts the level; the ending leads to the first level again."""
    ui.click("title_screen.choices.play")
    ui.frame(2)
    assert scene(ui) == "pit"
    ui.world[Scenes].go("gate")
    ui.frame(2)
    ui.key("RIGHT", "ESCAPE")
    ui.frame(2)
    moved = ui.world.get(named(ui.world, "hero"), Transform).position[0]
    ui.click("pause_screen.restart")
    ui.frame(3)
    assert scene(ui) == "gate"
    assert ui.world.get(named(ui.world, "hero"), Transform).position[0] == 640 < moved
    assert not ui.world[Layers].stopped
    ui.world[Scenes].go("end")
    ui.frame(2)
    ui.click("ending.choices.again")
    ui.frame(2)
    assert scene(ui) == "pit"


def test_nothing_happens_during_the_pause(ui: UiDriver) -> None:
    """Neither the hero nor the autopilot moves while the game is paused."""
    ui.world[Scenes].go("pit")
    ui.wait(80)
    ui.key("ESCAPE")
    ui.frame(2)
    place = tuple(ui.world.get(named(ui.world, "hero"), Transform).position)
    ui.wait(120)
    assert tuple(ui.world.get(named(ui.world, "hero"), Transform).position) == place
    assert not ui.world[History].rewinding


def test_a_pause_is_not_opened_again_by_a_rewind(ui: UiDriver) -> None:
    """A rewind goes from the end of a pause to its beginning at once, and does not show the pause screen."""
    ui.world[Scenes].go("pit")
    ui.frame(5)
    begin = ui.world.tick
    for _ in range(2):
        ui.key("ESCAPE")
        ui.wait(30)
    ui.world[History].hold()
    seen = []
    for _ in range(18):  # two ticks each
        ui.frame()
        seen.append("pause_screen" in screens(ui))
    assert ui.world.tick < begin
    assert not any(seen)


def test_hints_name_the_keys_of_the_device_in_use(ui: UiDriver) -> None:
    """The keys of hints are those of the keyboard, and after a button of a gamepad those of the gamepad."""
    ui.world[Scenes].go("pit")
    ui.frame(3)
    assert {"← →", "Space", "hold to rewind"} <= set(ui.texts)
    ui.key("gamepad.x")
    ui.frame()
    assert {"Ⓐ", "LB", "hold to rewind"} <= set(ui.texts)


def test_texts_are_in_both_languages(ui: UiDriver) -> None:
    """The language changes while the title is shown."""
    assert {"Rewind", "Play", "Options", "Credits", "Quit"} <= set(ui.texts)
    ui.world[UiSettings].language = "zh-Hant"
    ui.frame()
    assert {"時光倒流", "開始遊戲", "選項", "製作名單", "離開"} <= set(ui.texts)


@pytest.mark.slow
def test_a_recording_replays_in_the_other_language() -> None:
    """Input recorded in English, with menus and a pause, gives equal hashes in Chinese."""

    def play(ui: UiDriver) -> None:
        ui.key("ENTER")
        ui.frame(3)
        ui.key("D", "ESCAPE", "DOWN", "DOWN", "ENTER")
        ui.frame(2)
        ui.key("ESCAPE", "ESCAPE", "SPACE")
        ui.frame(5)

    with menus_of("rewind") as ui, menus_of("rewind") as other:  # two, because timeless entities do not go back
        assert replays_in_chinese(ui, play, other)
