"""Every game of the repository: replayed, sought through and saved, bit for bit."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from rish_core import open_game
from rish_core.loop.events import NOTHING
from rish_core.plugin.plan import NamedWish
from rish_history import History, RandomPlayer, Recorder, Saves, origin_of, read_recording, save_bytes, verify
from rish_history.replay import open_recorded

GAMES = sorted(path.parent for path in (Path(__file__).parents[2] / "games").glob("*/game.yaml"))
TICKS = 240
SPARED = ("quit", "exit", "leave", "rewind")
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def record(game: Path, path: Path, ticks: int = TICKS, seed: int = 5) -> None:
    """A recording of a game that a random player plays."""
    with open_game(game, headless=True) as app:
        RandomPlayer(app, seed).take_over()
        recorder = Recorder(app, path, origin_of(app))
        app.run(ticks, draw=False)
        recorder.finish()


@each_game
def test_the_same_again(game: Path, tmp_path: Path) -> None:
    """What a random player did, once more."""
    path = tmp_path / "run.rish"
    record(game, path)
    recording = read_recording(path)
    with open_recorded(recording, game, headless=True) as app:
        assert verify(app, recording) is None


@pytest.mark.slow
@each_game
def test_the_same_elsewhere(game: Path, tmp_path: Path) -> None:
    """In a new process with another seed of Python's own hashes, drawn by another backend, with a cold cache."""
    path = tmp_path / "run.rish"
    record(game, path)
    environment = {**os.environ, "PYTHONHASHSEED": "77", "NUMBA_CACHE_DIR": str(tmp_path / "cold")}
    command = [sys.executable, "-m", "rish_core", "replay", str(path), "--verify", "--backend", "software"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@each_game
def test_any_tick_is_found_again(game: Path) -> None:
    """Random seeks, across changes of scene and settings, and sixty ticks more from the last."""
    with open_game(game, headless=True, more=[NamedWish("history")]) as app:
        player, world, history = RandomPlayer(app, 5, spare=SPARED), app.world, app.world[History]
        hashes: dict[int, str] = {}
        while world.tick < TICKS:
            app.tick(player.record())
            hashes[world.tick] = world.hash()
        dice = random.Random(game.name)
        for tick in [dice.randint(history.oldest + 1, history.newest) for _ in range(6)]:
            history.seek(tick)
            assert world.hash() == hashes[tick]
        last = max(history.oldest + 1, TICKS - 60)
        history.seek(last)
        for tick in range(last, TICKS):
            app.simulate(history.timeline.inputs.get(tick, NOTHING))
            assert world.hash() == hashes[tick + 1]


@each_game
def test_save_load_save(game: Path, tmp_path: Path) -> None:
    """The same file, byte for byte, from a world that has just begun."""
    with open_game(game, headless=True, more=[NamedWish("history")]) as app:
        RandomPlayer(app, 7).take_over()
        app.run(150, draw=False)
        app.world[Saves].save(tmp_path / "a.save")
        data, before = (tmp_path / "a.save").read_bytes(), app.world.hash()
    with open_game(game, headless=True, more=[NamedWish("history")]) as app:
        app.world[Saves].load(tmp_path / "a.save")
        assert save_bytes(app) == data
        assert app.world.hash() == before
