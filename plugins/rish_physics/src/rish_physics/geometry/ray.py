"""Casts rays against rounded convex hulls, and moves hulls along a line against other hulls.

A ray is a start and a displacement; a point on it is the start plus a share of the displacement, 0 to 1. A rounded hull
is the sum of its core and a disc, so its border consists of the edges, moved outwards by the radius, and of arcs around
the corners. A ray from outside enters the hull where it first enters one of these, so each is tested separately.
Without a radius the hull is the intersection of the half planes behind its edges, and the ray is clipped by each (Cyrus
and Beck, 1978), which leaves no gap at corners. A disc that is moved against a hull is a ray against the hull with its
radius increased by the disc's. Other shapes are moved in steps, each as long as the distance between the cores allows
(conservative advancement, as in `toi`).

All computations are in the frame of the hull's body and in float64, so that very long rays stay precise.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

from .distance import distance

NEVER = np.float64(2)
"""The fraction of the ray's length if it hits nothing."""
_0, _1 = np.float64(0), np.float64(1)
_MAX_ITERATIONS = 32


@njit(borrows=True)
def ray_disc(x: Any, y: Any, dx: Any, dy: Any, radius: Any) -> Any:
    """Return (share, normal x, y) at which a ray enters a disc; x, y: start relative to the disc's center, outside."""
    b = x * dx + y * dy
    if not b < _0:
        return NEVER, _0, _0
    a = dx * dx + dy * dy
    # The nearest point of the line, computed directly: b² - ac would lose precision for a far start.
    near = -b / a
    nx, ny = x + near * dx, y + near * dy
    square = radius * radius - nx * nx - ny * ny
    if square < _0:
        return NEVER, _0, _0
    share = near - np.sqrt(square / a)
    if share > _1 or share < _0 or radius <= _0:
        return NEVER, _0, _0
    return share, (x + share * dx) / radius, (y + share * dy) / radius


@njit(borrows=True)
def ray_edge(x: Any, y: Any, dx: Any, dy: Any, ex: Any, ey: Any) -> Any:
    """Return (share, normal x, y) at which a ray crosses the segment from the origin to ex, ey from its right to its
    left.
    """
    length = np.sqrt(ex * ex + ey * ey)
    cross = dx * ey - dy * ex
    if not cross < _0:
        return NEVER, _0, _0
    # Intersection of two lines, with 2D cross products.
    share = -(x * ey - y * ex) / cross
    along = (x + share * dx) * ex + (y + share * dy) * ey
    if share < _0 or share > _1 or along < _0 or along > length * length:
        return NEVER, _0, _0
    return share, ey / length, -ex / length


@njit(borrows=True)
def holds_point(hull: Array, o: Any, n: Any, radius: Any, x: Any, y: Any) -> bool:
    """Return True if a point is inside a rounded hull of n points starting at hull[o], or on its border."""
    inside = n > 2
    nearest = np.float64(np.inf)
    for k in range(n):
        p, q = o + 2 * k, o + 2 * k + 2 if k + 1 < n else o
        ax, ay = np.float64(hull[p]), np.float64(hull[p + 1])
        ex, ey = np.float64(hull[q]) - ax, np.float64(hull[q + 1]) - ay
        rx, ry = x - ax, y - ay
        if rx * ey - ry * ex > _0:
            inside = False
        size = ex * ex + ey * ey
        # Nearest point of the edge: project onto it, with the share clamped to 0..1.
        t = (rx * ex + ry * ey) / size if size > _0 else _0
        t = _0 if t < _0 else (_1 if t > _1 else t)
        rx, ry = rx - t * ex, ry - t * ey
        nearest = min(nearest, rx * rx + ry * ry)
    return inside or nearest <= radius * radius


@njit(borrows=True)
def ray_hull(hull: Array, o: Any, n: Any, radius: Any, x: Any, y: Any, dx: Any, dy: Any) -> Any:
    """Return (share, normal x, y) at which a ray enters a rounded hull of n points starting at hull[o]; NEVER if it
    misses.

    Returns (0, 0, 0) if it starts inside. A hull of two points without radius is hit from both sides.
    """
    if n == 1:
        x, y = x - hull[o], y - hull[o + 1]
        if x * x + y * y <= radius * radius and radius > _0:
            return _0, _0, _0
        return ray_disc(x, y, dx, dy, radius)
    if radius <= _0 and n > 2:
        return _clip(hull, o, n, x, y, dx, dy)
    if radius > _0 and holds_point(hull, o, n, radius, x, y):
        return _0, _0, _0
    best, nx, ny = NEVER, _0, _0
    for k in range(n):
        p, q = o + 2 * k, o + 2 * k + 2 if k + 1 < n else o
        ax, ay = np.float64(hull[p]), np.float64(hull[p + 1])
        ex, ey = np.float64(hull[q]) - ax, np.float64(hull[q + 1]) - ay
        length = np.sqrt(ex * ex + ey * ey)
        if length > _0:
            ox, oy = radius * ey / length, -radius * ex / length
            share, ux, uy = ray_edge(x - ax - ox, y - ay - oy, dx, dy, ex, ey)
            if share < best:
                best, nx, ny = share, ux, uy
        share, ux, uy = ray_disc(x - ax, y - ay, dx, dy, radius)
        if share < best:
            best, nx, ny = share, ux, uy
    return best, nx, ny


@njit(borrows=True)
def _clip(hull: Array, o: Any, n: Any, x: Any, y: Any, dx: Any, dy: Any) -> Any:
    """Compute `ray_hull` for a polygon without radius."""
    enter, leave, edge = -_1, _1, -1
    inside = True
    for k in range(n):
        p, q = o + 2 * k, o + 2 * k + 2 if k + 1 < n else o
        ax, ay = np.float64(hull[p]), np.float64(hull[p + 1])
        ex, ey = np.float64(hull[q]) - ax, np.float64(hull[q + 1]) - ay
        out, rate = (x - ax) * ey - (y - ay) * ex, dx * ey - dy * ex
        inside = inside and out <= _0
        # Cyrus-Beck: the ray enters the half plane if rate < 0 and leaves it if rate > 0.
        if rate < _0:
            share = -out / rate
            if share > enter:
                enter, edge = share, k
        elif rate > _0:
            leave = min(leave, -out / rate)
        elif out > _0:
            return NEVER, _0, _0
    if inside:
        return _0, _0, _0
    if edge < 0 or enter > leave or enter < _0:
        return NEVER, _0, _0
    p, q = o + 2 * edge, o + 2 * edge + 2 if edge + 1 < n else o
    ex, ey = np.float64(hull[q]) - np.float64(hull[p]), np.float64(hull[q + 1]) - np.float64(hull[p + 1])
    length = np.sqrt(ex * ex + ey * ey)
    return enter, ey / length, -ex / length


@njit(borrows=True)
def cast_hull(
    hull: Array, o: Any, n: Any, form: Array, m: Any, radius: Any, dx: Any, dy: Any, limit: Any, tolerance: Any,
    moved: Array,
) -> Any:  # fmt: skip
    """Return (share, normal x, y) at which a hull that is moved along dx, dy comes within `radius` of another.

    hull, o, n: the fixed one. form, m: float32, the other's m points at the start, in the same frame. radius: the sum
    of both. limit: the greatest share to search. tolerance: units. moved: float32, 16 numbers of working memory.
    Returns (0, 0, 0) if the cores overlap at the start. A shape that is already within `radius` at the start, but does
    not move closer, does not hit.
    """
    share, nx, ny = _0, _0, _0
    # Stop half the tolerance before contact, so that a normal between the two hulls is defined.
    target = radius + tolerance * np.float64(0.5)
    for _ in range(_MAX_ITERATIONS):
        for k in range(0, 2 * m, 2):
            moved[k] = np.float32(form[k] + share * dx)
            moved[k + 1] = np.float32(form[k + 1] + share * dy)
        gap, ax, ay, bx, by = distance(hull, o, n, moved, np.int64(0), m)
        if gap <= np.float32(0):
            return share, nx, ny
        nx, ny = np.float64(bx) - np.float64(ax), np.float64(by) - np.float64(ay)
        length = np.sqrt(nx * nx + ny * ny)
        nx, ny = nx / length, ny / length
        # Conservative advancement: approach speed along the normal, per share of the displacement.
        speed = -(nx * dx + ny * dy)
        distance_left = np.float64(gap) - target
        if speed <= _0 or distance_left >= speed * (limit - share):
            return NEVER, _0, _0
        if distance_left <= tolerance * np.float64(0.5):
            return share, nx, ny
        share += distance_left / speed
    return share, nx, ny
