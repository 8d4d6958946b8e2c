"""Area, centroid and moment of inertia of rounded hulls.

A rounded hull is the union of three kinds of parts that do not overlap: the hull itself, cut into triangles that share
its first point; a strip of the radius's width along each edge; and at each corner a sector of a circle, between the
normals of the edges that meet there. The moments of the parts are textbook formulas, moved to the common center by the
parallel axis theorem (Steiner). Nothing is approximated: a circle is one full sector, a capsule has two strips and two
half circles.

Everything is computed in float64, for many shapes with the same number of points together, and with a density of 1:
multiply area and inertia by the density for the mass and the moment of inertia.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rish_jit import maths

from .hull import cross, normals_of

Array = npt.NDArray[np.float64]
Masses: TypeAlias = tuple[Array, Array, Array]
"""Of m shapes of density 1: area (m,), units²; centroid (m, 2); inertia about the centroid (m,), units⁴."""


def mass_of(points: npt.NDArray[Any], radius: npt.NDArray[Any] | float = 0.0) -> Masses:
    """Return the mass data of m hulls of n points each: points (m, n, 2), counter-clockwise; radius (m,) or one for
    all.

    Two points without radius have no mass: area and inertia are 0, the centroid is their midpoint.
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
    # Parallel axis theorem: I = I_own + area · d².
    for size, middle, own_inertia in parts:
        inertia += own_inertia + size * ((middle - centroid) ** 2).sum(-1)
    return area, origin + centroid, inertia


def _triangles(hull: Array) -> list[Masses]:
    """Return area, centroid and inertia about it of the triangles between the first point and each edge not touching
    it.
    """
    parts: list[Masses] = []
    first = hull[:, 0]
    for i in range(1, hull.shape[1] - 1):
        a, b = hull[:, i] - first, hull[:, i + 1] - first
        # A triangle's inertia about its centroid: area · (sum of the squared sides) / 36.
        area = cross(a, b) / 2
        sides = (a * a).sum(1) + (b * b).sum(1) + ((b - a) ** 2).sum(1)
        parts.append((area, first + (a + b) / 3, area * sides / 36))
    return parts


def _strips(hull: Array, radius: Array) -> list[Masses]:
    """Return the rectangles outside each edge, as `_triangles` does; two points have an edge in each direction."""
    parts: list[Masses] = []
    n = hull.shape[1]
    normals = normals_of(hull)
    for i in range(n if n > 1 else 0):
        start, end = hull[:, i], hull[:, (i + 1) % n]
        length = np.sqrt(((end - start) ** 2).sum(1))
        # A rectangle's inertia about its centroid: area · (length² + width²) / 12.
        area = length * radius
        middle = (start + end) / 2 + normals[:, i] * (radius / 2)[:, None]
        parts.append((area, middle, area * (length**2 + radius**2) / 12))
    return parts


def _sectors(hull: Array, radius: Array) -> list[Masses]:
    """Return the sectors at each corner, from the normal of the previous edge to that of the next, as `_triangles`
    does.
    """
    m, n, _ = hull.shape
    if n == 1:
        area = maths.PI * radius**2
        return [(area, hull[:, 0], area * radius**2 / 2)]
    parts: list[Masses] = []
    normals = normals_of(hull)
    for i in range(n):
        before, after = normals[:, i - 1], normals[:, i]
        angle = np.full(m, maths.PI) if n == 2 else maths.atan2(cross(before, after), (before * after).sum(1))
        half = np.maximum(angle / 2, 1e-12)
        along = before + after
        if n == 2:
            along = np.stack((after[:, 1], -after[:, 0]), 1)
        along /= np.maximum(np.sqrt((along**2).sum(1)), 1e-300)[:, None]
        # Sector of angle 2·half: area r²·half, centroid at 2 r sin(half) / (3 half), inertia about the center area ·
        # r² / 2.
        area = radius**2 * half
        out = 2 * radius * maths.sin(half) / (3 * half)
        parts.append((area, hull[:, i] + along * out[:, None], area * (radius**2 / 2 - out**2)))
    return parts
