"""Cuts polygons into triangles, with holes, and along the borders of a repeated image.

A polygon is one row of points: the outer ring, then the rings of its holes; `holes` holds the index where each hole
begins. Simple polygons are cut by mapbox's earcut. One that crosses itself is cut into slabs between the heights of its
corners and crossings; within a slab its edges do not cross, so each area between them is completely inside or outside.
A point is inside if the rings wind around it: overlapping parts are filled too, unless their orientations are opposite.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rish_jit import Array

from ..strokes.cells import fans, runs

_SLABS = 2000
"""The most edges of a self-crossing polygon that is cut into slabs; earcut's result is used for larger ones."""


def rings_of(points: Array, holes: Sequence[int]) -> list[Array]:
    """Return the rings of a polygon, the outer one counter-clockwise and the holes clockwise.

    Rings of fewer than 3 points are left out. points: (n, 2). holes: where holes begin; indices outside of the points
    are ignored.
    """
    cuts = sorted({int(k) for k in holes if 2 < int(k) < len(points)})
    rings = [ring for ring in np.split(points, cuts) if len(ring) > 2]
    return [ring if (area_of(ring) >= 0) == (k == 0) else ring[::-1] for k, ring in enumerate(rings)]


def area_of(ring: Array) -> float:
    """Return the signed area of a ring, above 0 if it runs counter-clockwise."""
    x, y = (ring - ring[0]).astype(np.float64).T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2)


def contour_of(rings: Sequence[Array]) -> Array:
    """Return one closed row of points around all rings; a bridge leads to each hole and back."""
    start = rings[0][:1]
    parts = [rings[0]]
    for hole in rings[1:]:
        parts += [start, hole, hole[:1]]
    return np.concatenate([*parts, start]) if len(rings) > 1 else rings[0]


def cut_polygon(points: Array, holes: Sequence[int] = ()) -> npt.NDArray[np.int32]:
    """Return the triangles of a polygon, (n, 2) in either direction, as int32 (k, 3) indices of its points.

    holes: where holes begin. For a polygon that crosses itself, the triangles need not cover it; see `fill`.
    """
    if len(points) < 3 or not np.isfinite(points).all():
        return np.zeros((0, 3), np.int32)
    import mapbox_earcut

    ends = [*sorted({int(k) for k in holes if 2 < int(k) < len(points)}), len(points)]
    indices = mapbox_earcut.triangulate_float64(np.ascontiguousarray(points, np.float64), np.array(ends, np.uint32))
    return np.asarray(indices, np.int32).reshape(-1, 3)


def fill(rings: Sequence[Array]) -> tuple[Array, Array]:
    """Return points float64 (m, 2) and triangles int32 (k, 3) that cover a polygon, even one that crosses itself."""
    points = np.concatenate(rings).astype(np.float64)
    triangles = cut_polygon(points, np.cumsum([len(ring) for ring in rings])[:-1].tolist())
    if len(points) > _SLABS or not np.isfinite(points).all() or _is_covered(rings, points, triangles):
        return points, triangles
    return _slabs(rings)


def fill_softly(rings: Sequence[Array], pixel: float) -> tuple[Array, Array, Array]:
    """Fill a polygon as `fill` does, with a border of one pixel, half of it inside, that fades out.

    Returns points, cover float64 m, and triangles. pixel: its size in units. A polygon that crosses itself keeps hard
    edges.
    """
    points, triangles = fill(rings)
    outer = np.concatenate([_offset(ring, 0.5 * pixel) for ring in rings])
    inner, inside = fill([_offset(ring, -0.5 * pixel) for ring in rings])
    n = len(outer)
    if not len(triangles) or len(points) != n or len(inner) != n:
        return points, np.ones(len(points)), triangles
    at = np.arange(n)
    following = np.concatenate([np.roll(part, -1) for part in np.split(at, np.cumsum([len(r) for r in rings])[:-1])])
    border = np.concatenate([np.stack([at, n + at, n + following], 1), np.stack([at, n + following, following], 1)])
    cover = np.repeat([1.0, 0.0], n)
    return np.concatenate([inner, outer]), cover, np.concatenate([inside, border]).astype(np.int32)


def _offset(ring: Array, distance: float) -> Array:
    """Return a ring moved outwards (that of a hole inwards); a sharp corner moves by at most twice the distance."""
    ring = ring.astype(np.float64)
    way = np.roll(ring, -1, axis=0) - ring
    size = np.hypot(way[:, 0], way[:, 1])[:, None]
    out = np.divide(np.stack([way[:, 1], -way[:, 0]], axis=1), size, out=np.zeros_like(way), where=size > 0)
    both = out + np.roll(out, 1, axis=0)
    grow = (both**2).sum(axis=1, keepdims=True)
    return ring + distance * 2 * both / np.maximum(grow, 1.0)


def _is_covered(rings: Sequence[Array], points: Array, triangles: Array) -> bool:
    """Return True if the area of the triangles equals that of the polygon, which is so if it does not cross itself."""
    p = points[triangles]
    a, b = p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]
    covered = float(np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum() / 2)
    return abs(covered - sum(area_of(ring) for ring in rings)) <= 1e-4 * covered


def _slabs(rings: Sequence[Array]) -> tuple[Array, Array]:
    """Return the filled trapezoids between the heights at which edges begin, end or cross, two triangles each."""
    a = np.concatenate(rings).astype(np.float64)
    b = np.concatenate([np.roll(ring, -1, axis=0) for ring in rings]).astype(np.float64)
    sloping = a[:, 1] != b[:, 1]
    a, b = a[sloping], b[sloping]
    heights = np.unique(np.concatenate([a[:, 1], b[:, 1], _crossings(a, b)]))
    turn = np.where(b[:, 1] > a[:, 1], 1, -1)
    slope = (b[:, 0] - a[:, 0]) / (b[:, 1] - a[:, 1])
    corners: list[list[float]] = []
    for low, high in itertools.pairwise(heights.tolist()):
        middle = (low + high) / 2
        through = np.flatnonzero((np.minimum(a[:, 1], b[:, 1]) < middle) & (np.maximum(a[:, 1], b[:, 1]) > middle))
        through = through[np.argsort(a[through, 0] + slope[through] * (middle - a[through, 1]), kind="stable")]
        inside = np.cumsum(turn[through])
        for k in np.flatnonzero(inside[:-1]).tolist():
            left, right = through[k], through[k + 1]
            x = [
                a[e, 0] + slope[e] * (y - a[e, 1]) for e, y in ((left, low), (right, low), (right, high), (left, high))
            ]
            corners += [[x[0], low], [x[1], low], [x[2], high], [x[3], high]]
    first = np.arange(0, len(corners), 4, dtype=np.int32)[:, None]
    triangles = (first + np.array([0, 1, 2, 0, 2, 3], np.int32)).reshape(-1, 3)
    return np.array(corners, np.float64).reshape(-1, 2), triangles


def _crossings(a: Array, b: Array) -> Array:
    """Return the heights at which edges from a to b, (n, 2), cross one another."""
    heights = [np.zeros(0)]
    way = b - a
    for k in range(len(a) - 1):
        between, other = a[k + 1 :] - a[k], way[k + 1 :]
        cross = way[k, 0] * other[:, 1] - way[k, 1] * other[:, 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            own = (between[:, 0] * other[:, 1] - between[:, 1] * other[:, 0]) / cross
            theirs = (between[:, 0] * way[k, 1] - between[:, 1] * way[k, 0]) / cross
        meet = (cross != 0) & (own > 0) & (own < 1) & (theirs > 0) & (theirs < 1)
        heights.append(a[k, 1] + own[meet] * way[k, 1])
    return np.concatenate(heights)


def repeat_cells(corners: Array, triangles: Array, maximum: int = 200_000) -> tuple[Array, Array]:
    """Cut triangles along the integers of u and v, so that the image does not start again within a triangle.

    corners: (m, 5), x y cover u v, with u and v counted in images. Returns corners (k, 5) with u and v from 0 to 1, and
    triangles. If there would be more than `maximum` corners, the image is shown once, stretched.
    """
    uv = corners[:, 3:]
    if not len(triangles):
        return corners, triangles
    span = np.ceil(uv[triangles].max(axis=1)) - np.floor(uv[triangles].min(axis=1))
    cells = float(np.prod(np.maximum(span, 1), axis=1).sum())
    if not cells * 8 <= maximum:
        low = uv.min(axis=0)
        return np.concatenate([corners[:, :3], (uv - low) / (uv.max(axis=0) - low)], axis=1), triangles
    spans, low = np.maximum(span, 1).astype(np.int64), np.floor(uv[triangles].min(axis=1))
    polygons, sizes = corners.astype(np.float64)[triangles], np.full(len(triangles), 3)
    for axis in (0, 1):
        which = np.repeat(np.arange(len(polygons)), spans[:, axis])
        low = low[which]
        low[:, axis] += runs(0, spans[:, axis])
        below = _half(polygons[which], sizes[which], 3 + axis, low[:, axis], 1.0)
        polygons, sizes = _half(*below, 3 + axis, low[:, axis] + 1.0, -1.0)
        polygons, sizes, low, spans = (part[sizes > 2] for part in (polygons, sizes, low, spans[which]))
    polygons[:, :, 3:] -= low[:, None]
    cut = polygons[np.arange(polygons.shape[1]) < sizes[:, None]]
    return cut, fans(np.concatenate([[0], np.cumsum(sizes)]))


def _half(polygons: Array, sizes: Array, axis: int, limit: Array, keep: float) -> tuple[Array, Array]:
    """Clip polygons (n, k, 5), of which `sizes` corners count, at a limit each. keep: 1 the part above it, -1 below."""
    number = np.arange(polygons.shape[1])
    following = np.where(number + 1 < sizes[:, None], number + 1, 0)
    here = keep * (polygons[:, :, axis] - limit[:, None])
    there = np.take_along_axis(here, following, axis=1)
    crossed = ((here > 0) & (there < 0)) | ((here < 0) & (there > 0))
    part = np.divide(here, here - there, out=np.zeros_like(here), where=crossed)
    cut = polygons + part[:, :, None] * (np.take_along_axis(polygons, following[:, :, None], axis=1) - polygons)
    cut[:, :, axis] = limit[:, None]
    used = np.stack([here >= 0, crossed], axis=2) & (number < sizes[:, None])[:, :, None]
    used = used.reshape(len(used), -1)
    counts = used.sum(axis=1)
    out = np.zeros((len(used), max(counts, default=0), polygons.shape[2]))
    out[np.arange(out.shape[1]) < counts[:, None]] = np.stack([polygons, cut], axis=2).reshape(*used.shape, -1)[used]
    return out, counts
