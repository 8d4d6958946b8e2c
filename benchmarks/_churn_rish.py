"""The tasks of the benchmark `churn`."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from rish_core import App, Transform, Vec2, World, component, derived, open_game, parse_manifest
from rish_frame import NullBackend
from rish_render import Sprite

from ._churn_turns import above_still, changed_and_still, timed
from ._task import Task, figure

DT = 1 / 60
ROWS, MANY = 100_000, 100
WARM = 1024
"""So many sprites or models that the kernels are prepared before a scene begins."""
_TEXT = f"""rish: 1
game: {{title: Churn, size: [640, 360]}}
plugins: [render]
layers: [low, middle, high]
scenes:
  main:
    - {{Transform: {{position: [320, 180]}}, Camera: {{}}}}
    - {{count: {WARM}, Transform: {{}}, Sprite: {{}}}}
"""


class Undrawn(NullBackend):
    """A backend that draws the first frame only, so that copies of the batches are not measured."""

    _shown: Any = None

    def draw(self, frame: Any) -> Any:
        """Return the statistics of the first frame."""
        if self._shown is None:
            self._shown = super().draw(frame)
        return self._shown


def open_sprites(count: int) -> App:
    """Return a game with this many sprites of four sizes on three layers, whose kernels are compiled."""
    app = App(parse_manifest(_TEXT), backend=Undrawn(), headless=True)
    world, random = app.world, np.random.default_rng(1)
    app.run(frames=1)
    app.headless = False
    world.despawn(world.table(Sprite).entities.copy())
    layers = np.array([world.intern(name) for name in ("low", "middle", "high")], np.int32)
    place = random.uniform(0, 1, (count, 2)).astype(np.float32) * np.float32([640, 360])
    size = 4 + 4 * random.integers(0, 4, (count, 1)).astype(np.float32) * np.ones(2, np.float32)
    world.spawn_many(count, Transform(position=place), Sprite(size=size, layer=layers[random.integers(0, 3, count)]))
    for work in (_changes, _comes, _goes, _changes) * 4:
        work(world)
        app.frame(seconds=DT)
    for _ in range(4):
        app.frame(seconds=DT)
    return app


def _comes(world: World) -> None:
    world.spawn(Transform(position=(world.tick % 640, 100)), Sprite(size=(8, 8), layer="middle"))


def _goes(world: World) -> None:
    table = world.table(Sprite)
    world.despawn(int(table.entities[world.tick * 37 % len(table)]))


def _changes(world: World) -> None:
    table = world.table(Sprite)
    table.write_row("color", world.tick * 37 % len(table), (0.5, world.tick % 7 / 7, 1, 1))


def _many(world: World) -> None:
    """Let MANY sprites come, as many others go, and as many others change."""
    table, middle = world.table(Sprite), world.intern("middle")
    chosen = table.entities[(world.tick + np.arange(2 * MANY) * 37) % len(table)]
    place = np.column_stack([np.arange(MANY) * 6.0, np.full(MANY, 100.0)])
    layers = np.full(MANY, middle, np.int32)
    world.spawn_many(MANY, Transform(position=place), Sprite(size=(8, 8), layer=layers))
    world.despawn(chosen[:MANY])
    rows = table.rows_of(chosen[MANY:])
    table.color[rows] = (0.5, world.tick % 7 / 7, 1, 1)
    table.mark(rows)


def _above(count: int, what: str) -> Task:
    app = open_sprites(count)
    work, undo = (partial(each, app.world) for each in _WORK[what])
    return figure(partial(above_still, partial(app.frame, seconds=DT), work, undo), app.close)


def _whole(count: int) -> Task:
    """A whole frame in which one sprite comes."""
    app = open_sprites(count)
    frame, world = partial(app.frame, seconds=DT), app.world
    turns = partial(changed_and_still, frame, partial(_comes, world), partial(_goes, world))
    return figure(lambda: turns()[0], app.close)


_WORK: dict[str, tuple[Callable[[World], None], Callable[[World], None]]] = {
    "comes": (_comes, _goes), "goes": (_goes, _comes), "changes": (_changes, _changes), "many": (_many, _changes)
}  # fmt: skip


def __getattr__(name: str) -> Callable[[], Task]:
    """Return the task of a name such as `comes_1000` or `whole_1000`."""
    what, _, count = name.partition("_")
    if what in _WORK and count.isdigit():
        return partial(_above, int(count), what)
    if what == "whole" and count.isdigit():
        return partial(_whole, int(count))
    raise AttributeError(name)


def still() -> Task:
    """A frame in which nothing changes."""
    app = open_sprites(ROWS)
    return Task(partial(app.frame, seconds=DT), after=app.close)


@component
class Ball:
    """A component with some fields."""

    at: Vec2 = (0, 0)
    speed: float = 1.0


@component
class Tag:
    """Another component."""

    x: float = 1.0


@derived(reads=(Ball, Tag))
class Total:
    """A value that is computed from both."""

    speed: float = 0.0

    def compute(self, world: World) -> None:
        """Add the speeds."""
        self.speed = float(world[Ball].speed.sum())


def _table() -> tuple[World, Any]:
    world = World([Ball, Tag])
    world.spawn_many(ROWS, Ball, Tag)
    return world, world[Ball]


def changed_row() -> Task:
    """Ask which rows changed, after one did."""
    _, table = _table()

    def run() -> None:
        before = table.version
        table.mark(7)
        table.changes(before)

    return Task(run)


def no_changed_row() -> Task:
    """Ask which rows changed, if none did."""
    _, table = _table()
    return Task(partial(table.changes, table.version))


def derived_still() -> Task:
    """Request a derived value of two components that did not change."""
    world, _ = _table()
    return Task(lambda: world[Total])


def restored_frame() -> Task:
    """Show a frame after a restore of the state of 60 ticks ago, in frames."""
    app = open_game(Path(__file__).parent.parent / "games" / "breakout", backend=Undrawn(), headless=True)
    app.headless = False
    frame = partial(app.frame, seconds=DT)
    for _ in range(60):
        frame()

    def measure() -> float:
        restored: list[float] = []
        plain: list[float] = []
        for _ in range(5):
            snapshot = app.world.snapshot()
            for _ in range(60):
                frame()
            app.world.restore(snapshot)
            restored.append(timed(frame))
            frame()
            plain += [timed(frame) for _ in range(3)]
        return statistics.median(restored) / statistics.median(plain)

    return figure(measure, app.close)
