"""Rish's side of the benchmark `scripts` for time that runs both ways: what recording costs, how quick a seek is."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from typing import Any

from rish_core import open_game
from rish_core.ecs.digests import prepare_digests
from rish_core.loop.events import NOTHING
from rish_core.plugin.plan import NamedWish
from rish_history import History, RandomPlayer, Recorder, origin_of

from .harness import Task

GAMES = Path(__file__).resolve().parents[1] / "games"
TICKS = 600


def _played(name: str, ticks: int = TICKS) -> Any:
    """A game that a random player has played for ten seconds, with its past."""
    app = open_game(GAMES / name, headless=True, more=[NamedWish("history")])
    player = RandomPlayer(app, 5)
    while app.world.tick < ticks:
        app.tick(player.record())
    return app


def record() -> Task:
    """What the recorder does after each tick of Breakout, in the mean of a second."""
    prepare_digests()
    app = open_game(GAMES / "breakout", headless=True)
    app.run(300, draw=False)
    folder = tempfile.TemporaryDirectory()
    recorder = Recorder(app, Path(folder.name) / "run.rish", origin_of(app))
    recorder._before(app.world, NOTHING)

    def close() -> None:
        recorder.finish()
        app.close()
        folder.cleanup()

    def after() -> None:
        recorder._before(app.world, NOTHING)
        recorder._after(app.world, NOTHING)

    return Task(after, before=app.simulate, after=close, once=True)


def _seeks(name: str) -> Task:
    app = _played(name)
    history, dice = app.world[History], random.Random(1)

    def seek() -> None:
        history.seek(dice.randint(history.oldest, history.newest))

    return Task(seek, after=app.close, once=True)


def seek_hello() -> Task:
    """To a random tick."""
    return _seeks("hello")


def seek_breakout() -> Task:
    """To a random tick."""
    return _seeks("breakout")


def seek_sprites() -> Task:
    """To a random tick."""
    return _seeks("sprites")


def seek_physics() -> Task:
    """To a random tick."""
    return _seeks("physics")


def seek_particles() -> Task:
    """To a random tick."""
    return _seeks("particles")


def seek_rewind() -> Task:
    """To a random tick."""
    return _seeks("rewind")
