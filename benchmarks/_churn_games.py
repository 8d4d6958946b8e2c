"""Ticks and frames of included games in which little changes, without drawing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from rish_core import App, open_game

from ._churn_rish import DT, Undrawn
from ._task import Task


def _open(game: str) -> App:
    """Return a game that has run for two seconds."""
    app = open_game(Path(__file__).parent.parent / "games" / game, backend=Undrawn(), headless=True)
    app.headless = False
    for _ in range(120):
        app.frame(seconds=DT)
    return app


def _tick(game: str) -> Task:
    app = _open(game)
    return Task(app.tick, after=app.close)


def _frame(game: str) -> Task:
    app = _open(game)
    return Task(partial(app.frame, seconds=DT), after=app.close)


def __getattr__(name: str) -> Callable[[], Task]:
    """Return the task of a name such as `frame_orchard`."""
    what, _, game = name.partition("_")
    if what in _TASKS:
        return partial(_TASKS[what], game)
    raise AttributeError(name)


_TASKS = {"tick": _tick, "frame": _frame}
