"""The lines of simple forms in space, float64 (n, 2, 3): both ends of each line, meters."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from rish_jit import Array

_CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
_EDGES = np.array([[0, 1], [0, 2], [0, 4], [1, 3], [1, 5], [2, 3], [2, 6], [3, 7], [4, 5], [4, 6], [5, 7], [6, 7]])
_STEPS = 48
"""The number of lines of a circle."""


def path_lines(points: npt.ArrayLike, *, closed: bool = False) -> Array:
    """Return the lines from point to point (n, 3). closed: back to the first as well."""
    path = np.asarray(points, np.float64).reshape(-1, 3)
    ends = np.roll(path, -1, axis=0)
    lines = np.stack([path, ends], axis=1)
    return lines if closed else lines[:-1]


def moved(lines: Array, matrix: npt.ArrayLike) -> Array:
    """Return lines or points (..., 3) transformed by a matrix (3, 4)."""
    transform = np.asarray(matrix, np.float64)
    return lines @ transform[:, :3].T + transform[:, 3]


def box_lines(low: npt.ArrayLike, high: npt.ArrayLike) -> Array:
    """Return the edges of a box between two corners."""
    lowest, highest = np.asarray(low, np.float64), np.asarray(high, np.float64)
    return (lowest + _CORNERS * (highest - lowest))[_EDGES]


def frustum_lines(matrix: npt.ArrayLike) -> Array:
    """Return the edges of a camera's frustum. matrix: (4, 4), `projection @ view`. Raises LinAlgError without inverse.

    A plane at infinity gives no finite edges.
    """
    corners = np.concatenate([_CORNERS * 2.0 - 1.0, np.ones((8, 1))], axis=1)
    points = corners @ np.linalg.inv(np.asarray(matrix, np.float64)).T
    with np.errstate(all="ignore"):
        return (points[:, :3] / points[:, 3:])[_EDGES]


def circle_lines(center: npt.ArrayLike, normal: npt.ArrayLike, radius: float) -> Array:
    """Return a circle around an axis."""
    right, up = across(normal)
    angles = np.linspace(0.0, math.tau, _STEPS, endpoint=False)[:, None]
    return path_lines(np.asarray(center) + radius * (np.cos(angles) * right + np.sin(angles) * up), closed=True)


def sphere_lines(center: npt.ArrayLike, radius: float) -> Array:
    """Return three circles of a ball."""
    return np.concatenate([circle_lines(center, axis, radius) for axis in np.eye(3)])


def arc_lines(center: npt.ArrayLike, axis: npt.ArrayLike, arm: npt.ArrayLike, low: float, high: float) -> Array:
    """Return an arc around an axis. arm: from the center to where the angle is 0, across the axis. low, high: radians,
    counter-clockwise about the axis.
    """
    side = np.asarray(arm, np.float64)
    steps = max(1, math.ceil(abs(high - low) / math.tau * _STEPS))
    angles = np.linspace(low, high, steps + 1)[:, None]
    return path_lines(np.asarray(center) + np.cos(angles) * side + np.sin(angles) * np.cross(_unit(axis), side))


def capsule_lines(radius: float, half: float) -> Array:
    """Return the outline of a capsule along y around the origin. half: of the line between the centers of its ends."""
    up, ends = np.array([0.0, half, 0.0]), []
    for way in (1.0, -1.0):
        ends.append(circle_lines(way * up, (0, 1, 0), radius))
        ends += [
            arc_lines(way * up, axis, np.cross((0.0, way, 0.0), axis) * radius, 0.0, math.pi)
            for axis in np.eye(3)[[0, 2]]
        ]
    sides = np.array([[1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1]]) * radius
    return np.concatenate([*ends, np.stack([sides - up, sides + up], axis=1)])


def cone_lines(apex: npt.ArrayLike, axis: npt.ArrayLike, length: float, angle: float) -> Array:
    """Return the outline of a cone with a round end. angle: from side to side, radians."""
    tip, direction = np.asarray(apex, np.float64), _unit(axis)
    right, up = across(direction)
    half = min(angle, math.pi * 1.999) / 2
    rim = circle_lines(tip + direction * (length * math.cos(half)), direction, length * math.sin(half))
    turns = np.linspace(-half, half, 17)[:, None]
    arcs = [path_lines(tip + length * (np.cos(turns) * direction + np.sin(turns) * side)) for side in (right, up)]
    ends = rim[:: _STEPS // 4, 0]
    sides = np.stack([np.broadcast_to(tip, ends.shape), ends], axis=1)
    return np.concatenate([rim, sides, *arcs])


def arrow_lines(start: npt.ArrayLike, end: npt.ArrayLike) -> Array:
    """Return an arrow."""
    tail, tip = np.asarray(start, np.float64), np.asarray(end, np.float64)
    direction = tip - tail
    length = float(np.linalg.norm(direction))
    if not length > 0:
        return np.zeros((0, 2, 3))
    back = tip - direction * 0.2
    wings = [back + side * (length * 0.08) for axis in across(direction) for side in (axis, -axis)]
    return np.array([[tail, tip], *([tip, wing] for wing in wings)])


def across(axis: npt.ArrayLike) -> tuple[Array, Array]:
    """Return two directions of length 1 that are perpendicular to an axis and to each other."""
    direction = _unit(axis)
    helper = np.array([0.0, 1.0, 0.0]) if abs(direction[1]) < 0.9 else np.array([1.0, 0.0, 0.0])
    right = _unit(np.cross(helper, direction))
    return right, np.cross(direction, right)


def _unit(axis: npt.ArrayLike) -> Array:
    vector = np.asarray(axis, np.float64)
    length = float(np.linalg.norm(vector))
    return vector / length if length > 0 else np.array([0.0, 0.0, 1.0])
