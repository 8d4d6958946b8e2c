"""The nearest point of shapes to a position, for many shapes together, in plain numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_jit import Array

from ..bodies.outlines import core_points, placed

if TYPE_CHECKING:
    from ..contacts.state import State


def nearest_points(state: State, slots: Array, place: Array) -> Array:
    """Return, for each shape, its point nearest to a position of the world, float64 (n, 2); the position itself if it
    is inside.
    """
    shapes, pose = state.shapes, state.bodies.pose[state.shapes.body[slots]].astype(np.float64)
    c, s = pose[:, 2], pose[:, 3]
    away = place - pose[:, :2]
    local = np.column_stack([c * away[:, 0] + s * away[:, 1], c * away[:, 1] - s * away[:, 0]])
    points, count = core_points(shapes, slots)
    inside, core = _core(points, count, local)
    # Rounded hull: move from the nearest core point towards the position by the radius.
    gap = local - core
    far = np.sqrt((gap**2).sum(axis=1))
    radius = shapes.size[slots, 2].astype(np.float64)
    share = np.divide(radius, far, out=np.ones_like(far), where=far > radius)
    nearest = np.where((inside | (far <= radius))[:, None], local, core + gap * share[:, None])
    return placed(nearest[:, None], pose)[:, 0]


def _core(points: Array, count: Array, place: Array) -> tuple[Array, Array]:
    """Return for each position (n, 2) whether it is inside its hull (n, 8, 2), bool (n,), and the nearest point of the
    hull's outline, float64 (n, 2).
    """
    number = np.arange(8)
    real = number < count[:, None]
    following = np.where(number[None] + 1 < count[:, None], number + 1, 0)
    ends = np.take_along_axis(points, following[..., None], axis=1)
    # Nearest point of each edge: project onto it, with the share clamped to 0..1.
    edge, away = ends - points, place[:, None] - points
    length = (edge**2).sum(axis=2)
    along = np.divide((edge * away).sum(axis=2), length, out=np.zeros_like(length), where=length > 0)
    feet = points + edge * np.clip(along, 0, 1)[..., None]
    distance = np.where(real, ((place[:, None] - feet) ** 2).sum(axis=2), np.inf)
    nearest = np.argmin(distance, axis=1)
    is_left = edge[..., 0] * away[..., 1] - edge[..., 1] * away[..., 0] >= 0
    inside = (is_left | ~real).all(axis=1) & (count > 2)
    return inside, feet[np.arange(len(feet)), nearest]
