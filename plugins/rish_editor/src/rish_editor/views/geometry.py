"""Distances and sides of points, lines and polygons, in numpy."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Point = tuple[float, float]
Points = npt.NDArray[np.float64]


def distance_to_lines(point: Point, points: Points, *, closed: bool = False) -> float:
    """Return the distance from a point to lines through points (n, 2)."""
    if len(points) < 2:
        return math.inf
    if len(points) == 2:  # without arrays, because most handles are such lines
        (x, y), (x1, y1) = points.tolist()
        across, up, right, above = x1 - x, y1 - y, point[0] - x, point[1] - y
        along = min(max((right * across + above * up) / max(across * across + up * up, 1e-12), 0.0), 1.0)
        return math.hypot(right - along * across, above - along * up)
    ends = np.concatenate([points, points[:1]]) if closed else points
    a, way = ends[:-1], np.diff(ends, axis=0)
    to = np.asarray(point) - a
    length = np.maximum((way**2).sum(axis=1), 1e-12)
    along = np.clip((to * way).sum(axis=1) / length, 0, 1)
    return float(np.hypot(*(to - along[:, None] * way).T).min())


def is_inside(point: Point, corners: Points | Sequence[Point]) -> bool:
    """Return whether a point is inside a convex polygon of n corners."""
    corners = np.asarray(corners, np.float64)
    if len(corners) < 3:
        return False
    side = np.roll(corners, -1, axis=0) - corners
    way = np.asarray(point) - corners
    turns = side[:, 0] * way[:, 1] - side[:, 1] * way[:, 0]
    return bool((turns >= 0).all() or (turns <= 0).all())


def ticks_between(low: float, high: float, step: float) -> range:
    """Return the whole numbers n for which n × step lies between two values; none if there are more than 4000."""
    first, last = math.ceil(low / step), math.floor(high / step)
    return range(first, last + 1) if last - first < 4000 else range(0)
