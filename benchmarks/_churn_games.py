"""Ticks and frames of included games in which little changes, without drawing, and one spawn among many sprites."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from rish_core import App, Transform, open_game
from rish_frame import Frame
from rish_render import Sprite

from ._churn_rish import DT, Undrawn
from ._churn_turns import above_still
from ._task import Task, figure

OTHERS = 50_000
"""Sprites that stand still beside those of a game."""


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


def _spawn(game: str) -> Task:
    """A frame in which a sprite comes among OTHERS that stand still, less one in which the game alone goes on."""
    app = _open(game)
    world, added = app.world, list[int]()
    wide, high = app.world[Frame].canvas_size
    place = np.random.default_rng(1).uniform(0, (wide, high), (OTHERS, 2)).astype(np.float32)
    world.spawn_many(OTHERS, Transform(position=place), Sprite(size=(4, 4), layer="world"))
    frame = partial(app.frame, seconds=DT)

    def comes() -> None:
        added.append(world.spawn(Transform(position=(wide / 2, high / 2)), Sprite(size=(8, 8), layer="world")))

    def goes() -> None:
        world.despawn(added.pop())

    for _ in range(8):
        for work in (comes, frame, goes, frame):
            work()
    return figure(partial(above_still, frame, comes, goes, 21), app.close)


def __getattr__(name: str) -> Callable[[], Task]:
    """Return the task of a name such as `frame_orchard`."""
    what, _, game = name.partition("_")
    if what in _TASKS:
        return partial(_TASKS[what], game)
    raise AttributeError(name)


_TASKS = {"tick": _tick, "frame": _frame, "spawn": _spawn}
