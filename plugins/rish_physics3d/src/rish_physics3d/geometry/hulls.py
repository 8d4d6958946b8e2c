"""Hulls in the form that the kernels read: points, planes, loops of the faces, and edges.

A hull is relative to its center of mass. Everything is in a canonical order: points by x, y and z, faces by their
loops, edges by their points. So the same set of points in any order gives the same arrays.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_ecs import UsageError

from .masses import MassData, solid_mass
from .quickhull import Given, Loop, dot, quickhull, squares

Array = npt.NDArray[Any]

MAX_POINTS = 64
"""The greatest number of points of a hull."""
# The corners of a box are numbered by bits: 4 for +x, 2 for +y, 1 for +z.
_BOX_LOOPS = ((0, 1, 3, 2), (0, 2, 6, 4), (0, 4, 5, 1), (1, 5, 7, 3), (2, 3, 7, 6), (4, 6, 7, 5))
_BOX_NORMALS = np.array([[-1, 0, 0], [0, 0, -1], [0, -1, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]], np.float64)
_BOX_CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Hull:
    """A closed convex polyhedron with n points, f faces and e edges. All arrays are contiguous."""

    points: Array
    """(n, 4) float32: x, y, z relative to the center, and 0; sorted by x, y and z."""
    planes: Array
    """(f, 4) float32: the outward unit normal, and the distance d of the plane from the center: n·x = d on the face."""
    first: Array
    """(f + 1,) int32: where the loop of each face begins in `loops`; the last one is the length of `loops`."""
    loops: Array
    """int32: the points of each face, counter-clockwise seen from outside, the lowest first."""
    edges: Array
    """(e, 4) int32: points a < b, the face left of the way from a to b, seen from outside, and the face right of it."""
    center: Array
    """(3,) float64: the center of mass, in the coordinates of the points that were given."""
    radius: float
    """The greatest distance of a point from the center."""
    inner: float
    """The least distance of a plane from the center, at least 0: the radius of the ball that fits around the center."""


def hull_of(points: Given, max_points: int = MAX_POINTS) -> Hull:
    """Return the convex hull of points (n, 3) in any order, about its center of mass.

    Points and faces that nearly coincide are merged. If the hull has more than `max_points` points, those that enlarge
    it most are used (see `quickhull`). Raises UsageError if the points are not valid or enclose no volume.
    """
    shape = quickhull(points, max_points)
    center = solid_mass(shape.points, _fans(shape.loops)).center
    return _hull(shape.points - center, shape.loops, shape.planes[:, :3], center)


def box_hull(half_extents: Sequence[float] | Array) -> Hull:
    """Return the hull of a box around the origin with sides of twice `half_extents` (3), without rounding errors.

    Raises UsageError unless these are three finite numbers above 0.
    """
    halves = np.asarray(half_extents, np.float64)
    if halves.shape != (3,) or not ((halves > 0) & (halves <= 1e9)).all():
        raise UsageError(
            f"the half extents of a box are three numbers above 0 and below 1e9, not {np.array(half_extents).tolist()}",
            hint="Write [0.5, 0.5, 0.5] for a cube with sides of 1",
        )
    return _hull(_BOX_CORNERS * halves, _BOX_LOOPS, _BOX_NORMALS, np.zeros(3))


def hull_triangles(hull: Hull) -> Array:
    """Return the faces of a hull as triangles of its points, (t, 3) int32, counter-clockwise seen from outside."""
    loops, first = hull.loops.tolist(), hull.first.tolist()
    return _fans([tuple(loops[a:b]) for a, b in itertools.pairwise(first)])


def hull_mass(hull: Hull) -> MassData:
    """Return the mass data of a hull of density 1, relative to its center: its own center of mass is almost 0."""
    return solid_mass(hull.points[:, :3], hull_triangles(hull))


def _hull(points: Array, loops: Sequence[Loop], normals: Array, center: Array) -> Hull:
    """Return the hull of float64 points (n, 3) relative to the center, and of the normals of its faces, (f, 3)."""
    rows = np.zeros((len(points), 4), np.float32)
    rows[:, :3] = points
    offsets = [float(dot(points[list(loop)], normal).max()) for loop, normal in zip(loops, normals, strict=True)]
    planes = np.concatenate((normals, np.array(offsets)[:, None]), 1).astype(np.float32)
    first = np.cumsum([0, *map(len, loops)]).astype(np.int32)
    flat = np.array([point for loop in loops for point in loop], np.int32)
    radius = float(np.sqrt(squares(rows[:, :3].astype(np.float64)).max()))
    return Hull(rows, planes, first, flat, _edges(loops), center, radius, max(0.0, float(planes[:, 3].min())))


def _edges(loops: Sequence[Loop]) -> Array:
    left = {edge: face for face, loop in enumerate(loops) for edge in zip(loop, loop[1:] + loop[:1], strict=True)}
    return np.array([(a, b, left[a, b], left[b, a]) for a, b in sorted(left) if a < b], np.int32)


def _fans(loops: Sequence[Loop]) -> Array:
    return np.array([(loop[0], b, c) for loop in loops for b, c in itertools.pairwise(loop[1:])], np.int32)
