"""Welding: gives adjacent polygons the same corners along their common border.

Cutting leaves corners of one polygon in the middle of an edge of another. On a grid of pixels the two borders are then
rounded differently, and a pixel between them is missed or drawn twice. So every corner on an edge becomes a corner of
that edge as well, and the polygon is drawn as a fan around its middle, which is not a corner.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_ecs.jit import njit

_ON_EDGE = 64  # most corners that are added to one edge
_i64 = np.int64


@njit
def fill_cells(corners: Any, count: Any, x0: Any, y0: Any, cell: Any, columns: Any, first: Any, members: Any) -> None:
    """Sort corners into the cells of a grid: cell i has the corners members[first[i] : first[i + 1]]."""
    cells = first.shape[0] - 1
    first[:] = 0
    for k in range(count):
        at = _i64((corners[5 * k + 1] - y0) / cell) * columns + _i64((corners[5 * k] - x0) / cell)
        first[at + 1] += 1
    for i in range(cells):
        first[i + 1] += first[i]
    free = first[:-1].copy()
    for k in range(count):
        at = _i64((corners[5 * k + 1] - y0) / cell) * columns + _i64((corners[5 * k] - x0) / cell)
        members[free[at]] = k
        free[at] += 1


@njit
def weld(
    corners: Any, starts: Any, count: Any, x0: Any, y0: Any, cell: Any, columns: Any, rows: Any, first: Any,
    members: Any, eps: Any, out: Any, out_starts: Any,
) -> Any:  # fmt: skip
    """Write the polygons with the corners on their edges added; return the number of corners, -1 if too many.

    corners, starts, count: as `separate` wrote them. x0 to members: the grid of `fill_cells`. eps: the largest distance
    from an edge that counts as on it, units.
    """
    found, place = np.empty(_ON_EDGE, np.int64), np.empty(_ON_EDGE)
    at = _i64(0)
    out_starts[0] = 0
    for i in range(count):
        n = starts[i + 1] - starts[i]
        for k in range(n):
            a = 5 * (starts[i] + k)
            b = 5 * (starts[i] + (k + 1 if k + 1 < n else 0))
            if 5 * (at + _ON_EDGE + 2) > out.shape[0]:
                return _i64(-1)
            for c in range(5):
                out[5 * at + c] = corners[a + c]
            at += 1
            ax, ay, ex, ey = corners[a], corners[a + 1], corners[b] - corners[a], corners[b + 1] - corners[a + 1]
            size = ex * ex + ey * ey
            if size <= 4.0 * eps * eps:
                continue
            length = np.sqrt(size)
            n_found = _i64(0)
            c0 = max(_i64((min(ax, ax + ex) - eps - x0) / cell), 0)
            c1 = min(_i64((max(ax, ax + ex) + eps - x0) / cell), columns - 1)
            for column in range(c0, c1 + 1):
                low, high = min(ay, ay + ey), max(ay, ay + ey)
                if abs(ex) > eps:
                    t0, t1 = (x0 + column * cell - ax) / ex, (x0 + (column + 1) * cell - ax) / ex
                    y1, y2 = ay + ey * min(max(t0, 0.0), 1.0), ay + ey * min(max(t1, 0.0), 1.0)
                    low, high = min(y1, y2), max(y1, y2)
                for row in range(
                    max(_i64((low - eps - y0) / cell), 0), min(_i64((high + eps - y0) / cell), rows - 1) + 1
                ):
                    here = row * columns + column
                    for m in range(first[here], first[here + 1]):
                        x, y = corners[5 * members[m]] - ax, corners[5 * members[m] + 1] - ay
                        # The distance from the edge's line is |e × d| / |e|, the position along it e · d / |e|².
                        if abs(ex * y - ey * x) > eps * length:
                            continue
                        t = (ex * x + ey * y) / size
                        if t * length <= 2.0 * eps or (1.0 - t) * length <= 2.0 * eps or n_found == _ON_EDGE:
                            continue
                        j = n_found
                        known = False
                        for f in range(n_found):
                            if abs(place[f] - t) * length <= 2.0 * eps:
                                known = True
                        if known:
                            continue
                        while j > 0 and place[j - 1] > t:
                            place[j], found[j] = place[j - 1], found[j - 1]
                            j -= 1
                        place[j], found[j] = t, members[m]
                        n_found += 1
            for f in range(n_found):
                out[5 * at], out[5 * at + 1] = corners[5 * found[f]], corners[5 * found[f] + 1]
                for c in range(2, 5):
                    out[5 * at + c] = corners[a + c] + place[f] * (corners[b + c] - corners[a + c])
                at += 1
        out_starts[i + 1] = at
    return at
