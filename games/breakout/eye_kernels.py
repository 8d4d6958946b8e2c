"""Kernels of the visual effects: tails of balls and fading colors."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rish_jit import njit

Floats = NDArray[np.float32]
Rows = NDArray[np.int32]


@njit
def drag(
    ghost_rows: Rows,
    places: Rows,
    of: NDArray[np.int64],
    order: Rows,
    balls: NDArray[np.int64],
    ball_places: Rows,
    position: Floats,
    orphan: Any,
) -> int:
    """Move each bead of a tail a part of the distance to its ball, the last beads least; return the number of orphans.

    of: the handle of each ghost's ball. balls: the handles of all balls, ball_places: their rows in the table of
    positions. orphan: bool, one for each ghost, set to True if its ball no longer exists.
    """
    count = 0
    for k in range(len(ghost_rows)):
        ghost, place = ghost_rows[k], places[k]
        orphan[k] = True
        for b in range(len(balls)):
            if balls[b] == of[ghost]:
                orphan[k] = False
                pull = 0.6 / (1.0 + 0.35 * order[ghost])
                for c in range(2):
                    here, there = np.float64(position[place, c]), np.float64(position[ball_places[b], c])
                    position[place, c] = here + (there - here) * pull
        count += 1 if orphan[k] else 0
    return count


@njit
def cool(glow_rows: Rows, shape_rows: Rows, heat: Floats, rest: Floats, hot: Floats, fill: Floats, keep: float) -> None:
    """Reduce the heat of each glow to `keep` of it and blend its color between `rest` and `hot` accordingly."""
    for k in range(len(glow_rows)):
        glow, shape = glow_rows[k], shape_rows[k]
        if heat[glow] > 0.0:
            warm = np.float64(heat[glow]) * keep
            if warm < 0.01:
                warm = 0.0
            heat[glow] = warm
            for c in range(4):
                fill[shape, c] = np.float64(rest[glow, c]) * (1.0 - warm) + np.float64(hot[glow, c]) * warm
