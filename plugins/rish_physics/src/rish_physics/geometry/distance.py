"""The distance between two convex hulls, and their nearest points.

The distance is computed on the Minkowski difference: the set of all b - a for points b of one hull and a of the other.
It is convex, its vertices are differences of vertices, and its point nearest to the origin gives the distance between
the hulls. GJK (Gilbert, Johnson, Keerthi, 1988) approaches that point over simplices of up to three vertices, and needs
only the vertex furthest in a direction. The penetration depth is computed in `sat`.

Radii are ignored: the distance between two rounded hulls is the distance of the cores minus both radii. Both hulls are
in one frame; each is given by array, start and number of points, as in `sat`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

_MAX_ITERATIONS = 24
_0, _1 = np.float32(0), np.float32(1)
_TOLERANCE = np.float32(1e-6)


@njit(borrows=True)
def support(a: Array, i: Any, n: Any, dx: Any, dy: Any) -> Any:
    """Return the index of the hull's point that is furthest in a direction; the first of several."""
    best = dx * a[i] + dy * a[i + 1]
    index = 0
    for k in range(1, n):
        along = dx * a[i + 2 * k] + dy * a[i + 2 * k + 1]
        if along > best:
            best = along
            index = k
    return index


@njit(borrows=True)
def nearest_on(x0: Any, y0: Any, x1: Any, y1: Any) -> Any:
    """Return (t, x, y): the point of a segment nearest to the origin, and its position t along the segment, 0 to 1."""
    ex, ey = x1 - x0, y1 - y0
    size = ex * ex + ey * ey
    along = -(x0 * ex + y0 * ey)
    if along <= _0 or size <= _0:
        return _0, x0, y0
    if along >= size:
        return _1, x1, y1
    # The cross product gives the part across the segment without the cancellation of nearly equal points.
    out = (x0 * y1 - y0 * x1) / size
    return along / size, out * ey, -out * ex


@njit(borrows=True)
def encloses(x0: Any, y0: Any, x1: Any, y1: Any, x2: Any, y2: Any) -> Any:
    """Return True if the origin is inside a triangle of either orientation, and not on its edge."""
    a = x0 * y1 - y0 * x1
    b = x1 * y2 - y1 * x2
    c = x2 * y0 - y2 * x0
    return (a > _0 and b > _0 and c > _0) or (a < _0 and b < _0 and c < _0)


@njit(borrows=True)
def distance(a: Array, i: Any, n: Any, b: Array, j: Any, m: Any) -> Any:
    """Return (distance, ax, ay, bx, by): the distance between the cores of two hulls, and the nearest points; (0, ...)
    if they overlap.
    """
    a0, b0, a1, b1 = 0, 0, 0, 0
    x0, y0 = b[j] - a[i], b[j + 1] - a[i + 1]
    x1, y1 = x0, y0
    t, x, y = _0, x0, y0
    best = x * x + y * y
    for _ in range(_MAX_ITERATIONS):
        if best <= _0:
            break
        # Support point of the Minkowski difference towards the origin.
        a2, b2 = support(a, i, n, x, y), support(b, j, m, -x, -y)
        if (a2 == a0 and b2 == b0) or (a2 == a1 and b2 == b1):
            break
        x2, y2 = b[j + 2 * b2] - a[i + 2 * a2], b[j + 2 * b2 + 1] - a[i + 2 * a2 + 1]
        # No progress: the new vertex is hardly nearer to the origin in the search direction.
        if best - (x * x2 + y * y2) <= _TOLERANCE * best:
            break
        if encloses(x0, y0, x1, y1, x2, y2):
            best = _0
            break
        # Keep the edge of the triangle that is nearest to the origin.
        t, u, v = nearest_on(x0, y0, x2, y2)
        t1, u1, v1 = nearest_on(x1, y1, x2, y2)
        closer = u1 * u1 + v1 * v1 < u * u + v * v
        if closer:
            t, u, v = t1, u1, v1
        if u * u + v * v >= best:
            break
        if closer:
            x0, y0, a0, b0 = x1, y1, a1, b1
        x, y, best = u, v, u * u + v * v
        x1, y1, a1, b1 = x2, y2, a2, b2
        if t <= _0:
            x1, y1, a1, b1 = x0, y0, a0, b0
        elif t >= _1:
            x0, y0, a0, b0 = x2, y2, a2, b2
    # Compute the shares again: the shares of the last step may belong to a segment that was rejected.
    t, x, y = nearest_on(x0, y0, x1, y1)
    s = _1 - t
    p, q = i + 2 * a0, i + 2 * a1
    ax, ay = s * a[p] + t * a[q], s * a[p + 1] + t * a[q + 1]
    p, q = j + 2 * b0, j + 2 * b1
    bx, by = s * b[p] + t * b[q], s * b[p + 1] + t * b[q + 1]
    return np.sqrt(best), ax, ay, bx, by
