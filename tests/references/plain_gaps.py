"""Gaps between points and shapes in plain numpy: the slow reference of the queries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rish_physics3d.geometry import Hull, hull_of, hull_triangles
from rish_space3d import quaternions

Gap = Callable[[Any], Any]
"""A function that returns how far points (n, 3) are from a shape in its own frame; at most 0 inside."""


def segment_gap(half: float, radius: float) -> Gap:
    """Return the gap of a capsule along y, or a sphere with half = 0."""

    def gap(points: Any) -> Any:
        nearest = np.clip(points[:, 1], -half, half)
        return np.sqrt(points[:, 0] ** 2 + (points[:, 1] - nearest) ** 2 + points[:, 2] ** 2) - radius

    return gap


def box_gap(half: Any) -> Gap:
    """Return the gap of a box."""

    def gap(points: Any) -> Any:
        outside = np.abs(points) - half
        return np.linalg.norm(np.maximum(outside, 0), axis=1) + np.minimum(outside.max(axis=1), 0)

    return gap


def hull_gap(corners: Any) -> Gap:
    """Return the gap of the convex hull of points: to its planes from inside, to its triangles from outside."""
    hull: Hull = hull_of(corners)
    planes = hull.planes.astype(np.float64)
    vertices = hull.points[:, :3].astype(np.float64)
    triangles = vertices[hull_triangles(hull)]

    def gap(points: Any) -> Any:
        local = points - hull.center
        deep = (local @ planes[:, :3].T - planes[:, 3]).max(axis=1)
        far = np.min([triangle_gap(local, *corners) for corners in triangles], axis=0)
        return np.where(deep <= 0, deep, far)

    return gap


def triangle_gap(points: Any, a: Any, b: Any, c: Any) -> Any:
    """Return the distance of points to a triangle: to its plane above it, else to the nearest of its sides."""
    normal = np.cross(b - a, c - a)
    normal = normal / np.linalg.norm(normal)
    above = np.ones(len(points), bool)
    nearest = np.full(len(points), np.inf)
    for p, q in ((a, b), (b, c), (c, a)):
        side = q - p
        above &= (points - p) @ np.cross(normal, side) >= 0
        share = np.clip((points - p) @ side / (side @ side), 0, 1)
        nearest = np.minimum(nearest, np.linalg.norm(points - p - share[:, None] * side, axis=1))
    return np.where(above, np.abs((points - a) @ normal), nearest)


def into_frame(points: Any, position: Any, rotation: Any) -> Any:
    """Return points (n, 3) of the world in the frame of a shape."""
    return quaternions.turned(quaternions.inverse(rotation), points - position)


def entries(gap: Gap, starts: Any, ends: Any) -> Any:
    """Return the shares of the way at which rays from outside enter a convex shape, infinite for a miss.

    The gap along a ray is a convex function: its least value is found by ternary search, the entry by bisection.
    """
    low, high = np.zeros(len(starts)), np.ones(len(starts))

    def at(shares: Any) -> Any:
        return gap(starts + shares[:, None] * (ends - starts))

    for _ in range(80):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        falls = at(a) > at(b)
        low, high = np.where(falls, a, low), np.where(falls, high, b)
    lowest = (low + high) / 2
    hit = (at(lowest) < 0) & (gap(starts) > 0)
    low, high = np.zeros(len(starts)), lowest
    for _ in range(50):
        middle = (low + high) / 2
        is_in = at(middle) < 0
        low, high = np.where(is_in, low, middle), np.where(is_in, middle, high)
    return np.where(hit, high, np.inf)
