"""Every game of the repository is replayed, sought through and saved, bit for bit.

The suite runs a few seconds of each game. One long command runs 10,000 ticks of each, played by a random player in all
its scenes, and seeks to a thousand of them:

    RISH_LONG=1 uv run pytest tests/history/test_games.py
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from long_runs import LONG, long
from rish_core import App, open_game
from rish_core.loop import NOTHING
from rish_core.plugin import NamedWish
from rish_history import History, RandomPlayer, Recorder, Saves, origin_of, read_recording, verify
from rish_history.replay.replay import open_recorded
from rish_history.saves.saves import save_bytes

GAMES = sorted(path.parent for path in (Path(__file__).parents[2] / "games").glob("*/game.yaml"))
TICKS = long(10_000, 60)
SEEKS, ENDS, STOPS = long((1000, 10, 10), (4, 1, 1))
"""The number of ticks that are sought, of those played to the end, and of stops of the game for seeks."""
AFTER = 60
"""The number of ticks that are played after each seek of a long run."""
[ELSEWHERE] = (game for game in GAMES if game.name == "breakout")
"""The game of the sample that another process replays."""
FEW_KERNELS = """
rish: 1
plugins: [basics, history]
scenes:
  main:
    - {name: hunted, Transform: {position: [90, 40]}, Timer: {seconds: 0.1}}
    - {Transform: {}, Follow: {target: hunted, smoothing: 0.4}, children: [{Transform: {position: [1, 2]}}]}
"""
SPARED = ("quit", "exit", "leave", "rewind", "menu")  # the menu of Sirens is timeless
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def record(game: Path, path: Path, ticks: int = TICKS, seed: int = 5) -> None:
    """Record a game played by a random player."""
    with open_game(game, headless=True) as app:
        RandomPlayer(app, seed).take_over()
        recorder = Recorder(app, path, origin_of(app))
        for _ in range(20):
            app.run(ticks - recorder.ticks, draw=False)  # ticks during a rewind are not recorded
            if recorder.ticks >= ticks:
                break
        recorder.finish()


@pytest.mark.slow
@each_game
def test_the_same_again(game: Path, tmp_path: Path) -> None:
    """A replay of a random player's game is the same."""
    path = tmp_path / "run.rish"
    record(game, path)
    recording = read_recording(path)
    with open_recorded(recording, game, headless=True) as app:
        assert verify(app, recording) is None


@pytest.mark.slow
@pytest.mark.parametrize("game", long(GAMES, [ELSEWHERE]), ids=lambda game: game.name)
def test_the_same_elsewhere(game: Path, tmp_path: Path) -> None:
    """The replay is the same in a new process with another PYTHONHASHSEED, drawn by another backend."""
    replay(game, tmp_path, ["--backend", "software"])


@pytest.mark.slow
@pytest.mark.parametrize("game", long(GAMES, [None]), ids=lambda game: game.name if game else "few kernels")
def test_the_same_with_a_cold_cache(game: Path | None, tmp_path: Path) -> None:
    """The replay is the same with an empty kernel cache, where plain Python runs until the kernels are compiled."""
    if game is None:
        (tmp_path / "game.yaml").write_text(FEW_KERNELS)
    replay(game or tmp_path, tmp_path, ["--headless"], RISH_CACHE_DIR=str(tmp_path / "cold"))


def replay(game: Path, folder: Path, options: list[str], **variables: str) -> None:
    """Record a game here, and replay it in a process of its own with some variables of the environment."""
    path = folder / "run.rish"
    record(game, path)
    environment = {**os.environ, "PYTHONHASHSEED": "77", **variables}
    command = [sys.executable, "-m", "rish_core", "replay", str(path), "--verify", *options]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@each_game
def test_any_tick_is_found_again(game: Path, tmp_path: Path) -> None:
    """Random seeks find every tick's hash, across changes of scene, and the game continues equally from there.

    A long run stops ten times to seek, since a game may forget its history, as Rewind does when a level ends. At the
    end the game is saved: the save that is loaded in a new App saves to the same bytes.
    """
    app = open_game(
        game, ["settings.history.budget_mb=1024"] if LONG else [], headless=True, more=[NamedWish("history")]
    )
    with app:
        player, world, dice = RandomPlayer(app, 5, spare=SPARED), app.world, random.Random(game.name)
        hashes: dict[int, str] = {}
        for end in range(TICKS // STOPS, TICKS + 1, TICKS // STOPS):
            while world.tick < end:
                app.tick(player.record())
                hashes[world.tick] = world.hash()
            seek_around(app, hashes, dice)
        world[Saves].save(tmp_path / "a.save")
        data, before = (tmp_path / "a.save").read_bytes(), world.hash()
    with open_game(game, headless=True, more=[NamedWish("history")]) as app:
        app.world[Saves].load(tmp_path / "a.save")
        assert save_bytes(app) == data
        assert app.world.hash() == before


def seek_around(app: App, hashes: dict[int, str], dice: random.Random) -> None:
    """Seek to ticks in reach and play on from there; then return to the game's tick."""
    world, history = app.world, app.world[History]
    end, first, inputs = world.tick, history.oldest + 1, dict(history.timeline.inputs)
    ticks = [dice.randint(min(first, end), end) for _ in range(SEEKS // STOPS)]
    ends = {max(first, end - AFTER), *dice.sample(ticks, ENDS // STOPS)}
    for tick in [*ticks, *sorted(ends)]:
        history.seek(tick)
        assert world.hash() == hashes[tick]
        last = end if tick in ends else min(tick + AFTER, end) if LONG else tick
        with history.branch(tick):
            for now in range(tick, last):
                app.simulate(inputs.get(now, NOTHING))
                assert world.hash() == hashes[now + 1], (tick, now + 1)
    history.seek(end)
    assert world.hash() == hashes[end]
