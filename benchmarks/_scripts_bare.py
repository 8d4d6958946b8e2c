"""The lower bounds of the benchmark `scripts`: plain objects and plain arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._scripts_scene import COUNT, DT, MANY
from ._task import Task


class Mover:
    """A plain object with the data of `_scripts_rish.Mover` and its Transform."""

    def __init__(self) -> None:
        self.speed, self.turn, self.traveled = 30.0, 0.5, 0.0
        self.x = self.y = 0.0

    def on_update(self, dt: float) -> None:
        """Read two fields, write one, move."""
        step = self.speed * dt
        self.traveled += step
        self.x += step
        self.y += self.turn * step


def update() -> Task:
    """Update a thousand plain objects."""
    movers = [Mover() for _ in range(COUNT)]

    def run() -> None:
        for mover in movers:
            mover.on_update(DT)

    return Task(run)


def update_all() -> Task:
    """Run only the kernel."""
    import numba

    from ._scripts_rish import fly

    compiled = numba.njit(error_model="numpy")(getattr(fly, "py_func", fly))
    place, velocity = np.zeros(2 * MANY, np.float32), np.full(2 * MANY, 3, np.float32)
    heat: Any = np.ones(MANY, np.float32)

    def run() -> None:
        compiled(place, velocity, heat, np.float32(DT))

    run()  # compile it now, or else the harness takes it for long work with one cold run a round
    return Task(run)
