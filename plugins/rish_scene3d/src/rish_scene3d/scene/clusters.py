"""Clusters: the boxes that a camera's view is divided into, and the lamps that reach into each.

A lamp is a sphere. In each slice of the depth its circle is at most as wide as where the slice is nearest to its
middle, and so it reaches over a range of columns and rows. Source of the grid: Olsson 2012, "Clustered deferred and
forward shading".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .. import layout as at

if TYPE_CHECKING:
    from .views import View3D

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]

NEAREST = 1e-3
"""Clusters begin at this share of the farthest distance, if the camera begins nearer; all before is in the first."""


def cluster_depths(view: View3D) -> tuple[float, float]:
    """Return the distances between which the depth of clusters is divided, see `layout.NEAR`."""
    return max(view.near, view.far * NEAREST), view.far


def spheres_of(lamps: Floats) -> Doubles:
    """Return the spheres (l, 4) around the light of lamps, rows of the table: middle and radius."""
    place = lamps[:, at.LAMP_PLACE : at.LAMP_PLACE + 3].astype(np.float64)
    axis = lamps[:, at.LAMP_AXIS : at.LAMP_AXIS + 3].astype(np.float64)
    reach, cosine = lamps[:, at.LAMP_RANGE].astype(np.float64), lamps[:, at.LAMP_ANGLE].astype(np.float64)
    narrow, cone = cosine > np.sqrt(0.5), cosine > 0
    along = np.where(narrow, reach / (2 * np.maximum(cosine, 0.5)), np.where(cone, reach * cosine, 0))
    radius = np.where(narrow, along, np.where(cone, reach * np.sqrt(1 - cosine**2), reach))
    return np.concatenate([place + axis * along[:, None], radius[:, None]], axis=1)


def make_clusters(view: View3D, lamps: Floats) -> tuple[Ints, Ints]:
    """Return int32 (c, 2), first and number of each cluster's lamps, and int32 (k,): rows of `lamps`, rising."""
    wide, high, deep = at.CLUSTERS
    reached = np.zeros((deep, high, wide, len(lamps)), np.bool_)
    if len(lamps):
        low, up, inside = _ranges(view, lamps)
        columns, rows = np.arange(wide)[:, None, None], np.arange(high)[:, None, None]
        across = (columns >= low[0]) & (columns <= up[0])
        along = (rows >= low[1]) & (rows <= up[1]) & inside
        reached[:] = across.transpose(2, 0, 1)[:, None] & along.transpose(2, 0, 1)[:, :, None]
    flat = reached.reshape(deep * high * wide, len(lamps))
    counts = flat.sum(axis=1)
    clusters = np.stack([np.cumsum(counts) - counts, counts], axis=1).astype(np.int32)
    return clusters, np.nonzero(flat)[1].astype(np.int32)


def _ranges(view: View3D, lamps: Floats) -> tuple[Ints, Ints, npt.NDArray[np.bool_]]:
    """Return first and last column and row (2, l, slices) that each lamp reaches, and in which slices it is at all."""
    spheres = spheres_of(lamps)
    turned = spheres[:, :3] @ view.view[:3, :3].T.astype(np.float64) + view.view[:3, 3]
    radius, depth = spheres[:, 3:], -turned[:, 2:]
    start, end = _slices(view)
    first, last = np.maximum(start, depth - radius), np.minimum(end, depth + radius)
    inside = first <= last
    nearest = np.clip(depth, start, end) - depth
    circle = np.sqrt(np.maximum(radius**2 - nearest**2, 0))
    first, last = np.maximum(first, 1e-6), np.maximum(last, 1e-6)
    low, up = np.empty((2, *first.shape), np.int32), np.empty((2, *first.shape), np.int32)
    for axis, count in ((0, at.CLUSTERS[0]), (1, at.CLUSTERS[1])):
        scale, shift = float(view.projection[axis, axis]), float(view.projection[axis, 2])
        near_side, far_side = turned[:, axis : axis + 1] - circle, turned[:, axis : axis + 1] + circle
        if view.orthographic:
            shift = float(view.projection[axis, 3])
            bounds = near_side * scale + shift, far_side * scale + shift
        else:
            bounds = (
                np.minimum(near_side / first, near_side / last) * scale - shift,
                np.maximum(far_side / first, far_side / last) * scale - shift,
            )
        low[axis], up[axis] = (np.clip((b * 0.5 + 0.5) * count, -1, count + 1) // 1 for b in bounds)
    return low, up, inside


def _slices(view: View3D) -> tuple[Doubles, Doubles]:
    """Return where each slice of the depth begins and ends; the first begins at the camera."""
    near, far = cluster_depths(view)
    edges = near * (far / near) ** (np.arange(at.CLUSTERS[2] + 1) / at.CLUSTERS[2])
    edges[0] = 0.0 if not view.orthographic else min(view.near, near)
    return edges[:-1], edges[1:] * (1 + 1e-6)
