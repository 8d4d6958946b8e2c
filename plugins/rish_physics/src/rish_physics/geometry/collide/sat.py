"""The separating axis test: finds the edge of one hull that separates it most from the other.

Two convex shapes are separate if and only if a line separates them, and in 2D it is enough to test the lines along the
edges of both (Gottschalk, Lin, Manocha, OBBTree, 1996). If they overlap, the edge with the least overlap gives the
shortest displacement that separates them.

Hulls are in one frame and stored as in `Shapes.hull`: at `start` the points x, y, from `start + 16` the outward normals
of the edges that begin there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

_MIN = np.float32(-3e38)


@njit(borrows=True, forceinline=True)
def greatest_separation(a: Array, i: Any, n: Any, b: Array, j: Any, m: Any, enough: Any) -> Any:
    """Return (separation, edge): the edge of hull a with the greatest distance from its line to hull b's nearest
    point.

    a, i, n and b, j, m: array, start and number of points. Stops at the first edge with more than `enough`.
    """
    best = _MIN
    edge = 0
    for k in range(n):
        o = i + 2 * k
        nx, ny = a[o + 16], a[o + 17]
        minimum = nx * b[j] + ny * b[j + 1]
        for q in range(j + 2, j + 2 * m, 2):
            minimum = min(minimum, nx * b[q] + ny * b[q + 1])
        separation = minimum - (nx * a[o] + ny * a[o + 1])
        if separation > best:
            best = separation
            edge = k
            if separation > enough:
                break
    return best, edge


@njit(borrows=True, forceinline=True)
def opposite_edge(a: Array, i: Any, n: Any, nx: Any, ny: Any) -> Any:
    """Return the incident edge of a hull: the edge whose normal points most against a direction."""
    best = -_MIN
    edge = 0
    for k in range(n):
        o = i + 2 * k
        along = a[o + 16] * nx + a[o + 17] * ny
        if along < best:
            best = along
            edge = k
    return edge
