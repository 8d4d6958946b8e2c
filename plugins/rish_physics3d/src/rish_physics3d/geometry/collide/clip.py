"""Where two faces touch: the face of one shape is clipped by the sides of the other one's (Sutherland and Hodgman).

The reference face is the one whose normal is the contact's; the incident face belongs to the other shape. Points of the
incident face within the sides of the reference face and below its plane are points of the contact. Everything is in one
frame. A list of points is flat, `ROW` numbers a point: x, y, z.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit

ROW = 3
MOST = 96
"""The greatest number of points of a clipped face: one with 64 points may gain one at each side that clips it."""
_0, _1, _half = np.float32(0), np.float32(1), np.float32(0.5)
_tiny = np.float32(1e-12)


@njit(borrows=True)
def clip(sides: Any, n_sides: Any, nx: Any, ny: Any, nz: Any, points: Any, count: Any, spare: Any) -> Any:
    """Clip the incident face by the sides of the reference face; return the number of points.

    sides: the points of the reference face, counter-clockwise seen against its normal n. points: those of the incident
    face, replaced by the result. spare: working memory of the same size.
    """
    for k in range(n_sides):
        if count == 0:
            break
        a, b = ROW * k, ROW * ((k + 1) % n_sides)
        ex, ey, ez = sides[b] - sides[a], sides[b + 1] - sides[a + 1], sides[b + 2] - sides[a + 2]
        # The outward normal of the side: edge x n.
        sx, sy, sz = ey * nz - ez * ny, ez * nx - ex * nz, ex * ny - ey * nx
        d = sx * sides[a] + sy * sides[a + 1] + sz * sides[a + 2]
        n = 0
        o = ROW * (count - 1)
        before = sx * points[o] + sy * points[o + 1] + sz * points[o + 2] - d
        for i in range(count):
            p = ROW * i
            here = sx * points[p] + sy * points[p + 1] + sz * points[p + 2] - d
            if (before > _0) != (here > _0) and n < MOST:
                t = before / (before - here)
                q = ROW * n
                for c in range(3):
                    spare[q + c] = points[o + c] + t * (points[p + c] - points[o + c])
                n += 1
            if here <= _0 and n < MOST:
                for c in range(3):
                    spare[ROW * n + c] = points[p + c]
                n += 1
            before = here
            o = p
        for i in range(ROW * n):
            points[i] = spare[i]
        count = n
    return count


@njit(borrows=True)
def deepest(points: Any, gaps: Any, count: Any, nx: Any, ny: Any, nz: Any, chosen: Any) -> Any:
    """Choose at most four points that keep the extent of a face; write their indices, return how many.

    The deepest one, the one farthest from it, the one that spans the greatest triangle with both, and the one farthest
    outside that triangle.
    """
    if count <= 4:
        for k in range(count):
            chosen[k] = k
        return count
    first = 0
    for k in range(1, count):
        if gaps[k] < gaps[first]:
            first = k
    a = ROW * first
    second, best = -1, _tiny
    for k in range(count):
        x, y, z = points[ROW * k] - points[a], points[ROW * k + 1] - points[a + 1], points[ROW * k + 2] - points[a + 2]
        far = x * x + y * y + z * z
        if far > best:
            second, best = k, far
    chosen[0] = first
    if second < 0:
        return 1
    chosen[1] = second
    b = ROW * second
    ex, ey, ez = points[b] - points[a], points[b + 1] - points[a + 1], points[b + 2] - points[a + 2]
    # n x edge points to the left of the edge: the greatest area on each side.
    ux, uy, uz = ny * ez - nz * ey, nz * ex - nx * ez, nx * ey - ny * ex
    left, right, most, least = -1, -1, _tiny, -_tiny
    for k in range(count):
        if k in (first, second):
            continue
        p = ROW * k
        area = (
            ux * (points[p] - points[a]) + uy * (points[p + 1] - points[a + 1]) + uz * (points[p + 2] - points[a + 2])
        )
        if area > most:
            left, most = k, area
        if area < least:
            right, least = k, area
    n = 2
    if left >= 0:
        chosen[n] = left
        n += 1
    if right >= 0:
        chosen[n] = right
        n += 1
    return n


@njit(borrows=True)
def below(points: Any, count: Any, nx: Any, ny: Any, nz: Any, d: Any, limit: Any, gaps: Any) -> Any:
    """Drop the points farther than `limit` above the plane n · x = d, and move the others half way to it, so that they
    lie between both surfaces; return how many are left. gaps: receives their distances.
    """
    n = 0
    for k in range(count):
        p, q = ROW * k, ROW * n
        x, y, z = points[p], points[p + 1], points[p + 2]
        gap = x * nx + y * ny + z * nz - d
        if gap > limit:
            continue
        half = gap * _half
        points[q], points[q + 1], points[q + 2] = x - half * nx, y - half * ny, z - half * nz
        gaps[n] = gap
        n += 1
    return n
