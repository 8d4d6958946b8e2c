"""What abuse and growth cost: processor time of a tick against that of the same heap left alone.

`python -m benchmarks._physics_limits` prints one line a case. Each pair is stepped in turns, ten ticks at a time, and
the median of the ratios counts; promised are < 5 for abuse, <= 1.2 for one body far away, and for twenty times as many
bodies no more than n log n, which is 28.7 times as much.
"""

from __future__ import annotations

import logging
import math
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from rish_core import App, Transform, parse_manifest
from rish_physics import Body, Collider

_MANIFEST = """
rish: 1
plugins: [physics]
settings: {physics: {units_per_metre: 1, gravity: [0, -10], sleeping: false}}
scenes: {main: []}
"""
ROUNDS = 15
TICKS = 10


def pyramids(count: int) -> App:
    """So many pyramids of ten boxes on one ground, in a running game."""
    app = App(parse_manifest(_MANIFEST), headless=True, backend="null", policy="raise")
    app.world.spawn(Transform(position=(0, -0.5)), Collider(size=(5 * count + 10, 1)))
    one = [(0.5 * row + k, 0.5 + row) for row in range(4) for k in range(4 - row)]
    places = np.concatenate([np.add(one, (5 * (p - count / 2), 0)) for p in range(count)])
    app.world.spawn_many(len(places), Transform(position=places), Body(), Collider(size=(1, 1), density=1.0))
    return app


def _write(cls: type, field: str, value: Any) -> Callable[[App], None]:
    def write(app: App) -> None:
        table = app.world[cls]
        column = getattr(table, field)
        column[1:11] = value
        table.version += 1

    return write


ABUSE: dict[str, Callable[[App], None]] = {
    "ten with velocities that are none": _write(Body, "velocity", np.nan),
    "ten at no place": _write(Transform, "position", np.nan),
    "ten as fast as can be": _write(Body, "velocity", (3e38, 3e38)),
    "ten of endless mass": _write(Body, "mass", 1e30),
    "ten without size": _write(Collider, "size", 0),
    "ten of a size that is none": _write(Collider, "size", np.nan),
    "one a million units away": lambda app: _far(app),
}


def _far(app: App) -> None:
    app.world.spawn(Transform(position=(1e6, 0)), Body(), Collider(size=(1, 1)))


def cost(app: App) -> float:
    """Milliseconds of processor time a tick."""
    start = time.process_time_ns()
    for _ in range(TICKS):
        app.tick()
        app.world.end_frame()
    return (time.process_time_ns() - start) / 1e6 / TICKS


def ratio(one: App, other: App) -> float:
    """How many times as much the other costs."""
    return statistics.median(cost(other) / cost(one) for _ in range(ROUNDS))


def main() -> None:
    """Measure everything."""
    logging.disable(logging.WARNING)
    for name, abuse in ABUSE.items():
        calm, hurt = pyramids(100), pyramids(100)
        cost(calm), cost(hurt)
        abuse(hurt)
        first = cost(hurt)
        print(f"{name:40} {ratio(calm, hurt):6.2f}   {first:6.2f} ms at first", flush=True)
    small = pyramids(100)
    cost(small)
    for times in (2, 5, 20):
        large, n = pyramids(100 * times), 1000
        cost(large)
        bound = times * math.log(times * n) / math.log(n)
        grown = ratio(small, large)
        print(f"{n * times} bodies against {n}: {grown:.2f}, n log n would be {bound:.2f}", flush=True)


if __name__ == "__main__":
    main()
