"""Paths as polylines: points along the shape of a MotionPath, dense enough for arcs to look round."""

from __future__ import annotations

import numpy as np

from rish_jit import Array, maths

from .components import PathShape

_PER_SEGMENT = 32
"""The number of points of a curve segment."""
_PER_TURN = 128
"""The number of points of a turn of a function."""
_MAX_POINTS = 16_384
"""The maximum number of points of a function."""


def path_points(
    shape: PathShape, points: Array, *, closed: bool, size: Array, turns: float, ratio: Array, phase: float
) -> Array:
    """Return the points of a path, float64 (m, 2), m ≥ 1; the arguments are the fields of `MotionPath`."""
    if shape in (PathShape.LINES, PathShape.SMOOTH, PathShape.BEZIER):
        points = np.asarray(points, np.float64).reshape(-1, 2)
        if len(points) < 2:
            return points if len(points) else np.zeros((1, 2))
        if shape is PathShape.BEZIER:
            return _bezier(points)
        if closed:
            points = np.concatenate([points, points[:1]])
        return _smooth(points, closed) if shape is PathShape.SMOOTH else points
    rounds = {PathShape.SPIRAL: turns, PathShape.SINE: turns, PathShape.ROSE: 4 * turns, PathShape.ELLIPSE: 1.0}
    count = min(int(_PER_TURN * max(rounds.get(shape, float(np.max(ratio))), 1.0)), _MAX_POINTS)
    s = np.arange(count + 1) / count
    return _function(shape, s, turns, ratio, phase) * (0.5 * np.asarray(size, np.float64))


def _function(shape: PathShape, s: Array, turns: float, ratio: Array, phase: float) -> Array:
    """Return float64 (n, 2): the points of a function, from -1 to 1. s: float64 (n,), the position from 0 to 1."""
    angle = maths.TAU * s
    if shape is PathShape.ELLIPSE:
        x, y = maths.cos(angle + phase), maths.sin(angle + phase)
    elif shape is PathShape.LISSAJOUS:
        x, y = maths.sin(float(ratio[0]) * angle + phase), maths.sin(float(ratio[1]) * angle)
    elif shape is PathShape.SPIRAL:
        x, y = s * maths.cos(turns * angle + phase), s * maths.sin(turns * angle + phase)
    elif shape is PathShape.SINE:
        x, y = 2.0 * s - 1.0, maths.sin(turns * angle + phase)
    else:  # a rose: r = cos(k θ)
        radius = maths.cos(turns * angle)
        x, y = radius * maths.cos(angle + phase), radius * maths.sin(angle + phase)
    return np.stack([x, y], axis=1)


def _smooth(points: Array, closed: bool) -> Array:
    """Return points of a uniform Catmull-Rom curve through the given points.

    Source: E. Catmull and R. Rom, A class of local interpolating splines, 1974.
    """
    first = points[-2] if closed else 2.0 * points[0] - points[1]
    last = points[1] if closed else 2.0 * points[-1] - points[-2]
    all_points = np.concatenate([[first], points, [last]])
    a, b, c, d = all_points[:-3], all_points[1:-2], all_points[2:-1], all_points[3:]
    return _hermite(b, 0.5 * (c - a), c, 0.5 * (d - b))


def _bezier(points: Array) -> Array:
    """Return points of cubic Bézier curves: point, two control points, point, ...; an incomplete rest is left out."""
    count = (len(points) - 1) // 3
    if not count:
        return points
    a, b, c, d = (points[i : i + 3 * (count - 1) + 1 : 3] for i in range(4))
    return _hermite(a, 3.0 * (b - a), d, 3.0 * (d - c))


def _hermite(a: Array, slope_a: Array, b: Array, slope_b: Array) -> Array:
    """Return points along cubic segments from a to b (k, 2) with slopes at both ends."""
    u = (np.arange(_PER_SEGMENT) / _PER_SEGMENT)[None, :, None]
    a, slope_a, b_, slope_b = (part[:, None] for part in (a, slope_a, b, slope_b))
    uu, uuu = u * u, u * u * u
    points = (2.0 * uuu - 3.0 * uu + 1.0) * a + (uuu - 2.0 * uu + u) * slope_a
    points += (3.0 * uu - 2.0 * uuu) * b_ + (uuu - uu) * slope_b
    return np.concatenate([points.reshape(-1, 2), b[-1:]])
