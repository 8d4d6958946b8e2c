"""Polygons cut into triangles, by clipping ears: as many as a polygon has corners, less two.

A corner is an ear when it turns outwards and no other corner lies within its triangle. Quadratic in the number of
corners at worst, so the result is kept by whoever asks.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def cut_polygon(points: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
    """Triangles of a simple polygon, (n, 2) in either direction: int32 (n - 2, 3) indices of its points.

    A polygon that crosses itself gives triangles too, that need not cover it.
    """
    p = points.astype(np.float64).tolist()
    n = len(p)
    if n < 3:
        return np.zeros((0, 3), np.int32)
    area = sum(p[k - 1][0] * p[k][1] - p[k][0] * p[k - 1][1] for k in range(n))
    left = list(range(n)) if area >= 0 else list(range(n - 1, -1, -1))
    triangles: list[tuple[int, int, int]] = []
    while len(left) > 3:
        at = next((k for k in range(len(left)) if _is_ear(p, left, k)), 0)
        before, after = left[at - 1], left[(at + 1) % len(left)]
        triangles.append((before, left[at], after))
        del left[at]
    triangles.append((left[0], left[1], left[2]))
    return np.array(triangles, np.int32)


def _turn(a: list[float], b: list[float], c: list[float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _is_ear(p: list[list[float]], left: list[int], at: int) -> bool:
    i, j, k = left[at - 1], left[at], left[(at + 1) % len(left)]
    a, b, c = p[i], p[j], p[k]
    if _turn(a, b, c) <= 0:
        return False
    for other in left:
        q = p[other]
        if other in (i, j, k) or q in (a, b, c):
            continue
        if _turn(a, b, q) >= 0 and _turn(b, c, q) >= 0 and _turn(c, a, q) >= 0:
            return False
    return True
