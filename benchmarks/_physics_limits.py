"""The cost of invalid input and of growth: processor time of a tick relative to that of the same heap left alone.

Both heaps are stepped in turns, ten ticks at a time. The promise is < 5 for invalid input, <= 1.2 for one body far
away, and no more than n log n for twenty times as many bodies.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from rish_core import App, Transform, parse_manifest
from rish_physics import Body, Collider

from ._task import Task, figure

_MANIFEST = """
rish: 1
plugins: [physics]
settings: {physics: {units_per_meter: 1, gravity: [0, -10], sleeping: false}}
scenes: {main: []}
"""
_TICKS = 10


def heap(count: int) -> App:
    """Return a running game with a square of this many pyramids of ten boxes."""
    app = App(parse_manifest(_MANIFEST), headless=True, policy="raise")
    side = math.isqrt(count)
    floors = -(-count // side)
    shelf = np.column_stack([np.full(floors, 2.5 * side), 6.0 * np.arange(floors) - 0.5])
    app.world.spawn_many(floors, Transform(position=shelf), Collider(size=(5 * side + 10, 1)))
    one = [(0.5 * row + k, 0.5 + row) for row in range(4) for k in range(4 - row)]
    places = np.concatenate([np.add(one, (5 * (p % side), 6 * (p // side))) for p in range(count)])
    app.world.spawn_many(len(places), Transform(position=places), Body(), Collider(size=(1, 1), density=1.0))
    cost(app)
    return app


def _write(cls: type, field: str, value: Any) -> Callable[[App], None]:
    def write(app: App) -> None:
        table = app.world[cls]
        column = getattr(table, field)
        column[-11:-1] = value
        table.mark()

    return write


def _far(app: App) -> None:
    app.world.spawn(Transform(position=(1e6, 0)), Body(), Collider(size=(1, 1)))


ABUSE: dict[str, Callable[[App], None]] = {
    "ten with velocities that are none": _write(Body, "velocity", np.nan),
    "ten at no place": _write(Transform, "position", np.nan),
    "ten as fast as can be": _write(Body, "velocity", (3e38, 3e38)),
    "ten of endless mass": _write(Body, "mass", 1e30),
    "ten without size": _write(Collider, "size", 0),
    "ten of a size that is none": _write(Collider, "size", np.nan),
}


def cost(app: App) -> float:
    """Return the processor time of some ticks, seconds."""
    start = time.process_time_ns()
    for _ in range(_TICKS):
        app.tick()
        app.world.end_frame()
    return (time.process_time_ns() - start) / 1e9


def _against(calm: App, others: list[App]) -> Task:
    """Return a task that measures the cost of the most expensive of the other heaps, relative to the calm one."""

    def close() -> None:
        for app in (calm, *others):
            app.close()

    return figure(lambda: max(cost(app) / cost(calm) for app in others), close)


def _hurt(*deeds: Callable[[App], None]) -> Task:
    logging.disable(logging.WARNING)
    others = [heap(100) for _ in deeds]
    for app, deed in zip(others, deeds, strict=True):
        deed(app)
        cost(app)
    return _against(heap(100), others)


def abuse() -> Task:
    """The most expensive kind of invalid input."""
    return _hurt(*ABUSE.values())


def far() -> Task:
    """One body a million units away."""
    return _hurt(_far)


def growth() -> Task:
    """20,000 bodies relative to 1,000."""
    return _against(heap(100), [heap(2000)])
