"""Pieces: a stroke as convex polygons, one for each segment, joint and cap, with a fringe that fades to transparent.

Every piece has a body, drawn opaque, and along its outer border a fringe one pixel wide, whose outer corners are
transparent; this makes the edges smooth. A border has its inner side (`low`) half a pixel inside and its outer side
(`high`) half a pixel outside the true edge. A stroke thinner than a pixel has no body, and a fainter fringe. Pieces
overlap at the joints; `difference` removes the overlaps where they would be visible.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rish_ecs.jit import njit

MITER, ROUND, BEVEL = 0, 1, 2
BUTT, ROUND_CAP, SQUARE = 0, 1, 2
WIDTH = 5
"""The length of a corner's row: x, y, coverage 0..1, distance along the stroke, -1..1 across it (1 on the left)."""
_MAX = 64
_i64 = np.int64


@njit
def _corner(corners: Any, at: Any, x: Any, y: Any, cover: Any, along: Any, across: Any) -> None:
    base = 5 * at
    corners[base], corners[base + 1] = x, y
    corners[base + 2], corners[base + 3], corners[base + 4] = cover, along, across


@njit
def _borders(half: Any, fringe: Any, out: Any) -> None:
    """Write the inner and outer distance of a border from the middle, and the covered part of a pixel."""
    out[0] = max(half - 0.5 * fringe, 0.0)
    out[1] = max(half, 0.5 * fringe) + 0.5 * fringe
    out[2] = min(1.0, 2.0 * half / fringe)


@njit
def _close(corners: Any, starts: Any, marks: Any, count: Any, border: Any, n: Any, piece: Any, apex: Any) -> Any:
    """Write the body and the fringe of a piece with a known border; return the number of polygons.

    border: float64 (n, 7), inner x y, outer x y, coverage, along, across. apex: float64 (4), the body's additional
    corner: x, y, along, and whether it is used.
    """
    at = starts[count]
    if apex[3] > 0:
        _corner(corners, at, apex[0], apex[1], border[0, 4], apex[2], 0.0)
        at += 1
    for k in range(n):
        _corner(corners, at, border[k, 0], border[k, 1], border[k, 4], border[k, 5], border[k, 6])
        at += 1
    count += 1
    starts[count], marks[count - 1] = at, 2 * piece
    for k in range(n - 1):
        j = k + 1
        _corner(corners, at, border[k, 0], border[k, 1], border[k, 4], border[k, 5], border[k, 6])
        _corner(corners, at + 1, border[k, 2], border[k, 3], 0.0, border[k, 5], border[k, 6])
        _corner(corners, at + 2, border[j, 2], border[j, 3], 0.0, border[j, 5], border[j, 6])
        _corner(corners, at + 3, border[j, 0], border[j, 1], border[j, 4], border[j, 5], border[j, 6])
        at += 4
        count += 1
        starts[count], marks[count - 1] = at, 2 * piece + 1
    return count


@njit
def _edge(border: Any, n: Any, x: Any, y: Any, dx: Any, dy: Any, level: Any, along: Any, across: Any) -> Any:
    """Append a point to a border, in a direction from a point; return the number of points."""
    border[n, 0], border[n, 1] = x + dx * level[0], y + dy * level[0]
    border[n, 2], border[n, 3] = x + dx * level[1], y + dy * level[1]
    border[n, 4], border[n, 5], border[n, 6] = level[2], along, across
    return n + 1


@njit
def _arc(border: Any, n: Any, x: Any, y: Any, nx: Any, ny: Any, angle: Any, level: Any, fine: Any, along: Any,
         side: Any, turn: Any) -> Any:  # fmt: skip
    """Write an arc from direction n through an angle (radians, signed). turn: 1 changes `across` from side to -side."""
    # The largest angle whose arc is at most `fine` away from its chord: 2·acos(1 - fine / radius).
    step = 2.0 * math.acos(max(1.0 - fine / max(level[1], fine), 0.5))
    pieces = min(max(math.ceil(abs(angle) / step), 1), _MAX)
    for k in range(pieces + 1):
        cos, sin = math.cos(angle * k / pieces), math.sin(angle * k / pieces)
        across = side * math.cos(math.pi * k / pieces) if turn else side
        n = _edge(border, n, x, y, cos * nx - sin * ny, sin * nx + cos * ny, level, along, across)
    return n


@njit
def _joint(border: Any, apex: Any, x: Any, y: Any, d: Any, level: Any, joint: Any, limit: Any, fine: Any, along: Any,
           inward: Any) -> Any:  # fmt: skip
    """Write the outline on the outer side of a corner; returns its length, 0 if the two segments leave no gap.

    d: the directions before and after the corner. inward: how far the apex, which is written, is behind the point.
    """
    cross, dot = d[0] * d[3] - d[1] * d[2], d[0] * d[2] + d[1] * d[3]
    side = -1.0 if cross > 0.0 else 1.0
    angle = math.atan2(abs(cross), dot)
    if angle * level[1] < 0.2 * fine:
        return _i64(0)
    ax, ay, bx, by = -side * d[1], side * d[0], -side * d[3], side * d[2]
    mx, my = (d[0] - d[2], d[1] - d[3]) if angle > 3.0 else (ax + bx, ay + by)
    size = math.sqrt(mx * mx + my * my)
    mx, my = mx / size, my / size
    inward = min(inward, level[0])
    apex[0], apex[1], apex[2], apex[3] = x - mx * inward, y - my * inward, along, 1.0
    if joint == 1:
        return _arc(border, _i64(0), x, y, ax, ay, -side * angle, level, fine, along, side, 0)
    n = _edge(border, _i64(0), x, y, ax, ay, level, along, side)
    # The point of a miter is 1 / cos(angle / 2) half widths away; above `limit` the corner becomes a bevel.
    cos = math.cos(0.5 * angle)
    if joint == 0 and cos * limit >= 1.0:
        n = _edge(border, n, x, y, mx / cos, my / cos, level, along, side)
    else:
        wide = level[1] - level[0]
        for k in range(2):
            px, py = (ax, ay) if k == 0 else (bx, by)
            n = _edge(border, n, x, y, px, py, level, along, side)
            border[n - 1, 2] = border[n - 1, 0] + mx * wide
            border[n - 1, 3] = border[n - 1, 1] + my * wide
    return _edge(border, n, x, y, bx, by, level, along, side)


@njit
def _cap(border: Any, x: Any, y: Any, ox: Any, oy: Any, level: Any, cap: Any, reach: Any, fine: Any, along: Any,
         side: Any) -> Any:  # fmt: skip
    """Write the border of an end; o: the outward direction. reach: inner and outer distance of a flat end.

    side: 1 at the start of a stroke, -1 at its end.
    """
    nx, ny = oy, -ox
    if cap == 1:
        return _arc(border, _i64(0), x, y, nx, ny, math.pi, level, fine, along, side, 1)
    n = _edge(border, _i64(0), x, y, nx, ny, level, along, side)
    for k in range(4):
        hand = 1.0 if k < 2 else -1.0
        out = reach[0] if k == 0 or k == 3 else reach[1]
        n = _edge(border, n, x, y, hand * nx, hand * ny, level, along, hand * side)
        border[n - 1, 0] += ox * reach[0]
        border[n - 1, 1] += oy * reach[0]
        border[n - 1, 2] += ox * out
        border[n - 1, 3] += oy * out
    return _edge(border, n, x, y, -nx, -ny, level, along, -side)


@njit
def _direction(points: Any, k: Any, j: Any, d: Any, at: Any) -> Any:
    """Write the direction from point k to point j; return their distance."""
    x, y = points[2 * j] - points[2 * k], points[2 * j + 1] - points[2 * k + 1]
    size = math.sqrt(x * x + y * y)
    d[at], d[at + 1] = (x / size, y / size) if size > 0.0 else (1.0, 0.0)
    return size


@njit
def make_pieces(
    points: Any, half: Any, along: Any, parts: Any, closed: Any, joint: Any, limit: Any, cap: Any, fringe: Any,
    overlap: Any, corners: Any, starts: Any, marks: Any,
) -> Any:  # fmt: skip
    """Write the polygons of strokes; return their number, or -1 if the arrays are too small.

    points: float64 2n. half, along: float64 n. parts: int64 (p + 1), the start of each stroke. closed: the last point
    is the first. joint, limit, cap: the style of corners and ends. fringe: a pixel, in the unit of the points. overlap:
    how far joints reach into segments; without overlap, rounding may leave a hole. Written: corners, float64, `WIDTH`
    numbers each; starts, int64, polygon i has the corners starts[i] up to starts[i + 1]; marks, int64, twice the number
    of the piece, 1 more for a fringe.
    """
    border = np.empty((_MAX + 8, 7))
    d, near, far, reach, apex = np.empty(4), np.empty(3), np.empty(3), np.empty(2), np.zeros(4)
    fine = 0.12 * fringe
    count, piece = _i64(0), _i64(0)
    starts[0] = 0
    room_corners, room_polygons = corners.shape[0] // 5 - 6 * (_MAX + 8), marks.shape[0] - 2 * (_MAX + 8)
    for part in range(parts.shape[0] - 1):
        begin, end = parts[part], parts[part + 1]
        for k in range(begin, end):
            if starts[count] > room_corners or count > room_polygons:
                return _i64(-1)
            x, y = points[2 * k], points[2 * k + 1]
            _borders(half[k], fringe, near)
            first, last = k == begin, k == end - 1
            alone = end - begin == 1 or (end - begin == 2 and along[begin] == along[end - 1])
            if alone:
                if not first or cap == 0 or (k > 0 and closed):
                    continue
                d[0], d[1] = 1.0, 0.0
                if 0 < k < half.shape[0] - 1:
                    _direction(points, k - 1, k, d, 0)
            else:
                size = _direction(points, k, k + 1, d, 2) if not last else 0.0
                if not first:
                    before = _direction(points, k - 1, k, d, 0)
                    size = before if last else size
                elif closed:
                    _direction(points, end - 2, k, d, 0)
            if not alone and not (closed and last):
                n = _i64(0)
                if not (first or last) or closed:
                    n = _joint(border, apex, x, y, d, near, joint, limit, fine, along[k], overlap)
                if n > 0:
                    count = _close(corners, starts, marks, count, border, n, piece, apex)
                    piece += 1
            if (first or last) and (not closed or alone):
                apex[3] = 0.0
                for end_of in range(2):
                    if (end_of == 0 and not first) or (end_of == 1 and not last and not alone):
                        continue
                    at = 0 if (last and not first) or alone else 2
                    out = -1.0 if end_of == 0 else 1.0
                    ox, oy = out * d[at], out * d[at + 1]
                    shift = 0.5 * fringe if cap == 0 and size > fringe else 0.0
                    reach[0], reach[1] = 0.0, fringe
                    if cap == 2:
                        reach[0], reach[1] = near[0], near[1]
                    n = _cap(border, x - ox * shift, y - oy * shift, ox, oy, near, cap, reach, fine, along[k], -out)
                    count = _close(corners, starts, marks, count, border, n, piece, apex)
                    piece += 1
            if last or alone:
                continue
            _borders(half[k + 1], fringe, far)
            x1, y1 = points[2 * k + 2], points[2 * k + 3]
            if cap == 0 and not closed and size > fringe:
                if first:
                    x, y = x + 0.5 * fringe * d[2], y + 0.5 * fringe * d[3]
                if k + 1 == end - 1:
                    x1, y1 = x1 - 0.5 * fringe * d[2], y1 - 0.5 * fringe * d[3]
            count = _segment(corners, starts, marks, count, piece, x, y, x1, y1, d, near, far, along[k], along[k + 1])
            piece += 1
    return count


@njit
def _segment(
    corners: Any, starts: Any, marks: Any, count: Any, piece: Any, x: Any, y: Any, x1: Any, y1: Any, d: Any,
    near: Any, far: Any, along: Any, along1: Any,
) -> Any:  # fmt: skip
    """Write the body and the two fringes of a straight segment. The body includes the path's points, as joints do."""
    at, nx, ny = starts[count], -d[3], d[2]
    for corner in range(6):
        end = 1 < corner < 5
        side = 0.0 if corner % 3 == 0 else (1.0 if corner < 3 else -1.0)
        level = far if end else near
        px, py = (x1, y1) if end else (x, y)
        reach = side * level[0]
        _corner(corners, at, px + nx * reach, py + ny * reach, level[2], along1 if end else along, side)
        at += 1
    count += 1
    starts[count], marks[count - 1] = at, 2 * piece
    for k in range(2):
        side = 1.0 - 2.0 * k
        for corner in range(4):
            end, inner = corner == 1 or corner == 2, corner < 2
            level = far if end else near
            px, py = (x1, y1) if end else (x, y)
            reach = side * (level[0] if inner else level[1])
            cover = level[2] if inner else 0.0
            _corner(corners, at, px + nx * reach, py + ny * reach, cover, along1 if end else along, side)
            at += 1
        count += 1
        starts[count], marks[count - 1] = at, 2 * piece + 1
    return count
