"""Rish's side of the benchmark `scripts`: Apps whose entities carry scripts."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from rish_core import App, Transform, parse_manifest
from rish_ecs import Entity, Vec2, event
from rish_jit import njit
from rish_scripts import Script, Scripts

from ._scripts_scene import COUNT, DT, MANY
from ._task import Task


class Mover(Script):
    """Reads two fields, writes one, moves its Transform."""

    speed: float = 30
    turn: float = 0.5
    traveled: float = 0

    def on_update(self, dt: float) -> None:
        """Move by one step."""
        step = self.speed * dt
        self.traveled += step
        place: Any = self.get(Transform)
        x, y = place.position
        place.position = (x + step, y + self.turn * step)


@njit
def fly(place: Any, velocity: Any, heat: Any, dt: Any) -> None:
    """Move and warm up; after cooling the numbers are so small (denormal) that a processor is slow with them."""
    for i in range(len(place)):
        place[i] += velocity[i] * dt
    for i in range(len(heat)):
        heat[i] += (np.float32(2) - heat[i]) * dt


class Spark(Script):
    """A script of which thousands are moved in one call."""

    place: Vec2
    velocity: Vec2 = (3, 3)
    heat: float = 1

    @staticmethod
    def on_update_all(query: Any, world: Any, dt: float) -> None:
        """Move all of them."""
        fly(query.flat(Spark.place), query.flat(Spark.velocity), query.flat(Spark.heat), np.float32(dt))


@event(script="on_poke")
class Poke:
    """A touch."""

    who: Entity


class Listener(Script):
    """Counts the pokes that it receives."""

    count: int = 0

    def on_poke(self, poke: Any) -> None:
        """Count a poke."""
        self.count += 1


class Ticker(Script):
    """Counts by a timer."""

    count: int = 0

    def tick(self) -> None:
        """Count a call."""
        self.count += 1


class Idler(Script):
    """A script without callbacks."""

    mood: float = 0


SCRIPTS = [Mover, Spark, Listener, Ticker, Idler]


def _app() -> App:
    game = SimpleNamespace(rish_scripts=lambda: SCRIPTS, rish_events=lambda: [Poke])
    manifest = parse_manifest("rish: 1\nplugins: [scripts, bench]\n")
    return App(manifest, headless=True, extra={"bench": game})


def _ticking(app: App) -> Task:
    app.tick()
    return Task(app.tick, after=app.close)


def update() -> Task:
    """A tick with a thousand scripts."""
    app = _app()
    app.world.spawn_many(COUNT, Mover(), Transform())
    return _ticking(app)


def update_all() -> Task:
    """A tick with a hundred thousand scripts that are moved in one call."""
    app = _app()
    app.world.spawn_many(MANY, Spark())
    return _ticking(app)


def events() -> Task:
    """A tick in which a thousand events are passed on to scripts."""
    app = _app()
    handles = app.world.spawn_many(COUNT, Listener())

    def run() -> None:
        app.world.emit(Poke, who=handles)
        app.tick()

    return Task(run, after=app.close)


def timers() -> Task:
    """A tick in which a thousand timers fire."""
    app = _app()
    app.world.spawn_many(COUNT, Ticker())
    app.tick()
    for script in app.world.query(Ticker).entities.tolist():
        ticker: Any = app.world[Scripts].get(script, Ticker)
        ticker.every(DT, "tick")
    return _ticking(app)


def come_and_go() -> Task:
    """A tick of a thousand scripts, of which a hundred were removed and a hundred added."""
    app = _app()
    app.world.spawn_many(COUNT, Mover(), Transform())

    def run() -> None:
        app.world.despawn(app.world[Mover].entities[:100].copy())
        app.world.spawn_many(100, Mover(), Transform())
        app.tick()

    return Task(run, after=app.close)


def idle() -> Task:
    """A tick with ten thousand scripts without callbacks."""
    app = _app()
    app.world.spawn_many(10 * COUNT, Idler())
    return _ticking(app)
