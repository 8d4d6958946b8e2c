"""Boxes that sleep on shelves, for all engines of the benchmark `churn`: one more body comes, or one goes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ._churn_turns import above_still, changed_and_still
from ._physics_scenes import STATIC, Scene
from ._task import Task, figure

SETTLE = 120
"""The number of ticks after which every box sleeps."""
FREE = (-4.0, 3.0)
"""A place beside the shelves, where nothing is hit."""
HALF = 0.5
"""Half the side of a box, meters."""
_ON_SHELF, _WIDE, _HIGH = 100, 1.5, 3.0
"""Boxes on a shelf, the distance between two of them, and between two shelves."""


def shelves(count: int) -> Scene:
    """Return so many boxes that may sleep, none of which touches another."""
    scene = Scene(sleep=True)
    rows = -(-count // _ON_SHELF)
    for row in range(rows):
        scene.box(_ON_SHELF * _WIDE / 2, row * _HIGH - 0.1, _ON_SHELF * _WIDE / 2 + 1, 0.1, STATIC)
    for k in range(count):
        scene.box(k % _ON_SHELF * _WIDE, k // _ON_SHELF * _HIGH + HALF, HALF, HALF)
    return scene


Engine = tuple[Callable[[], object], Callable[[], object], Callable[[], object], Callable[[], object] | None]
"""A tick, what lets a body come, what lets the same body go, and what closes the engine."""


def task(engine: Engine, what: str) -> Task:
    """Return the task of a tick in which a body `comes` or `goes`, less a still tick; `tick`: the whole one."""
    tick, comes, goes, close = engine
    for _ in range(SETTLE):
        tick()
    if what == "tick":
        return figure(lambda: changed_and_still(tick, comes, goes)[0], close)
    if what == "comes":
        return figure(partial(above_still, tick, comes, goes), close)
    comes()
    return figure(partial(above_still, tick, goes, comes), close)


def tasks(build: Callable[[int], Engine]) -> Callable[[str], Any]:
    """Return a module's `__getattr__` for names such as `comes_1000` or `tick_1000`."""

    def get(name: str) -> Callable[[], Task]:
        what, _, count = name.partition("_")
        if what in ("comes", "goes", "tick") and count.isdigit():
            return lambda: task(build(int(count)), what)
        raise AttributeError(name)

    return get
