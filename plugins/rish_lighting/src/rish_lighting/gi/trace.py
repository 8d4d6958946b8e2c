"""Rays through a grid of texels, each either free or solid; shared by the cascades and by the path tracer."""

from __future__ import annotations

import numpy as np

from rish_core.jit import njit

F = np.float32


@njit
def march(solid, x, y, to_x, to_y, hit):
    """Walk from one place to another, texel by texel (Amanatides and Woo); whether something solid is met.

    solid: uint8 (h, w). Places are in texels; texel (i, j) covers i..i+1, j..j+1 in x and y. hit: int64 4, filled where
    something is met: its column and row, and those of the free texel before it; -1 where the ray began in it. Beyond
    the grid all is free and dark.
    """
    high, wide = solid.shape
    i, j = int(np.floor(x)), int(np.floor(y))
    dx, dy = to_x - x, to_y - y
    step_i, step_j = (1 if dx > F(0) else -1), (1 if dy > F(0) else -1)
    huge = F(1e30)
    across = abs(F(1) / dx) if dx != F(0) else huge
    down = abs(F(1) / dy) if dy != F(0) else huge
    next_i = (F(i + 1) - x if dx > F(0) else x - F(i)) * across if dx != F(0) else huge
    next_j = (F(j + 1) - y if dy > F(0) else y - F(j)) * down if dy != F(0) else huge
    before_i, before_j = -1, -1
    while True:
        if 0 <= i < wide and 0 <= j < high:
            if solid[j, i]:
                hit[0], hit[1], hit[2], hit[3] = i, j, before_i, before_j
                return True
        elif (
            (i < 0 and dx <= F(0)) or (i >= wide and dx >= F(0)) or (j < 0 and dy <= F(0)) or (j >= high and dy >= F(0))
        ):
            return False
        before_i, before_j = i, j
        if next_i < next_j:
            if next_i > F(1):
                return False
            i += step_i
            next_i += across
        else:
            if next_j > F(1):
                return False
            j += step_j
            next_j += down
