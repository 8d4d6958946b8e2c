"""The screens of Lantern: title, readouts, pause, options and endings, by keys, by gamepad and by mouse."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rish_core import Session, Snapshot, Transform, named
from rish_history import History
from rish_lighting import LightingSettings
from rish_physics import Body
from rish_ui import Image, Label, UiSettings
from shipped_menus import menus_of, replays_in_chinese, restart, scene, screens, walk_pause
from ui_driver import UiDriver

KEYS = {"accept": "ENTER", "down": "DOWN", "right": "RIGHT", "pause": "ESCAPE", "back": "ESCAPE"}
PAD = {
    "accept": "gamepad.a", "down": "gamepad.dpad_down", "right": "gamepad.dpad_right", "pause": "gamepad.start",
    "back": "gamepad.b",
}  # fmt: skip

BY_HAND = "settings.game.relieve_after=3600"
CHEAP = "settings.history.budget_mb=0"
"""Keeps no history, which takes half of the time of a tick."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def moments() -> Iterator[tuple[UiDriver, Snapshot, Snapshot]]:
    """The game without autopilot and history, and its state at the title and after the start of a quest."""
    with menus_of("lantern", [BY_HAND, CHEAP]) as ui:
        ui.key("F5")
        title = ui.world.snapshot()
        ui.key("ENTER")
        ui.frame(3)
        yield ui, title, ui.world.snapshot()


@pytest.fixture
def title(moments: tuple[UiDriver, Snapshot, Snapshot]) -> UiDriver:
    """The game on its title."""
    restart(moments[0], moments[1])
    return moments[0]


@pytest.fixture
def keep(moments: tuple[UiDriver, Snapshot, Snapshot]) -> UiDriver:
    """The keep, after the start of a quest."""
    restart(moments[0], moments[2])
    return moments[0]


def quest(ui: UiDriver) -> Any:
    """Return the state of the quest."""
    return ui.world[next(kind for kind in ui.world.resources if kind.__name__ == "Quest")]


def end(ui: UiDriver, name: str) -> None:
    """End the quest, won or lost, and go to the moment in which the buttons are shown."""
    state = quest(ui)
    if name == "won":
        state.given = 7
    else:
        state.lives = 0
    ui.frame(2)
    assert screens(ui) == []
    state.since += 3.5
    ui.frame(2)


@pytest.mark.parametrize("by", [KEYS, PAD], ids=["keys", "gamepad"])
def test_the_menus_work_without_a_mouse(title: UiDriver, by: dict[str, str]) -> None:
    """Begin, pause, options, back, resume, main menu and quit are reached by keys alone, and by a gamepad alone."""
    title.key(by["accept"])
    title.frame(3)
    assert scene(title) == "play"
    assert screens(title) == ["readouts"]
    walk_pause(title, by, ["readouts"])
    title.key(by["down"], by["down"], by["down"], by["accept"])
    title.frame(3)
    assert scene(title) == "title"
    title.key(by["right"], by["right"], by["right"], by["accept"])
    title.frame(2)
    assert title.world[Session].quit


def test_the_menus_work_by_mouse(title: UiDriver) -> None:
    """A click on a button enters the keep, begins anew, and leads back to the title."""
    title.click("title_screen.choices.play")
    title.frame(3)
    assert scene(title) == "play"
    title.wait(30)
    title.key("ESCAPE")
    title.frame(2)
    before = quest(title).seconds
    title.click("pause_screen.restart")
    title.frame(3)
    assert quest(title).seconds < before
    title.key("ESCAPE")
    title.frame(2)
    title.click("pause_screen.leave")
    title.frame(3)
    assert scene(title) == "title"


def test_nothing_happens_during_the_pause(keep: UiDriver) -> None:
    """The hero stops, and neither oil nor time runs while the pause is open; then they go on."""
    hero = named(keep.world, "hero")
    keep.key("F5")
    keep.world.get(hero, Body).velocity = (0.0, 60.0)
    keep.key("ESCAPE")
    keep.frame(3)
    place, oil, seconds = tuple(keep.world.get(hero, Transform).position), quest(keep).oil, quest(keep).seconds
    keep.wait(60)
    assert tuple(keep.world.get(hero, Transform).position) == place
    assert (quest(keep).oil, quest(keep).seconds) == (oil, seconds)
    keep.key("ESCAPE")
    keep.frame(5)
    assert quest(keep).seconds > seconds


@pytest.mark.parametrize(("name", "text"), [("won", "The keep is lit"), ("lost", "The dark has you")])
def test_an_ending_is_answered(keep: UiDriver, name: str, text: str) -> None:
    """The screen of an ending comes after a moment, its buttons later, and they lead on."""
    end(keep, name)
    assert screens(keep) == [name]
    assert text in keep.texts
    keep.key("RIGHT", "ENTER")
    keep.frame(3)
    assert scene(keep) == "title"


def test_keys_that_are_pressed_at_the_end_do_nothing(keep: UiDriver) -> None:
    """Before the buttons of an ending are shown, keys do not leave it."""
    quest(keep).lives = 0
    for _ in range(15):
        keep.key("SPACE")
        keep.wait(8)
    keep.frame()
    assert scene(keep) == "play"
    assert screens(keep) == ["lost"]


def test_a_rewind_takes_an_ending_back() -> None:
    """A rewind to before the end closes its screen, and the readouts are there again."""
    with menus_of("lantern", [BY_HAND]) as ui:
        ui.key("F5", "ENTER")
        ui.frame(8)
        tick = ui.world.tick
        end(ui, "lost")
        assert screens(ui) == ["lost"]
        ui.world[History].seek(tick)
        ui.frame(2)
        assert screens(ui) == ["readouts"]


def test_the_readouts_show_the_quest(keep: UiDriver) -> None:
    """Lost lives are dark, and the hint is about what the hero can do, with the keys of the device in use."""
    signs = {}
    for entity in keep.world.query(keep.world.kind("game.Icon")).entities.tolist():
        icon = keep.world.get(entity, keep.world.kind("game.Icon"))
        signs[icon.what, icon.number] = entity
    quest(keep).lives, quest(keep).seconds = 2, 9.0
    keep.frame(6)
    tints = [sum(keep.world.get(signs[0, number], Image).tint) for number in range(3)]
    assert tints[0] == tints[1] > tints[2]
    quest(keep).oil = 10.0
    keep.frame(2)
    assert "The lantern is nearly dry. Fires spare it, jars fill it." in keep.texts
    hint = named(keep.world, "hint")
    keep.world.set(hint, Label(text="$hints.torch"))
    keep.frame()
    assert any("Space" in text for text in keep.texts)


def test_global_illumination_is_an_option(title: UiDriver) -> None:
    """The toggle in the options and the key do the same."""
    title.click("title_screen.choices.options")
    title.frame(2)
    title.click("options_screen.glow")
    title.frame(2)
    assert quest(title).gi
    assert title.world[LightingSettings].gi == "medium"
    title.key("ESCAPE")
    title.frame(2)
    title.key("G")
    title.frame(2)
    assert title.world[LightingSettings].gi == "off"


def test_texts_are_in_both_languages(title: UiDriver) -> None:
    """The language changes while the title is shown."""
    assert {"Enter the keep", "Options", "Credits", "Quit"} <= set(title.texts)
    title.world[UiSettings].language = "zh-Hant"
    title.frame()
    assert {"進入要塞", "選項", "製作名單", "離開"} <= set(title.texts)


def test_a_recording_replays_in_the_other_language(title: UiDriver) -> None:
    """Input recorded in English, with menus and a pause, gives equal hashes in Chinese."""

    def play(ui: UiDriver) -> None:
        ui.key("ENTER")
        ui.frame(3)
        ui.key("D", "ESCAPE", "DOWN", "DOWN", "ENTER")
        ui.frame(2)
        ui.key("ESCAPE", "ESCAPE", "SPACE")
        ui.frame(5)

    assert replays_in_chinese(title, play)
