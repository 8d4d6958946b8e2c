"""Reference results for the narrow phase, by exhaustive search: slow, simple, in float64.

For two convex hulls that are apart, the nearest points are a corner of one and a point on an edge of the other. For
two that overlap, the axis of least overlap is the normal of one of their edges. So all corners are measured against
all edges, and all edge normals are tried as separating axes. Nothing is cached, skipped or approximated. All functions
take k poses together.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rish_physics.components.tables import CHAIN, POINTS
from rish_physics.geometry.hull import normals_of

Array = npt.NDArray[np.float64]


def placed(points: Array, pose: Array) -> Array:
    """Return the points (n, 2), placed at k poses x, y, cosine, sine (k, 4): (k, n, 2)."""
    x, y, c, s = (pose[:, i, None] for i in range(4))
    return np.stack([x + c * points[:, 0] - s * points[:, 1], y + s * points[:, 0] + c * points[:, 1]], -1)


def along(a: Array, b: Array, normal: Array) -> Array:
    """Return the distance by which hulls a (k, n, 2) and b (k, m, 2) are separated along a direction (k, 2): (k,).

    The direction points from a to b.
    """
    far = np.einsum("kni,ki->kn", a, normal).max(1)
    near = np.einsum("kni,ki->kn", b, normal).min(1)
    return near - far


def separation(a: Array, b: Array) -> Array:
    """Return the separation of hulls a (k, n, 2) and b (k, m, 2): (k,).

    It is their distance if they are apart, and minus the depth of the overlap if they overlap.
    """
    best = np.full(len(a), -np.inf)
    for normal in _axes(a):
        best = np.maximum(best, along(a, b, normal))
    for normal in _axes(b):
        best = np.maximum(best, along(a, b, -normal))
    apart = np.sqrt((nearest(a, b) ** 2).sum(-1))
    return np.where(best > 0, apart, np.minimum(best, 0))


def _axes(hull: Array) -> list[Array]:
    """Return the outward normals of the edges; for a segment also its two directions, for a point the four axes."""
    n = hull.shape[1]
    if n == 1:
        # A point has no edges. Any axis is valid, because `separation` uses the distance where they are apart.
        return [
            np.broadcast_to(np.array(axis, np.float64), (len(hull), 2)) for axis in ((1, 0), (0, 1), (-1, 0), (0, -1))
        ]
    normals = normals_of(hull)
    found = [normals[:, i] for i in range(n)]
    if n == 2:
        found += [np.stack([-normal[:, 1], normal[:, 0]], -1) for normal in found]
    return found


def nearest(a: Array, b: Array) -> Array:
    """Return the shortest vector from hulls a (k, n, 2) to b (k, m, 2), which must be apart: (k, 2)."""
    there, back = _corner_to_edge(b, a), -_corner_to_edge(a, b)
    return np.where(((there**2).sum(-1) <= (back**2).sum(-1))[:, None], there, back)


def _corner_to_edge(a: Array, b: Array) -> Array:
    """Return the shortest vector from an edge of b to a corner of a: (k, 2)."""
    start, end = b, np.roll(b, -1, 1)
    edge = (end - start)[:, None]
    to = a[:, :, None] - start[:, None]
    length = np.maximum((edge**2).sum(-1), 1e-300)
    share = np.clip((to * edge).sum(-1) / length, 0, 1)[..., None]
    ways = (to - share * edge).reshape(len(a), -1, 2)
    return ways[np.arange(len(a)), (ways**2).sum(-1).argmin(1)]


def area_inertia(points: Array, radius: float, cells: int = 400) -> tuple[float, Array, float]:
    """Return area, centroid and inertia about the centroid of one rounded hull (n, 2).

    They are computed by counting the cells of a fine grid that are inside the hull.
    """
    low, high = points.min(0) - radius, points.max(0) + radius
    step = (high - low) / cells
    xs, ys = (low[i] + step[i] * (np.arange(cells) + 0.5) for i in range(2))
    grid = np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 1, 2)
    inside = separation(grid, np.broadcast_to(points, (len(grid), *points.shape))) <= radius
    spots = grid[inside, 0]
    cell = float(step[0] * step[1])
    middle = spots.mean(0)
    return len(spots) * cell, middle, float(((spots - middle) ** 2).sum() * cell)


def boxes_of(hull: Array, flags: npt.NDArray[np.int32], radius: Array, pose: Array) -> npt.NDArray[np.float32]:
    """Return the boxes of m shapes, (m, 4): hull (m, 32), flags (m,), radius (m,), pose of the bodies (m, 4)."""
    points = np.asarray(hull, np.float32)[:, :16].reshape(-1, 8, 2)
    x, y, c, s = (pose[:, k, None] for k in range(4))
    chain = (flags & CHAIN) != 0
    first = chain.astype(np.int32)
    last = np.where(chain, 3, flags & POINTS)
    number = np.arange(8)
    real = (number >= first[:, None]) & (number < last[:, None])
    px = c * points[..., 0] - s * points[..., 1]
    py = s * points[..., 0] + c * points[..., 1]
    low, high = np.float32(np.inf), np.float32(-np.inf)
    r = radius[:, None]
    parts = (
        x - r + np.where(real, px, low).min(1, keepdims=True), y - r + np.where(real, py, low).min(1, keepdims=True),
        x + r + np.where(real, px, high).max(1, keepdims=True), y + r + np.where(real, py, high).max(1, keepdims=True),
    )  # fmt: skip
    return np.concatenate(parts, 1).astype(np.float32)
