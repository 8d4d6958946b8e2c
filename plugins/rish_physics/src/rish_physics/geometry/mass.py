"""How heavy a shape is and how it resists turning: area, centroid and moment of inertia of rounded hulls.

A rounded hull falls into three kinds of parts that overlap nowhere: the hull itself, cut into triangles that share its
first point; a strip of the radius's width along each edge; and at each corner a sector of a circle, between the normals
of the edges that meet there. The parts' moments are textbook formulas, moved to the common centre by Steiner's theorem.
Nothing is approximated: a circle is a corner whose sector goes all the way round, a capsule has two strips and two
half circles.

Everything is computed in float64, for many shapes with the same number of points at once, and with a density of 1:
mass is area times density, and so is inertia.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rish_ecs import maths

from .hull import cross, normals_of

Array = npt.NDArray[np.float64]


class Mass(NamedTuple):
    """Mass data of m shapes of density 1.

    area: (m,), units². centroid: (m, 2). inertia: (m,), about the centroid, units⁴.
    """

    area: Array
    centroid: Array
    inertia: Array


def mass_of(points: npt.NDArray[Any], radius: npt.NDArray[Any] | float = 0.0) -> Mass:
    """The mass of m hulls of n points each: points (m, n, 2), counter-clockwise; radius (m,) or one for all.

    Two points without radius have none: area and inertia are 0, the centroid lies in the middle.
    """
    hulls = np.asarray(points, np.float64)
    m = len(hulls)
    radii = np.broadcast_to(np.asarray(radius, np.float64), (m,))
    origin = hulls.mean(1)
    local = hulls - origin[:, None]
    parts = [*_triangles(local), *_strips(local, radii), *_sectors(local, radii)]
    area = sum((part[0] for part in parts), np.zeros(m))
    first = sum((part[0][:, None] * part[1] for part in parts), np.zeros((m, 2)))
    centroid = np.divide(first, area[:, None], out=np.zeros((m, 2)), where=area[:, None] > 0)
    inertia = np.zeros(m)
    for size, middle, own in parts:
        inertia += own + size * ((middle - centroid) ** 2).sum(-1)
    return Mass(area, origin + centroid, inertia)


def _triangles(hull: Array) -> list[tuple[Array, Array, Array]]:
    """Area, centroid and inertia about it of the triangles between the first point and each edge away from it."""
    parts: list[tuple[Array, Array, Array]] = []
    first = hull[:, 0]
    for i in range(1, hull.shape[1] - 1):
        a, b = hull[:, i] - first, hull[:, i + 1] - first
        area = cross(a, b) / 2
        sides = (a * a).sum(1) + (b * b).sum(1) + ((b - a) ** 2).sum(1)
        parts.append((area, first + (a + b) / 3, area * sides / 36))
    return parts


def _strips(hull: Array, radius: Array) -> list[tuple[Array, Array, Array]]:
    """The rectangles outside each edge; two points have an edge there and one back."""
    parts: list[tuple[Array, Array, Array]] = []
    n = hull.shape[1]
    normals = normals_of(hull)
    for i in range(n if n > 1 else 0):
        start, end = hull[:, i], hull[:, (i + 1) % n]
        length = np.sqrt(((end - start) ** 2).sum(1))
        area = length * radius
        middle = (start + end) / 2 + normals[:, i] * (radius / 2)[:, None]
        parts.append((area, middle, area * (length**2 + radius**2) / 12))
    return parts


def _sectors(hull: Array, radius: Array) -> list[tuple[Array, Array, Array]]:
    """The sectors at each corner, from the normal of the edge before to that of the edge after."""
    m, n, _ = hull.shape
    if n == 1:
        area = maths.PI * radius**2
        return [(area, hull[:, 0], area * radius**2 / 2)]
    parts: list[tuple[Array, Array, Array]] = []
    normals = normals_of(hull)
    for i in range(n):
        before, after = normals[:, i - 1], normals[:, i]
        angle = np.full(m, maths.PI) if n == 2 else maths.atan2(cross(before, after), (before * after).sum(1))
        half = np.maximum(angle / 2, 1e-12)
        along = before + after
        if n == 2:
            along = np.stack((after[:, 1], -after[:, 0]), 1)
        along /= np.maximum(np.sqrt((along**2).sum(1)), 1e-300)[:, None]
        area = radius**2 * half
        out = 2 * radius * maths.sin(half) / (3 * half)
        parts.append((area, hull[:, i] + along * out[:, None], area * (radius**2 / 2 - out**2)))
    return parts
