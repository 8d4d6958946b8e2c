"""Difference: cuts overlapping pieces, so that no translucent pixel is drawn twice.

A body keeps the part that no earlier body covers. A fringe keeps the part that no body covers, and where another
fringe overlaps it, the part on which its coverage is greater. All polygons are convex, so one polygon is subtracted
from another by clipping with half-planes: for each edge of the second polygon, the part outside is a fragment that
stays, the part inside is clipped by the next edge, and the rest after the last edge is dropped. The values at the
corners (coverage, distance) are interpolated along the cut edges, so a fade continues across fragments.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_ecs.jit import njit

from .cells import boxes_of, grid_of, sort_boxes, span_of

_ROOM = 128  # most corners of a polygon while it is cut
_FRAGMENTS = 192  # most fragments of one polygon
_i64 = np.int64


@njit
def _apart(polygon: Any, n: Any, turn: Any, other: Any, m: Any, eps: Any) -> Any:
    """Return True if all corners of `other` are on the outer side of an edge of `polygon` (separating axis test)."""
    for k in range(n):
        j = k + 1 if k + 1 < n else 0
        x, y = polygon[k, 0], polygon[k, 1]
        ex, ey = polygon[j, 0] - x, polygon[j, 1] - y
        size = np.sqrt(ex * ex + ey * ey)
        if size <= eps:
            continue
        outside = True
        for i in range(m):
            if turn * (ex * (other[i, 1] - y) - ey * (other[i, 0] - x)) > eps * size:
                outside = False
                break
        if outside:
            return True
    return False


@njit
def _area(polygon: Any, n: Any) -> Any:
    """Return twice the signed area (shoelace formula)."""
    total = 0.0
    for k in range(n):
        j = k + 1 if k + 1 < n else 0
        total += (polygon[k, 0] - polygon[0, 0]) * (polygon[j, 1] - polygon[0, 1])
        total -= (polygon[j, 0] - polygon[0, 0]) * (polygon[k, 1] - polygon[0, 1])
    return total


@njit
def _clip(polygon: Any, n: Any, x: Any, y: Any, ex: Any, ey: Any, keep: Any, out: Any) -> Any:
    """Clip a polygon at a line (a step of Sutherland-Hodgman) into `out`; return the number of corners.

    x, y, ex, ey: a point and the direction of the line. keep: 1 keeps the left side, -1 the right one.
    """
    count = _i64(0)
    for k in range(n):
        j = k + 1 if k + 1 < n else 0
        here = keep * (ex * (polygon[k, 1] - y) - ey * (polygon[k, 0] - x))
        there = keep * (ex * (polygon[j, 1] - y) - ey * (polygon[j, 0] - x))
        if here >= 0.0 and count < _ROOM:
            for c in range(5):
                out[count, c] = polygon[k, c]
            count += 1
        if ((here > 0.0 and there < 0.0) or (here < 0.0 and there > 0.0)) and count < _ROOM:
            part = here / (here - there)
            for c in range(5):
                out[count, c] = polygon[k, c] + part * (polygon[j, c] - polygon[k, c])
            count += 1
    return count


@njit
def _plane(polygon: Any, n: Any, out: Any) -> None:
    """Write the plane of the coverage over the position to `out`: its slopes along x and y, its value at the origin."""
    # Cramer's rule on the largest of up to four triangles of the first corners.
    best = 0.0
    out[0], out[1], out[2] = 0.0, 0.0, polygon[0, 2]
    for skip in range(4):
        a, b, c = (1 if skip == 0 else 0), (2 if skip < 2 else 1), (2 if skip == 3 else 3)
        if c >= n:
            continue
        ux, uy, uc = polygon[b, 0] - polygon[a, 0], polygon[b, 1] - polygon[a, 1], polygon[b, 2] - polygon[a, 2]
        vx, vy, vc = polygon[c, 0] - polygon[a, 0], polygon[c, 1] - polygon[a, 1], polygon[c, 2] - polygon[a, 2]
        area = ux * vy - uy * vx
        if abs(area) > best:
            best = abs(area)
            out[0], out[1] = (uc * vy - vc * uy) / area, (vc * ux - uc * vx) / area
            out[2] = polygon[a, 2] - out[0] * polygon[a, 0] - out[1] * polygon[a, 1]


@njit
def _copy(polygon: Any, n: Any, to: Any) -> None:
    """Copy a polygon. A loop, because numba takes seconds to compile an assignment of slices."""
    for k in range(n):
        for c in range(5):
            to[k, c] = polygon[k, c]


@njit
def _stronger(other: Any, m: Any, own: Any, theirs: Any, wins: Any, eps: Any, spare: Any) -> Any:
    """Reduce the fringe `other` to the part where it covers more than the current one; return its number of corners.

    own: the coverage plane of the current fringe. theirs: that of `other`. wins: whether `other` has priority where
    both are equal.
    """
    dx, dy, d = theirs[0] - own[0], theirs[1] - own[1], theirs[2] - own[2]
    steep = dx * dx + dy * dy
    if np.sqrt(steep) * eps < 1e-6:
        middle = d + dx * other[0, 0] + dy * other[0, 1]
        return m if middle > 1e-3 or (wins and middle > -1e-3) else _i64(0)
    n = _clip(other, m, -d * dx / steep, -d * dy / steep, dy, -dx, 1.0, spare)
    _copy(spare, n, other)
    return n


@njit
def _subtract(
    fragments: Any, sizes: Any, total: Any, other: Any, m: Any, eps: Any, one: Any, two: Any, turned: Any
) -> Any:
    """Subtract a convex polygon from each fragment; return the new number of fragments."""
    left = total
    k = _i64(0)
    while k < left:
        n = sizes[k]
        if _apart(other, m, turned, fragments[k], n, eps):
            k += 1
            continue
        own = 1.0 if _area(fragments[k], n) > 0.0 else -1.0
        if _apart(fragments[k], n, own, other, m, eps):
            k += 1
            continue
        _copy(fragments[k], n, one)
        for e in range(m):
            f = e + 1 if e + 1 < m else 0
            x, y = other[e, 0], other[e, 1]
            ex, ey = other[f, 0] - x, other[f, 1] - y
            if ex * ex + ey * ey <= eps * eps:
                continue
            outside = _clip(one, n, x, y, ex, ey, -turned, two)
            if outside >= 3 and abs(_area(two, outside)) > eps * eps and total < _FRAGMENTS:
                _copy(two, outside, fragments[total])
                sizes[total] = outside
                total += 1
            inside = _clip(one, n, x, y, ex, ey, turned, two)
            _copy(two, inside, one)
            n = inside
            if n < 3:
                break
        left -= 1
        total -= 1
        _copy(fragments[left], sizes[left], fragments[k])
        sizes[k] = sizes[left]
        _copy(fragments[total], sizes[total], fragments[left])
        sizes[left] = sizes[total]
    return total


@njit
def separate(corners: Any, starts: Any, marks: Any, count: Any, eps: Any, out: Any, out_starts: Any) -> Any:
    """Cut overlapping polygons; return the new number of polygons, or -1 if the arrays are too small.

    corners, starts, marks, count: as `make_pieces` wrote them. eps: the largest size that is ignored, in units.
    Written: out and out_starts, in the form of corners and starts.
    """
    box = boxes_of(corners, starts, count)
    grid = grid_of(box, count)
    columns, span = _i64(grid[3]), np.empty(4, np.int64)
    first = np.empty(columns * _i64(grid[4]) + 1, np.int64)
    members = sort_boxes(box, count, grid, first)
    met = np.full(count, -1, np.int64)  # the last polygon with which each was compared, so that none is compared twice
    fragments, sizes = np.empty((_FRAGMENTS + 1, _ROOM, 5)), np.empty(_FRAGMENTS + 1, np.int64)
    other, one, two = np.empty((_ROOM, 5)), np.empty((_ROOM, 5)), np.empty((_ROOM, 5))
    own, theirs = np.empty(3), np.empty(3)
    made = _i64(0)
    out_starts[0] = 0
    for i in range(count):
        fringe, n = marks[i] % 2, starts[i + 1] - starts[i]
        for k in range(n):
            for c in range(5):
                fragments[0, k, c] = corners[5 * (starts[i] + k) + c]
        _plane(fragments[0], n, own)
        sizes[0] = n
        total = _i64(1) if abs(_area(fragments[0], n)) > eps * eps else _i64(0)
        span_of(box, i, grid, span)
        for turn in range(1 + fringe):  # bodies first, then the other fringes
            for line in range(span[2], span[3] + 1):
                for place in range(first[line * columns + span[0]], first[line * columns + span[1] + 1]):
                    j = members[place]
                    if marks[j] % 2 != turn or total == 0 or met[j] == 2 * i + turn or (j >= i and not fringe):
                        continue
                    met[j] = 2 * i + turn
                    if box[j, 0] >= box[i, 2] or box[j, 2] <= box[i, 0] or marks[j] // 2 == marks[i] // 2:
                        continue
                    if box[j, 1] >= box[i, 3] or box[j, 3] <= box[i, 1]:
                        continue
                    m = starts[j + 1] - starts[j]
                    for k in range(m):
                        for c in range(5):
                            other[k, c] = corners[5 * (starts[j] + k) + c]
                    if turn == 1:
                        _plane(other, m, theirs)
                        m = _stronger(other, m, own, theirs, j < i, eps, one)
                    area = _area(other, m)
                    if abs(area) > eps * eps:
                        turned = 1.0 if area > 0.0 else -1.0
                        total = _subtract(fragments, sizes, total, other, m, eps, one, two, turned)
        for k in range(total):
            at = out_starts[made]
            if made + 1 >= out_starts.shape[0] or 5 * (at + sizes[k]) > out.shape[0]:
                return _i64(-1)
            for v in range(sizes[k]):
                for c in range(5):
                    out[5 * (at + v) + c] = fragments[k, v, c]
            made += 1
            out_starts[made] = at + sizes[k]
    return made
