"""Hoppers: a crowd that grows, moves, stops and is sorted, the same on every run."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from long_runs import long
from played_game import SharedGame, without
from rish_core import App, Input, InputRecord, Session, Transform, WindowEvent, open_game
from rish_render import Camera, Sprite
from shipped_menus import menus_of, replays_in_chinese
from ui_driver import UiDriver

SPRITES = Path(__file__).parents[2] / "games" / "sprites"
HASH = "2406e17e8babe61fe9e63aa68ef93049"
TICKS = 60


class Game:
    """The game with helpers for tests. An input at the start keeps the autopilot from starting."""

    def __init__(self, app: App) -> None:
        self.app, self.world = app, app.world
        self.name: str = app.plugins["game"].module.__name__
        self.tick(1, WindowEvent("mouse_move", x=480, y=400))

    def module(self, name: str) -> Any:
        """Return a module of the game's folder, as loaded by the running game."""
        return importlib.import_module(f"{self.name}.{name}")

    def __getattr__(self, name: str) -> Any:
        """Return a component or resource class."""
        return getattr(self.module("components"), name)

    def tick(self, count: int = 1, *events: WindowEvent) -> None:
        """Run ticks; the events are passed to the first of them."""
        for number in range(count):
            self.app.tick(InputRecord(events if number == 0 else ()))
            self.world.end_frame()

    def hold(self, key: str, ticks: int) -> None:
        """Hold a key for a number of ticks."""
        self.tick(ticks, WindowEvent("key", key, down=True))
        self.tick(1, WindowEvent("key", key))

    @property
    def count(self) -> int:
        """The number of hoppers."""
        return len(self.world.query(self.Hopper))


@pytest.fixture(scope="module")
def shared() -> Iterator[SharedGame]:
    """The game without sound and drawing, opened once."""
    with open_game(SPRITES, headless=True, policy="raise", installed=without("audio")) as app:
        yield SharedGame(app)


@pytest.fixture
def game(shared: SharedGame) -> Game:
    """The game at its beginning, with an input so that the autopilot does not start."""
    return Game(shared.again("main"))


def final_hash(backend: str | None) -> str:
    """Return the hash after some ticks of the autopilot."""
    with open_game(SPRITES, headless=True, policy="raise", backend=backend) as app:
        for tick in range(TICKS):
            app.run(1, draw=backend is not None and tick % long(1, 10) == 0)
        return app.world.hash()


@pytest.mark.slow
def test_its_state_is_pinned() -> None:
    """The state without a player is the same on every machine, without drawing, on `null` and on `software`."""
    assert [final_hash(backend) for backend in (None, "null", "software")] == [HASH] * 3


@pytest.mark.slow
def test_plain_python_plays_the_same_game() -> None:
    """Without compiled kernels the hash is the same."""
    command = [sys.executable, "-m", "rish_core", "run", str(SPRITES), "--headless", "--frames", str(TICKS), "--hash"]
    environment = {**os.environ, "RISH_NO_JIT": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.split()[-1] == HASH


def test_they_come_and_go_with_the_buttons(game: Game) -> None:
    """One button adds a burst of hoppers a tick at the pointer, the other removes the last ones."""
    assert game.count == 0
    game.tick(4, WindowEvent("mouse_button", "mouse.left", down=True))
    game.tick(1, WindowEvent("mouse_button", "mouse.left"))
    assert game.count == 100
    first = game.world.query(game.Hopper).entities[:50].tolist()
    assert abs(float(game.world.query(game.Hopper, Transform)[Transform.position][:, 0].mean()) - 480) < 30
    game.hold("BACKSPACE", 2)
    assert game.world.query(game.Hopper).entities.tolist() == first
    game.hold("BACKSPACE", 9)
    assert game.count == 0


def test_there_are_never_more_than_the_settings_allow() -> None:
    """The crowd never exceeds `most`, also if that is not a multiple of a burst."""
    overrides = ["settings.game.most=60"]
    with open_game(SPRITES, overrides, headless=True, policy="raise") as app:
        game = Game(app)
        game.hold("SPACE", 5)
        assert game.count == 60


def test_they_stay_in_the_meadow(game: Game) -> None:
    """Hoppers stay between the walls and above their floors, and never rest."""
    game.hold("SPACE", 20)
    query = game.world.query(game.Hopper, Transform)
    for _ in range(200):
        game.tick()
        place, floor = query[Transform.position], query[game.Hopper.floor]
        assert (place[:, 1] >= floor).all()
        assert ((place[:, 0] >= 16) & (place[:, 0] <= 944)).all()
    assert len(np.unique(place[:, 1])) > 300


def test_still_means_that_nothing_moves(game: Game) -> None:
    """With moving off nothing moves, and with moving on it continues from there."""
    game.hold("SPACE", 4)
    game.hold("M", 1)
    query = game.world.query(game.Hopper, Transform)
    place = query[Transform.position].copy()
    game.tick(10)
    assert np.array_equal(query[Transform.position], place)
    game.hold("M", 1)
    assert not np.array_equal(query[Transform.position], place)


def test_a_still_crowd_costs_the_backend_nothing() -> None:
    """A crowd at rest has the same batches as in the previous frame."""
    with open_game(SPRITES, headless=True, policy="raise", backend="null") as app:
        game = Game(app)
        game.hold("SPACE", 4)
        game.hold("M", 1)
        app.run(12)
        assert app.host.shown.instances > game.count
        assert app.host.shown.bytes_uploaded == 0


def test_rows_are_drawn_from_back_to_front_or_all_as_one(game: Game) -> None:
    """Present and new hoppers are on eight layers, or on one."""
    game.hold("SPACE", 8)
    layers = game.world.query(game.Hopper, Sprite)
    assert len(np.unique(layers[Sprite.layer])) == 8
    game.hold("L", 1)
    game.hold("SPACE", 2)
    assert len(np.unique(game.world.query(game.Hopper, Sprite)[Sprite.layer])) == 1
    game.hold("L", 1)
    query = game.world.query(game.Hopper, Sprite)
    names = [game.world.text(number) for number in query[Sprite.layer].tolist()]
    assert names == [f"row{row}" for row in query[game.Hopper.row].tolist()]


def test_without_turning_they_stand_upright(game: Game) -> None:
    """Hoppers are upright with turning off, and rotate with it on."""
    game.hold("SPACE", 4)
    query = game.world.query(game.Hopper, Transform)
    assert np.abs(query[Transform.rotation]).min() > 0
    game.hold("R", 3)
    assert not query[Transform.rotation].any()


def test_the_camera_swings_and_comes_back(game: Game) -> None:
    """The zoom key starts and stops the swing of the camera, which returns to its place."""
    cameras = game.world.query(Camera, Transform)
    game.hold("Z", 30)
    assert cameras[Camera.zoom][0] > 1.01
    game.hold("Z", 1)
    game.tick()
    assert cameras[Camera.zoom][0] == 1
    assert cameras[Transform.position].tolist() == [[480, 270]]


def test_the_bar_works_by_the_mouse() -> None:
    """A button adds hoppers while it is held, the other takes them; switches do the same as keys."""
    with menus_of("sprites") as ui:
        hopper = ui.world.kind("game.Hopper")

        def hold(path: str, frames: int) -> int:
            ui.press(path)
            ui.frame(frames)
            ui.release(path)
            ui.frame()
            return len(ui.world.query(hopper))

        assert hold("bar.foot.fewer", 60) == 0
        count = hold("bar.foot.more", 3)
        assert count >= 75
        assert f"{count} hoppers" in ui.texts
        ui.click("bar.foot.turn")
        ui.click("bar.foot.sort")
        crowd = ui.world.query(hopper, Sprite, Transform)
        assert not crowd[Transform.rotation].any()
        assert len(np.unique(crowd[Sprite.layer])) == 1
        ui.key("L")
        assert len(np.unique(crowd[Sprite.layer])) == 8
        assert len(crowd) == count


def test_a_press_beside_the_bar_adds_hoppers() -> None:
    """The pointer adds hoppers in the meadow and on the words of the bar, but not on its switches."""
    with menus_of("sprites", ["settings.game.relieve_after=9999"]) as ui:
        for path, adds in (("bar.foot.zoom", False), ("bar.top.count", True)):
            ui.press(path)
            assert ui.world[Input].down("add") == adds
            ui.release(path)


@pytest.mark.parametrize(("opens", "back"), [("TAB", "ESCAPE"), ("gamepad.start", "gamepad.b")])
def test_the_menu_pauses_and_goes_away(opens: str, back: str) -> None:
    """The menu opens by a key or a button of the gamepad, which take nothing from the crowd meanwhile, and closes."""
    with menus_of("sprites") as ui:
        ui.key(opens)
        assert ui.focus == "menu.resume"
        ui.key(back)
        assert ui.focus == ""
        assert not ui.world[Session].quit


def test_the_bar_is_in_the_language() -> None:
    """Number and switches are in the language of the settings, with the keys of the device that was used last."""
    with menus_of("sprites", ["settings.ui.language=zh-Hant"]) as ui:
        ui.key("gamepad.left_stick")
        ui.frame()
        assert {"旋轉 Ⓨ", "選單"} <= set(ui.texts)
        assert any(text.endswith("隻跳跳兔") for text in ui.texts)


def test_pictures_a_second_are_shown_where_there_is_a_clock() -> None:
    """The frame rate is drawn as lines of the frame; never headless, so that captures are the same each time."""
    from rish_frame import NullBackend

    for headless in (True, False):
        backend = NullBackend()
        with open_game(SPRITES, headless=headless, policy="raise", backend=backend) as app:
            for _ in range(3):
                app.frame(seconds=1 / 60)
            assert bool(backend.drawn("lines")) != headless


def test_the_autopilot_calls_a_crowd_and_steps_back() -> None:
    """The autopilot plays from the start, stops at an input, and starts again after a while."""
    with open_game(SPRITES, headless=True, policy="raise") as app:
        app.run(120, draw=False)
        world = app.world
        components = importlib.import_module(f"{app.plugins['game'].module.__name__}.components")
        assert 1500 <= len(world.query(components.Hopper)) <= 2000
        app.run(600, draw=False)
        assert not world[Input].down("add")
        app.tick(InputRecord((WindowEvent("key", "A", down=True),)))
        app.tick(InputRecord((WindowEvent("key", "A"),)))
        app.run(60, draw=False)
        assert not world[components.Pilot].active
        world[components.Pilot].idle = 3600.0
        app.run(2, draw=False)
        assert world[components.Pilot].active


def test_escape_leaves(game: Game) -> None:
    """Escape ends the game."""
    game.hold("ESCAPE", 1)
    assert game.world[Session].quit


def test_the_kernel_does_what_plain_arithmetic_does(game: Game) -> None:
    """One tick of the kernel equals plain arithmetic in single precision, hopper by hopper."""
    hop, n, one = game.module("kernels").hop, 200, np.float32
    random = np.random.default_rng(4)
    rows, places = random.permutation(n).astype(np.int32), random.permutation(n).astype(np.int32)
    velocity = random.uniform(-400, 400, 2 * n).astype(one)
    spin, spring = random.uniform(-4, 4, n).astype(one), random.uniform(200, 700, n).astype(one)
    floor, rotation = random.uniform(40, 170, n).astype(one), random.uniform(-9, 9, n).astype(one)
    position = random.uniform(0, 960, 2 * n).astype(one)
    old_position, old_velocity, old_rotation = position.copy(), velocity.copy(), rotation.copy()
    gravity, dt = one(-900), one(1 / 60)
    hop(rows, places, velocity, spin, floor, spring, position, rotation, gravity, one(1), one(16), one(944), dt)
    for row, place in zip(rows.tolist(), places.tolist(), strict=True):
        vx, vy = old_velocity[2 * row], old_velocity[2 * row + 1] + gravity * dt
        x, y = old_position[2 * place] + vx * dt, old_position[2 * place + 1] + vy * dt
        landed = y < floor[row]
        assert position[2 * place] == min(max(x, one(16)), one(944))
        assert position[2 * place + 1] == (floor[row] if landed else y)
        assert velocity[2 * row] == (vx if 16 <= x <= 944 else -vx)
        assert velocity[2 * row + 1] == (spring[row] if landed else vy)
        assert rotation[place] == old_rotation[place] + spin[row] * one(1) * dt


def test_the_sheet_is_what_its_script_draws(tmp_path: Path) -> None:
    """The stored sheet is the one that its script draws, eight hoppers, within Pillow's rounding."""
    from PIL import Image

    script = tmp_path / "make_pictures.py"
    script.write_bytes((SPRITES / "make_pictures.py").read_bytes())
    subprocess.run([sys.executable, str(script)], check=True)
    made = np.asarray(Image.open(tmp_path / "hoppers.png")).astype(int)
    kept = np.asarray(Image.open(SPRITES / "hoppers.png")).astype(int)
    assert made.shape == kept.shape == (40, 256, 4)
    assert np.abs(made - kept).mean() < 2


def test_a_recording_replays_in_chinese() -> None:
    """Clicks and keys on the bar and the menu, played in English, give equal hashes in Chinese with large text."""

    def play(ui: UiDriver) -> None:
        ui.press("bar.foot.more")
        ui.frame(4)
        ui.release("bar.foot.more")
        for path in ("bar.foot.sort", "bar.foot.zoom", "bar.top.menu", "menu.resume"):
            ui.click(path)
            ui.frame(3)

    with menus_of("sprites") as ui:
        assert replays_in_chinese(ui, play)
