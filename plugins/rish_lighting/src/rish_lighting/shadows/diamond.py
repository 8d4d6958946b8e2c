"""The pseudo-angle: directions as numbers from 0 to 4, computed without a sine.

The pseudo-angle u of a direction is its position on the diamond |x| + |y| = 1, counted counter-clockwise from straight
down: u = 1 + y/(|x| + |y|) on the right half, 3 - y/(|x| + |y|) on the left. So u rises with the angle, and a point of
the diamond is computed from u without a square root. Within a quadrant the distance |x| + |y| is linear along a
straight line, so any part of a wall has its smallest and largest distance at its ends.

The number of bins of a map depends on the light's radius R in pixels: it is the power of two at or above 8·R. At the
distance R, two directions within one bin are at most √2·(4/bins)·√2·R ≤ 1 pixel apart.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rish_jit import Array

MIN_BINS = 64
MAX_BINS = 1 << 17
"""The greatest number of bins of a map. It is enough for R = 16,384 pixels; for larger lights the bins are wider."""
WIDTH = 8192
"""Texels per row of the texture that holds all maps; longer maps continue in the next row."""
FAR = np.float32(1e30)
"""The value of bins in which nothing blocks."""
WEDGES = 16
"""The number of parts of a light's disc. Each part is drawn only as far as the light reaches in it."""


def bins_for(radius: npt.ArrayLike) -> Array:
    """Return the number of bins for lights, int64. radius: in pixels of the light target."""
    minimum = 8 * np.clip(np.asarray(radius, np.float64), MIN_BINS / 8, MAX_BINS / 8)
    return np.left_shift(1, np.ceil(np.log2(minimum)).astype(np.int64))


def direction(u: npt.ArrayLike) -> Array:
    """Return the point of the diamond at a pseudo-angle, float64 (..., 2)."""
    u = np.asarray(u, np.float64) % 4
    y = np.where(u < 2, u - 1, 3 - u)
    x = (1 - np.abs(y)) * np.where(u < 2, 1, -1)
    return np.stack([x, y], axis=-1)
