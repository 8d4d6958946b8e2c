"""Points, rays and forms against a polygon of any form, from its corners alone, one at a time, in float64."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def star(random: np.random.Generator, corners: int) -> Floats:
    """Return the corners of a random star-shaped outline around the origin, counter-clockwise, (corners, 2); every
    other corner is further in.
    """
    angle = 2 * np.pi * (np.arange(corners) + random.uniform(-0.3, 0.3, corners)) / corners
    away = random.uniform(0.7, 1.3, corners) * np.where(np.arange(corners) % 2, 0.45, 1)
    return away[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])


def contains(polygon: Floats, points: Floats) -> npt.NDArray[np.bool_]:
    """Return which points (n, 2) are inside a polygon, by the even-odd rule."""
    a, b = polygon[:, None], np.roll(polygon, -1, 0)[:, None]
    x, y = points.T
    spans = (a[..., 1] > y) != (b[..., 1] > y)
    with np.errstate(divide="ignore", invalid="ignore"):
        at = a[..., 0] + (y - a[..., 1]) / (b[..., 1] - a[..., 1]) * (b[..., 0] - a[..., 0])
    return (spans & (x < at)).sum(axis=0) % 2 == 1


def distances(polygon: Floats, points: Floats) -> Floats:
    """Return the distance of points (n, 2) from the sides of a polygon."""
    a, way = polygon[:, None], (np.roll(polygon, -1, 0) - polygon)[:, None]
    share = ((points - a) * way).sum(axis=2) / (way**2).sum(axis=2)
    return np.sqrt(((points - a - np.clip(share, 0, 1)[..., None] * way) ** 2).sum(axis=2)).min(axis=0)


def holds(polygon: Floats, radius: float, points: Floats) -> npt.NDArray[np.bool_]:
    """Return which points (n, 2) are inside a rounded polygon."""
    return contains(polygon, points) | (distances(polygon, points) < radius)


def entries(polygon: Floats, radius: float, start: Floats, end: Floats) -> tuple[bool, Floats]:
    """Return whether a ray starts inside a rounded polygon, and the shares at which it enters it later."""
    way = end - start
    sides = np.roll(polygon, -1, 0) - polygon
    out = radius * np.column_stack([sides[:, 1], -sides[:, 0]]) / np.hypot(*sides.T)[:, None]
    shares = [0.0, 1.0]
    for corner, side in zip(np.concatenate([polygon + out, polygon - out]), np.tile(sides, (2, 1)), strict=True):
        cross = way[0] * side[1] - way[1] * side[0]
        if cross:
            rest = corner - start
            along = (rest[0] * way[1] - rest[1] * way[0]) / cross
            if 0 <= along <= 1:
                shares.append((rest[0] * side[1] - rest[1] * side[0]) / cross)
    rest = start - polygon
    a, b, c = way @ way, rest @ way, (rest**2).sum(axis=1) - radius * radius
    for half, under in zip(b, b * b - a * c, strict=True):
        if under >= 0:
            shares += [(-half - np.sqrt(under)) / a, (-half + np.sqrt(under)) / a]
    known = np.unique([share for share in shares if 0 <= share <= 1])
    inside = holds(polygon, radius, start + ((known[1:] + known[:-1]) / 2)[:, None] * way)
    return bool(inside[0]), known[1:-1][inside[1:] & ~inside[:-1]]


def normals(polygon: Floats, radius: float, point: Floats) -> Floats:
    """Return the outward normals (k, 2) of a rounded polygon at a point of its border, for each side that is there; its
    corners may be in either order.
    """
    way = np.roll(polygon, -1, 0) - polygon
    area = (polygon[:, 0] * way[:, 1] - polygon[:, 1] * way[:, 0]).sum()
    share = np.clip(((point - polygon) * way).sum(axis=1) / (way**2).sum(axis=1), 0, 1)
    away = point - polygon - share[:, None] * way
    here = abs(np.hypot(*away.T) - radius) < 1e-4
    found = away if radius else np.sign(area) * np.column_stack([way[:, 1], -way[:, 0]])
    return found[here] / np.hypot(*found[here].T)[:, None]


def meets(polygon: Floats, radius: float, form: Any) -> bool:
    """Return True if a rounded polygon overlaps a convex form (k, 2)."""
    if contains(polygon, form).any() or (len(form) > 2 and contains(form, polygon).any()):
        return True
    if distances(polygon, form).min() < radius:
        return True
    if len(form) == 1:
        return False
    return distances(form, polygon).min() < radius or any(
        _crosses(polygon, a, b) for a, b in zip(form, np.roll(form, -1, 0), strict=True)
    )


def _crosses(polygon: Floats, start: Floats, end: Floats) -> bool:
    """Return True if a segment crosses a side of the polygon."""
    a, b, way = polygon, np.roll(polygon, -1, 0), end - start

    def side(way: Floats, points: Floats) -> Floats:
        return way[..., 0] * points[..., 1] - way[..., 1] * points[..., 0]

    apart = side(way, a - start) * side(way, b - start) < 0
    return bool((apart & (side(b - a, start - a) * side(b - a, end - a) < 0)).any())
