"""Boxes, spheres and capsules around points, as small as can be found.

All shapes contain the points that were given, and are the same on every machine.

An oriented box is the smallest of several: the box along the coordinate axes; the box along the principal axes of the
surface of the hull (Gottschalk, Lin, Manocha, OBBTree, 1996); and boxes with a side that is parallel to a face of the
hull, or to two of its edges. For each such side the other two directions are searched exactly: the smallest rectangle
around a convex polygon has a side along an edge of it (Freeman and Shapira, 1975). The smallest box of all has two
neighboring sides that each contain an edge of the hull (O'Rourke, Finding Minimal Enclosing Boxes, 1985). Not all of
these are tried, so the box may be slightly larger.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_space3d import quaternions

from .hulls import Hull, hull_of, hull_triangles
from .masses import principal_axes, smallest_rotation
from .quickhull import Given, cross, dot, points_of, squares

Array = npt.NDArray[Any]

_SEARCH_POINTS = 16
"""The box is searched with a hull of this many points, and then made to contain all points. With 24 points boxes are
1 % smaller, and the search takes three times as long."""
_CHUNK = 32
"""Sides that are tried together, so that the arrays of numpy stay small."""
_SHORT = 1e-3
"""A direction whose projection is shorter than this is almost the normal of the side, and is not used with it."""
_SAME_DIRECTION = 1e-6
"""Directions whose components differ by less than this are tried once."""
_BETTER = 1 - 1e-6
"""A box of another rotation must have less than this share of the volume."""
_WITHIN = 1 + 1e-12
"""A point is in a sphere up to this multiple of its squared radius."""


@dataclass(frozen=True, slots=True, eq=False)
class OrientedBox:
    """A box of any orientation, around points."""

    center: Array
    """(3,) float64."""
    half_extents: Array
    """Half of the sides, (3,) float64."""
    rotation: Array
    """A quaternion, (4,) float64: turns the coordinate axes to those of the box."""

    @property
    def volume(self) -> float:
        """The volume of the box."""
        x, y, z = self.half_extents.tolist()
        return 8 * x * y * z


@dataclass(frozen=True, slots=True, eq=False)
class BoundingSphere:
    """A sphere around points."""

    center: Array
    """(3,) float64."""
    radius: float


@dataclass(frozen=True, slots=True, eq=False)
class BoundingCapsule:
    """A segment that is rounded by a radius."""

    start: Array
    """The first end of the segment, (3,) float64."""
    end: Array
    """The other end of the segment, (3,) float64; equal to `start` if the capsule is a sphere."""
    radius: float


def aligned_box(points: Given) -> OrientedBox:
    """Return the box along the coordinate axes around points (n, 3). Sides may be 0."""
    return _box(points_of(points), np.array([0.0, 0.0, 0.0, 1.0]))


def oriented_box(points: Given) -> OrientedBox:
    """Return a box of any rotation with a small volume around points (n, 3).

    Its rotation is the smallest that gives this box; the box along the coordinate axes is returned if none is smaller.
    Raises UsageError if the points enclose no volume.
    """
    given = points_of(points)
    hull = hull_of(given)
    best = aligned_box(given)
    for rotation in (_surface_rotation(hull), _edge_rotation(hull)):
        box = _box(given, rotation)
        if box.volume < best.volume * _BETTER:
            best = box
    return best


def bounding_sphere(points: Given) -> BoundingSphere:
    """Return the smallest sphere around points (n, 3).

    The farthest point outside is added to the two to four points that carry the sphere, and the smallest sphere around
    these is found by trying all of their subsets, until no point is outside. The sphere grows each time (Gärtner, Fast
    and Robust Smallest Enclosing Balls, 1999).
    """
    given = points_of(points)
    origin = (given.min(0) + given.max(0)) / 2
    local = given - origin
    support = local[np.argmax(squares(local))][None]
    center, radius2 = support[0], 0.0
    while True:
        distances = squares(local - center)
        farthest = int(np.argmax(distances))
        if distances[farthest] <= radius2 * _WITHIN:
            break
        sphere = _smallest_sphere(np.concatenate((local[farthest][None], support)))
        if sphere is None or sphere[1] <= radius2:
            break  # only rounding errors are left
        center, radius2, support = sphere
    return BoundingSphere(origin + center, float(np.sqrt(squares(local - center).max())))


def bounding_capsule(points: Given) -> BoundingCapsule:
    """Return a capsule with a small volume around points (n, 3).

    It is the smallest of the bounding sphere and the capsules along the principal axes of the surface of the hull, and
    along the axes of `oriented_box`. For each axis the radius is that of the smallest circle around the points seen
    along the axis. Raises UsageError if the points enclose no volume.
    """
    given = points_of(points)
    sphere = bounding_sphere(given)
    capsules = [BoundingCapsule(sphere.center, sphere.center, sphere.radius)]
    for rotation in (_surface_rotation(hull_of(given)), oriented_box(given).rotation):
        capsules += [_capsule(given, axis) for axis in quaternions.to_matrix(rotation).T]
    return min(capsules, key=_size)


def _size(capsule: BoundingCapsule) -> float:
    """Return the volume of a capsule, divided by π."""
    length = float(np.sqrt(squares(capsule.end - capsule.start)))
    return capsule.radius * capsule.radius * (length + 4 / 3 * capsule.radius)


def _box(points: Array, rotation: Array) -> OrientedBox:
    """Return the smallest box of a rotation around points."""
    x, y, z, w = rotation.tolist()
    middle = (points.min(0) + points.max(0)) / 2
    local = quaternions.turned([-x, -y, -z, w], points - middle)
    low, high = local.min(0), local.max(0)
    return OrientedBox(middle + quaternions.turned(rotation, (low + high) / 2), (high - low) / 2, rotation)


def _surface_rotation(hull: Hull) -> Array:
    """Return the principal axes of the surface of a hull, however it is divided into faces, as a quaternion (4,)."""
    points, triangles = hull.points[:, :3].astype(np.float64), hull_triangles(hull)
    a, b, c = (points[triangles[:, k]] for k in range(3))
    areas = np.sqrt(squares(cross(b - a, c - a)))
    weights = areas / np.cumsum(areas)[-1]
    total = a + b + c
    mean = np.array([np.cumsum(weights * total[:, k])[-1] / 3 for k in range(3)])
    covariance = np.empty((3, 3))
    for i, k in itertools.product(range(3), range(3)):
        products = a[:, i] * a[:, k] + b[:, i] * b[:, k] + c[:, i] * c[:, k] + total[:, i] * total[:, k]
        covariance[i, k] = np.cumsum(weights * products)[-1] / 12 - mean[i] * mean[k]
    return principal_axes(covariance)[1]


def _edge_rotation(hull: Hull) -> Array:
    """Return the rotation of the smallest box with a side along a face or two edges of a hull, as a quaternion (4,)."""
    small = hull_of(hull.points[:, :3], _SEARCH_POINTS)
    points = small.points[:, :3].astype(np.float64)
    directions = _unique_directions(points[small.edges[:, 1]] - points[small.edges[:, 0]])
    sides = np.concatenate((small.planes[:, :3].astype(np.float64), _normals_of_pairs(directions)))
    return smallest_rotation(_best_axes(points, directions, _unique_directions(sides)))[1]


def _unique_directions(vectors: Array) -> Array:
    """Return unit vectors along the vectors (n, 3), without those that are parallel to an earlier one."""
    units = quaternions.normalized(vectors)
    first = np.argmax(np.abs(units) > 0.5, axis=1)
    units *= np.where(np.take_along_axis(units, first[:, None], axis=1) < 0, -1.0, 1.0)
    _, rows = np.unique(np.rint(units / _SAME_DIRECTION), axis=0, return_index=True)
    return units[np.sort(rows)]


def _normals_of_pairs(directions: Array) -> Array:
    """Return the cross product of each pair of directions, without those that are almost parallel."""
    i, k = np.triu_indices(len(directions), 1)
    normals = cross(directions[i], directions[k])
    return normals[squares(normals) > _SHORT * _SHORT]


def _best_axes(points: Array, directions: Array, sides: Array) -> Array:
    """Return the axes, as columns, of the smallest box with a normal out of `sides` and an edge along a direction,
    projected on that side.
    """
    best, axes = np.inf, np.eye(3)
    for start in range(0, len(sides), _CHUNK):
        normals = sides[start : start + _CHUNK, None]
        along = directions - dot(normals, directions)[..., None] * normals
        lengths = np.sqrt(squares(along))
        too_short = lengths < _SHORT
        along /= np.where(too_short, 1.0, lengths)[..., None]
        across = cross(normals, along)
        volumes = _extents(points, normals) * _extents(points, along) * _extents(points, across)
        volumes[too_short] = np.inf
        i, k = divmod(int(np.argmin(volumes)), len(directions))
        if volumes[i, k] < best * _BETTER:
            best, axes = float(volumes[i, k]), np.stack((normals[i, 0], along[i, k], across[i, k]), axis=1)
    return axes


def _extents(points: Array, directions: Array) -> Array:
    """Return the extents (..., m) of points (n, 3) along directions (..., m, 3)."""
    return np.ptp(dot(points[:, None, None], directions), axis=0)


def _smallest_sphere(points: Array) -> tuple[Array, float, Array] | None:
    """Return center, squared radius and carrying points of the smallest sphere around up to five points.

    The sphere goes through the first point. None if all are too close to a plane or a line to tell.
    """
    best: tuple[Array, float, Array] | None = None
    for chosen in _subsets(len(points)):
        carriers = points[chosen]
        center = _circumcenter(carriers)
        if center is None:
            continue
        radius2 = float(squares(center - carriers).max())
        if (best is None or radius2 < best[1]) and (squares(points - center) <= radius2 * (1 + 1e-9)).all():
            best = center, radius2, carriers
    return best


def _subsets(count: int) -> Iterator[list[int]]:
    """Yield the sets of two to four of `count` indices that contain 0, the small ones first."""
    for size in (1, 2, 3):
        for others in itertools.combinations(range(1, count), size):
            yield [0, *others]


def _circumcenter(points: Array) -> Array | None:
    """Return the point in the span of two to four points that has the same distance from all; None if they are flat."""
    first, *others = points
    edges = [other - first for other in others]
    if len(edges) == 1:
        return first + edges[0] / 2
    a, b = edges[:2]
    normal = cross(a, b)
    if len(edges) == 2:
        scale = 2 * float(squares(normal))
        offset = squares(a) * cross(b, normal) + squares(b) * cross(normal, a)
        flat = float(squares(a) * squares(b))
    else:
        c = edges[2]
        scale = 2 * float(dot(normal, c))
        offset = squares(a) * cross(b, c) + squares(b) * cross(c, a) + squares(c) * normal
        flat = float(np.sqrt(squares(a) * squares(b) * squares(c)))
    return None if abs(scale) <= 1e-12 * flat else first + offset / scale


def _capsule(points: Array, axis: Array) -> BoundingCapsule:
    """Return the smallest capsule along an axis around points."""
    along = dot(points, axis)
    flat = points - along[:, None] * axis
    circle = bounding_sphere(flat)
    center = circle.center - dot(circle.center, axis) * axis
    radius = circle.radius * (1 + 1e-9)  # so that no root is negative
    # A point at height h and distance s from the axis is in the cap if the cap's center is within √(r² - s²) of h.
    reach = np.sqrt(np.maximum(radius * radius - squares(flat - center), 0.0))
    low, high = float((along + reach).min()), float((along - reach).max())
    if high < low:
        low = high = (low + high) / 2
    start, end = center + axis * low, center + axis * high
    nearest = start + axis * np.clip(along - low, 0.0, high - low)[:, None]
    return BoundingCapsule(start, end, float(np.sqrt(squares(points - nearest).max())))
