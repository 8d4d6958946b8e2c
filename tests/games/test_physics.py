"""The gallery of physics: every exhibit runs without errors, stays in its bounds, and is the same on every run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from long_runs import long
from played_game import PlayedGame, SharedGame, without
from rish_core import Input, Scenes, Session, Transform, WindowEvent, open_game, read_manifest
from rish_physics import Body, DebugView, MouseJoint, PhysicsSettings
from rish_render import Camera
from shipped_menus import SharedMenus, menus_of, replays_in_chinese
from ui_driver import UiDriver

GALLERY = Path(__file__).parents[2] / "games" / "physics"
HASH = "69231d255b9ab4b5aea11bf35c6a218a"
NAMES = list(read_manifest(GALLERY).scenes)
TICKS = long(120, 60)
WATCHED = long(3, 2)


@pytest.fixture(scope="module")
def shared() -> Iterator[SharedGame]:
    """The gallery without sound, opened once for all tests that choose an exhibit by themselves."""
    with open_game(GALLERY, headless=True, policy="raise", installed=without("audio")) as app:
        yield SharedGame(app)


@pytest.fixture(scope="module")
def strict() -> Iterator[SharedGame]:
    """The gallery in strict mode, opened once."""
    with open_game(GALLERY, headless=True, policy="raise", more=["strict"]) as app:
        yield SharedGame(app)


@pytest.fixture
def enter(shared: SharedGame) -> Callable[[str], PlayedGame]:
    """A function that begins an exhibit, with an input so that the tour does not start."""
    return lambda scene: shared.enter(scene, PlayedGame)


@pytest.fixture(scope="module")
def menus() -> Iterator[SharedMenus]:
    """The menus of the gallery, opened once."""
    with menus_of("physics") as ui:
        yield SharedMenus(ui)


def final_hash(scene: str, ticks: int, *, backend: str | None = None) -> str:
    """Return the hash after a number of ticks of the tour, which begins at a scene."""
    options: dict[str, Any] = {"headless": True, "policy": "raise", "backend": backend}
    with open_game(GALLERY, [f"scene={scene}"], **options) as app:
        app.run(ticks, draw=backend is not None)
        return app.world.hash()


@pytest.mark.parametrize("scene", NAMES)
@pytest.mark.slow
def test_an_exhibit_runs_clean_and_stays_in_its_bounds(strict: SharedGame, shared: SharedGame, scene: str) -> None:
    """Each exhibit runs for a time, the last ticks in strict mode: no body is lost, no number is invalid.

    Another game that is not strict has the same hash.
    """
    app = strict.again(scene)
    watcher, app.schedule.watcher = app.schedule.watcher, None  # strict mode costs about a hundred times a tick
    app.run(1, draw=False)
    assert app.world[Scenes].current == scene
    bodies = app.world.query(Body, Transform)
    begun = len(bodies)
    app.run(TICKS - WATCHED - 1, draw=False)
    app.schedule.watcher = watcher
    app.run(WATCHED, draw=False)
    place = bodies[Transform.position]
    assert np.isfinite(place).all()
    assert len(bodies) >= begun > 0
    assert (place > (-60, -60)).all()
    assert (place < (4300, 1200)).all()
    other = shared.again(scene)
    other.run(TICKS, draw=False)
    assert app.world.hash() == other.world.hash()


def test_pictures_make_no_difference() -> None:
    """The hash is the same without drawing, on `null` and on `software`."""
    assert len({final_hash("bridge", 40, backend=name) for name in (None, "null", "software")}) == 1


@pytest.mark.slow
def test_the_tour_shows_every_exhibit() -> None:
    """The tour shows each exhibit, in the order of the manifest, and starts again."""
    seen: list[str] = []
    with open_game(GALLERY, ["settings.game.tour_time=0.2"], headless=True, policy="raise") as app:
        for _ in range(13 * len(NAMES) + 10):
            app.run(1, draw=False)
            current = app.world[Scenes].current
            if not seen or seen[-1] != current:
                seen.append(current)
    assert seen[: len(NAMES) + 1] == [*NAMES, NAMES[0]]


def test_the_exhibits_are_those_of_the_manifest(enter: Callable[[str], PlayedGame]) -> None:
    """Each scene of the manifest has a builder, in the same order."""
    assert list(enter("pyramid").module("exhibits").EXHIBITS) == NAMES


def test_a_touch_ends_the_tour_and_keys_lead_round(enter: Callable[[str], PlayedGame]) -> None:
    """An input ends the tour; right and left change the exhibit in a cycle, R restarts it, Escape leaves."""
    game = enter("pyramid")
    assert not game.world[game.module("components").Pilot].active
    game.press("LEFT")
    assert game.world[Scenes].current == NAMES[-1]
    game.press("RIGHT")
    game.press("RIGHT")
    assert game.world[Scenes].current == NAMES[1]
    assert game.world[game.module("components").Visit].number == 2
    game.press("R")
    assert game.world[game.module("components").Visit].time < 0.1
    game.press("ESCAPE")
    assert game.world[Session].quit


def test_it_comes_again_without_input(enter: Callable[[str], PlayedGame]) -> None:
    """The tour starts again after some seconds without input, except during a pause."""
    game = enter("orbits")
    pilot = game.world[game.module("components").Pilot]
    pilot.idle = 3600.0
    game.tick(2)
    assert pilot.active


def test_the_pointer_grabs_and_lets_go(enter: Callable[[str], PlayedGame]) -> None:
    """A box of the pyramid follows the pointer by a joint that is removed afterwards."""
    game = enter("pyramid")
    top = int(game.world.query(Body, Transform).entities[-1])
    x, y = game.world.get(top, Transform).position.tolist()
    game.tick(1, WindowEvent("mouse_move", x=x, y=y), WindowEvent("mouse_button", "mouse.left", down=True))
    assert len(game.world[MouseJoint]) == 1
    game.tick(60, WindowEvent("mouse_move", x=200, y=400))
    assert np.hypot(*(game.world.get(top, Transform).position - (200, 400))) < 30
    game.tick(2, WindowEvent("mouse_button", "mouse.left"))
    assert len(game.world[MouseJoint]) == 0


def test_what_stands_still_can_not_be_grabbed(enter: Callable[[str], PlayedGame]) -> None:
    """Neither a static body nor empty space can be grabbed."""
    game = enter("pyramid")
    for place in ((480, 20), (60, 300)):
        game.tick(
            2, WindowEvent("mouse_move", x=place[0], y=place[1]), WindowEvent("mouse_button", "mouse.left", down=True)
        )
        assert len(game.world[MouseJoint]) == 0
        game.tick(1, WindowEvent("mouse_button", "mouse.left"))


def test_time_can_be_stopped_and_slowed(enter: Callable[[str], PlayedGame]) -> None:
    """While paused nothing moves; in slow motion everything does."""
    game = enter("tumbler")
    game.press("P")
    bodies = game.world.query(Body, Transform)
    before = bodies[Transform.position].copy()
    game.tick(10)
    assert game.world[PhysicsSettings].time_scale == 0
    assert np.array_equal(before, bodies[Transform.position])
    game.press("P")
    game.press("S")
    game.tick(5)
    assert game.world[PhysicsSettings].time_scale == pytest.approx(0.2)
    assert 0 < np.abs(bodies[Transform.position] - before).max() < 5


def test_the_solver_can_be_looked_at(enter: Callable[[str], PlayedGame]) -> None:
    """G shows and hides the solver's shapes."""
    game = enter("bounce")
    game.press("G")
    assert game.world[DebugView].shapes
    game.press("G")
    assert not game.world[DebugView].shapes


@pytest.mark.slow
def test_space_acts_in_every_exhibit(enter: Callable[[str], PlayedGame]) -> None:
    """Space can be used several times in every exhibit, and the right button too."""
    game = enter("pyramid")
    for name in NAMES:
        assert game.world[Scenes].current == name
        for _ in range(3):
            game.press("SPACE")
        button = WindowEvent("mouse_button", "mouse.right", down=True)
        game.tick(1, WindowEvent("mouse_move", x=480, y=200), button)
        game.tick(2, WindowEvent("mouse_button", "mouse.right"))
        assert np.isfinite(game.world.query(Body, Transform)[Transform.position]).all()
        game.press("RIGHT")


def test_the_car_drives_and_the_camera_follows(enter: Callable[[str], PlayedGame]) -> None:
    """After two seconds of D the car has moved and the camera follows it."""
    game = enter("vehicle")
    camera = game.world.query(Camera, Transform)
    game.tick(150, WindowEvent("key", "D", down=True))
    assert game.world[Input].down("drive")
    assert camera[Transform.position][0, 0] > 600


def test_the_bar_works_by_the_mouse(menus: SharedMenus) -> None:
    """The buttons of the bar change the exhibit, act and begin again; its switches stop time and show the solver."""
    ui = menus.begin("dominoes")
    ui.click("bar.top.next")
    assert ui.world[Scenes].current == "cradle"
    ui.frame(2)
    ui.click("bar.top.back")
    ui.frame(2)
    ui.click("bar.top.back")
    ui.frame(2)
    assert ui.world[Scenes].current == "pyramid"
    bodies = len(ui.world.query(Body))
    ui.click("bar.foot.act")
    assert len(ui.world.query(Body)) == bodies + 1
    ui.click("bar.foot.reset")
    ui.frame()
    assert len(ui.world.query(Body)) == bodies
    ui.click("bar.foot.pause")
    ui.click("bar.foot.debug")
    assert ui.world[PhysicsSettings].time_scale == 0
    assert ui.world[DebugView].shapes


def test_a_button_takes_the_pointer_only_where_it_is(menus: SharedMenus) -> None:
    """A press on a button grabs nothing and blasts nothing; a press on the words of the bar reaches the exhibit."""
    ui = menus.begin()
    ui.press("bar.foot.act")
    assert not ui.world[Input].down("grab")
    ui.release("bar.foot.act")
    for path in ("bar.foot.hint", "bar.line", "bar.top.title"):
        ui.press(path)
        assert ui.world[Input].down("grab")
        ui.release(path)
        assert not ui.world[Input].down("grab")


@pytest.mark.parametrize(
    ("opens", "move", "accept"), [("TAB", "UP", "ENTER"), ("gamepad.start", "gamepad.dpad_up", "gamepad.a")]
)
def test_the_menu_works_by_keys(menus: SharedMenus, opens: str, move: str, accept: str) -> None:
    """By keyboard or gamepad alone the menu goes to an exhibit, where space acts again and clicks no button."""
    ui = menus.begin()
    ui.key(opens, move, accept)
    ui.frame(2)
    assert ui.world[Scenes].current == "platforms"
    assert ui.focus == ""
    bodies = len(ui.world.query(Body))
    ui.key("SPACE")
    assert len(ui.world.query(Body)) == bodies + 1


@pytest.mark.parametrize(
    ("language", "wanted"),
    [
        ("en", ("Joints", "9 / 15", "RATCHET", "Again [#9fb0d8]R[/]")),
        ("zh-Hant", ("關節", "9 / 15", "棘輪", "重來 [#9fb0d8]R[/]")),
    ],
)
def test_the_texts_are_in_the_language(menus: SharedMenus, language: str, wanted: tuple[str, ...]) -> None:
    """Bar, number, captions of parts and buttons with their keys are in the language of the settings."""
    ui = menus.begin("joints", language)
    assert set(wanted) <= set(ui.texts)


def test_a_recording_replays_in_chinese(menus: SharedMenus) -> None:
    """Clicks and keys on the bar and the menu, played in English, give equal hashes in Chinese with large text."""

    def play(ui: UiDriver) -> None:
        for path in ("bar.foot.act", "bar.foot.slow", "bar.top.menu", "menu.exhibits.to_water", "bar.foot.act"):
            ui.click(path)
            ui.frame(3)
        ui.key("TAB", "UP", "ENTER")
        ui.frame(5)

    assert replays_in_chinese(menus.begin(), play)


def test_its_state_is_pinned() -> None:
    """The state after 60 ticks without a player is the same on every machine."""
    with open_game(GALLERY, headless=True, policy="raise") as app:
        app.run(60, draw=False)
        assert app.world.hash() == HASH
