"""Manifolds of the most frequent shapes, boxes and circles.

A manifold is a normal from A to B and up to two points (`tables.MANIFOLD`). Each function writes the normal, and for
each point its position from both centers and its separation, and returns the number of points. If there are no points,
the separation of the first point is a lower bound of the gap between the shapes, or 0.

Each point has an id made of the two corners of A and B that face each other there. The id does not depend on which
shape has the reference edge. So a point keeps its id, and with it the impulse of the last step, when two faces of
nearly equal separation alternate as the reference.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

GAP = 12
"""The index of the known gap in a manifold without points."""
_0, _HALF, _1 = np.float32(0), np.float32(0.5), np.float32(1)
_MIN_DISTANCE = np.float32(1e-5)


@njit(borrows=True, inline="always")
def put_point(row: Array, at: Any, x: Any, y: Any, separation: Any, dx: Any, dy: Any) -> None:
    """Write a point: its position from A's center; dx, dy is the vector from A's center to B's."""
    row[at] = x
    row[at + 1] = y
    row[at + 2] = x - dx
    row[at + 3] = y - dy
    row[at + 4] = separation
    row[at + 5] = separation


@njit(borrows=True, inline="always")
def keep_impulses(
    row: Array, o: Any, ids: Array, j: Any, count: Any, old: Any, id0: Any, id1: Any, n0: Any, t0: Any, n1: Any, t1: Any
) -> None:
    """Copy to each of `count` new points the impulses of the old point with the same id, or zero if there is none. old:
    the number of old points.
    """
    for k in range(count):
        name = ids[j + k]
        normal, tangent = _0, _0
        if old > 0 and name == id0:
            normal, tangent = n0, t0
        elif old > 1 and name == id1:
            normal, tangent = n1, t1
        row[o + 14 + 8 * k] = normal
        row[o + 15 + 8 * k] = tangent


@njit(borrows=True, forceinline=True)
def ball_ball(row: Array, o: Any, ids: Array, j: Any, dx: Any, dy: Any, a: Any, b: Any, limit: Any) -> Any:
    """Compute the manifold of two circles of radius a and b with centers d apart. If the centers coincide, the normal
    is up.
    """
    d2 = dx * dx + dy * dy
    distance = np.sqrt(d2)
    separation = distance - a - b
    row[o + GAP] = separation
    if separation > limit:
        return 0
    nx, ny = _0, _1
    if distance > _0:
        nx, ny = dx / distance, dy / distance
    out = a + _HALF * separation
    row[o] = nx
    row[o + 1] = ny
    put_point(row, o + 8, nx * out, ny * out, separation, dx, dy)
    ids[j] = 0
    return 1


@njit(borrows=True, forceinline=True)
def box_ball(
    row: Array, o: Any, ids: Array, j: Any, dx: Any, dy: Any, c: Any, s: Any, hx: Any, hy: Any, radius: Any, limit: Any,
    sign: Any,
) -> Any:  # fmt: skip
    """Compute the manifold of a box rotated by c, s and a circle whose center is at d from the box's. sign: 1 if the
    box is A, -1 if it is B.
    """
    lx, ly = c * dx + s * dy, c * dy - s * dx
    qx, qy = min(max(lx, -hx), hx), min(max(ly, -hy), hy)
    ex, ey = lx - qx, ly - qy
    distance = np.sqrt(ex * ex + ey * ey)
    # Outside: normal from the nearest point of the box. Inside: normal of the nearest face.
    if distance > _MIN_DISTANCE * (hx + hy):
        nx, ny = ex / distance, ey / distance
    elif hx - abs(lx) < hy - abs(ly):
        nx, ny = _1 if lx > _0 else -_1, _0
        distance = abs(lx) - hx
        qx = nx * hx
    else:
        nx, ny = _0, _1 if ly > _0 else -_1
        distance = abs(ly) - hy
        qy = ny * hy
    separation = distance - radius
    row[o + GAP] = separation
    if separation > limit:
        return 0
    wx, wy = c * nx - s * ny, s * nx + c * ny
    out = _HALF * separation
    px, py = c * qx - s * qy + out * wx, s * qx + c * qy + out * wy
    row[o] = sign * wx
    row[o + 1] = sign * wy
    if sign < _0:
        px -= dx
        py -= dy
    put_point(row, o + 8, px, py, separation, sign * dx, sign * dy)
    ids[j] = 0
    return 1


@njit(borrows=True, forceinline=True)
def box_box(
    row: Array, o: Any, ids: Array, j: Any, dx: Any, dy: Any, ca: Any, sa: Any, cb: Any, sb: Any, ax: Any, ay: Any,
    bx: Any, by: Any, limit: Any, tie: Any,
) -> Any:  # fmt: skip
    """Compute the manifold of two boxes of half sizes ax, ay and bx, by, rotated by ca, sa and cb, sb, centers d
    apart.

    tie: how much better B's face must separate to be the reference. The frame is rotated so that the face with the best
    separation points along x; then the incident edge of the other box only needs clipping above and below.
    """
    # The rotation from A to B, and the center distance in the frames of A (e) and of B (f).
    c, s = ca * cb + sa * sb, ca * sb - sa * cb
    ex, ey = ca * dx + sa * dy, ca * dy - sa * dx
    fx, fy = c * ex + s * ey, c * ey - s * ex
    width, height = abs(c), abs(s)
    # Separating axis test: the separation along each of the four face normals.
    s0 = abs(ex) - ax - width * bx - height * by
    s1 = abs(ey) - ay - height * bx - width * by
    s2 = abs(fx) - bx - width * ax - height * ay
    s3 = abs(fy) - by - height * ax - width * ay
    best_a, best_b = max(s0, s1), max(s2, s3)
    gap = max(best_a, best_b)
    row[o + GAP] = gap
    if gap > limit:
        return 0
    # The reference face has the greatest separation; A's face is preferred in ties.
    flip = best_b > best_a + tie
    if flip:
        rx, ry, ix, iy = bx, by, ax, ay
        ex, ey, s = -fx, -fy, -s
        nx, ny = cb, sb
        along = s2 >= s3
    else:
        rx, ry, ix, iy = ax, ay, bx, by
        nx, ny = ca, sa
        along = s0 >= s1
    # Rotate the frame until the normal of the reference face is +x.
    if along:
        face = 0
        if ex < _0:
            face = 2
            ex, ey, c, s, nx, ny = -ex, -ey, -c, -s, -nx, -ny
    else:
        rx, ry = ry, rx
        if ey < _0:
            face = 3
            ex, ey, c, s, nx, ny = -ey, ex, -s, c, ny, -nx
        else:
            face = 1
            ex, ey, c, s, nx, ny = ey, -ex, s, -c, -ny, nx
    # The incident face is the one whose normal points most against x.
    if abs(c) >= abs(s):
        other = 2 if c > _0 else 0
        mx, my = (-c, -s) if c > _0 else (c, s)
        out, side = ix, iy
    else:
        other = 1 if s > _0 else 3
        mx, my = (-s, c) if s > _0 else (s, -c)
        out, side = iy, ix
    # Its two ends: height above the reference face, and position along it.
    cx, cy = ex + out * mx - rx, ey + out * my
    low, low_height = cy + side * mx, cx - side * my
    high, high_height = cy - side * mx, cx + side * my
    first, last = _name(face + 1, other + 2, flip), _name(face + 2, other + 1, flip)
    sign = -_1 if flip else _1
    kx, ky = (dx, dy) if flip else (_0, _0)
    # The incident edge is beside the reference face: a single point, between the face's corner and the nearest point of
    # the edge.
    if high < -ry or low > ry:
        y, name = (ry, last) if low > ry else (-ry, first)
        ex, ey = high_height - low_height, high - low
        share = (low_height * ex + (low - y) * ey) / -(ex * ex + ey * ey)
        share = min(max(share, _0), _1)
        height, beside = low_height + share * ex, low + share * ey - y
        distance = np.sqrt(height * height + beside * beside)
        if height <= _0 or distance > limit:
            return 0
        ux, uy = height / distance, beside / distance
        row[o] = sign * (nx * ux - ny * uy)
        row[o + 1] = sign * (ny * ux + nx * uy)
        x, y = rx + _HALF * height, y + _HALF * beside
        put_point(row, o + 8, nx * x - ny * y + kx, ny * x + nx * y + ky, distance, dx, dy)
        ids[j] = name
        return 1
    # Clip the ends at the sides of the reference face (Sutherland and Hodgman).
    width = high - low
    if width > _0:
        slope = (high_height - low_height) / width
        if low < -ry:
            low_height += slope * (-ry - low)
            low = -ry
        if high > ry:
            high_height += slope * (ry - high)
            high = ry
    # Points half way between both faces, relative to body A.
    row[o] = sign * nx
    row[o + 1] = sign * ny
    count = 0
    if low_height <= limit:
        x = rx + _HALF * low_height
        put_point(row, o + 8, nx * x - ny * low + kx, ny * x + nx * low + ky, low_height, dx, dy)
        ids[j] = first
        count = 1
    if high_height <= limit:
        x = rx + _HALF * high_height
        put_point(row, o + 8 + 8 * count, nx * x - ny * high + kx, ny * x + nx * high + ky, high_height, dx, dy)
        ids[j + count] = last
        count += 1
    return count


@njit(borrows=True, inline="always")
def _name(reference: Any, incident: Any, flip: Any) -> Any:
    """Return the id of a point: corner of A, corner of B."""
    a, b = reference & 3, incident & 3
    return (b << 8) | a if flip else (a << 8) | b
