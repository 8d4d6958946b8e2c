"""Clusters: the boxes that a camera's view is divided into, and the lamps that reach into each.

A lamp is a sphere. In each slice of the depth its circle is at most as wide as where the slice is nearest to its
middle, and so it reaches over a range of columns and rows. Source of the grid: Olsson 2012, "Clustered deferred and
forward shading".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from rish_jit import Ready, njit

from .. import layout as at

if TYPE_CHECKING:
    from .views import View3D

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]

KERNEL_LAMPS = 32
"""The smallest number of lamps for which a compiled kernel saves more time than it takes to load."""
MIN_DISTANCE = 1e-3
"""The smallest distance of clusters, relative to the farthest distance; nearer points are in the first slice."""


def cluster_depths(view: View3D) -> tuple[float, float]:
    """Return the distances between which the depth of clusters is divided, see `layout.NEAR`."""
    return max(view.near, view.far * MIN_DISTANCE), view.far


def spheres_of(lamps: Floats) -> Doubles:
    """Return the spheres (l, 4) around the light of lamps, rows of the table: middle and radius."""
    position = lamps[:, at.LAMP_PLACE : at.LAMP_PLACE + 3].astype(np.float64)
    axis = lamps[:, at.LAMP_AXIS : at.LAMP_AXIS + 3].astype(np.float64)
    reach, cosine = lamps[:, at.LAMP_RANGE].astype(np.float64), lamps[:, at.LAMP_ANGLE].astype(np.float64)
    narrow, cone = cosine > np.sqrt(0.5), cosine > 0
    distance = np.where(narrow, reach / (2 * np.maximum(cosine, 0.5)), np.where(cone, reach * cosine, 0))
    radius = np.where(narrow, distance, np.where(cone, reach * np.sqrt(1 - cosine**2), reach))
    return np.concatenate([position + axis * distance[:, None], radius[:, None]], axis=1)


def make_clusters(view: View3D, lamps: Floats) -> tuple[Ints, Ints]:
    """Return int32 (c, 2), first and number of each cluster's lamps, and int32 (k,): rows of `lamps`, rising."""
    wide, high, deep = at.CLUSTERS
    clusters = np.zeros((wide * high * deep, 2), np.int32)
    if not len(lamps):
        return clusters, np.zeros(0, np.int32)
    low, up = _ranges(view, lamps)
    if not READY.serve(len(lamps), KERNEL_LAMPS):
        return list_plainly(low, up)
    count_lamps(low, up, clusters)
    clusters[1:, 0] = np.cumsum(clusters[:-1, 1])
    listed = np.empty(int(clusters[-1].sum()), np.int32)
    list_lamps(low, up, clusters, listed)
    return clusters, listed


def list_plainly(low: Ints, up: Ints) -> tuple[Ints, Ints]:
    """Return the result of `make_clusters` without kernels, from the ranges (2, l, slices) of columns and rows."""
    wide, high, deep = at.CLUSTERS
    columns, rows = np.arange(wide)[:, None, None], np.arange(high)[:, None, None]
    in_columns = (columns >= low[0]) & (columns <= up[0])
    in_rows = (rows >= low[1]) & (rows <= up[1])
    reached = in_columns.transpose(2, 0, 1)[:, None] & in_rows.transpose(2, 0, 1)[:, :, None]
    flat = reached.reshape(deep * high * wide, low.shape[1])
    counts = flat.sum(axis=1)
    clusters = np.stack([np.cumsum(counts) - counts, counts], axis=1).astype(np.int32)
    return clusters, np.nonzero(flat)[1].astype(np.int32)


@njit
def count_lamps(low: Ints, up: Ints, clusters: Ints) -> None:
    """Add the numbers of lamps of all clusters to their second column."""
    wide, high, deep = at.CLUSTERS
    for lamp in range(low.shape[1]):
        for z in range(deep):
            for y in range(max(low[1, lamp, z], 0), min(up[1, lamp, z], high - 1) + 1):
                for x in range(max(low[0, lamp, z], 0), min(up[0, lamp, z], wide - 1) + 1):
                    clusters[(z * high + y) * wide + x, 1] += 1


@njit
def list_lamps(low: Ints, up: Ints, clusters: Ints, listed: Ints) -> None:
    """Write the lamps of each cluster to its place in `listed`; the second column is counted again."""
    wide, high, deep = at.CLUSTERS
    clusters[:, 1] = 0
    for lamp in range(low.shape[1]):
        for z in range(deep):
            for y in range(max(low[1, lamp, z], 0), min(up[1, lamp, z], high - 1) + 1):
                for x in range(max(low[0, lamp, z], 0), min(up[0, lamp, z], wide - 1) + 1):
                    cluster = (z * high + y) * wide + x
                    listed[clusters[cluster, 0] + clusters[cluster, 1]] = lamp
                    clusters[cluster, 1] += 1


def warm_up_clusters() -> None:
    """Compile the kernels of this module."""
    ranges = np.zeros((2, 1, at.CLUSTERS[2]), np.int32)
    clusters = np.zeros((at.CLUSTERS[0] * at.CLUSTERS[1] * at.CLUSTERS[2], 2), np.int32)
    count_lamps(ranges, ranges, clusters)
    list_lamps(ranges, ranges, clusters, np.zeros(int(clusters[:, 1].sum()), np.int32))


READY = Ready(warm_up_clusters)
"""Whether the kernels can be called."""


def _ranges(view: View3D, lamps: Floats) -> tuple[Ints, Ints]:
    """Return first and last column and row, int32 (2, l, slices), that each lamp reaches, in some slices none."""
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
    up[0][~inside] = -1
    return low, up


def _slices(view: View3D) -> tuple[Doubles, Doubles]:
    """Return where each slice of the depth begins and ends; the first begins at the camera."""
    near, far = cluster_depths(view)
    edges = near * (far / near) ** (np.arange(at.CLUSTERS[2] + 1) / at.CLUSTERS[2])
    edges[0] = 0.0 if not view.orthographic else min(view.near, near)
    return edges[:-1], edges[1:] * (1 + 1e-6)
