"""Boids: a flock on the graphics card or in numpy, and a falcon that is the same with either."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rish_core import App, InputRecord, Transform, WindowEvent, open_game
from rish_frame import BackendError, Frame, NullBackend
from rish_history import Recorder, origin_of, read_recording, verify
from rish_history.replay.replay import open_recorded

BOIDS = Path(__file__).parents[2] / "games" / "boids"
HASH = "b616c951b344cd27d393fd0f1ddd6102"
FEW = ["settings.game.birds=600", "settings.game.without_compute=400"]


def module(app: App, name: str) -> Any:
    """Return a module of the game's folder, as loaded by the running game."""
    return importlib.import_module(f"{app.plugins['game'].module.__name__}.{name}")


def flock_of(app: App) -> Any:
    """Return the flock."""
    return app.world[module(app, "flock").Flock]


def birds_of(app: App) -> np.ndarray:
    """Return a copy of the birds: x, y and the velocity."""
    return flock_of(app).birds[0].fetch().copy()


@pytest.fixture
def game() -> Iterator[App]:
    """The game with a few birds in numpy."""
    with open_game(BOIDS, FEW, headless=True, policy="raise", backend=NullBackend()) as app:
        yield app


@pytest.fixture
def on_device() -> Iterator[App]:
    """The game with a few birds on the graphics card; skipped without compute shaders."""
    try:
        app = open_game(BOIDS, FEW, headless=True, policy="raise", backend="arcade")
    except BackendError as error:
        pytest.skip(str(error))
    with app:
        if "compute" not in app.host.backend.capabilities:
            pytest.skip("OpenGL is older than 4.3")
        yield app


def test_its_state_is_pinned_and_no_birds_are_in_it() -> None:
    """The hash after 90 ticks is the same if nothing is drawn, with few birds and with many."""
    hashes = set[str]()
    for changes, backend in (([], None), (FEW, NullBackend()), (["settings.game.without_compute=2"], NullBackend())):
        with open_game(BOIDS, changes, headless=True, policy="raise", backend=backend) as app:
            settings = app.world[module(app, "components").Settings]
            settings.birds = settings.without_compute = 1
            app.run(90, draw=backend is not None)
            hashes.add(app.world.hash())
    assert hashes == {HASH}


@pytest.mark.gl
def test_the_device_does_not_change_the_state(on_device: App) -> None:
    """The hash is the same if the birds are computed on the graphics card."""
    settings = on_device.world[module(on_device, "components").Settings]
    settings.birds = settings.without_compute = 1
    on_device.run(90)
    assert on_device.world.hash() == HASH


def test_a_recording_replays_with_other_birds(tmp_path: Path) -> None:
    """A recording that was made while birds were drawn replays where none are."""
    path = tmp_path / "run.rish"
    with open_game(BOIDS, headless=True, backend=NullBackend()) as app:
        recorder = Recorder(app, path, origin_of(app))
        app.tick(InputRecord((WindowEvent("mouse_move", x=200, y=400),)))
        app.run(30)
        recorder.finish()
    recording = read_recording(path)
    with open_recorded(recording, BOIDS, headless=True) as app:
        assert verify(app, recording) is None


@pytest.mark.gl
def test_the_shaders_do_what_numpy_does(on_device: App) -> None:
    """One step of each bird is the same on the device and in numpy, and so is its sprite."""
    on_device.run(frames=40)
    frame, flock = on_device.world[Frame], flock_of(on_device)
    steer = frame.dispatches[-1]
    assert steer.done
    assert flock.birds[0].on_device
    before = {name: array.fetch().copy() for name, array in steer.arrays.items()}
    after = {name: array.copy() for name, array in before.items()}
    after["flown"][:], after["sprites"][:] = 0, 0
    module(on_device, "numpy_flock").steer(after, {**steer.values, "threads": steer.threads})
    np.testing.assert_allclose(after["flown"], before["flown"], rtol=2e-5, atol=2e-3)
    for name in ("x", "y", "w", "h", "rgba"):
        difference = after["sprites"][name].astype(int) - before["sprites"][name]
        assert np.abs(difference).max() <= 1, name
    turns = after["sprites"]["rotation"].astype(int) - before["sprites"]["rotation"]
    assert np.abs((turns + 32768) % 65536 - 32768).max() <= 4
    assert (after["sprites"]["frame"] == before["sprites"]["frame"]).mean() > 0.99


@pytest.mark.gl
def test_the_lists_of_the_cells_hold_every_bird_once(on_device: App) -> None:
    """Each bird is in exactly one list, that of the cell that contains it."""
    on_device.run(frames=3)
    steer = on_device.world[Frame].dispatches[-1]
    heads, links, birds = (steer.arrays[name].fetch() for name in ("heads", "links", "birds"))
    flock = module(on_device, "flock")
    seen: list[int] = []
    for cell, bird in enumerate(heads.tolist()):
        while bird >= 0:
            seen.append(bird)
            assert links[bird, 1] == cell
            x, y = (birds[bird, :2] / flock.REACH).astype(int).tolist()
            assert cell == min(max(y, 0), flock.ROWS - 1) * flock.COLUMNS + min(max(x, 0), flock.COLUMNS - 1)
            bird = int(links[bird, 0])
    assert sorted(seen) == list(range(len(birds)))


def test_pairs_are_all_that_are_near(game: App) -> None:
    """The pairs of neighboring cells contain each pair in reach, and none twice."""
    random = np.random.default_rng(4)
    at = random.uniform(-40, 300, (300, 2)).astype(np.float32)
    one, other = module(game, "numpy_flock").pairs(at, 20.0, 12, 9)
    found = set(zip(one.tolist(), other.tolist(), strict=True))
    assert len(found) == len(one)
    gaps = np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1))
    assert {(int(a), int(b)) for a, b in np.argwhere(gaps < 20)} <= found


def test_birds_flock(game: App) -> None:
    """After some seconds neighbors fly in the same direction, apart from each other, and inside the picture."""

    def order(birds: np.ndarray) -> float:
        gaps = np.hypot(*(birds[:, None, :2] - birds[None, :, :2]).transpose(2, 0, 1))
        way = birds[:, 2:] / np.linalg.norm(birds[:, 2:], axis=1)[:, None]
        near = (gaps < 17) & (gaps > 0)
        return float((way @ way.T)[near].mean())

    game.run(frames=240)
    birds = birds_of(game)
    assert order(birds) > 0.8
    speed = np.linalg.norm(birds[:, 2:], axis=1)
    assert 64 < speed.min() <= speed.max() < 171
    assert np.isfinite(birds).all()
    inside = (birds[:, 0] > 0) & (birds[:, 0] < 960) & (birds[:, 1] > 60) & (birds[:, 1] < 540)
    assert inside.mean() > 0.95


@pytest.mark.parametrize(("calls", "expected"), [(False, False), (True, True)])
def test_birds_flee_from_the_falcon_or_come_to_it(game: App, calls: bool, expected: bool) -> None:
    """Birds near the falcon fly away from it; while the button is held, they come."""
    falcon = module(game, "components").Falcon
    entity = int(game.world.query(falcon).entities[0])
    if calls:
        game.tick(InputRecord((WindowEvent("mouse_button", "mouse.left", down=True),)))
    game.frame()
    assert game.world.get(entity, falcon).calls == calls
    x, y = game.world.get(entity, Transform).position
    turn = np.linspace(0, 2 * np.pi, 400, endpoint=False)
    ring = np.column_stack([x + 80 * np.cos(turn), y + 80 * np.sin(turn), 0 * turn, 0 * turn])
    for array in flock_of(game).birds:
        array.write(ring)
    game.frame()
    birds = birds_of(game)
    towards = ((np.array([x, y]) - birds[:, :2]) * birds[:, 2:]).sum(axis=1) > 0
    assert (towards.mean() > 0.7) == expected


def test_the_falcon_follows_the_pointer(game: App) -> None:
    """The falcon flies to the pointer and stays there; without one it flies a round."""
    falcon = int(game.world.query(module(game, "components").Falcon).entities[0])
    start = game.world.get(falcon, Transform).position
    game.run(30)
    assert game.world.get(falcon, Transform).position != start
    game.tick(InputRecord((WindowEvent("mouse_move", x=120, y=480),)))
    for _ in range(200):
        game.tick(InputRecord(()))
    np.testing.assert_allclose(game.world.get(falcon, Transform).position, (120, 480), atol=3)


def test_other_numbers_of_birds_keep_those_that_fly(game: App) -> None:
    """With another backend the birds stay where they are; more come, or some go."""
    game.run(frames=5)
    before, flock = birds_of(game), flock_of(game)
    flock.resize(500)
    assert np.array_equal(birds_of(game)[:400], before)
    flock.resize(100)
    assert np.array_equal(birds_of(game), before[:100])
    game.run(frames=2)


def test_the_birds_are_in_the_picture() -> None:
    """The software backend draws the flock in many colors over the sky."""
    with open_game(BOIDS, FEW, headless=True, pixels=True, policy="raise") as app:
        app.run(frames=30)
        with_birds = app.pixels().astype(int)
        flock_of(app).birds.clear()
        app.frame()
        changed = np.abs(app.pixels().astype(int) - with_birds).sum(axis=2) > 60
    assert changed.sum() > 5000
    assert len(np.unique(with_birds[changed], axis=0)) > 500


def test_the_images_are_what_their_script_draws(tmp_path: Path) -> None:
    """The stored images are those that the script draws, within Pillow's rounding."""
    from PIL import Image

    script = tmp_path / "make_pictures.py"
    script.write_bytes((BOIDS / "make_pictures.py").read_bytes())
    subprocess.run([sys.executable, str(script)], check=True)
    for name in ("bird.png", "falcon.png", "glow.png"):
        made, kept = (np.asarray(Image.open(folder / name)).astype(int) for folder in (tmp_path, BOIDS))
        assert made.shape == kept.shape
        assert np.abs(made - kept).mean() < 2
