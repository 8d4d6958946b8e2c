"""The distance of two convex sets of points (E. Gilbert, D. Johnson, S. Keerthi, 1988).

The closest points of two convex shapes are the point of their difference, {b - a}, that is closest to the origin. A
simplex of up to four corners of the difference moves toward the origin until no other corner is closer. The closest
point of a simplex is found by the regions of Voronoi (C. Ericson, "Real-Time Collision Detection", 2005, chapter 5).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit

MOST = 32
"""The greatest number of iterations; a simplex repeats long before, unless rounding makes it swing."""
WORK = 64
"""The float64 numbers of working memory: four corners of 9 numbers (difference, point of A, point of B), weights."""
_WEIGHTS = 36
_EPS = 1e-12


@njit(borrows=True, inline="always")
def _farthest(points: Any, first: Any, count: Any, x: Any, y: Any, z: Any) -> Any:
    """Return the index of the point that is farthest in a direction; the first of equal ones."""
    best, most = first, -np.inf
    for k in range(first, first + count):
        d = points[3 * k] * x + points[3 * k + 1] * y + points[3 * k + 2] * z
        if d > most:
            best, most = k, d
    return best


@njit(borrows=True)
def _move(w: Any, to: Any, of: Any) -> None:
    """Copy a corner."""
    for k in range(9):
        w[9 * to + k] = w[9 * of + k]


@njit(borrows=True)
def _segment(w: Any, i: Any, j: Any) -> Any:
    """Write the weights of the point of a segment closest to the origin; return its squared distance."""
    o, p = 9 * i, 9 * j
    dx, dy, dz = w[p] - w[o], w[p + 1] - w[o + 1], w[p + 2] - w[o + 2]
    long = dx * dx + dy * dy + dz * dz
    t = -(w[o] * dx + w[o + 1] * dy + w[o + 2] * dz)
    t = min(max(t / long, 0.0), 1.0) if long > 0 else 0.0
    for k in range(4):
        w[_WEIGHTS + k] = 0.0
    w[_WEIGHTS + i], w[_WEIGHTS + j] = 1 - t, t
    x, y, z = w[o] + t * dx, w[o + 1] + t * dy, w[o + 2] + t * dz
    return x * x + y * y + z * z


@njit(borrows=True)
def _triangle(w: Any, i: Any, j: Any, k: Any) -> Any:
    """Write the weights of the point of a triangle closest to the origin; return its squared distance."""
    a, b, c = 9 * i, 9 * j, 9 * k
    ux, uy, uz = w[b] - w[a], w[b + 1] - w[a + 1], w[b + 2] - w[a + 2]
    vx, vy, vz = w[c] - w[a], w[c + 1] - w[a + 1], w[c + 2] - w[a + 2]
    d1 = -(ux * w[a] + uy * w[a + 1] + uz * w[a + 2])
    d2 = -(vx * w[a] + vy * w[a + 1] + vz * w[a + 2])
    d3 = -(ux * w[b] + uy * w[b + 1] + uz * w[b + 2])
    d4 = -(vx * w[b] + vy * w[b + 1] + vz * w[b + 2])
    d5 = -(ux * w[c] + uy * w[c + 1] + uz * w[c + 2])
    d6 = -(vx * w[c] + vy * w[c + 1] + vz * w[c + 2])
    va, vb, vc = d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2
    total = va + vb + vc
    if va > 0 and vb > 0 and vc > 0 and total > 0:
        for q in range(4):
            w[_WEIGHTS + q] = 0.0
        w[_WEIGHTS + i], w[_WEIGHTS + j], w[_WEIGHTS + k] = va / total, vb / total, vc / total
        s = 0.0
        for q in range(3):
            x = (va * w[a + q] + vb * w[b + q] + vc * w[c + q]) / total
            s += x * x
        return s
    best = min(_segment(w, i, j), _segment(w, j, k), _segment(w, i, k))
    if _segment(w, i, j) == best:
        return best
    if _segment(w, j, k) == best:
        return best
    return _segment(w, i, k)


@njit(borrows=True)
def _closest(w: Any, n: Any) -> Any:
    """Write the weights of the point of a simplex closest to the origin; return its squared distance."""
    if n == 1:
        w[_WEIGHTS] = 1.0
        return w[0] * w[0] + w[1] * w[1] + w[2] * w[2]
    if n == 2:
        return _segment(w, 0, 1)
    if n == 3:
        return _triangle(w, 0, 1, 2)
    best, face = np.inf, -1
    inside = True
    for f in range(4):  # face f lacks corner f
        i, j, k = (f + 1) % 4, (f + 2) % 4, (f + 3) % 4
        a, b, c, d = 9 * i, 9 * j, 9 * k, 9 * f
        ux, uy, uz = w[b] - w[a], w[b + 1] - w[a + 1], w[b + 2] - w[a + 2]
        vx, vy, vz = w[c] - w[a], w[c + 1] - w[a + 1], w[c + 2] - w[a + 2]
        nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        own = nx * (w[d] - w[a]) + ny * (w[d + 1] - w[a + 1]) + nz * (w[d + 2] - w[a + 2])
        origin = -(nx * w[a] + ny * w[a + 1] + nz * w[a + 2])
        if own * origin <= 0:
            inside = False
            far = _triangle(w, i, j, k)
            if far < best:
                best, face = far, f
    if inside:
        return 0.0
    return _triangle(w, (face + 1) % 4, (face + 2) % 4, (face + 3) % 4)


@njit(borrows=True)
def distance(a: Any, first_a: Any, count_a: Any, b: Any, first_b: Any, count_b: Any, w: Any, out: Any) -> Any:
    """Return the distance of two convex sets of points, 0 if they overlap; write the closest points of A and B.

    a, b: float64, 3 numbers a point, in one frame. w: `WORK` float64. out: float64 (6,), only written if the distance
    is above 0. The result is exact but for rounding: at most about 1e-12 of the size of the shapes.
    """
    n = 0
    x, y, z = (
        b[3 * first_b] - a[3 * first_a],
        b[3 * first_b + 1] - a[3 * first_a + 1],
        b[3 * first_b + 2] - a[3 * first_a + 2],
    )
    size = x * x + y * y + z * z
    for _ in range(MOST):
        # The corner of the difference that is farthest toward the origin.
        i, j = _farthest(a, first_a, count_a, x, y, z), _farthest(b, first_b, count_b, -x, -y, -z)
        cx, cy, cz = b[3 * j] - a[3 * i], b[3 * j + 1] - a[3 * i + 1], b[3 * j + 2] - a[3 * i + 2]
        known = False
        for k in range(n):
            known |= w[9 * k] == cx and w[9 * k + 1] == cy and w[9 * k + 2] == cz
        if n > 0 and (known or size - (x * cx + y * cy + z * cz) <= _EPS * size):
            break
        o = 9 * n
        w[o], w[o + 1], w[o + 2] = cx, cy, cz
        for k in range(3):
            w[o + 3 + k], w[o + 6 + k] = a[3 * i + k], b[3 * j + k]
        n += 1
        near = _closest(w, n)
        if near <= 0.0:
            return 0.0
        # Corners without weight leave the simplex.
        m = 0
        for k in range(n):
            if w[_WEIGHTS + k] > 0:
                if m != k:
                    _move(w, m, k)
                    w[_WEIGHTS + m] = w[_WEIGHTS + k]
                m += 1
        n = m
        x, y, z = 0.0, 0.0, 0.0
        for k in range(n):
            t = w[_WEIGHTS + k]
            x, y, z = x + t * w[9 * k], y + t * w[9 * k + 1], z + t * w[9 * k + 2]
        better = x * x + y * y + z * z
        if better <= 0.0:
            return 0.0
        size = better
    for c in range(6):
        out[c] = 0.0
        for k in range(n):
            out[c] += w[_WEIGHTS + k] * w[9 * k + 3 + c]
    return np.sqrt(size)
