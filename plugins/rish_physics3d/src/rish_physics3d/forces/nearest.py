"""The nearest point of shapes to a position, for many shapes together, in plain numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_jit import Array
from rish_space3d import quaternions

from ..bodies.hull_triangles import HullTriangles
from ..bodies.layout import Layout
from ..contacts.shapes import BOX, CAPSULE, HULL

if TYPE_CHECKING:
    from rish_core import World


def nearest_points(world: World, shapes: Array, centers: Array, axes: Array, place: Array) -> Array:
    """Return, for each shape, its point nearest to a position of the world, float64 (n, 3); the position itself if it
    is inside.

    shapes: numbers of balls, capsules, boxes and hulls in `Layout`. centers, axes: the poses of their bodies.
    """
    layout: Layout = world[Layout]
    frames = layout.place[shapes].astype(np.float64)
    turns = quaternions.product(axes, frames[:, 4:])
    middles = centers + quaternions.turned(axes, frames[:, :3])
    local = quaternions.turned(quaternions.inverse(turns), place - middles)
    kinds, sizes = layout.form[shapes, 0], layout.size[shapes, :3].astype(np.float64)
    # The core of a ball is a point, of a capsule a segment along y, of a box the box: all of them are boxes.
    reach = np.where((kinds == BOX)[:, None], sizes, 0)
    reach[kinds == CAPSULE, 1] = sizes[kinds == CAPSULE, 1]
    core = np.clip(local, -reach, reach)
    hulls = np.flatnonzero(kinds == HULL)
    if len(hulls):
        corners, owner = world[HullTriangles].of(layout.form[shapes[hulls], 2])
        core[hulls] = _on_hulls(corners, owner, local[hulls])
    # Rounded core: move from its nearest point towards the position by the radius.
    gap = local - core
    far = np.sqrt(quaternions.dot(gap, gap))
    radius = np.where(kinds <= CAPSULE, sizes[:, 0], 0)
    share = np.divide(radius, far, out=np.ones_like(far), where=far > radius)
    nearest = np.where((far <= radius)[:, None], local, core + gap * share[:, None])
    return middles + quaternions.turned(turns, nearest)


def _on_hulls(corners: Array, owner: Array, places: Array) -> Array:
    """Return the points of hulls nearest to positions (n, 3), float64; the positions themselves inside.

    corners: (t, 3, 3), the triangles of the hulls. owner: the hull of each, ascending.
    """
    edges = np.roll(corners, -1, axis=1) - corners
    away = places[owner][:, None] - corners
    normals = quaternions.normalized(np.cross(edges[:, 0], edges[:, 1]))
    height = quaternions.dot(normals, away[:, 0])
    # Nearest point of each edge, with the share clamped to 0..1, and of the plane, if it is inside the triangle.
    share = np.clip(quaternions.dot(edges, away) / quaternions.dot(edges, edges), 0, 1)
    feet = np.concatenate([corners + edges * share[..., None], (places[owner] - normals * height[:, None])[:, None]], 1)
    is_left = quaternions.dot(np.cross(edges, away), normals[:, None]) >= 0
    gaps = ((feet - places[owner][:, None]) ** 2).sum(axis=2)
    gaps[:, 3] = np.where(is_left.all(axis=1), gaps[:, 3], np.inf)
    best = gaps.argmin(axis=1)
    order = np.lexsort((gaps.min(axis=1), owner))
    firsts = order[np.searchsorted(owner[order], np.arange(len(places)))]
    outside = np.zeros(len(places), np.bool_)
    outside[owner[height > 0]] = True
    return np.where(outside[:, None], feet[firsts, best[firsts]], places)
