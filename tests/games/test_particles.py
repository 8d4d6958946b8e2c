"""The gallery of particles: every preset has its scene, draws something, and is the same on every run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rish_core import InputRecord, Scenes, Session, WindowEvent, open_game, read_manifest
from rish_particles import Pools, shipped
from shipped_menus import SharedMenus, menus_of, replays_in_chinese
from ui_driver import UiDriver

GALLERY = Path(__file__).parents[2] / "games" / "particles"
HASH = "3d8ea3e2792f22a4e2badf97308494b8"
NAMES = list(read_manifest(GALLERY).scenes)


@pytest.fixture(scope="module")
def app() -> Any:
    """The gallery, without drawing."""
    with open_game(GALLERY, headless=True, policy="raise") as made:
        yield made


@pytest.fixture(scope="module")
def menus() -> Iterator[SharedMenus]:
    """The menus of the gallery, opened once."""
    with menus_of("particles") as ui:
        yield SharedMenus(ui)


def test_every_preset_has_its_scene():
    """There is a scene for every preset, and no other scene."""
    assert sorted(NAMES) == shipped()


@pytest.mark.parametrize("name", NAMES)
def test_a_scene_is_alive_and_no_particle_is_refused(app: Any, name: str):
    """After a while each scene has particles, and no pool was too small."""
    app.world[Scenes].go(name)
    for _ in range(90):
        app.tick()
    pools = app.world[Pools]
    assert app.world[Scenes].current == name
    assert int(pools.live.sum()) > 5
    dropped = {pools.read_row("preset", row): int(pools.dropped[row]) for row in range(len(pools))}
    assert not any(dropped.values()), dropped


def test_the_arrows_lead_round(app: Any):
    """The arrow keys lead through the scenes in a cycle, from the last to the first and back."""
    for key, wanted in (("RIGHT", NAMES[0]), ("LEFT", NAMES[-1])):
        app.world[Scenes].go(NAMES[-1] if key == "RIGHT" else NAMES[0])
        app.run(frames=2)
        app.tick(InputRecord((WindowEvent("key", name=key, down=True), WindowEvent("key", name=key))))
        app.run(frames=2)
        assert app.world[Scenes].current == wanted


def test_a_scene_is_the_same_again():
    """Two runs have the same hash, with children, edges and salvos."""
    hashes = []
    for _ in range(2):
        with open_game(GALLERY, headless=True, policy="raise") as made:
            made.world[Scenes].go("explosion")
            made.run(frames=50)
            hashes.append(made.world.hash())
    assert hashes[0] == hashes[1]


def test_the_buttons_of_the_bar_lead_round(menus: SharedMenus) -> None:
    """A click on an arrow of the bar shows the next or the previous effect, whose name is in the bar."""
    ui = menus.begin()
    assert "Fire" in ui.texts
    ui.click("bar.top.back")
    ui.frame(2)
    assert ui.world[Scenes].current == NAMES[-1]
    assert "Leaves" in ui.texts
    ui.click("bar.top.next")
    ui.click("bar.top.next")
    assert ui.world[Scenes].current == NAMES[1]


@pytest.mark.parametrize(
    ("opens", "back", "keys"),
    [("ESCAPE", "ESCAPE", ("UP", "ENTER")), ("gamepad.start", "gamepad.b", ("gamepad.dpad_up", "gamepad.a"))],
)
def test_the_menu_goes_to_an_effect(menus: SharedMenus, opens: str, back: str, keys: tuple[str, ...]) -> None:
    """By keyboard or gamepad alone the menu opens, pauses, closes, and goes to an effect; arrows turn no page in it."""
    ui = menus.begin("rain")
    ui.key(opens)
    assert ui.focus == "menu.resume"
    ui.key("RIGHT")
    assert ui.world[Scenes].current == "rain"
    ui.key(back)
    assert ui.focus == ""
    ui.key(opens, *keys)
    ui.frame(2)
    assert ui.world[Scenes].current == "portal"
    assert ui.focus == ""


def test_the_menu_opens_by_the_mouse_and_leads_out(menus: SharedMenus) -> None:
    """The button of the bar opens the menu, its button the options; the last one ends the game."""
    ui = menus.begin()
    ui.click("bar.top.menu")
    ui.click("menu.options")
    ui.click("options_screen.foot.back")
    ui.click("menu.leave")
    assert ui.world[Session].quit


@pytest.mark.parametrize(("language", "title", "hint"), [("en", "Smoke", "LB"), ("zh-Hant", "煙霧", "LB")])
def test_the_bar_speaks_the_language(menus: SharedMenus, language: str, title: str, hint: str) -> None:
    """Title and tooltips are in the language of the settings, and name the keys of the device that was used last."""
    ui = menus.begin("smoke", language)
    assert title in ui.texts
    ui.key("gamepad.x")
    ui.move("bar.top.back")
    for _ in range(60):
        ui.frame()
    assert any(hint in text for text in ui.texts)


def test_a_recording_replays_in_chinese(menus: SharedMenus) -> None:
    """Clicks and keys on the bar and the menu, played in English, give equal hashes in Chinese with large text."""

    def play(ui: UiDriver) -> None:
        for path in ("bar.top.next", "bar.top.menu", "menu.effects.rain", "bar.top.back"):
            ui.click(path)
            ui.frame(3)
        ui.key("ESCAPE", "UP", "ENTER")
        ui.frame(10)

    assert replays_in_chinese(menus.begin(), play)


def test_its_state_is_pinned() -> None:
    """The state after 60 ticks without a player is the same on every machine."""
    with open_game(GALLERY, headless=True, policy="raise") as app:
        app.run(60, draw=False)
        assert app.world.hash() == HASH
