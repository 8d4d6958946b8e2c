"""The narrow phase: where two rounded convex hulls touch, by the separating axis theorem and clipping.

Two convex shapes are apart if and only if a line separates them. Its normal need only be tried among the normals of
their edges and, if they are apart corner to corner, along the line between these corners (Gottschalk, Lin and Manocha,
"OBB-Tree", 1996; Gregorius, "The Separating Axis Test", GDC 2013). The axis with the greatest separation is the
direction in which they are pushed. The edge it belongs to is the *reference edge*. The edge of the other shape that
faces it is clipped to its width (Sutherland and Hodgman, 1974): what remains are one or two contact points.

A circle is a hull of one corner, a capsule one of two; a radius moves the surface outwards without changing the axis.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

Pair = tuple[float, float]

_TIE = 1e-3
"""The share of the reach by which the second shape's edge must be better, so that the choice does not alternate."""
_MIN_COSINE = 0.9999
"""The cosine of the angle below which two directions are equal."""
_MIN_SINE = 0.01
"""The sine of the angle below which a corner of a chain counts as straight."""


@dataclass(slots=True)
class Hull:
    """A convex shape in the world.

    corners: counter-clockwise. normals: the outward unit normal of the edge from each corner to the next; none for one
    corner. radius: units. ghosts: for a segment of a chain, which is solid on its left, the normals of the segments
    before and after it; its own front normal is the first.
    """

    corners: list[Pair]
    normals: list[Pair]
    radius: float
    ghosts: tuple[Pair, Pair] | None = None

    @staticmethod
    def of(corners: list[Pair], radius: float) -> Hull:
        """Return the hull with these corners."""
        if len(corners) < 2:
            return Hull(corners, [], radius)
        return Hull(corners, [normal_of(a, b) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)], radius)


@dataclass(slots=True)
class ManifoldPoint:
    """A point at which two shapes touch. place: midway between their surfaces. feature: a number that stays the same
    from step to step for the same corner and edge.
    """

    place: Pair
    separation: float
    feature: int


@dataclass(slots=True)
class Manifold:
    """The one or two points at which two shapes touch, and the unit normal from the first shape to the second."""

    normal: Pair
    points: list[ManifoldPoint]


def collide(a: Hull, b: Hull, reach: float) -> Manifold | None:
    """Return the manifold of two shapes that touch or are nearer than `reach` (units); None if they are farther
    apart.
    """
    if b.ghosts is not None:
        manifold = None if a.ghosts is not None else collide(b, a, reach)
        return manifold and Manifold((-manifold.normal[0], -manifold.normal[1]), manifold.points)
    gap_a, edge_a = _greatest_separation(a, b)
    gap_b, edge_b = _greatest_separation(b, a)
    gap = max(gap_a, gap_b)
    limit = a.radius + b.radius + reach
    if gap > limit:
        return None
    corner = _corner_contact(a, b) if gap > 0 or not (a.normals or b.normals) else None
    if corner is not None and corner[0] > gap:
        return _check_neighbors(a, b, _at_corner(a, b, corner, limit), reach)
    if gap_b > gap_a + _TIE * reach:
        manifold = _at_edge(b, a, edge_b, limit)
        return _check_neighbors(
            a, b, manifold and Manifold((-manifold.normal[0], -manifold.normal[1]), manifold.points), reach
        )
    return _check_neighbors(a, b, _at_edge(a, b, edge_a, limit), reach)


def overlap(a: Hull, b: Hull) -> bool:
    """Return True if two shapes overlap; used for sensors."""
    gap = max(_greatest_separation(a, b)[0], _greatest_separation(b, a)[0])
    corner = _corner_contact(a, b) if gap > 0 or not (a.normals or b.normals) else None
    return max(gap, corner[0] if corner is not None else gap) <= a.radius + b.radius


def normal_of(a: Pair, b: Pair) -> Pair:
    """Return the unit normal to the right of the direction from a to b. For an edge of a hull it points outwards."""
    x, y = b[0] - a[0], b[1] - a[1]
    length = math.sqrt(x * x + y * y)
    return (y / length, -x / length) if length > 0 else (0.0, 0.0)


def _greatest_separation(a: Hull, b: Hull) -> tuple[float, int]:
    """Return the greatest separation along the normals of a, and the index of the edge: the distance of b in front of
    that edge.
    """
    best, edge = -math.inf, 0
    normals = a.normals if a.ghosts is None else a.normals[:1]
    for k, ((nx, ny), (px, py)) in enumerate(zip(normals, a.corners, strict=False)):
        gap = min([nx * x + ny * y for x, y in b.corners]) - (nx * px + ny * py)
        if gap > best:
            best, edge = gap, k
    return best, edge


def _corner_contact(a: Hull, b: Hull) -> tuple[float, Pair, int, int] | None:
    """Return the separation along the line between the nearest corners, its direction, and the corners.

    None if they coincide.
    """
    nearest, i, j = min(
        ((q[0] - p[0]) ** 2 + (q[1] - p[1]) ** 2, i, j)
        for i, p in enumerate(a.corners)
        for j, q in enumerate(b.corners)
    )
    if nearest == 0:
        return None if a.normals or b.normals else (0.0, (0.0, 1.0), 0, 0)  # concentric circles: upwards
    length = math.sqrt(nearest)
    x, y = (b.corners[j][0] - a.corners[i][0]) / length, (b.corners[j][1] - a.corners[i][1]) / length
    gap = min([x * u + y * v for u, v in b.corners]) - max([x * u + y * v for u, v in a.corners])
    return gap, (x, y), i, j


def _at_corner(a: Hull, b: Hull, corner: tuple[float, Pair, int, int], limit: float) -> Manifold | None:
    gap, (x, y), i, j = corner
    if gap > limit:
        return None
    (px, py), (qx, qy) = a.corners[i], b.corners[j]
    place = (px + qx + x * (a.radius - b.radius)) / 2, (py + qy + y * (a.radius - b.radius)) / 2
    return Manifold((x, y), [ManifoldPoint(place, gap - a.radius - b.radius, 256 + 8 * i + j)])


def _at_edge(a: Hull, b: Hull, edge: int, limit: float) -> Manifold | None:
    """Clip the edge of b that faces an edge of a to its width. limit: greatest distance of the hulls without radius."""
    start, end = a.corners[edge], a.corners[(edge + 1) % len(a.corners)]
    nx, ny = normal = a.normals[edge]
    tx, ty = -ny, nx  # along the edge
    low, high = tx * start[0] + ty * start[1], tx * end[0] + ty * end[1]
    facing = min(range(len(b.normals)), key=lambda k: (nx * b.normals[k][0] + ny * b.normals[k][1], k), default=0)
    ends = [b.corners[facing], b.corners[(facing + 1) % len(b.corners)]] if b.normals else b.corners[:1]
    points: list[ManifoldPoint] = []
    for which, (x, y) in enumerate(_clipped(ends, (tx, ty), low, high)):
        distance = nx * (x - start[0]) + ny * (y - start[1])
        if distance <= limit:
            # Midway between the surface of a at distance a.radius, and that of b at distance - b.radius.
            back = (distance - b.radius - a.radius) / 2 + b.radius
            feature = (8 * edge + facing) * 2 + which
            points.append(ManifoldPoint((x - nx * back, y - ny * back), distance - a.radius - b.radius, feature))
    return Manifold(normal, points) if points else None


def _clipped(ends: list[Pair], along: Pair, low: float, high: float) -> list[Pair]:
    """Return the part of a segment (or a point) whose coordinate along a direction is between low and high."""
    (tx, ty), slack = along, 1e-6 * (high - low)
    at = [tx * x + ty * y for x, y in ends]
    if max(at) < low - slack or min(at) > high + slack:
        return []
    if len(ends) == 1 or at[0] == at[1]:
        return ends[:1]
    clipped: list[Pair] = []
    for end, other in ((0, 1), (1, 0)):
        limit = min(max(at[end], low), high)
        share = (limit - at[end]) / (at[other] - at[end])
        (x, y), (u, v) = ends[end], ends[other]
        clipped.append((x + share * (u - x), y + share * (v - y)))
    return clipped


def _check_neighbors(a: Hull, b: Hull, manifold: Manifold | None, reach: float) -> Manifold | None:
    """Check a contact of a chain's segment a against its neighbors: return the manifold, or None if the contact
    belongs to a neighbor. Other contacts are returned unchanged.

    A floor of many segments must be as smooth as one segment, but each end of a segment is a corner that stops a
    sliding box (Catto, "Understanding Ghost Collisions", 2020). At a convex corner the segment may push in the
    directions up to its neighbor's normal; the others belong to the neighbor. At a straight or concave corner only
    its own normal is right.
    """
    if a.ghosts is None or manifold is None:
        return manifold
    (nx, ny), (x, y) = a.normals[0], manifold.normal
    middle = [sum(part) / len(b.corners) for part in zip(*b.corners, strict=True)]
    if nx * (middle[0] - a.corners[0][0]) + ny * (middle[1] - a.corners[0][1]) < 0:
        return None  # behind it
    if x * nx + y * ny > _MIN_COSINE:
        return manifold
    first = nx * y - ny * x < 0  # it is tilted towards the first end
    mx, my = a.ghosts[0] if first else a.ghosts[1]
    if mx * nx + my * ny < -_MIN_COSINE:  # an open end: every direction in front
        return manifold if x * nx + y * ny > 0 else None
    turn, within = nx * my - ny * mx, mx * y - my * x
    if first:
        turn, within = -turn, -within
    if turn > _MIN_SINE:
        return manifold if within <= _MIN_SINE else None
    return _at_edge(a, b, 0, a.radius + b.radius + reach)
