"""The shortest displacement that separates two overlapping rounded hulls, in plain numpy, one pair at a time.

If the cores overlap, it is along the normal of an edge of either hull (the separating axis of least overlap). If only
the rounded borders overlap, it is along the line between the nearest points. The solver uses kernels for this. This
version is for characters, which rarely need it.
"""

from __future__ import annotations

import numpy as np

from rish_jit import Array


def way_out(form: Array, radius: float, hull: Array, other: float, *, one_sided: bool = False) -> tuple[float, Array]:
    """Return (depth, normal): the distance `form` must move along the normal, float64 (2,), to leave `hull`; 0 or less
    if they do not overlap.

    form, hull: float64 (n, 2) and (m, 2), 1 to 8 points counter-clockwise; radius, other: their radii. one_sided: the
    hull is a segment of a chain, with its solid side on the left; shapes leave it only to the right.
    """
    if one_sided:
        normal = _normals(hull)[0]
        height = (form - hull[0]) @ normal
        along = (form - hull[0]) @ (hull[1] - hull[0]) / ((hull[1] - hull[0]) ** 2).sum()
        beside = along.max() < 0 or along.min() > 1 or height.mean() < 0
        return (-1.0 if beside else radius + other - float(height.min())), normal
    # Separating axis test: the edge normal with the greatest separation.
    best, normal = -np.inf, np.array([0.0, 1.0])
    for points, others, sign in ((hull, form, 1.0), (form, hull, -1.0)):
        for start, out in zip(points, _normals(points), strict=False):
            apart = float(((others - start) @ out).min())
            if apart > best:
                best, normal = apart, sign * out
    if best > 0 or len(form) == len(hull) == 1:
        away = _between(form, hull)
        best = float(np.sqrt((away**2).sum()))
        normal = away / best if best else normal
    return radius + other - best, normal


def _normals(points: Array) -> Array:
    """Return the outward normals of the edges, float64 (n, 2); two for a segment, none for a point."""
    if len(points) < 2:
        return np.zeros((0, 2))
    way = np.roll(points, -1, axis=0) - points
    return np.column_stack([way[:, 1], -way[:, 0]]) / np.sqrt((way**2).sum(axis=1, keepdims=True))


def _between(form: Array, hull: Array) -> Array:
    """Return the vector from the nearest point of a hull to the nearest point of a separate form, float64 (2,)."""
    ways: list[Array] = []
    for points, others, sign in ((hull, form, 1.0), (form, hull, -1.0)):
        way = np.roll(points, -1, axis=0) - points
        length = (way**2).sum(axis=1)
        # Nearest point of each edge: project onto it, with the share clamped to 0..1.
        for place in others:
            away = place - points
            share = np.divide((away * way).sum(axis=1), length, out=np.zeros(len(points)), where=length > 0)
            ways += list(sign * (away - way * np.clip(share, 0, 1)[:, None]))
    return min(ways, key=lambda each: float((each**2).sum()))
