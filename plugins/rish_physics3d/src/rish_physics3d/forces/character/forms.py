"""The shapes of characters: the points and the radius that are cast."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rish_jit import Array
from rish_space3d import quaternions

from ...bodies.layout import Layout
from ...contacts.shapes import BOX, CAPSULE, HULL, SPHERE
from ...queries.index import ShapeIndex

_CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)


class Form(NamedTuple):
    """A convex shape: its points in its own frame, float64 (k, 3), and the radius that rounds it, m."""

    points: Array
    radius: float


def form_of(layout: Layout, shape: int) -> Form | None:
    """Return the form of a shape of the layout, None if it is not convex or has no volume."""
    kind, _, hull = layout.form[shape].tolist()
    x, y, z, _ = layout.size[shape].astype(np.float64).tolist()
    if kind == SPHERE:
        return Form(np.zeros((1, 3)), x)
    if kind == CAPSULE:
        return Form(np.array([[0, -y, 0], [0, y, 0]], np.float64), x)
    if kind == BOX:
        return Form(_CORNERS * (x, y, z), 0.0)
    if kind == HULL:
        return Form(layout.pool[hull].points[:, :3].astype(np.float64), 0.0)
    return None


def placed(index: ShapeIndex, shapes: Array, points: Array, places: Array) -> Array:
    """Return the points of shapes relative to places in the world, float64 (n, k, 3). points: (n, k, 3) or (k, 3)."""
    pose = index.shapes[2].reshape(-1, 8)[shapes]
    return quaternions.turned(pose[:, None, 4:], points) + (pose[:, :3] - places)[:, None]
