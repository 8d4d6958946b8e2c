"""Triangle meshes in the form that the kernels read, with what the collision of a single triangle must know of others.

A body that slides over a flat mesh must not notice the edges between its triangles. A normal at an edge or corner of a
triangle is only valid if it lies between the normals of the triangles around it, that is, if it belongs to the edge
and not to the neighbor's face. So each triangle stores the normal of the neighbor at each of its edges: its own one if
the edge is flat or a valley, where only faces touch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_ecs import UsageError
from rish_space3d import Bvh

from .masses import triangles_of
from .quickhull import Given, cross, dot, points_of, squares

Array = npt.NDArray[Any]

_SLIM = 1e-6
"""A triangle whose height is less than this share of its longest side has no normal, and is left out."""
_FLAT = 1 - 5e-7
"""The cosine from which on two triangles form a plane: an angle of .001."""
_FOLDED = -0.999
"""The cosine up to which two triangles lie on each other, as front and back of a sheet."""


@dataclass(frozen=True, slots=True, eq=False)
class TriangleMesh:
    """A mesh of t triangles around the middle of its box. All arrays are contiguous."""

    corners: Array
    """(t, 9) float32: three points, counter-clockwise seen from the solid's outside."""
    planes: Array
    """(t, 16) float32: unit normal and distance of its plane; for each side the normal of the neighbor there, and 0."""
    tree: Bvh
    """Of the boxes of the triangles."""
    center: Array
    """(3,) float64: the middle of the box, in the coordinates of the points that were given."""
    half: Array
    """(3,) float64: half of the size of the box."""


def triangle_mesh(
    points: Given, triangles: Sequence[Sequence[int]] | Array, *, allow_twisted: bool = False
) -> TriangleMesh:
    """Return the mesh of points (n, 3) and triangles (t, 3), indices of the points.

    Points at exactly the same place count as one. Triangles without an area are left out. allow_twisted: whether
    neighbors may face opposite sides; then their edge is a rim of both. Raises UsageError for points that are not
    finite, indices that are out of range, such neighbors if they are not allowed, and if no triangle is left.
    """
    given = points_of(points)
    faces = triangles_of(triangles, len(given))
    _, first, place = np.unique(given, axis=0, return_index=True, return_inverse=True)
    faces = first[place.reshape(-1)][faces]
    center = (given.min(0) + given.max(0)) / 2
    local = (given - center).astype(np.float32).astype(np.float64)
    a, b, c = (local[faces[:, k]] for k in range(3))
    normals = cross(b - a, c - a)
    areas = np.sqrt(squares(normals))
    longest = np.max([squares(b - a), squares(c - b), squares(a - c)], axis=0)
    kept = areas > _SLIM * longest
    if not kept.any():
        raise UsageError("no triangle of the mesh has an area", hint="Check the order of its indices")
    faces, normals = faces[kept], normals[kept] / areas[kept][:, None]
    corners = local[faces]
    planes = np.zeros((len(faces), 4, 4))
    planes[:, 0, :3], planes[:, 0, 3] = normals, dot(normals, corners[:, 0])
    neighbors = _neighbors(faces, given, allow_twisted=allow_twisted)
    for k in range(3):
        planes[:, 1 + k, :3] = _beside(corners, normals, neighbors[:, k], k)
    boxes = np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1).astype(np.float32)
    half = np.maximum(np.abs(boxes[:, :3]).max(0), np.abs(boxes[:, 3:]).max(0)).astype(np.float64)
    return TriangleMesh(
        np.ascontiguousarray(corners.reshape(-1, 9), np.float32), planes.reshape(-1, 16).astype(np.float32),
        Bvh(boxes), center, half,
    )  # fmt: skip


def grid_triangles(rows: int, columns: int) -> Array:
    """Return the triangles (t, 3) of a grid of points, row after row along z, that face up."""
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).reshape(-1)
    right, behind, across = corner + 1, corner + columns, corner + columns + 1
    triangles = np.stack([corner, behind, right, right, behind, across], axis=1)
    return triangles.reshape(-1, 3)


def grid_points(heights: Array, columns: int, cell: float) -> Array:
    """Return the points (n, 3) of a heightfield around the origin. Raises UsageError if they are no grid."""
    if columns < 2 or len(heights) < 2 * columns or len(heights) % columns:
        raise UsageError(
            f"{len(heights)} heights in rows of {columns} are no grid", hint="Set `columns`, and give 2 rows or more"
        )
    if not cell > 0:
        raise UsageError(f"the cells of a heightfield are {cell:g} m wide", hint="Set `cell` to a length above 0")
    rows = len(heights) // columns
    z, x = np.divmod(np.arange(len(heights)), columns)
    return np.stack([(x - (columns - 1) / 2) * cell, heights, (z - (rows - 1) / 2) * cell], axis=1)


def _neighbors(faces: Array, points: Array, *, allow_twisted: bool) -> Array:
    """Return the triangle beyond each side (t, 3); -1 for none, for one that faces the opposite side, and where more
    than two triangles meet.
    """
    starts, ends = faces.reshape(-1), np.roll(faces, -1, axis=1).reshape(-1)
    low, high = np.minimum(starts, ends), np.maximum(starts, ends)
    _, which, count = np.unique(low * len(points) + high, return_inverse=True, return_counts=True)
    which = which.reshape(-1)
    order = np.argsort(which, kind="stable")
    pairs = order[count[which[order]] == 2].reshape(-1, 2)
    twisted = np.flatnonzero(starts[pairs[:, 0]] == starts[pairs[:, 1]])
    if len(twisted) and not allow_twisted:
        side = int(pairs[twisted[0], 0])
        a, b = points[starts[side]], points[ends[side]]
        raise UsageError(
            f"the triangles at the edge from ({a[0]:g}, {a[1]:g}, {a[2]:g}) to ({b[0]:g}, {b[1]:g}, {b[2]:g}) face"
            " opposite sides",
            hint="Let the normals be recalculated in the program that made the mesh",
        )
    pairs = np.delete(pairs, twisted, axis=0)
    neighbors = np.full(len(starts), -1)
    neighbors[pairs[:, 0]], neighbors[pairs[:, 1]] = pairs[:, 1] // 3, pairs[:, 0] // 3
    return neighbors.reshape(-1, 3)


def _beside(corners: Array, normals: Array, neighbor: Array, k: int) -> Array:
    """Return the normal up to which a contact at side k may lean: the neighbor's at a ridge, the own one at a flat
    side or a valley, and outward along the triangle where there is no neighbor.
    """
    edge = corners[:, (k + 1) % 3] - corners[:, k]
    outward = cross(edge, normals)
    outward = outward / np.sqrt(squares(outward))[:, None]
    others = normals[neighbor]
    cosine = dot(normals, others)
    is_even = (cosine > _FLAT) | (dot(others, outward) <= 0)
    is_open = (neighbor < 0) | (cosine < _FOLDED)
    return np.where(is_open[:, None], outward, np.where(is_even[:, None], normals, others))
