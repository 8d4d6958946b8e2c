"""The reference for the line of sight kernels: every ray against every edge, in float64."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def circle(sides: int) -> Array:
    """Return the unit circle as a polygon, float64 (sides, 2), counter-clockwise."""
    turn = np.arange(sides) * (2 * np.pi / sides)
    return np.stack([np.cos(turn), np.sin(turn)], axis=1)


def polygon(viewer: npt.ArrayLike, edges: npt.ArrayLike, radius: float, sides: int = 64) -> Array:
    """Return the polygon visible to a viewer, float64 (k, 2), counter-clockwise: the nearest edge between each two
    events.

    Events are the directions of all ends and all crossings; edges: (n, 4).
    """
    at = np.asarray(viewer, np.float64)
    lines = np.reshape(np.asarray(edges, np.float64), (-1, 2, 2)) - at
    rim = circle(sides) * radius
    lines = np.concatenate([lines, np.stack([rim, np.roll(rim, -1, axis=0)], axis=1)])
    points = [*lines.reshape(-1, 2)]
    points += [p for one, two in combinations(lines, 2) if (p := crossing(one, two)) is not None]
    turns = np.unique([np.arctan2(y, x) for x, y in points if x or y])
    made: list[Array] = []
    for low, high in zip(turns, np.append(turns[1:], turns[0] + 2 * np.pi), strict=True):
        if high - low < 1e-12:
            continue
        middle = np.array([np.cos((low + high) / 2), np.sin((low + high) / 2)])
        far = [distance(middle, line) for line in lines]
        nearest = lines[int(np.argmin(far))]
        for turn in (low, high):
            ray = np.array([np.cos(turn), np.sin(turn)])
            a, edge = nearest[0], nearest[1] - nearest[0]
            made.append(at + ray * (cross(a, edge) / cross(ray, edge)))
    return np.array(made)


def cross(a: Array, b: Array) -> float:
    """Return the cross product."""
    return float(a[0] * b[1] - a[1] * b[0])


def distance(ray: Array, line: Array) -> float:
    """Return the distance along a ray from the origin to a segment; infinite if the ray misses it."""
    a, edge = line[0], line[1] - line[0]
    across = cross(ray, edge)
    if across == 0:
        return np.inf
    share, far = cross(a, ray) / across, cross(a, edge) / across
    return far if 0 <= share <= 1 and far > 0 else np.inf


def crossing(one: Array, two: Array) -> Array | None:
    """Return the point where two segments (2, 2) cross, or None."""
    e, f = one[1] - one[0], two[1] - two[0]
    across = cross(e, f)
    if across == 0:
        return None
    s, t = cross(two[0] - one[0], f) / across, cross(two[0] - one[0], e) / across
    return one[0] + s * e if 0 <= s <= 1 and 0 <= t <= 1 else None


def area(points: Array) -> float:
    """Return the area inside a polygon, float64 (k, 2); it is above 0 if the polygon runs counter-clockwise."""
    x, y = points.T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2)


def free(a: npt.ArrayLike, b: npt.ArrayLike, edges: npt.ArrayLike, hair: float = 1e-7) -> bool:
    """Return True if a line, moved a hair to one of its sides, meets no edge between its ends."""
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    along = (b - a) / np.hypot(*(b - a))
    aside = np.array([-along[1], along[0]])
    for side in (hair, -hair):
        line = np.stack([a + 10 * hair * along + side * aside, b - 10 * hair * along + side * aside])
        if not any(crossing(line, edge) is not None for edge in np.reshape(np.asarray(edges, np.float64), (-1, 2, 2))):
            return True
    return False
