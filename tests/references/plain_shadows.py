"""The reference for the shadow kernels and the drawers: rays against segments, one after another, in float64."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_lighting.shadows.diamond import FAR, direction

Array = npt.NDArray[Any]


def pseudo_angle(x: Any, y: Any) -> Any:
    """Return the pseudo-angle of (x, y), float64 from 0 to 4; 0 for the zero vector."""
    x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
    length = np.abs(x) + np.abs(y)
    slope = y / np.where(length > 0, length, 1)
    return np.where(length > 0, np.where(x >= 0, 1 + slope, 3 - slope), 0)


def _ends(edges: npt.ArrayLike, both: Any) -> Iterator[tuple[Array, Array, bool]]:
    """Yield the two ends of each segment, float64 (2), and whether it blocks from both sides."""
    rows = np.reshape(np.asarray(edges, np.float64), (-1, 4))
    for row, either in zip(rows, np.broadcast_to(both, len(rows)), strict=True):
        yield row[:2], row[2:], bool(either)


def _blocking(light: Array, edges: npt.ArrayLike, both: Any) -> Iterator[tuple[Array, Array, float]]:
    """Yield each segment that blocks a light: its ends relative to the light, counter-clockwise, and their cross
    product.
    """
    for first, last, either in _ends(edges, both):
        a, b = first - light, last - light
        area = float(a[0] * b[1] - a[1] * b[0])
        if area > 0:
            yield a, b, area
        elif area < 0 and either:
            yield b, a, -area


def lit(light: npt.ArrayLike, points: npt.ArrayLike, edges: npt.ArrayLike, both: Any = False) -> Array:
    """Return which points (n, 2) a light at (x, y) reaches, bool n.

    edges: (m, 4). A segment blocks a point if it crosses the straight line between light and point, and the light
    is on its back side, so that it leaves solid material there. both: bool or bool m, True for segments that block
    from both sides.
    """
    light = np.asarray(light, np.float64)
    points = np.asarray(points, np.float64) - light
    free = np.ones(len(points), np.bool_)
    for a, b, _ in _blocking(light, edges, both):
        after = a[0] * points[:, 1] - a[1] * points[:, 0] >= 0
        before = points[:, 0] * b[1] - points[:, 1] * b[0] >= 0
        edge = b - a
        behind = edge[0] * (points[:, 1] - a[1]) - edge[1] * (points[:, 0] - a[0]) < 0
        free &= ~(after & before & behind)
    return free


def shadow_map(light: npt.ArrayLike, bins: int, edges: npt.ArrayLike, both: Any = False) -> Array:
    """Return the least |x| + |y| at which a segment blocks, float32 (bins); FAR for bins without a segment."""
    light = np.asarray(light, np.float64)
    found = np.full(bins, FAR, np.float64)
    for a, b, area in _blocking(light, edges, both):
        u, v = float(pseudo_angle(*a)), float(pseudo_angle(*b))
        v += 4 if v < u else 0
        borders = [u, *(k * 4 / bins for k in range(int(u * bins / 4) + 1, int(np.ceil(v * bins / 4)))), v]
        edge = b - a
        for low, high in pairwise(borders):
            ends = direction([low, high])
            across = ends[:, 0] * edge[1] - ends[:, 1] * edge[0]
            near = np.where(across > 0, area / np.where(across > 0, across, 1), FAR)
            near[0] = np.abs(a).sum() if low == u else near[0]
            near[1] = np.abs(b).sum() if high == v else near[1]
            place = int((low + high) / 2 * bins / 4) % bins
            found[place] = min(found[place], near.min())
    return found.astype(np.float32)


def lit_by_sun(
    along: npt.ArrayLike, length: float, points: npt.ArrayLike, edges: npt.ArrayLike, both: Any = False
) -> Array:
    """Return which points (n, 2) are reached by a sun whose light travels along a unit vector, bool n.

    length: of shadows; infinity for endless ones. edges, both: as in `lit`.
    """
    along, points = np.asarray(along, np.float64), np.asarray(points, np.float64)
    across = np.array([-along[1], along[0]])
    s, t = points @ across, points @ along
    free = np.ones(len(points), np.bool_)
    for a, b, either in _ends(edges, both):
        if b @ across < a @ across and either:
            a, b = b, a
        if b @ across <= a @ across:
            continue
        share = (s - a @ across) / ((b - a) @ across)
        start = a @ along + share * ((b - a) @ along)
        free &= ~((share >= 0) & (share <= 1) & (t > start) & (t <= start + length))
    return free
