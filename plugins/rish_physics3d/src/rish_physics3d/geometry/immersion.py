"""How much of a solid is below a water surface, and the center of that part, for many solids together.

The surface is y = 0. Balls have a formula. For a solid with triangles as faces, the parts of the triangles below the
surface form pyramids with an apex on the surface; so the cut face itself, which contains the apex, contributes nothing.
Volume and center are exact (B. Mirtich, "Fast and Accurate Computation of Polyhedral Mass Properties", 1996, has the
integrals). A capsule is taken as 96 triangles with its volume.
"""

from __future__ import annotations

import functools
import itertools
from typing import Any

import numpy as np

from rish_jit import Array, maths

_SIDES = 8
_RINGS = ((0.0, 1.0), (0.5, 0.866025403784), (0.866025403784, 0.5))
"""Height and radius of the rings of half a unit sphere, at 0, 30 and 60 degrees."""
_LARGER = 1.05695762
"""The factor of the two upper rings with which the half sphere of frustums has the volume 2/3 pi."""


def ball_below(radius: Array, height: Array) -> tuple[Array, Array]:
    """Return the volume of balls below y = 0, and the height of its center, float64 (n,). height: of their centers."""
    deep = np.clip(radius - height, 0, 2 * radius)
    # A cap: V = pi h² (3 r - h) / 3; its center of mass is 3 (2 r - h)² / (4 (3 r - h)) from that of the ball.
    rest = 3 * radius - deep
    return maths.PI * deep * deep * rest / 3, height - 0.75 * (2 * radius - deep) ** 2 / rest


def faces_below(corners: Array, owner: Array, count: int) -> tuple[Array, Array]:
    """Return volume (n,) and center (n, 3) of the parts of closed solids below y = 0, float64; NaN for no volume.

    corners: float64 (t, 3, 3), the triangles of all solids, counter-clockwise seen from outside. owner: int (t,), the
    solid of each. count: of the solids.
    """
    points = np.ascontiguousarray(corners.transpose(1, 2, 0))  # corner, axis, triangle
    is_below = points[:, 1] < 0
    below = is_below.sum(axis=0)
    whole = np.array([0.0, 0.0, 1.0, 1.0])[below]
    # The corner that is alone on its side cuts off a smaller triangle, which is the part below, or above.
    alone = np.where(below == 2, ~is_below, is_below).argmax(axis=0)
    tip, *others = (points[(alone + k) % 3, :, np.arange(len(alone))].T for k in range(3))
    cut = [tip + (other - tip) * _share(tip[1], other[1]) for other in others]
    small = np.array([0.0, 1.0, -1.0, 0.0])[below]
    parts = [
        np.bincount(owner, whole * all_of_it + small * corner_of_it, count)
        for all_of_it, corner_of_it in zip(_pyramid(*points), _pyramid(tip, *cut), strict=True)
    ]
    with np.errstate(all="ignore"):
        return np.maximum(parts[0], 0), (np.array(parts[1:]) / parts[0]).T


def capsule_faces(radius: Array, half: Array) -> Array:
    """Return the triangles of capsules along y, float64 (n, 96, 3, 3). half: the distance of the ends of the core from
    the middle.
    """
    corners, ends = _capsule()
    return corners * radius[:, None, None, None] + ends * half[:, None, None, None]


def _pyramid(a: Array, b: Array, c: Array) -> list[Array]:
    """Return the volume of pyramids on triangles with their apex at 0, and volume times center by axes, 4 times (t,).

    a, b, c: (3, t), the corners.
    """
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = a, b, c
    volume = (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6
    return [volume, *((a + b + c) * (volume / 4))]


def _share(a: Array, b: Array) -> Array:
    """Return where y = 0 is on the way from height a to height b, 0 to 1; 0 if both are on one side."""
    return np.divide(a, a - b, out=np.zeros_like(a), where=(a < 0) != (b < 0))


@functools.cache
def _capsule() -> tuple[Array, Array]:
    """Return the triangles of a unit sphere, (96, 3, 3), and for each corner the unit vector to its end of the core."""
    angles = np.arange(_SIDES) * (maths.TAU / _SIDES)
    # Polygons with the area of the circle.
    wide = float(np.sqrt(maths.PI / (0.5 * _SIDES * float(maths.sin(maths.TAU / _SIDES)))))
    circle = np.stack([maths.cos(angles), np.zeros(_SIDES), -np.asarray(maths.sin(angles))], axis=1) * wide
    up = [circle * ring * (1 if k == 0 else _LARGER) + [0, height, 0] for k, (height, ring) in enumerate(_RINGS)]
    up.append(np.tile([0.0, 1.0, 0.0], (_SIDES, 1)))
    rings = [ring * [1, -1, 1] for ring in reversed(up)] + up
    ends = [-1.0] * len(up) + [1.0] * len(up)
    triangles: list[Any] = []
    signs: list[Any] = []
    for (low, s), (high, t) in itertools.pairwise(zip(rings, ends, strict=True)):
        for k in range(_SIDES):
            n = (k + 1) % _SIDES
            if not np.array_equal(low[k], low[n]):
                triangles.append((low[k], low[n], high[n]))
                signs.append((s, s, t))
            if not np.array_equal(high[k], high[n]):
                triangles.append((low[k], high[n], high[k]))
                signs.append((s, t, t))
    return np.array(triangles), np.array(signs)[..., None] * [0.0, 1.0, 0.0]
