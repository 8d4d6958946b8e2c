"""Outlines of shapes as polygons in the world, for the debug view, for published edges and for buoyancy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array, maths

from ..components.tables import CHAIN, POINTS

if TYPE_CHECKING:
    from ..contacts.state import State

SIDES = 24
"""The number of corners of an outline. Shapes with fewer corners repeat some."""
_ANGLES = np.arange(SIDES) * (maths.TAU / SIDES)
_DIRECTIONS = np.column_stack([maths.cos(_ANGLES), maths.sin(_ANGLES)])
_AREA_FACTOR = float(np.sqrt(maths.PI / (0.5 * SIDES * float(maths.sin(maths.TAU / SIDES)))))
"""The radius of a polygon with `SIDES` corners, relative to that of a circle of the same area."""


def outlines_of(state: State, slots: Array) -> Array:
    """Return the outlines of shapes in the world, counter-clockwise, float64 (n, SIDES, 2).

    A corner of the hull that is the farthest in several directions is repeated. Round parts are polygons of the same
    area. Chains have no inside: their outlines run along the segment and back.
    """
    shapes = state.shapes
    (points, count), radius = core_points(shapes, slots), shapes.size[slots, 2].astype(np.float64)
    real = np.arange(8) < count[:, None]
    reach = np.where(real[:, None], np.einsum("kd,nid->nki", _DIRECTIONS, points), -np.inf)
    farthest = reach.argmax(axis=2)
    local = (
        np.take_along_axis(points, farthest[..., None], axis=1) + (_AREA_FACTOR * radius)[:, None, None] * _DIRECTIONS
    )
    return placed(local, state.bodies.pose[shapes.body[slots]].astype(np.float64))


def core_points(shapes: Any, slots: Array) -> tuple[Array, Array]:
    """Return the points of shapes without ghosts, float64 (n, 8, 2), and their numbers."""
    flags = shapes.flags[slots]
    points = shapes.hull[slots][:, :16].reshape(-1, 8, 2).astype(np.float64)
    chain = (flags & CHAIN) != 0
    points[chain] = np.roll(points[chain], -1, axis=1)
    return points, np.where(chain, 2, flags & POINTS)


def placed(points: Array, pose: Array) -> Array:
    """Return points (n, k, 2) of bodies with these poses (n, 4) in the world."""
    x, y, c, s = (part[:, None] for part in pose.T)
    return np.stack([x + c * points[..., 0] - s * points[..., 1], y + s * points[..., 0] + c * points[..., 1]], axis=-1)


def areas_below(outlines: Array, level: float) -> tuple[Array, Array]:
    """Return area (n,) and centroid (n, 2) of the parts of convex outlines (n, k, 2) at y <= level, float64.

    Every edge is clipped at the level (Sutherland and Hodgman's clipping, with one line), and its remaining part forms
    a triangle with a point where the outline crosses the level. So the side along the level contributes nothing.
    """
    start, end = outlines, np.roll(outlines, -1, axis=1)
    low, high = start[..., 1] <= level, end[..., 1] <= level
    rise = end[..., 1] - start[..., 1]
    share = np.divide(level - start[..., 1], rise, out=np.zeros_like(rise), where=rise != 0)
    cut = start + (end - start) * share[..., None]
    cut[..., 1] = level
    first = np.where(low[..., None], start, cut)
    second = np.where(high[..., None], end, cut)
    within, crossed = low | high, low != high
    k = crossed.argmax(axis=1)
    base = np.take_along_axis(np.where(crossed[..., None], cut, start), k[:, None, None], axis=1)
    a, b = first - base, second - base
    cross = np.where(within, a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0], 0.0)
    area = 0.5 * cross.sum(axis=1)
    moment = ((a + b) * cross[..., None]).sum(axis=1) / 6
    middle = np.divide(moment, area[:, None], out=np.zeros_like(moment), where=area[:, None] > 0)
    return np.maximum(area, 0), base[:, 0] + middle
