"""Finds which triangle is nearest in each pixel: the visibility buffer.

`ids` int32 (h, w) gets the number of the triangle, `depth` float32 (h, w) the depth of clip space. Edges are computed in
whole numbers, so that a pixel's centre belongs to exactly one of two triangles that share an edge; centres on an edge
belong to the triangle whose top or left edge it is, as on a GPU.
"""

from __future__ import annotations

import numpy as np

from rish_ecs.jit import njit

from .place import GRID

F = np.float32
ZERO, HALF = F(0), F(0.5)
NOTHING = np.int32(-1)


@njit(borrows=True, inline="always")
def whole(pixel):
    """Return a position on the grid as a whole number of 1/256 pixel."""
    return np.int64(pixel * GRID)


@njit(borrows=True, inline="always")
def _limits(c, slope, left, right):
    """Return the part of left..right in which c + slope·x is not negative; all numbers are whole."""
    if slope > 0:
        return max(left, -np.int64(np.floor(np.float64(c) / np.float64(slope)))), right
    if slope < 0:
        return left, min(right, np.int64(np.floor(np.float64(c) / np.float64(-slope))) + 1)
    return left, right if c >= 0 else left


@njit(borrows=True, inline="always")
def _edge(ax, ay, bx, by):
    """Return the edge function of a to b: its value at the centre of pixel (0, 0), steps in x and y, in 1/256 pixel²."""
    value = (bx - ax) * (128 - ay) - (by - ay) * (128 - ax)
    if not (ay > by or (ay == by and ax < bx)):
        value -= 1
    return value, -(by - ay), bx - ax


@njit(borrows=True)
def cover_triangle(places, i, j, k, number, clip, top, bottom, depth, ids):
    """Draw the opaque triangle with this number where it is nearer than the depth, in the rows top up to bottom."""
    ax, ay, bx, by = whole(places[i, 0]), whole(places[i, 1]), whole(places[j, 0]), whole(places[j, 1])
    cx, cy = whole(places[k, 0]), whole(places[k, 1])
    ca, sa, da = _edge(bx, by, cx, cy)
    cb, sb, db = _edge(cx, cy, ax, ay)
    cc, sc, dc = _edge(ax, ay, bx, by)
    most = (max(ax, max(bx, cx)) - 128) >> 8
    least = -((128 - min(ax, min(bx, cx))) >> 8)
    begin, end = max(least, clip[0]), min(most + 1, clip[2])
    area = F(np.float64((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)))
    zb, zc = places[j, 2] - places[i, 2], places[k, 2] - places[i, 2]
    across = (zb * F(cy - ay) - zc * F(by - ay)) / area * GRID
    down = (zc * F(bx - ax) - zb * F(cx - ax)) / area * GRID
    for y in range(top, bottom):
        left, right = _limits((ca + 256 * da * y) >> 8, sa, begin, end)
        left, right = _limits((cb + 256 * db * y) >> 8, sb, left, right)
        left, right = _limits((cc + 256 * dc * y) >> 8, sc, left, right)
        z = places[i, 2] + (F(y) + HALF - places[i, 1]) * down + (HALF - places[i, 0]) * across
        near, shown = depth[y], ids[y]
        for x in range(left, right):
            here = z + F(x) * across
            if here < near[x]:
                near[x] = here
                shown[x] = number


@njit(borrows=True)
def cover(first, last, clip, places, corners, rows, begin, end, depth, ids):
    """Draw the triangles from `begin` up to `end` in the rows from `first` up to `last`."""
    for t in range(begin, end):
        top, bottom = max(np.int64(rows[t] & 0xFFFF), first), min(np.int64(rows[t] >> 16), last)
        if top < bottom:
            i, j, k = np.int64(corners[t, 0]), np.int64(corners[t, 1]), np.int64(corners[t, 2])
            cover_triangle(places, i, j, k, np.int32(t), clip, top, bottom, depth, ids)
