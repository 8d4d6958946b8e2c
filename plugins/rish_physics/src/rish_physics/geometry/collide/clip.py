"""Clips the incident edge at the ends of the reference edge.

The reference edge belongs to the shape with the best separating axis; the incident edge is the other shape's edge that
faces it (Sutherland and Hodgman's clipping, with one edge for a polygon). The result is up to two points with their
distances from the reference face. A contact point is midway between the two surfaces.

The manifold has the layout of `tables.MANIFOLD`: normal at 0 and 1, points at 8 and 16 with the position in the first
two numbers and the separation in the fifth.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

_0, _HALF, _1 = np.float32(0), np.float32(0.5), np.float32(1)


@njit(borrows=True, forceinline=True)
def clip_edge(
    row: Array, at: Any, ids: Array, j: Any, ax: Any, ay: Any, bx: Any, by: Any, nx: Any, ny: Any, px: Any, py: Any,
    qx: Any, qy: Any, radius: Any, other: Any, limit: Any, sign: Any, first: Any, last: Any,
) -> Any:  # fmt: skip
    """Write the points of the incident edge p-q that are over the reference edge a-b and within `limit`; return their
    number, 0 to 2.

    nx, ny: outward normal of a-b. radius, other: of the reference shape and the incident one. The incident edge runs in
    the opposite direction, so q faces a. first, last: ids of the points at a and at b. sign: -1 reverses the normal
    that is written. row, at: the manifold, and its start in `row`. ids, j: the same for the two ids.
    """
    # Both ends of the incident edge: position along the reference edge (low, high) and height above it.
    ux, uy = -ny, nx
    length = ux * (bx - ax) + uy * (by - ay)
    low, low_height = ux * (qx - ax) + uy * (qy - ay), nx * (qx - ax) + ny * (qy - ay)
    high, high_height = ux * (px - ax) + uy * (py - ay), nx * (px - ax) + ny * (py - ay)
    if high < low:
        low, low_height, high, high_height = high, high_height, low, low_height
    count = 0
    if high >= _0 and low <= length:
        width = high - low
        slope = (high_height - low_height) / width if width > _0 else _0
        if high > length:
            high_height += slope * (length - high)
            high = length
        if low < _0:
            low_height -= slope * low
            low = _0
        row[at] = sign * nx
        row[at + 1] = sign * ny
        both = radius + other
        shift = radius - other
        if low_height - both <= limit:
            # Midway between the surfaces: height (h + r_reference - r_incident) / 2.
            out = _HALF * (low_height + shift)
            write_point(row, at + 8, ax + low * ux + out * nx, ay + low * uy + out * ny, low_height - both)
            ids[j] = first
            count = 1
        if high_height - both <= limit:
            out = _HALF * (high_height + shift)
            o = at + 8 + 8 * count
            write_point(row, o, ax + high * ux + out * nx, ay + high * uy + out * ny, high_height - both)
            ids[j + count] = last
            count += 1
    return count


@njit(borrows=True, inline="always")
def write_point(row: Array, at: Any, x: Any, y: Any, separation: Any) -> None:
    """Write a point's position and separation."""
    row[at] = x
    row[at + 1] = y
    row[at + 4] = separation


@njit(borrows=True, forceinline=True)
def corner_point(
    row: Array, at: Any, ids: Array, j: Any, ax: Any, ay: Any, bx: Any, by: Any, nx: Any, ny: Any, distance: Any,
    radius: Any, other: Any, limit: Any, name: Any,
) -> Any:  # fmt: skip
    """Write a point between the corners a and b if their surfaces are within `limit` of each other; return the number
    of points, 0 or 1.

    nx, ny: the direction from a to b. distance: between them.
    """
    separation = distance - radius - other
    count = 0
    if separation <= limit:
        row[at] = nx
        row[at + 1] = ny
        out = _HALF * (distance + radius - other)
        write_point(row, at + 8, ax + out * nx, ay + out * ny, separation)
        ids[j] = name
        count = 1
    return count


@njit(borrows=True, forceinline=True)
def between_segments(ax: Any, ay: Any, bx: Any, by: Any, px: Any, py: Any, qx: Any, qy: Any) -> Any:
    """Return (s, t): the nearest points of segments a-b and p-q as shares of their lengths, exactly 0 or 1 at an
    end.

    If they cross, any pair of near points. Ericson, Real-Time Collision Detection, 5.1.9.
    """
    ux, uy, vx, vy = bx - ax, by - ay, qx - px, qy - py
    rx, ry = ax - px, ay - py
    uu, vv, uv = ux * ux + uy * uy, vx * vx + vy * vy, ux * vx + uy * vy
    ur, vr = ux * rx + uy * ry, vx * rx + vy * ry
    s, t = _0, _0
    scale = uu * vv - uv * uv
    if scale > np.float32(1e-6) * uu * vv:
        s = min(max((uv * vr - ur * vv) / scale, _0), _1)
    if vv > _0:
        t = (uv * s + vr) / vv
    if t < _0:
        t = _0
        s = min(max(-ur / uu, _0), _1) if uu > _0 else _0
    elif t > _1:
        t = _1
        s = min(max((uv - ur) / uu, _0), _1) if uu > _0 else _0
    return s, t
