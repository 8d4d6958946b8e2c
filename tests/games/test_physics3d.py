"""The gallery of physics in space: every exhibit runs without errors, and is the same on every run."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from long_runs import long, only_long
from played_game import PlayedGame, SharedGame, without
from rish_core import Scenes, Session, WindowEvent, find, open_game, read_manifest
from rish_physics3d import Body3D, MouseJoint3D, Physics3DSettings, WheelJoint3D
from rish_space3d import SpaceView, Transform3D

GALLERY = Path(__file__).parents[2] / "games" / "physics3d"
NAMES = list(read_manifest(GALLERY).scenes)
TICKS = long(240, 8)


@pytest.fixture(scope="module")
def shared() -> Iterator[SharedGame]:
    """The gallery without sound, opened once for all tests that choose an exhibit by themselves."""
    with open_game(GALLERY, headless=True, policy="raise", installed=without("audio")) as app:
        yield SharedGame(app)


@pytest.fixture
def enter(shared: SharedGame) -> Callable[[str], PlayedGame]:
    """A function that begins an exhibit, with an input so that the tour does not start."""
    return lambda scene: shared.enter(scene, PlayedGame)


@pytest.mark.parametrize("scene", long(NAMES, ["ragdolls", "marbles"]))
def test_an_exhibit_runs_clean_and_is_the_same_twice(enter: Callable[[str], PlayedGame], scene: str) -> None:
    """Each exhibit runs, also after space: no body is lost, no number is invalid, and the hash is the same twice."""
    hashes: list[str] = []
    for _ in range(2):
        game = enter(scene)
        bodies = game.world.query(Body3D, Transform3D)
        begun = len(bodies)
        game.tick(TICKS)
        game.press("SPACE")
        game.tick(TICKS)
        assert game.world[Scenes].current == scene
        assert len(bodies) >= begun > 0
        assert (np.abs(bodies[Transform3D.position]) < 100).all()
        hashes.append(game.world.hash())
    assert hashes[0] == hashes[1]


@pytest.mark.parametrize("scene", NAMES)
@only_long
def test_an_exhibit_keeps_the_rules(scene: str) -> None:
    """The first ticks of each exhibit raise no error in strict mode: no state is hidden, no write is undeclared."""
    with open_game(GALLERY, [f"scene={scene}"], headless=True, policy="raise", more=["strict"]) as app:
        app.run(6, draw=False)


def test_the_tour_shows_every_exhibit(shared: SharedGame) -> None:
    """The tour shows each exhibit, in the order of the manifest, and starts again."""
    app, seen = shared.again(NAMES[0]), [NAMES[0]]
    settings = app.world[importlib.import_module(f"{app.plugins['game'].module.__name__}.components").Settings]
    settings.tour_time = 0.01
    for _ in range(3 * len(NAMES) + 5):
        app.run(1, draw=False)
        if seen[-1] != (current := app.world[Scenes].current):
            seen.append(current)
        if len(seen) > len(NAMES):
            break
    settings.tour_time = 0.01
    for _ in range(3 * len(NAMES) + 5):
        app.run(1, draw=False)
        if seen[-1] != (current := app.world[Scenes].current):
            seen.append(current)
    settings.tour_time = 0.0
    assert seen[: len(NAMES) + 1] == [*NAMES, NAMES[0]]


def test_the_exhibits_are_those_of_the_manifest(enter: Callable[[str], PlayedGame]) -> None:
    """Each scene of the manifest has a builder, in the same order."""
    assert list(enter("pyramid").module("exhibits").EXHIBITS) == NAMES


def test_keys_lead_round(enter: Callable[[str], PlayedGame]) -> None:
    """An input ends the tour; next and back change the exhibit in a cycle, R restarts it, Escape leaves."""
    game = enter("pyramid")
    visit = game.world[game.module("components").Visit]
    assert not game.world[game.module("components").Pilot].active
    game.press("LEFT")
    assert game.world[Scenes].current == NAMES[-1]
    game.press("RIGHT")
    game.press("RIGHT")
    assert (game.world[Scenes].current, visit.number) == (NAMES[1], 2)
    game.press("R")
    assert visit.time < 0.1
    game.press("ESCAPE")
    assert game.world[Session].quit


def test_the_pointer_grabs_and_lets_go(enter: Callable[[str], PlayedGame]) -> None:
    """The top box of the pyramid follows the pointer by a joint that is removed afterwards."""
    game = enter("pyramid")
    boxes = game.world.query(Body3D, Transform3D)
    top = int(boxes.entities[np.argmax(boxes[Transform3D.position][:, 1])])
    eye = game.world.get(game.module("view").eye(game.world), Transform3D)
    pixels = SpaceView(tuple(eye.position), tuple(eye.rotation), fov=0.698).pixels((960, 540))
    x, y, _, w = pixels @ [*game.world.get(top, Transform3D).position, 1]
    x, y = float(x / w), float(y / w)
    before = np.array(game.world.get(top, Transform3D).position)
    game.tick(1, WindowEvent("mouse_move", x=x, y=y), WindowEvent("mouse_button", "mouse.left", down=True))
    assert game.world[MouseJoint3D].b.tolist() == [top]
    game.tick(30, WindowEvent("mouse_move", x=x, y=y + 60))
    assert game.world.get(top, Transform3D).position[1] > before[1] + 0.5
    game.tick(2, WindowEvent("mouse_button", "mouse.left"))
    assert len(game.world[MouseJoint3D]) == 0


def test_dragging_the_floor_turns_the_camera(enter: Callable[[str], PlayedGame]) -> None:
    """The floor can not be grabbed; dragging it turns the camera, the wheel goes nearer."""
    game = enter("pyramid")
    orbit = game.module("components").Orbit
    eye = int(game.world.query(orbit).entities[0])
    yaw, distance = float(game.world.get(eye, orbit).yaw), float(game.world.get(eye, orbit).distance)
    game.tick(2, WindowEvent("mouse_move", x=100, y=100), WindowEvent("mouse_button", "mouse.left", down=True))
    game.tick(2, WindowEvent("mouse_move", x=200, y=100))
    assert len(game.world[MouseJoint3D]) == 0
    assert abs(float(game.world.get(eye, orbit).yaw) - yaw) > 0.3
    game.tick(2, WindowEvent("mouse_button", "mouse.left"), WindowEvent("scroll", y=1))
    assert float(game.world.get(eye, orbit).distance) < distance


def test_time_can_be_stopped_stepped_and_slowed(enter: Callable[[str], PlayedGame]) -> None:
    """While paused nothing moves, a step moves everything by one tick, slow motion does so by less."""
    game = enter("flip")
    bodies = game.world.query(Body3D, Transform3D)
    game.press("P")
    before = bodies[Transform3D.rotation].copy()
    game.tick(10)
    assert np.array_equal(before, bodies[Transform3D.rotation])
    game.press("N")
    step = np.abs(bodies[Transform3D.rotation] - before).max()
    assert step > 0
    game.tick(5)
    assert np.abs(bodies[Transform3D.rotation] - before).max() == step
    game.press("Z")
    assert game.world[Physics3DSettings].time_scale == 0
    game.press("P")
    assert game.world[Physics3DSettings].time_scale == pytest.approx(0.2)
    game.press("Z")


def test_the_solver_can_be_switched(enter: Callable[[str], PlayedGame]) -> None:
    """M goes through the settings of the solver, and comes back to the first."""
    game = enter("pyramid")
    settings, seen = game.world[Physics3DSettings], []
    for _ in game.module("gallery").solvers_of("pyramid"):
        game.press("M")
        seen.append((settings.warm_starting, settings.substeps))
    assert len(set(seen)) == len(seen)
    assert seen[-1] == (True, 4)


def test_the_readable_solver_takes_over_where_its_methods_are_shown(enter: Callable[[str], PlayedGame]) -> None:
    """In the stack M goes from soft to the methods of teach3d, and back; the next exhibit has physics3d again."""
    game = enter("stack")
    visit, settings = game.world[game.module("components").Visit], game.world[Physics3DSettings]
    shown = []
    for _ in range(4):
        game.press("M")
        game.tick(2)
        shown.append((settings.method.value, "teach3d" in game.app.plugins.names, visit.taught))
    assert shown == [("warm", True, True), ("accumulated", True, True), ("naive", True, True), ("soft", False, False)]
    game.press("M")
    game.tick(20)
    boxes = game.world.query(Body3D, Transform3D)
    assert boxes[Transform3D.position][:, 1].max() == pytest.approx(5.5, abs=0.05)
    game.tick(1, WindowEvent("mouse_move", x=480, y=270), WindowEvent("mouse_button", "mouse.left", down=True))
    game.tick(2, WindowEvent("mouse_button", "mouse.left"))
    game.press("RIGHT")
    game.tick(2)
    assert (settings.method.value, "physics3d" in game.app.plugins.names) == ("soft", True)


def test_the_pucks_stop_on_one_circle(enter: Callable[[str], PlayedGame]) -> None:
    """Friction is the same in all directions: the ways of the pucks differ by less than a centimeter."""
    game = enter("friction")
    game.tick(150)
    place = game.world.query(Body3D, Transform3D)[Transform3D.position]
    far = np.hypot(place[:, 0], place[:, 2])
    assert far.max() - far.min() < 0.01
    assert far.mean() == pytest.approx(2.2 + 7.0**2 / (2 * 9.81 * 0.4), rel=0.02)


def test_the_car_drives_and_the_camera_follows(enter: Callable[[str], PlayedGame]) -> None:
    """Half a second after W is pressed the car moves forward; A turns its front wheels, and the camera follows."""
    game = enter("vehicle")
    car, orbit = find(game.world, "car"), game.module("components").Orbit
    game.tick(20)
    game.tick(40, WindowEvent("key", "W", down=True), WindowEvent("key", "A", down=True))
    assert game.world.get(car, Body3D).velocity[2] < -2
    assert game.world.get(find(game.world, "front_0"), WheelJoint3D).steering == pytest.approx(0.5)
    eye = int(game.world.query(orbit).entities[0])
    far = np.subtract(game.world.get(eye, orbit).target, game.world.get(car, Transform3D).position)
    assert np.abs(far).max() < 3


def test_the_sensor_counts_marbles_and_sends_them_up(enter: Callable[[str], PlayedGame]) -> None:
    """A marble that gets into the yellow box is counted, and is at the rim of the funnel in the next tick."""
    game = enter("marbles")
    marble, gate = int(game.world.query(game.module("components").Paint).entities[0]), find(game.world, "gate")
    place = np.array(game.world.get(gate, Transform3D).position)
    game.world.set(marble, Transform3D(position=place), Body3D(velocity=(0, 0, 0)))
    game.tick(3)
    assert game.world[game.module("components").Visit].passed == 1
    assert game.world.get(marble, Transform3D).position[1] > 6
