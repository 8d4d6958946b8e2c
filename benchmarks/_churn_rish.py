"""The tasks of the benchmark `churn`."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from rish_core import App, Transform, Vec2, World, component, derived, open_game, parse_manifest
from rish_frame import NullBackend
from rish_render import Sprite

from ._task import Task, figure

DT = 1 / 60
ROWS = 100_000
_TEXT = """rish: 1
game: {title: Churn, size: [640, 360]}
plugins: [render]
layers: [low, middle, high]
scenes: {main: [{Transform: {position: [320, 180]}, Camera: {}}]}
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
    app.headless = False
    world, random = app.world, np.random.default_rng(1)
    layers = np.array([world.intern(name) for name in ("low", "middle", "high")], np.int32)
    place = random.uniform(0, 1, (count, 2)).astype(np.float32) * np.float32([640, 360])
    size = 4 + 4 * random.integers(0, 4, (count, 1)).astype(np.float32) * np.ones(2, np.float32)
    world.spawn_many(count, Transform(position=place), Sprite(size=size, layer=layers[random.integers(0, 3, count)]))
    for _ in range(30):
        _changes(world)
        app.frame(seconds=DT)
    for _ in range(4):
        app.frame(seconds=DT)
    return app


def timed(app: App, work: Callable[[], object] | None = None) -> float:
    start = time.process_time()
    if work is not None:
        work()
    app.frame(seconds=DT)
    return time.process_time() - start


def above_still(app: App, work: Callable[[], object], undo: Callable[[], object]) -> float:
    """Return the median seconds of frames with a change, less that of still frames. undo: undoes it, unmeasured."""
    changed: list[float] = []
    still: list[float] = []
    for _ in range(15):
        changed.append(timed(app, work))
        undo()
        app.frame(seconds=DT)
        app.frame(seconds=DT)
        still.append(timed(app))
    return statistics.median(changed) - statistics.median(still)


def _comes(world: World) -> None:
    world.spawn(Transform(position=(world.tick % 640, 100)), Sprite(size=(8, 8), layer="middle"))


def _goes(world: World) -> None:
    table = world.table(Sprite)
    world.despawn(int(table.entities[world.tick * 37 % len(table)]))


def _changes(world: World) -> None:
    table = world.table(Sprite)
    table.write_row("color", world.tick * 37 % len(table), (0.5, world.tick % 7 / 7, 1, 1))


def _churn(count: int, what: str) -> Task:
    app = open_sprites(count)
    work, undo = (partial(each, app.world) for each in _WORK[what])
    return figure(partial(above_still, app, work, undo), app.close)


_WORK = {"comes": (_comes, _goes), "goes": (_goes, _comes), "changes": (_changes, _changes)}


def __getattr__(name: str) -> Callable[[], Task]:
    """Return the task of a name such as `comes_1000`."""
    what, _, count = name.partition("_")
    if what in _WORK and count.isdigit():
        return partial(_churn, int(count), what)
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
    for _ in range(60):
        app.frame(seconds=DT)

    def measure() -> float:
        restored: list[float] = []
        plain: list[float] = []
        for _ in range(10):
            snapshot = app.world.snapshot()
            for _ in range(60):
                app.frame(seconds=DT)
            app.world.restore(snapshot)
            restored.append(timed(app))
            app.frame(seconds=DT)
            plain += [timed(app) for _ in range(3)]
        return statistics.median(restored) / statistics.median(plain)

    return figure(measure, app.close)
