"""The side of the benchmark `rollback`: saves, loads and ticks of games as a session over a network runs them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from rish_core import open_game
from rish_history import RandomPlayer

from ._physics_rish import open_app
from ._physics_scenes import mixed
from ._task import Task

GAMES = Path(__file__).resolve().parents[1] / "games"
BACK = 8
"""The number of ticks that run again."""
_WARM = 240
"""The number of ticks before the first measured one."""


def game(name: str, *overrides: str) -> Any:
    """Return a game that a random player has played for four seconds."""
    app = open_game(GAMES / name, list(overrides), headless=True)
    player = RandomPlayer(app, 5)
    for _ in range(_WARM):
        app.tick(player.record())
    return app


def heap(count: int) -> Any:
    """Return a game with so many boxes and circles in a heap, all of them awake."""
    app, _ = open_app(mixed(count))
    for _ in range(_WARM):
        app.simulate()
    return app


def save(app: Any) -> Task:
    """A save after a tick, which is not measured."""
    return Task(app.world.save_state, before=app.simulate, after=app.close)


def load(app: Any) -> Task:
    """A load of a state from eight ticks before."""
    state = app.world.save_state()

    def ahead() -> None:
        for _ in range(BACK):
            app.simulate()

    return Task(lambda: app.world.load_state(state), before=ahead, after=app.close)


def ticks(app: Any) -> Task:
    """Eight ticks without anything else."""
    state = app.world.save_state()

    def ahead() -> None:
        for _ in range(BACK):
            app.simulate()

    def back() -> None:
        app.world.load_state(state)
        app.simulate()

    return Task(ahead, before=back, after=app.close)


def rollback(app: Any) -> Task:
    """A load, and eight times a save and a tick."""
    world, states = app.world, [app.world.save_state()] * BACK  # held as in a session

    def run() -> None:
        world.load_state(states[0])
        for k in range(BACK):
            states[k] = world.save_state()
            app.simulate()

    return Task(run, after=app.close)


WORLDS: dict[str, Callable[[], Any]] = {
    "breakout": partial(game, "breakout", "scene=play"),
    "orchard": partial(game, "orchard"),
    "bodies_200": partial(heap, 200),
    "bodies_1000": partial(heap, 1000),
}
"""How each world is opened."""


def _task(measure: Callable[[Any], Task], world: str) -> Task:
    return measure(WORLDS[world]())


for _world in WORLDS:
    for _measure in (save, load, ticks, rollback):
        globals()[f"{_measure.__name__}_{_world}"] = partial(_task, _measure, _world)
