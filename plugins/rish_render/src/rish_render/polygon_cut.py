"""Polygons cut into triangles, with holes, and along the borders of a picture that repeats.

A polygon is one row of points: the outer ring, then the rings of its holes; `holes` says where each of these begins.
Simple ones are cut by mapbox's earcut. One that crosses itself is cut into slabs between the heights of its corners
and crossings; within a slab its edges don't cross, so what lies between them is filled or not as a whole. It is
filled wherever its rings wind around: overlapping parts are filled too, unless they turn in opposite ways.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core.jit import njit

Array = npt.NDArray[Any]

_SLABS = 2000
"""Edges of a polygon that crosses itself; of one with more, earcut's best guess is shown."""


def rings_of(points: Array, holes: Sequence[int]) -> list[Array]:
    """The rings of a polygon, the outer one counter-clockwise and the holes clockwise; those of one piece are gone.

    points: (n, 2). holes: where holes begin; what is no place within the points is passed over.
    """
    cuts = sorted({int(k) for k in holes if 2 < int(k) < len(points)})
    rings = [ring for ring in np.split(points, cuts) if len(ring) > 2]
    return [ring if (area_of(ring) >= 0) == (k == 0) else ring[::-1] for k, ring in enumerate(rings)]


def area_of(ring: Array) -> float:
    """Of a ring, above 0 where it runs counter-clockwise."""
    x, y = (ring - ring[0]).astype(np.float64).T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2)


def contour_of(rings: Sequence[Array]) -> Array:
    """One closed row of points around all rings: a bridge leads to each hole, and the same way back."""
    start = rings[0][:1]
    parts = [rings[0]]
    for hole in rings[1:]:
        parts += [start, hole, hole[:1]]
    return np.concatenate([*parts, start]) if len(rings) > 1 else rings[0]


def cut_polygon(points: Array, holes: Sequence[int] = ()) -> npt.NDArray[np.int32]:
    """Triangles of a polygon, (n, 2) in either direction: int32 (k, 3) indices of its points.

    holes: where holes begin. A polygon that crosses itself gives triangles too, that need not cover it; see `fill`.
    """
    if len(points) < 3 or not np.isfinite(points).all():
        return np.zeros((0, 3), np.int32)
    import mapbox_earcut

    ends = [*sorted({int(k) for k in holes if 2 < int(k) < len(points)}), len(points)]
    found = mapbox_earcut.triangulate_float64(np.ascontiguousarray(points, np.float64), np.array(ends, np.uint32))
    return np.asarray(found, np.int32).reshape(-1, 3)


def fill(rings: Sequence[Array]) -> tuple[Array, Array]:
    """Points float64 (m, 2) and triangles int32 (k, 3) that cover a polygon, also one that crosses itself."""
    points = np.concatenate(rings).astype(np.float64)
    ends = np.cumsum([len(ring) for ring in rings])
    triangles = cut_polygon(points, ends[:-1].tolist())
    covered = sum(abs(area_of(points[triangle])) for triangle in triangles)
    true = sum(area_of(ring) for ring in rings)
    if abs(covered - true) <= 1e-4 * covered or len(points) > _SLABS or not np.isfinite(points).all():
        return points, triangles
    return _slabs(rings)


def _slabs(rings: Sequence[Array]) -> tuple[Array, Array]:
    """The filled trapezoids between the heights at which edges begin, end or cross, two triangles each."""
    a = np.concatenate(rings).astype(np.float64)
    b = np.concatenate([np.roll(ring, -1, axis=0) for ring in rings]).astype(np.float64)
    sloping = a[:, 1] != b[:, 1]
    a, b = a[sloping], b[sloping]
    heights = np.unique(np.concatenate([a[:, 1], b[:, 1], _crossings(a, b)]))
    turn = np.where(b[:, 1] > a[:, 1], 1, -1)
    slope = (b[:, 0] - a[:, 0]) / (b[:, 1] - a[:, 1])
    corners: list[list[float]] = []
    for low, high in zip(heights[:-1], heights[1:], strict=True):
        middle = (low + high) / 2
        through = np.flatnonzero((np.minimum(a[:, 1], b[:, 1]) < middle) & (np.maximum(a[:, 1], b[:, 1]) > middle))
        through = through[np.argsort(a[through, 0] + slope[through] * (middle - a[through, 1]), kind="stable")]
        inside = np.cumsum(turn[through])
        for k in np.flatnonzero(inside[:-1]).tolist():
            left, right = through[k], through[k + 1]
            x = [a[e, 0] + slope[e] * (y - a[e, 1]) for e, y in ((left, low), (right, low), (right, high), (left, high))]
            corners += [[x[0], low], [x[1], low], [x[2], high], [x[3], high]]
    first = np.arange(0, len(corners), 4, dtype=np.int32)[:, None]
    triangles = np.concatenate([first + [0, 1, 2], first + [0, 2, 3]], axis=1).reshape(-1, 3).astype(np.int32)
    return np.array(corners, np.float64).reshape(-1, 2), triangles


def _crossings(a: Array, b: Array) -> Array:
    """The heights at which edges from a to b, (n, 2), cross one another."""
    found = [np.zeros(0)]
    way = b - a
    for k in range(len(a) - 1):
        between, other = a[k + 1 :] - a[k], way[k + 1 :]
        cross = way[k, 0] * other[:, 1] - way[k, 1] * other[:, 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            own = (between[:, 0] * other[:, 1] - between[:, 1] * other[:, 0]) / cross
            theirs = (between[:, 0] * way[k, 1] - between[:, 1] * way[k, 0]) / cross
        meet = (cross != 0) & (own > 0) & (own < 1) & (theirs > 0) & (theirs < 1)
        found.append(a[k, 1] + own[meet] * way[k, 1])
    return np.concatenate(found)


def repeat_cells(points: Array, uv: Array, triangles: Array, most: int = 200_000) -> tuple[Array, Array, Array]:
    """Triangles cut along whole numbers of uv, so that within each the picture does not begin anew.

    points, uv: (m, 2), uv counted in pictures. Gives points and uv (k, 2), uv from 0 to 1, and triangles. Where that
    would be more than `most` corners, the triangles stay as they are.
    """
    corners = np.ascontiguousarray(np.concatenate([points, uv], axis=1), np.float64)
    span = np.ceil(uv[triangles].max(axis=1)) - np.floor(uv[triangles].min(axis=1)) if len(triangles) else np.zeros((0, 2))
    cells = float(np.prod(np.maximum(span, 1), axis=1).sum())
    if cells * 8 > most:
        return points, uv % 1, triangles
    out, starts = np.empty((int(cells) * 8 + 8, 4)), np.zeros(int(cells) + 2, np.int64)
    count = _cut_cells(corners, np.ascontiguousarray(triangles, np.int64), out, starts)
    sizes = np.diff(starts[: count + 1])
    many = np.maximum(sizes - 2, 0)
    first = np.repeat(starts[:count], many)
    turn = np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many, many)
    cut = np.stack([first, first + turn + 1, first + turn + 2], axis=1).astype(np.int32)
    used = out[: starts[count]]
    return used[:, :2].copy(), used[:, 2:].copy(), cut


@njit
def _half(polygon: Any, n: Any, axis: Any, limit: Any, keep: Any, out: Any) -> Any:
    """What of a polygon lies on one side of a line of the grid; gives its number of corners."""
    count = 0
    for k in range(n):
        j = k + 1 if k + 1 < n else 0
        here, there = keep * (polygon[k, axis] - limit), keep * (polygon[j, axis] - limit)
        if here >= 0.0:
            for c in range(4):
                out[count, c] = polygon[k, c]
            count += 1
        if (here > 0.0 and there < 0.0) or (here < 0.0 and there > 0.0):
            part = here / (here - there)
            for c in range(4):
                out[count, c] = polygon[k, c] + part * (polygon[j, c] - polygon[k, c])
            out[count, axis] = limit
            count += 1
    return count


@njit
def _cut_cells(corners: Any, triangles: Any, out: Any, starts: Any) -> Any:
    """Cut triangles into the cells of uv; gives the number of polygons. corners: float64 (m, 4), x y u v."""
    strip, line, spare, whole = np.empty((12, 4)), np.empty((12, 4)), np.empty((12, 4)), np.empty((3, 4))
    made = 0
    for t in range(triangles.shape[0]):
        for k in range(3):
            for c in range(4):
                whole[k, c] = corners[triangles[t, k], c]
        u0, u1 = np.floor(min(whole[0, 2], whole[1, 2], whole[2, 2])), max(whole[0, 2], whole[1, 2], whole[2, 2])
        v0, v1 = np.floor(min(whole[0, 3], whole[1, 3], whole[2, 3])), max(whole[0, 3], whole[1, 3], whole[2, 3])
        u = u0
        while u < u1 or u == u0:
            n = _half(whole, 3, 2, u, 1.0, spare)
            n = _half(spare, n, 2, u + 1.0, -1.0, strip)
            v = v0
            while n > 2 and (v < v1 or v == v0):
                m = _half(strip, n, 3, v, 1.0, spare)
                m = _half(spare, m, 3, v + 1.0, -1.0, line)
                if m > 2:
                    at = starts[made]
                    for k in range(m):
                        out[at + k, 0], out[at + k, 1] = line[k, 0], line[k, 1]
                        out[at + k, 2], out[at + k, 3] = line[k, 2] - u, line[k, 3] - v
                    made += 1
                    starts[made] = at + m
                v += 1.0
            u += 1.0
    return made
