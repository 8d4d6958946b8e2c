"""Tests of quads, rings and lines against the point or box that is picked, in numpy for many things together.

Separating axes decide for boxes (S. Gottschalk, "Separating axis theorem", 1996), winding numbers for rings (D. Sunday,
"Inclusion of a point in a polygon", 2001).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_frame.frame import distance_to
from rish_jit import Array


def into(matrix: Array, points: Array) -> Array:
    """Return points (k, 2) in the space of each matrix (n, 6), float64 (n, k, 2); NaN for a singular matrix."""
    a, b, c, d, x, y = (matrix[:, k, None].astype(np.float64) for k in range(6))
    dx, dy = points[None, :, 0] - x, points[None, :, 1] - y
    area = a * d - b * c
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.stack([(d * dx - c * dy) / area, (a * dy - b * dx) / area], axis=-1)


def touch_unit(local: Array) -> Array:
    """Return bool n: which unit squares (from -0.5 to 0.5) are touched by a point or box in their own space.

    local: (n, k, 2), see `into`.
    """
    if local.shape[1] == 1:
        return np.asarray((np.abs(local[:, 0]) <= 0.5).all(axis=1))
    low, high = local.min(axis=1), local.max(axis=1)
    touched = ((low <= 0.5) & (high >= -0.5)).all(axis=1)
    for k in range(2):  # a box has two directions of sides
        side = local[:, k + 1] - local[:, k]
        normal = np.stack([-side[:, 1], side[:, 0]], axis=1)
        reach = np.abs(normal).sum(axis=1) * 0.5
        across = (local * normal[:, None]).sum(axis=2)
        touched &= (across.min(axis=1) <= reach) & (across.max(axis=1) >= -reach)
    return touched


def touch_circle(local: Array) -> Array:
    """Return bool n: which circles of diameter 1 around 0 are touched; see `touch_unit`."""
    if local.shape[1] == 1:
        return np.hypot(local[:, 0, 0], local[:, 0, 1]) <= 0.5
    origin = np.zeros((1, 2))
    return np.array([bool(distance_to(each, origin)[0] <= 0.5) for each in local], np.bool_)


def inside_rounded(local: Array, half: Array, corner: Array) -> Array:
    """Return the signed distance from points (n, 2) to boxes with rounded corners around 0, negative inside.

    half: (n, 2), half the sides. corner: n, the radius of the corners. Source: I. Quilez, "2D distance functions".
    """
    corner = np.minimum(corner, half.min(axis=1))
    q = np.abs(local) - half + corner[:, None]
    return np.hypot(*np.maximum(q, 0).T) + np.minimum(q.max(axis=1), 0) - corner


def is_inside(rings: list[Array], point: Array) -> bool:
    """Whether the rings (each (n, 2)) wind around a point (2)."""
    turns = 0
    for ring in rings:
        a, b = ring.astype(np.float64), np.roll(ring, -1, axis=0).astype(np.float64)
        left = (b[:, 0] - a[:, 0]) * (point[1] - a[:, 1]) - (point[0] - a[:, 0]) * (b[:, 1] - a[:, 1])
        up = (a[:, 1] <= point[1]) & (b[:, 1] > point[1]) & (left > 0)
        down = (a[:, 1] > point[1]) & (b[:, 1] <= point[1]) & (left < 0)
        turns += int(up.sum()) - int(down.sum())
    return turns != 0


def touch_rings(rings: list[Array], region: Array) -> bool:
    """Whether a filled polygon, given by its rings, is touched by a point (1, 2) or box (4, 2) in its own space."""
    if is_inside(rings, region[0]):
        return True
    if len(region) == 1:
        return False
    return any(bool(near_path(np.concatenate([ring, ring[:1]]), 0.0, region)) for ring in rings)


def near_path(points: Array, widths: Any, region: Array) -> bool:
    """Whether a path is touched by a point (1, 2) or box (4, 2) in its own space.

    points: (n, 2). widths: half the width at each point, one number or n numbers.
    """
    points = points.astype(np.float64)
    half = np.broadcast_to(np.asarray(widths, np.float64), len(points))
    if len(points) == 1:
        return bool(distance_to(region, points)[0] <= half[0])
    a, b, wide = points[:-1], points[1:], np.maximum(half[:-1], half[1:])
    if len(region) == 1:
        way = b - a
        length = (way**2).sum(axis=1)
        along = ((region[0] - a) * way).sum(axis=1) / np.where(length > 0, length, 1)
        along = np.clip(np.where(length > 0, along, 0), 0, 1)
        away = np.hypot(*(a + along[:, None] * way - region[0]).T)
        return bool((away <= half[:-1] + along * (half[1:] - half[:-1])).any())
    if (distance_to(region, points) <= half).any():
        return True
    corners = np.concatenate([region, region[:1]])
    return bool(_cross(a, b, corners[:-1], corners[1:]).any()) or any(
        near_path(points[k : k + 2], wide[k], corner[None]) for k in range(len(a)) for corner in region
    )


def _cross(a: Array, b: Array, c: Array, d: Array) -> Array:
    """Return bool (n, k): which segments a b (n, 2) cross the segments c d (k, 2)."""

    def side(p: Array, q: Array, r: Array) -> Array:
        return (q[..., 0] - p[..., 0]) * (r[..., 1] - p[..., 1]) - (q[..., 1] - p[..., 1]) * (r[..., 0] - p[..., 0])

    a, b, c, d = a[:, None], b[:, None], c[None], d[None]
    return (side(a, b, c) * side(a, b, d) <= 0) & (side(c, d, a) * side(c, d, b) <= 0)
