"""Convex hulls in space by quickhull, with exact arithmetic and half edges.

The coordinates are rounded to a grid of 2²⁰ cells along each side of the box around the points (a side of one meter to
1 µm). On the grid every test on which side of a plane a point lies is exact in 64-bit integers, so the hull is convex
and closed without any tolerance. It depends only on the set of points, not on their order, and has the same bits on
every machine.

Quickhull begins with a tetrahedron and adds the farthest point of all until no point is outside: faces that the point
sees are removed, and each edge of their outline is joined with the point (Barber, Dobkin, Huhdanpaa, The Quickhull
Algorithm for Convex Hulls, 1996). As the farthest points come first, the first n points are a good choice of n.

Then the tolerance is applied: faces that lie within it under the plane of a larger face are merged with that one, and
points that fewer than three faces share, or that nearly coincide, are left out. The hull of the rest is computed again,
until no point is left out. A merged face keeps the plane of its largest part, so no point of the hull is outside of any
plane.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rish_ecs import UsageError

Array = npt.NDArray[Any]
Given: TypeAlias = Sequence[Sequence[float]] | Array
Triangle: TypeAlias = tuple[int, int, int]
Loop: TypeAlias = tuple[int, ...]

TOLERANCE = 1e-5
"""Points and faces that differ by less than this share of the hull's longest side are merged."""
FLAT = 4
"""A hull is at least this many tolerances thick."""
_CELLS = 1 << 20
"""Cells of the grid along an axis. A volume of three differences of coordinates is below 2⁶³."""
_REACHES = (1.0, 0.25, 0.0625)
"""Shares of the tolerance that are tried until the merged face is convex."""


@dataclass(frozen=True, slots=True, eq=False)
class Polyhedron:
    """A closed convex polyhedron."""

    points: Array
    """(n, 3) float64, sorted by x, y and z."""
    loops: tuple[Loop, ...]
    """The points of each face, counter-clockwise seen from outside, the lowest index first; sorted."""
    planes: Array
    """(f, 4) float64: the outward unit normal of each face, and the offset d, with n·x = d on the face within the
    tolerance. No point is outside of a plane."""


def points_of(sequence: Given) -> Array:
    """Return an author's points as float64 in rows (n, 3). Raises UsageError if they are not a list of valid points."""
    try:
        points = np.array(sequence, np.float64)
    except (TypeError, ValueError):
        points = np.zeros(0)
    if points.ndim != 2 or points.shape[-1] != 3 or len(points) == 0:
        raise UsageError(
            "a shape is a list of points, each with x, y and z", hint="Write [[0, 0, 0], [1, 0, 0], [0, 1, 0], ...]"
        )
    bad = np.flatnonzero(~(np.abs(points) <= 1e9).all(1))
    if len(bad):
        x, y, z = points[bad[0]]
        raise UsageError(
            f"point {bad[0]} of the shape, ({x:g}, {y:g}, {z:g}), is not finite or too large",
            hint="Give finite numbers below 1e9",
        )
    return points


def quickhull(points: Given, max_points: int | None = None, tolerance: float = TOLERANCE) -> Polyhedron:
    """Return the convex hull of points (n, 3) in any order.

    max_points: if the hull has more points than this (at least 4), those that were farthest from the hull of the points
    before them stay, so the hull becomes smaller. tolerance: a share of the longest side of the box around the points;
    below 4e-6 it does not merge what the grid has rounded. Raises UsageError if the points are not valid or enclose no
    volume.
    """
    given = points_of(points)
    if max_points is not None and max_points < 4:
        raise UsageError(f"a hull of at most {max_points} points encloses no volume", hint="Allow at least 4 points")
    low, extent = given.min(0), np.ptp(given, axis=0)
    size = float(extent.max())
    if size == 0:
        raise _flat_error(len(given), "coincide")
    unit = np.where(extent > 0, extent, size) / _CELLS
    cells = np.unique(np.rint((given - low) / unit).astype(np.int64), axis=0)
    near = tolerance * size
    while True:
        mesh = _Mesh(cells, unit)
        mesh.start(FLAT * near, len(given))
        mesh.grow(max_points)
        corners = mesh.corners()
        stays = _apart(cells[corners] * unit, near)
        if stays.all():
            faces = _merged(mesh, near)
            meeting = np.bincount([corner for face in faces for corner in face.loop], minlength=len(cells))
            stays = meeting[corners] >= 3
            if stays.all():
                return _polyhedron(low + cells[corners] * unit, corners, faces)
        cells = cells[corners[stays]]


def _flat_error(count: int, how: str) -> UsageError:
    return UsageError(
        f"the {count} points {how}, so they enclose no volume",
        hint="Give four corners that are not in one plane, or use a box of some thickness",
    )


def _apart(points: Array, near: float) -> npt.NDArray[np.bool_]:
    """Return for each point whether no earlier point that stays is within `near` of it."""
    stays = np.ones(len(points), np.bool_)
    for i in range(len(points) - 1):
        if stays[i]:
            offsets = points[i + 1 :] - points[i]
            stays[i + 1 :] &= offsets[:, 0] ** 2 + offsets[:, 1] ** 2 + offsets[:, 2] ** 2 > near * near
    return stays


class _Mesh:
    """The triangles of a growing hull of grid cells.

    The map `left` holds the triangle left of each half edge (a, b), whose twin is (b, a).
    """

    def __init__(self, cells: Array, unit: Array) -> None:
        self.cells = cells
        self.unit = unit
        self.spots: list[list[int]] = cells.tolist()
        self.triangles: dict[int, Triangle] = {}
        self.normals: dict[int, list[int]] = {}
        self.lengths: dict[int, float] = {}
        self.left: dict[tuple[int, int], int] = {}
        self._outside: dict[int, Array] = {}
        self._farthest: list[tuple[float, int, int]] = []
        self._next = 0

    def start(self, thickness: float, count: int) -> None:
        """Begin with a large tetrahedron. Raises UsageError, about `count` points, if all lie within `thickness`."""
        places = self.cells * self.unit
        first = int(np.argmax(squares(places - places.max(0) / 2)))
        second = int(np.argmax(squares(places - places[first])))
        length = float(np.sqrt(squares(places[second] - places[first])))
        if length <= thickness:
            raise _flat_error(count, "nearly coincide")
        across = cross(places - places[first], places[second] - places[first])
        third = int(np.argmax(squares(across)))
        if float(np.sqrt(squares(across[third]))) <= thickness * length:
            raise _flat_error(count, "are on one line")
        base = self.cells[first]
        normal = cross(self.cells[second] - base, self.cells[third] - base)
        heights = dot(self.cells - base, normal)
        fourth = int(np.argmax(np.abs(heights)))
        if abs(int(heights[fourth])) <= thickness * float(self._length(normal)):
            raise _flat_error(count, "are in one plane")
        if heights[fourth] > 0:
            second, third = third, second
        a, b, c, d = first, second, third, fourth
        others = np.setdiff1d(np.arange(len(self.cells)), [a, b, c, d])
        self._add([(a, b, c), (a, d, b), (b, d, c), (c, d, a)], others)

    def grow(self, max_points: int | None) -> None:
        """Add the farthest point until none is outside, or the hull has had `max_points` points."""
        room = len(self.cells) if max_points is None else max_points - 4
        while self._farthest and room > 0:
            _, eye, face = heapq.heappop(self._farthest)
            if face not in self.triangles:
                continue
            room -= 1
            visible, horizon = self._seen_from(eye, face)
            orphans = [self._outside.pop(each) for each in visible if each in self._outside]
            for each in visible:
                a, b, c = self.triangles.pop(each)
                for edge in ((a, b), (b, c), (c, a)):
                    del self.left[edge]
            candidates = np.concatenate(orphans)
            self._add([(a, b, eye) for a, b in horizon], candidates[candidates != eye])

    def corners(self) -> Array:
        """Return the indices of the points of the hull, sorted."""
        return np.unique(np.array(list(self.triangles.values())))

    def heights(self, face: int) -> Array:
        """Return the distance of each cell from the plane of a triangle, negative inside: float64."""
        base = self.cells[self.triangles[face][0]]
        return dot(self.cells - base, np.array(self.normals[face])) / self.lengths[face]

    def above(self, face: int, point: int) -> int:
        """Return a number with the sign of the distance of a point from the plane of a triangle, exactly."""
        (x, y, z), (p, q, r) = self.spots[point], self.spots[self.triangles[face][0]]
        nx, ny, nz = self.normals[face]
        return nx * (x - p) + ny * (y - q) + nz * (z - r)

    def direction(self, face: int) -> Array:
        """Return the outward unit normal of a triangle, (3,) float64."""
        return np.array(self.normals[face]) / self.unit / self.lengths[face]

    def neighbors(self, face: int) -> list[int]:
        """Return the three triangles beside a triangle."""
        a, b, c = self.triangles[face]
        return [self.left[b, a], self.left[c, b], self.left[a, c]]

    def _seen_from(self, eye: int, face: int) -> tuple[list[int], list[tuple[int, int]]]:
        """Return the triangles that a point sees, beginning with one of them, and the half edges that bound them."""
        visible, horizon = {face: True}, list[tuple[int, int]]()
        stack = [face]
        while stack:
            a, b, c = self.triangles[stack.pop()]
            for start, end in ((a, b), (b, c), (c, a)):
                other = self.left[end, start]
                if other not in visible:
                    visible[other] = self.above(other, eye) > 0
                    if visible[other]:
                        stack.append(other)
                if not visible[other]:
                    horizon.append((start, end))
        return [each for each, seen in visible.items() if seen], horizon

    def _add(self, triangles: list[Triangle], candidates: Array) -> None:
        """Add triangles, and assign each candidate to the triangle that it is farthest above, if any."""
        corners = self.cells[np.array(triangles)]
        base = corners[:, 0]
        normals = cross(corners[:, 1] - base, corners[:, 2] - base)
        lengths = self._length(normals)
        ids = range(self._next, self._next + len(triangles))
        self._next = ids.stop
        self.triangles.update(zip(ids, triangles, strict=True))
        self.normals.update(zip(ids, normals.tolist(), strict=True))
        self.lengths.update(zip(ids, lengths.tolist(), strict=True))
        for face, (a, b, c) in zip(ids, triangles, strict=True):
            self.left[a, b] = self.left[b, c] = self.left[c, a] = face
        if len(candidates) == 0:
            return
        distances = dot(self.cells[candidates][:, None] - base, normals) / lengths
        best = np.argmax(distances, axis=1)
        distance = np.take_along_axis(distances, best[:, None], axis=1)[:, 0]
        best[distance <= 0] = -1
        for k, face in enumerate(ids):
            mine = np.flatnonzero(best == k)
            if len(mine):
                far = mine[np.argmax(distance[mine])]
                self._outside[face] = candidates[mine]
                heapq.heappush(self._farthest, (-float(distance[far]), int(candidates[far]), face))

    def _length(self, normals: Array) -> Array:
        """Return the factor between a product of a normal with an offset in cells and the distance from its plane."""
        return np.sqrt(squares(normals / self.unit))


@dataclass(frozen=True, slots=True)
class _Face:
    loop: Loop
    normal: Array


def _merged(mesh: _Mesh, near: float) -> list[_Face]:
    """Return the faces of a hull: triangles in one plane are one face, and so are those within `near` under it."""
    facets = _facets(mesh)
    facet_of = {triangle: k for k, facet in enumerate(facets) for triangle in facet}
    areas = [sum(mesh.lengths[triangle] for triangle in facet) for facet in facets]
    loops = [_boundary(mesh, facet) for facet in facets]
    taken: set[int] = set()
    faces: list[_Face] = []
    for seed in sorted(range(len(facets)), key=lambda k: -areas[k]):
        if seed in taken:
            continue
        group, loop, direction = [seed], loops[seed], mesh.direction(facets[seed][0])
        depths = (-mesh.heights(facets[seed][0])).tolist()
        for reach in _REACHES:
            free = _flood(mesh, seed, facets, facet_of, taken, [depth <= reach * near for depth in depths])
            if len(free) == 1:
                break
            outline = _boundary(mesh, [triangle for k in free for triangle in facets[k]])
            if _is_convex(mesh, outline, direction, near):
                group, loop = free, outline
                break
        taken.update(group)
        faces.append(_Face(loop, direction))
    return faces


def _facets(mesh: _Mesh) -> list[list[int]]:
    """Return the triangles grouped by plane, exactly."""
    facets: list[list[int]] = []
    grouped: set[int] = set()
    for first in mesh.triangles:
        if first in grouped:
            continue
        grouped.add(first)
        facet = [first]
        for triangle in facet:
            for other in mesh.neighbors(triangle):
                if other not in grouped and all(mesh.above(first, corner) == 0 for corner in mesh.triangles[other]):
                    grouped.add(other)
                    facet.append(other)
        facets.append(facet)
    return facets


def _flood(
    mesh: _Mesh,
    seed: int,
    facets: list[list[int]],
    facet_of: dict[int, int],
    taken: set[int],
    is_near: list[bool],
) -> list[int]:
    """Return the facets connected with `seed` whose corners are all near its plane, and which are not taken."""
    group, known = [seed], {seed}
    for facet in group:
        for triangle in facets[facet]:
            for other in map(facet_of.__getitem__, mesh.neighbors(triangle)):
                if other in known or other in taken:
                    continue
                known.add(other)
                if all(is_near[corner] for each in facets[other] for corner in mesh.triangles[each]):
                    group.append(other)
    return group


def _boundary(mesh: _Mesh, triangles: Iterable[int]) -> Loop:
    """Return the points around a group of triangles, the lowest first; () if the boundary is not a single loop."""
    inside = dict.fromkeys(triangles)
    after: dict[int, int] = {}
    count = 0
    for triangle in inside:
        a, b, c = mesh.triangles[triangle]
        for start, end in ((a, b), (b, c), (c, a)):
            if mesh.left[end, start] not in inside:
                after[start] = end
                count += 1
    loop = [min(after)]
    while after[loop[-1]] != loop[0] and len(loop) <= count:
        loop.append(after[loop[-1]])
    return tuple(loop) if len(loop) == count else ()


def _is_convex(mesh: _Mesh, loop: Loop, normal: Array, near: float) -> bool:
    """Return True if no corner of a loop is more than `near` inside of the line between its neighbors."""
    if len(loop) < 3:
        return False
    points = mesh.cells[np.array(loop)] * mesh.unit
    before, after = np.roll(points, 1, 0), np.roll(points, -1, 0)
    turns = dot(cross(points - before, after - points), normal)
    return bool((turns >= -near * np.sqrt(squares(after - before))).all())


def _polyhedron(points: Array, corners: Array, faces: list[_Face]) -> Polyhedron:
    """Return the polyhedron of faces whose loops hold indices of cells; corners: the cells of its points, sorted."""
    index = {corner: k for k, corner in enumerate(corners.tolist())}
    rows = sorted((tuple(index[corner] for corner in face.loop), face.normal.tolist()) for face in faces)
    loops = tuple(loop for loop, _ in rows)
    normals = np.array([normal for _, normal in rows])
    offsets = np.array([dot(points, normal).max() for normal in normals])
    return Polyhedron(points, loops, np.concatenate((normals, offsets[:, None]), 1))


def cross(a: Array, b: Array) -> Array:
    """Return the cross products of the last axes."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)


def dot(a: Array, b: Array) -> Array:
    """Return the dot products of the last axes, added in a fixed order."""
    return a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1] + a[..., 2] * b[..., 2]


def squares(vectors: Array) -> Array:
    """Return the squared lengths of vectors in the last axis."""
    return dot(vectors, vectors)
