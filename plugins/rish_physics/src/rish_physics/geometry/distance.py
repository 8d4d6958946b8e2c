"""The distance between two convex hulls, and how deep they are in each other.

Both questions are about one shape: the differences b - a of all points b of one hull and a of the other. It is convex,
its corners are differences of corners, and its point nearest to the origin is the distance between the hulls. GJK
(Gilbert, Johnson, Keerthi, 1988) walks there over simplices, up to three corners at a time, and asks only for the
corner furthest in a direction. If the origin lies inside, the hulls overlap, and the nearest edge of that shape
tells the shortest way out: EPA (van den Bergen, 2001) finds it by growing a polygon from inside, always at the edge
nearest to the origin.

Hulls are without their radii: a rounded hull is its core, and the distance less both radii is that of the surfaces.
Both are in one frame; array, start and number of points for each, as in `sat`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core.jit import njit

Array = npt.NDArray[Any]

LOOP = 80
"""Numbers that `penetration` needs to work with."""
_ROUNDS = 24
_0, _1 = np.float32(0), np.float32(1)
_CLOSE = np.float32(1e-6)


@njit(borrows=True)
def support(a: Array, i: Any, n: Any, dx: Any, dy: Any) -> Any:
    """Which point of a hull lies furthest in a direction; the first of several."""
    best = dx * a[i] + dy * a[i + 1]
    found = 0
    for k in range(1, n):
        along = dx * a[i + 2 * k] + dy * a[i + 2 * k + 1]
        if along > best:
            best = along
            found = k
    return found


@njit(borrows=True)
def nearest_on(x0: Any, y0: Any, x1: Any, y1: Any) -> Any:
    """(t, x, y): the point of a segment nearest to the origin, and its share of the way."""
    ex, ey = x1 - x0, y1 - y0
    size = ex * ex + ey * ey
    along = -(x0 * ex + y0 * ey)
    if along <= _0 or size <= _0:
        return _0, x0, y0
    if along >= size:
        return _1, x1, y1
    # Across the segment, the cross product keeps the digits that a difference of nearly equal points would lose.
    out = (x0 * y1 - y0 * x1) / size
    return along / size, out * ey, -out * ex


@njit(borrows=True)
def encloses(x0: Any, y0: Any, x1: Any, y1: Any, x2: Any, y2: Any) -> Any:
    """Whether the origin lies inside a triangle, either way round, but not on its edge."""
    a = x0 * y1 - y0 * x1
    b = x1 * y2 - y1 * x2
    c = x2 * y0 - y2 * x0
    return (a > _0 and b > _0 and c > _0) or (a < _0 and b < _0 and c < _0)


@njit(borrows=True)
def distance(a: Array, i: Any, n: Any, b: Array, j: Any, m: Any) -> Any:
    """(distance, ax, ay, bx, by): between the cores of two hulls, with the nearest points; (0, ...) where they
    overlap.
    """
    a0, b0, a1, b1 = 0, 0, 0, 0
    x0, y0 = b[j] - a[i], b[j + 1] - a[i + 1]
    x1, y1 = x0, y0
    t, x, y = _0, x0, y0
    best = x * x + y * y
    for _ in range(_ROUNDS):
        if best <= _0:
            break
        a2, b2 = support(a, i, n, x, y), support(b, j, m, -x, -y)
        if (a2 == a0 and b2 == b0) or (a2 == a1 and b2 == b1):
            break
        x2, y2 = b[j + 2 * b2] - a[i + 2 * a2], b[j + 2 * b2 + 1] - a[i + 2 * a2 + 1]
        if best - (x * x2 + y * y2) <= _CLOSE * best:
            break
        if encloses(x0, y0, x1, y1, x2, y2):
            best = _0
            break
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
    # The shares of the last step may belong to a segment that was given up again.
    t, x, y = nearest_on(x0, y0, x1, y1)
    s = _1 - t
    p, q = i + 2 * a0, i + 2 * a1
    ax, ay = s * a[p] + t * a[q], s * a[p + 1] + t * a[q + 1]
    p, q = j + 2 * b0, j + 2 * b1
    bx, by = s * b[p] + t * b[q], s * b[p + 1] + t * b[q + 1]
    return np.sqrt(best), ax, ay, bx, by


@njit(borrows=True)
def penetration(a: Array, i: Any, n: Any, b: Array, j: Any, m: Any, loop: Array) -> Any:
    """(depth, nx, ny): the shortest way out, by which b must move along the normal; below 0 where an edge separates
    them.

    loop: float32, `LOOP` numbers to work with. For hulls that overlap; where they are apart, the depth is that of the
    best separating edge, as in `sat`.
    """
    count = 0
    for k in range(4):
        dx = _1 if k == 0 else (-_1 if k == 2 else _0)
        dy = _1 if k == 1 else (-_1 if k == 3 else _0)
        p, q = i + 2 * support(a, i, n, -dx, -dy), j + 2 * support(b, j, m, dx, dy)
        x, y = b[q] - a[p], b[q + 1] - a[p + 1]
        last = 2 * count - 2
        if count == 0 or ((x != loop[last] or y != loop[last + 1]) and (x != loop[0] or y != loop[1])):
            loop[2 * count], loop[2 * count + 1] = x, y
            count += 1
    depth, nx, ny = _0, _0, _1
    for _ in range(LOOP // 2 - 4):
        edge = -1
        for k in range(count):
            p, q = 2 * k, 2 * k + 2 if k + 1 < count else 0
            ex, ey = loop[q] - loop[p], loop[q + 1] - loop[p + 1]
            length = np.sqrt(ex * ex + ey * ey)
            if length > _0:
                out = (ey * loop[p] - ex * loop[p + 1]) / length
                if edge < 0 or out < depth:
                    edge, depth, nx, ny = k, out, ey / length, -ex / length
        if edge < 0:
            break
        p, q = i + 2 * support(a, i, n, -nx, -ny), j + 2 * support(b, j, m, nx, ny)
        x, y = b[q] - a[p], b[q + 1] - a[p + 1]
        gain = nx * x + ny * y - depth
        if gain <= np.float32(1e-5) * (abs(x) + abs(y)):
            break
        for k in range(count, edge + 1, -1):
            loop[2 * k], loop[2 * k + 1] = loop[2 * k - 2], loop[2 * k - 1]
        loop[2 * edge + 2], loop[2 * edge + 3] = x, y
        count += 1
    return depth, -nx, -ny
