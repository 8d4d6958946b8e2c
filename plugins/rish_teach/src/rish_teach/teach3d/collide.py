"""Where two shapes touch: separating axes, clipping, and the nearest points of balls.

Two convex polyhedra are apart if and only if a plane separates them, and it is enough to try the normals of the faces
of both, and the cross products of an edge of one with an edge of the other (the separating axis theorem). The axis with
the greatest separation, or the least overlap, is the normal of the contact. If it is that of a face, the facing polygon
of the other is cut by the side planes of this face (I. Sutherland, G. Hodgman, 1974), and what lies below the face is
the contact patch. If it is that of two edges, the contact is the point where these are nearest.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_physics3d.geometry import Hull
from rish_space3d import quaternions

from .vectors import Vec, added, cross, dot, length, minus, scaled

Array = npt.NDArray[np.float64]
Polygon = list[Vec]
Touch = tuple[Vec, list[tuple[Vec, float]]]
"""A contact: its normal from a to b, and its points between both surfaces with their separations."""
_FACES_FIRST = 0.002
"""An edge contact must be this much less deep than a face contact, m, so that boxes at rest have steady patches."""
_PARALLEL = 1e-6  # the least squared length of a cross product of edges, relative to the edges


@dataclass(frozen=True, eq=False)
class Polyhedron:
    """A convex polyhedron in the world: points (n, 3), unit normals (f, 3), faces as lists of points, counter-clockwise
    from outside, and edges (e, 2) of points.
    """

    points: Array
    normals: Array
    faces: list[Polygon]
    edges: npt.NDArray[np.int32]


@dataclass(frozen=True)
class Ball:
    """A sphere in the world."""

    center: Vec
    radius: float


Form = Polyhedron | Ball


def place_hull(hull: Hull, position: Any, rotation: Any) -> Polyhedron:
    """Return a hull at a pose. rotation: quaternion."""
    points = quaternions.turned(rotation, hull.points[:, :3].astype(np.float64)) + position
    normals = quaternions.turned(rotation, hull.planes[:, :3].astype(np.float64))
    corners = [_vec(point) for point in points]
    loops, first = hull.loops.tolist(), hull.first.tolist()
    faces = [[corners[k] for k in loops[start:end]] for start, end in itertools.pairwise(first)]
    return Polyhedron(points, normals, faces, hull.edges[:, :2])


def bounds(form: Form) -> Array:
    """Return the lowest and the highest x, y and z of a shape, (2, 3)."""
    if isinstance(form, Polyhedron):
        return np.stack([form.points.min(axis=0), form.points.max(axis=0)])
    return np.add(form.center, [[-form.radius], [form.radius]])


def near_pairs(boxes: Array, margin: float) -> list[tuple[int, int]]:
    """Return the pairs of boxes (n, 2, 3) that are at most `margin` apart on each axis: all N(N−1)/2 are compared."""
    a, b = np.triu_indices(len(boxes), 1)
    near = (boxes[a, 0] - margin <= boxes[b, 1]) & (boxes[b, 0] - margin <= boxes[a, 1])
    chosen = near.all(axis=1)
    return list(zip(a[chosen].tolist(), b[chosen].tolist(), strict=True))


def collide(a: Form, b: Form, limit: float) -> Touch | None:
    """Return the contact of two shapes that are at most `limit` apart. None: they are farther apart."""
    if isinstance(a, Polyhedron):
        return polyhedra(a, b, limit) if isinstance(b, Polyhedron) else _polyhedron_ball(a, b, limit)
    if isinstance(b, Polyhedron):
        return _flipped(_polyhedron_ball(b, a, limit))
    return _balls(a.center, a.radius, b, limit, (0.0, 1.0, 0.0))


def _flipped(touch: Touch | None) -> Touch | None:
    return None if touch is None else (scaled(touch[0], -1), touch[1])


def _balls(center: Vec, radius: float, b: Ball, limit: float, otherwise: Vec) -> Touch | None:
    """Collide a ball (or a point) with a ball. otherwise: the normal of balls with the same center."""
    way = minus(b.center, center)
    distance = length(way)
    gap = distance - radius - b.radius
    if gap > limit:
        return None
    normal = scaled(way, 1 / distance) if distance > 0 else otherwise
    return normal, [(added(center, normal, radius + gap / 2), gap)]


def _polyhedron_ball(a: Polyhedron, b: Ball, limit: float) -> Touch | None:
    """Collide a polyhedron with a ball: the nearest point of its surface to the center of the ball."""
    normals = [_vec(normal) for normal in a.normals]
    faces = [(dot(n, minus(b.center, face[0])), n, face) for n, face in zip(normals, a.faces, strict=True)]
    height, normal, _ = max(faces)
    if height > 0:  # the center is outside: the nearest point of all faces that it is in front of
        spots = [_nearest_on_face(b.center, n, face) for h, n, face in faces if h > 0]
        return _balls(min(spots, key=lambda spot: length(minus(spot, b.center))), 0.0, b, limit, normal)
    return normal, [(added(b.center, normal, -(b.radius + height) / 2), height - b.radius)]


def _nearest_on_face(point: Vec, normal: Vec, face: Polygon) -> Vec:
    """Return the point of a polygon that is nearest to a point."""
    spots: list[Vec] = []
    for start, end in _sides(face):
        way, to = minus(end, start), minus(point, start)
        if dot(cross(way, normal), to) > 0:  # beyond this side
            spots.append(added(start, way, min(max(dot(to, way) / dot(way, way), 0.0), 1.0)))
    if not spots:
        return added(point, normal, -dot(normal, minus(point, face[0])))
    return min(spots, key=lambda spot: length(minus(spot, point)))


def separation(a: Polyhedron, b: Polyhedron, axes: Array) -> Array:
    """Return how far b is in front of a along each axis (k, 3): min b·n − max a·n, negative if they overlap there."""
    return _products(axes, b.points).min(axis=1) - _products(axes, a.points).max(axis=1)


def edge_axes(a: Polyhedron, b: Polyhedron) -> tuple[Array, npt.NDArray[np.intp]]:
    """Return the unit cross products of edges of a and b, in both directions, and the pair of edges of each, (k, 2)."""
    ways = [form.points[form.edges[:, 1]] - form.points[form.edges[:, 0]] for form in (a, b)]
    (ax, ay, az), (bx, by, bz) = ways[0].T[:, :, None], ways[1].T[:, None, :]
    axes = np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1).reshape(-1, 3)
    squares = (axes * axes).sum(axis=1)
    sizes = ((ways[0] ** 2).sum(axis=1)[:, None] * (ways[1] ** 2).sum(axis=1)).ravel()
    chosen = np.flatnonzero(squares > _PARALLEL * sizes)
    axes = axes[chosen] / np.sqrt(squares[chosen, None])
    pairs = np.stack(np.divmod(chosen, len(b.edges)), axis=1)
    return np.concatenate([axes, -axes]), np.concatenate([pairs, pairs])


def polyhedra(a: Polyhedron, b: Polyhedron, limit: float) -> Touch | None:
    """Collide two polyhedra: separating axes, then clipping or the nearest points of two edges."""
    gaps_a, gaps_b = separation(a, b, a.normals), separation(a, b, -b.normals)
    face_a, face_b = int(gaps_a.argmax()), int(gaps_b.argmax())
    face_gap = max(float(gaps_a[face_a]), float(gaps_b[face_b]))
    if face_gap > limit:
        return None
    axes, pairs = edge_axes(a, b)
    gaps = separation(a, b, axes)
    best = int(gaps.argmax()) if len(gaps) else -1
    if best >= 0 and gaps[best] > face_gap + _FACES_FIRST:
        if gaps[best] > limit:
            return None
        return _edge_contact(a, b, axes[best], pairs[gaps >= gaps[best] - 1e-9], float(gaps[best]))
    if gaps_a[face_a] >= gaps_b[face_b] - _FACES_FIRST:
        return _face_contact(a, face_a, b, limit)
    return _flipped(_face_contact(b, face_b, a, limit))


def _face_contact(a: Polyhedron, face: int, b: Polyhedron, limit: float) -> Touch | None:
    """Return the part of b's facing polygon that is below a face of a, and not beyond its sides."""
    normal = _vec(a.normals[face])
    facing = int(_products(a.normals[face : face + 1], b.normals)[0].argmin())
    patch = clip(b.faces[facing], a.faces[face], normal)
    heights = [dot(normal, minus(point, a.faces[face][0])) for point in patch]
    # Points between both surfaces: half of the separation below b's.
    points = [(added(p, normal, -gap / 2), gap) for p, gap in zip(patch, heights, strict=True) if gap <= limit]
    return (normal, points) if points else None


def clip(polygon: Polygon, face: Polygon, normal: Vec) -> Polygon:
    """Return the part of a polygon that is within the prism over a face."""
    for start, end in _sides(face):
        outward = cross(minus(end, start), normal)
        heights = [dot(outward, minus(point, start)) for point in polygon]
        kept: Polygon = []
        for k, (point, height) in enumerate(zip(polygon, heights, strict=True)):
            before, earlier = polygon[k - 1], heights[k - 1]
            if (height <= 0) != (earlier <= 0):  # the side is crossed
                kept.append(added(before, minus(point, before), earlier / (earlier - height)))
            if height <= 0:
                kept.append(point)
        polygon = kept
    return polygon


def _edge_contact(a: Polyhedron, b: Polyhedron, axis: Array, pairs: Any, gap: float) -> Touch:
    """Return the point between the edges of a and b that are nearest along the axis. pairs: all that have this axis."""
    normal = _vec(axis)
    edges = [[_vec(form.points[k]) for form, e in ((a, i), (b, j)) for k in form.edges[e]] for i, j in pairs.tolist()]
    p, q, r, s = min(edges, key=lambda edge: dot(normal, minus(edge[2], edge[0])))
    # The nearest points of two lines: both are perpendicular to the way between them (C. Ericson, "Real-Time Collision
    # Detection", 5.1.8).
    u, v, w = minus(q, p), minus(s, r), minus(p, r)
    uu, vv, uv, uw, vw = dot(u, u), dot(v, v), dot(u, v), dot(u, w), dot(v, w)
    t = min(max((uv * vw - uw * vv) / (uu * vv - uv * uv), 0.0), 1.0)
    return normal, [(added(added(p, u, t), normal, gap / 2), gap)]


def _products(u: Array, v: Array) -> Array:
    """Return the dot products of each of u (k, 3) with each of v (n, 3), with the same bits on every processor."""
    return u[:, None, 0] * v[:, 0] + u[:, None, 1] * v[:, 1] + u[:, None, 2] * v[:, 2]


def _sides(face: Polygon) -> list[tuple[Vec, Vec]]:
    return list(zip(face, face[1:] + face[:1], strict=True))


def _vec(row: Any) -> Vec:
    return float(row[0]), float(row[1]), float(row[2])
