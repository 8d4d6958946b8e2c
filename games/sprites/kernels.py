"""The motion of hoppers: gravity, one floor for each, two walls; float32, the same bits compiled and not."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rish_jit import njit

Floats = NDArray[np.float32]
Rows = NDArray[np.int32]


@njit
def hop(
    rows: Rows,
    places: Rows,
    velocity: Floats,
    spin: Floats,
    floor: Floats,
    spring: Floats,
    position: Floats,
    rotation: Floats,
    gravity: Any,
    turning: Any,
    left: Any,
    right: Any,
    dt: Any,
) -> None:
    """Move hoppers for dt seconds, in place.

    rows: rows in the table of velocity, spin, floor and spring; places: rows in that of position and rotation. velocity
    and position are flat: x0, y0, x1, y1, ... gravity, turning (1 or 0), left, right, dt: float32.
    """
    fall = gravity * dt
    for k in range(len(rows)):
        i, j = 2 * rows[k], 2 * places[k]
        x = position[j] + velocity[i] * dt
        speed = velocity[i + 1] + fall
        y = position[j + 1] + speed * dt
        low = floor[rows[k]]
        if y < low:
            y = low
            speed = spring[rows[k]]
        if x < left:
            x = left
            velocity[i] = -velocity[i]
        elif x > right:
            x = right
            velocity[i] = -velocity[i]
        velocity[i + 1] = speed
        position[j] = x
        position[j + 1] = y
        rotation[places[k]] += spin[rows[k]] * turning * dt
