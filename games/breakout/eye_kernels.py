"""The kernel of the visual effects: tails of balls."""

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
