"""Difference: cuts overlapping pieces, so that no translucent pixel is drawn twice.

A body keeps the part that no earlier body covers. A fringe keeps the part that no body covers, and where another
fringe overlaps it, the part on which its coverage is greater. All polygons are convex, so one polygon is subtracted
from another by clipping with half-planes: for each edge of the second polygon, the part outside is a fragment that
stays, the part inside is clipped by the next edge, and the rest after the last edge is dropped. The values at the
corners (coverage, distance) are interpolated along the cut edges, so a fade continues across fragments.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rish_jit import Array

from .cells import Polygons, neighbors
from .kernels import FRAGMENTS, READY, ROOM, cut

_MANY = 20_000
"""Pairs that are cut in plain Python, together in about a tenth of a second, before kernels are compiled for the rest:
a line that changes in each frame reaches it, one that is cut once does not."""
_worked = 0

Corners = Sequence[Sequence[float]]


class _Convex(NamedTuple):
    """A convex polygon, with x, y, direction, and length times eps of each edge; the polygon is on the left of them."""

    corners: Corners
    edges: list[tuple[float, float, float, float, float]]


def _convex(corners: Corners, eps: float) -> _Convex | None:
    """Return a polygon with its edges, or None if it is too small; edges shorter than eps are left out."""
    if len(corners) < 3:
        return None
    x0, y0 = corners[0][:2]
    area = 0.0  # twice the signed area, by the shoelace formula
    edges: list[tuple[float, float, float, float, float]] = []
    x, y = x0, y0
    for following in (*corners[1:], corners[0]):
        ax, ay, x, y = x, y, following[0], following[1]
        area += (ax - x0) * (y - y0) - (x - x0) * (ay - y0)
        ex, ey = x - ax, y - ay
        size = ex * ex + ey * ey
        if size > eps * eps:
            edges.append((ax, ay, ex, ey, eps * math.sqrt(size)))
    if abs(area) <= eps * eps:
        return None
    return _Convex(corners, edges if area > 0.0 else [(x, y, -ex, -ey, size) for x, y, ex, ey, size in edges])


def _is_apart(polygon: _Convex, other: Corners) -> bool:
    """Return True if all corners of `other` are on the outer side of an edge of `polygon` (separating axis test)."""
    for x, y, ex, ey, size in polygon.edges:
        for corner in other:
            if ex * (corner[1] - y) - ey * (corner[0] - x) > size:
                break
        else:
            return True
    return False


def _split(corners: Corners, x: float, y: float, ex: float, ey: float) -> tuple[Corners, Corners]:
    """Return the parts of a polygon on the left and on the right of a line (a step of Sutherland-Hodgman).

    x, y, ex, ey: a point and the direction of the line.
    """
    sides = [ex * (corner[1] - y) - ey * (corner[0] - x) for corner in corners]
    if min(sides) >= 0.0:
        return corners, ()
    if max(sides) <= 0.0:
        return (), corners
    left: list[Sequence[float]] = []
    right: list[Sequence[float]] = []
    corner, here = corners[0], sides[0]
    for following, there in zip((*corners[1:], corner), (*sides[1:], here), strict=True):
        if here >= 0.0:
            left.append(corner)
        if here <= 0.0:
            right.append(corner)
        if (here > 0.0 and there < 0.0) or (here < 0.0 and there > 0.0):
            part = here / (here - there)
            cut = [a + part * (b - a) for a, b in zip(corner, following, strict=True)]
            left.append(cut)
            right.append(cut)
        corner, here = following, there
    return left, right


def _planes(quads: Array) -> Array:
    """Return the plane of the coverage over the position of fringes (n, 4, 5): slopes along x and y, value at 0, 0."""
    # Cramer's rule on the largest of the four triangles of the corners.
    best, planes = np.zeros(len(quads)), np.zeros((len(quads), 3))
    planes[:, 2] = quads[:, 0, 2]
    for triangle in ((1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2)):
        a, b, c = (quads[:, k, :3].T for k in triangle)
        (ux, uy, uc), (vx, vy, vc) = b - a, c - a
        area = ux * vy - uy * vx
        better = np.abs(area) > best
        area = np.where(better, area, 1.0)
        along, up = (uc * vy - vc * uy) / area, (vc * ux - uc * vx) / area
        plane = np.stack([along, up, a[2] - along * a[0] - up * a[1]], axis=1)
        best, planes = np.where(better, np.abs(area), best), np.where(better[:, None], plane, planes)
    return planes


def _stronger(other: Corners, own: Sequence[float], theirs: Sequence[float], wins: bool, eps: float) -> Corners:
    """Return the part of the fringe `other` in which it covers more than another one.

    own: the coverage plane of the other one. theirs: that of `other`. wins: whether `other` has priority where both are
    equal.
    """
    dx, dy, d = theirs[0] - own[0], theirs[1] - own[1], theirs[2] - own[2]
    steep = dx * dx + dy * dy
    if math.sqrt(steep) * eps < 1e-6:
        middle = d + dx * other[0][0] + dy * other[0][1]
        return other if middle > 1e-3 or (wins and middle > -1e-3) else ()
    return _split(other, -d * dx / steep, -d * dy / steep, dy, -dx)[0]


def _subtract(fragments: list[_Convex], other: _Convex, eps: float) -> None:
    """Subtract a convex polygon from each of the fragments, which are changed."""
    left, k = len(fragments), 0
    while k < left:
        fragment = fragments[k]
        if _is_apart(other, fragment.corners) or _is_apart(fragment, other.corners):
            k += 1
            continue
        inside = fragment.corners
        for x, y, ex, ey, _ in other.edges:
            inside, outside = _split(inside, x, y, ex, ey)
            cut = _convex(outside, eps)
            if cut is not None and len(fragments) < FRAGMENTS:
                fragments.append(cut)
            if len(inside) < 3:
                break
        left -= 1
        fragments[k], fragments[left] = fragments[left], fragments[-1]
        fragments.pop()


def separate(polygons: Polygons, marks: Array, eps: float) -> Polygons:
    """Cut overlapping polygons. marks: those of `make_pieces`. eps: the largest size that is ignored, in units."""
    global _worked
    corners, starts = polygons
    fringe = marks % 2
    planes = np.zeros((len(marks), 3))
    planes[fringe > 0] = _planes(corners[starts[:-1][fringe > 0, None] + np.arange(4)])
    pairs = _pairs(polygons, fringe, marks // 2)
    _worked += len(pairs[0])
    parts = _separate_compiled(polygons, pairs, planes, eps) if READY.serve(_worked, _MANY) else None
    return parts or _separate(polygons, pairs, planes, eps)


def _pairs(polygons: Polygons, fringe: Array, piece: Array) -> tuple[Array, Array, Array]:
    """Return which polygon is cut by which, in the order of the cuts, and whether both are fringes."""
    pairs: list[Array] = []
    for i, j in neighbors(polygons):
        cuts = (piece[i] != piece[j]) & ((fringe[i] > 0) | ((fringe[j] == 0) & (j < i)))
        i, j = i[cuts], j[cuts]
        order = np.argsort(2 * i + fringe[j], kind="stable")  # bodies first, then the other fringes
        pairs.append(np.stack([i[order], j[order], fringe[j[order]]]))
    own, other, both = np.concatenate(pairs, axis=1)
    return own, other, both


def _separate_compiled(
    polygons: Polygons, pairs: tuple[Array, Array, Array], planes: Array, eps: float
) -> Polygons | None:
    """Cut with the kernels; None if a polygon has too many corners for them."""
    corners, starts = polygons
    own, others, both = pairs
    if np.diff(starts).max() > ROOM // 2:
        return None
    begins = np.searchsorted(own, np.arange(len(starts)))
    room = 16 * len(corners)
    while True:
        out, out_starts = np.empty(5 * room), np.empty(room, np.int64)
        count = cut(corners.ravel(), starts, begins, others, both, planes.ravel(), eps, out, out_starts)
        if count >= 0:
            ends = out_starts[: count + 1]
            return Polygons(out[: 5 * ends[-1]].reshape(-1, 5), ends)
        if count < -1:
            return None
        room *= 2


def _separate(polygons: Polygons, pairs: tuple[Array, Array, Array], planes: Array, eps: float) -> Polygons:
    corners, starts = polygons
    rows = corners.tolist()
    whole = [_convex(rows[a:b], eps) for a, b in itertools.pairwise(starts.tolist())]
    fragments = [[] if polygon is None else [polygon] for polygon in whole]
    levels = planes.tolist()
    for own, k, both in zip(*(column.tolist() for column in pairs), strict=True):
        other = whole[k]
        if both and other is not None and fragments[own]:
            part = _stronger(other.corners, levels[own], levels[k], k < own, eps)
            other = other if part is other.corners else _convex(part, eps)
        if other is not None:
            _subtract(fragments[own], other, eps)
    left = [fragment.corners for parts in fragments for fragment in parts]
    flat = list(itertools.chain.from_iterable(itertools.chain.from_iterable(left)))
    return Polygons(np.array(flat, np.float64).reshape(-1, 5), np.cumsum([0, *map(len, left)]))
