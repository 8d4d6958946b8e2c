"""Manifolds of any two rounded convex hulls, in the frame of the first.

Both hulls are in one array `pair`, stored as in `Shapes.hull`: the first from 0, the second from `SECOND`, transformed
to the frame of the first and relative to its first point, so that a hull far from its body's center stays precise. The
kernels find the edge with the best separation (`sat`) and clip the edge of the other hull that faces it (`clip`). If
the hulls are separate and the nearest points are two corners, the normal is the line between these: this makes rounded
corners round. A segment has two edges, one in each direction.

Functions return the number of points; normal and points are in `row` at `at` in that frame, ids in `ids`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

from .clip import between_segments, clip_edge, corner_point
from .manifold import GAP
from .sat import greatest_separation, opposite_edge

FIRST, SECOND = np.int64(0), np.int64(32)
"""The offsets of the two hulls in their array. Typed, because numba compiles again for each Python number."""
PAIR_SIZE = 64
"""The size of the array of two hulls."""
_NAME, _POINT = np.int64(0), np.int64(1)
_0, _HALF, _1 = np.float32(0), np.float32(0.5), np.float32(1)


@njit(borrows=True, forceinline=True)
def bring_together(pair: Array, hull: Array, a: Any, n: Any, b: Any, m: Any, c: Any, s: Any, x: Any, y: Any) -> None:
    """Copy two hulls from the flat column `hull` into `pair`.

    a, n, b, m: the start of each, and the number of points to copy. c, s, x, y: the second's pose in the first's frame.
    """
    ox, oy = hull[a], hull[a + 1]
    for k in range(a, a + 2 * n, 2):
        pair[k - a] = hull[k] - ox
        pair[k - a + 1] = hull[k + 1] - oy
        pair[k - a + 16] = hull[k + 16]
        pair[k - a + 17] = hull[k + 17]
    x -= ox
    y -= oy
    for k in range(0, 2 * m, 2):
        px, py, nx, ny = hull[b + k], hull[b + k + 1], hull[b + k + 16], hull[b + k + 17]
        pair[SECOND + k] = c * px - s * py + x
        pair[SECOND + k + 1] = s * px + c * py + y
        pair[SECOND + k + 16] = c * nx - s * ny
        pair[SECOND + k + 17] = s * nx + c * ny


@njit(borrows=True, forceinline=True)
def hull_point(
    row: Array, at: Any, ids: Array, j: Any, pair: Array, n: Any, radius: Any, other: Any, limit: Any, tie: Any
) -> Any:
    """Compute the manifold of a hull of n points with radius `radius`, and a circle of radius `other` at the second
    hull's point.
    """
    x, y = pair[SECOND], pair[SECOND + 1]
    ax, ay, nx, ny = _0, _0, _0, _1
    height, corner = _0, n == 1
    if n > 1:
        enough = radius + other + limit
        height, i = greatest_separation(pair, FIRST, n, pair, SECOND, _POINT, enough)
        k = 2 * i
        e = k + 2 if i + 1 < n else 0
        ax, ay, nx, ny = pair[k], pair[k + 1], pair[k + 16], pair[k + 17]
        along = nx * (y - ay) - ny * (x - ax)
        beyond = along > nx * (pair[e + 1] - ay) - ny * (pair[e] - ax)
        corner = (along < _0 or beyond) and (height > tie or n == 2) and height <= enough
        if corner and beyond:
            ax, ay = pair[e], pair[e + 1]
    if corner:
        vx, vy = x - ax, y - ay
        distance = np.sqrt(vx * vx + vy * vy)
        if distance > tie or (n == 1 and distance > _0):
            nx, ny, height = vx / distance, vy / distance, distance
    row[at + GAP] = height - radius - other
    ax, ay = x - height * nx, y - height * ny
    return corner_point(row, at, ids, j, ax, ay, x, y, nx, ny, height, radius, other, limit, _NAME)


@njit(borrows=True, forceinline=True)
def hull_hull(
    row: Array, at: Any, ids: Array, j: Any, pair: Array, n: Any, m: Any, radius: Any, other: Any, limit: Any, tie: Any
) -> Any:
    """Compute the manifold of two hulls of n and m points, at least two each, with radii `radius` and `other`.

    tie: how much better the second's edge must separate to be the reference, and the minimum distance at which two
    points define a direction.
    """
    enough = radius + other + limit
    height, i = greatest_separation(pair, FIRST, n, pair, SECOND, m, enough)
    height2, i2 = height, 0
    if height <= enough:
        height2, i2 = greatest_separation(pair, SECOND, m, pair, FIRST, n, enough)
    best = max(height, height2)
    row[at + GAP] = best - radius - other
    count = 0
    if best <= enough:
        first, second, size, size2, sign = FIRST, SECOND, n, m, _1
        if height2 > height + tie:
            first, second, size, size2, sign = SECOND, FIRST, m, n, -_1
            radius, other = other, radius
            i = i2
        k = first + 2 * i
        i2 = opposite_edge(pair, second, size2, pair[k + 16], pair[k + 17])
        i_end = i + 1 if i + 1 < size else 0
        i2_end = i2 + 1 if i2 + 1 < size2 else 0
        apart = best > tie or (n == 2 and m == 2)
        count = edge_edge(
            row, at, ids, j, pair, first, i, i_end, second, i2, i2_end, radius, other, limit, tie, sign, apart
        )
    return count


@njit(borrows=True, inline="always")
def name_of(reference: Any, incident: Any, sign: Any) -> Any:
    """Return the id of a point, see `manifold`: corner of the first hull, corner of the second."""
    return (incident << 8) | reference if sign < _0 else (reference << 8) | incident


@njit(borrows=True, forceinline=True)
def edge_edge(
    row: Array, at: Any, ids: Array, j: Any, pair: Array, first: Any, i: Any, i_end: Any, second: Any, k: Any, k_end:
    Any, radius: Any, other: Any, limit: Any, tie: Any, sign: Any, apart: Any,
) -> Any:  # fmt: skip
    """Compute the points between a reference edge and an incident one, or, if `apart`, between their nearest
    corners.

    first, second: the starts of the hulls that have the edges; i to i_end and k to k_end: the corners of the edges.
    sign: -1 if the reference is the second hull.
    """
    a, b, p, q = first + 2 * i, first + 2 * i_end, second + 2 * k, second + 2 * k_end
    ax, ay, bx, by = pair[a], pair[a + 1], pair[b], pair[b + 1]
    px, py, qx, qy = pair[p], pair[p + 1], pair[q], pair[q + 1]
    nx, ny = pair[a + 16], pair[a + 17]
    ux, uy, vx, vy, distance = ax, ay, px, py, _0
    beside = False
    name = 0
    if apart:
        s, t = between_segments(ax, ay, bx, by, px, py, qx, qy)
        ux, uy, vx, vy = ax + s * (bx - ax), ay + s * (by - ay), px + t * (qx - px), py + t * (qy - py)
        wx, wy = vx - ux, vy - uy
        distance = np.sqrt(wx * wx + wy * wy)
        name = name_of(i if s < _HALF else i_end, k if t < _HALF else k_end, sign)
        corners = min(s, _1 - s) == _0 and min(t, _1 - t) == _0
        beside = corners and distance > tie and abs(nx * wy - ny * wx) > tie
    count = 0
    if not beside:
        count = clip_edge(
            row, at, ids, j, ax, ay, bx, by, nx, ny, px, py, qx, qy, radius, other, limit, sign, name_of(i, k_end,
            sign), name_of(i_end, k, sign),
        )  # fmt: skip
        if distance > tie:
            # If two edges separate nearly equally, the nearest points may be beside the chosen one.
            minimum = row[at + 12] if count == 1 or row[at + 12] < row[at + 20] else row[at + 20]
            beside = count == 0 or minimum > distance - radius - other + tie
    if beside:
        row[at + GAP] = distance - radius - other
        wx, wy = (vx - ux) / distance, (vy - uy) / distance
        count = corner_point(row, at, ids, j, ux, uy, vx, vy, wx, wy, distance, radius, other, limit, name)
        row[at] *= sign
        row[at + 1] *= sign
    return count
