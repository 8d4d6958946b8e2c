"""Rish's side of the benchmark `scripts` for recording and history: a recording's cost, memory, seeks."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from rish_core import App, open_game, parse_manifest
from rish_core.plugin import NamedWish
from rish_ecs.snapshots import prepare_digests
from rish_history import History, RandomPlayer, Recorder, origin_of
from rish_space3d import Transform3D

from ._clocks import CLOCKS, tell
from ._task import Task

GAMES = Path(__file__).resolve().parents[1] / "games"
TICKS = 600
SECOND = 60
"""The number of ticks for which the recorder writes one block."""


def _played(name: str, ticks: int = TICKS) -> Any:
    """Return a game with its history, after a random player has played it for ten seconds."""
    app = open_game(GAMES / name, headless=True, more=[NamedWish("history")])
    player = RandomPlayer(app, 5)
    while app.world.tick < ticks:
        app.tick(player.record())
    return app


def record() -> Task:
    """Measure the recorder's work after a tick of Breakout played by a random player: the mean over one second.

    Each second contains the write of one block, and each tick is recorded right after it was simulated, as in a game.
    The time is therefore reported by `tell` and not measured by round: a single tick would rarely include a block.
    """
    prepare_digests()
    app = open_game(GAMES / "breakout", ["scene=play"], headless=True)
    app.run(300, draw=False)
    folder = tempfile.TemporaryDirectory()
    recorder = Recorder(app, Path(folder.name) / "run.rish", origin_of(app))
    player = RandomPlayer(app, 5)
    clock = CLOCKS["cpu"]

    def close() -> None:
        recorder.finish()
        app.close()
        folder.cleanup()

    def second() -> None:
        spent = 0.0
        for _ in range(SECOND):
            played = player.record()
            recorder._before(app.world, played)
            app.simulate(played)
            start = clock()
            recorder._after(app.world, played)
            spent += clock() - start
        tell(spent / SECOND)

    second()
    return Task(second, after=close, clock="told", once=True)


def memory() -> Task:
    """Measure the memory of the history of a minute of Breakout, with the default settings."""
    app = _played("breakout", 3600)
    return Task(lambda: tell(app.world[History].nbytes), after=app.close, clock="told", once=True)


def _kept(app: Any, advance: Callable[[], None]) -> Task:
    """Measure the work of the history in a tick: the mean of five seconds."""
    timeline, clock = app.world[History].timeline, CLOCKS["cpu"]
    after, spent = timeline.after_tick, [0.0]

    def timed(record: Any, seconds: float) -> None:
        start = clock()
        after(record, seconds)
        spent[0] += clock() - start

    timeline.after_tick = timed

    def five_seconds() -> None:
        spent[0] = 0.0
        for _ in range(5 * SECOND):
            advance()
        tell(spent[0] / (5 * SECOND))

    five_seconds()
    return Task(five_seconds, after=app.close, clock="told", once=True)


def keep_beacon() -> Task:
    """Measure the history of Beacon, with a thousand gulls in flight."""
    app = open_game(GAMES / "beacon", ["scene=harbour"], headless=True)
    return _kept(app, app.tick)


def _keep_moving(count: int) -> Task:
    """Measure the history of entities in space that all move and turn in each tick."""
    text = f"rish: 1\nplugins: [space3d, frame, history]\nscenes: {{main: [{{count: {count}, Transform3D: {{}}}}]}}"
    app = App(parse_manifest(text), headless=True)
    app.tick()
    world, random = app.world, np.random.default_rng(1)
    speed, turn = (random.normal(size=(count, width)).astype(np.float32) for width in (3, 4))

    def advance() -> None:
        table = world.table(Transform3D)
        table.position += speed * np.float32(world.dt)
        table.rotation += turn * np.float32(world.dt)
        app.tick()

    return _kept(app, advance)


keep_1000, keep_10k = partial(_keep_moving, 1000), partial(_keep_moving, 10_000)


def _seeks(name: str) -> Task:
    app = _played(name)
    history, dice = app.world[History], random.Random(1)

    def seek() -> None:
        history.seek(dice.randint(history.oldest, history.newest))

    return Task(seek, after=app.close, once=True)


def __getattr__(name: str) -> Any:
    """Return the function for `seek_GAME`: it seeks to a random tick of that game."""
    game = name.removeprefix("seek_")
    if game == name:
        raise AttributeError(name)
    return partial(_seeks, game)
