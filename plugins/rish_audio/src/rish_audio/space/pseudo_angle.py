"""Directions in the plane as numbers that can be sorted, without an arc tangent."""

from __future__ import annotations

import numpy as np

from rish_jit import Array


def turn(x: Array, y: Array) -> Array:
    """Return a measure of the direction (x, y) that grows clockwise: -2 back (-y), -1 left, 0 front, 1 right, 2
    back.

    It is the distance along a square with the corners (0, 1), (1, 0), (0, -1), (-1, 0), so that opposite directions
    differ by 2.
    """
    return np.copysign(1.0 - y / np.maximum(np.abs(x) + np.abs(y), 1e-300), x)
