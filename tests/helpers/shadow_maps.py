"""A plain rasterizer of shadow maps, by which the formulas of shadows are tested without any drawer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rish_scene3d.scene.views import ShadowView


def draw_map(views: Sequence[ShadowView], triangles: np.ndarray) -> np.ndarray:
    """Return the map (h, w) of a light, its lowest row first; triangles: (n, 3, 3), places in the world."""
    wide, high = views[0].size
    drawn = np.ones((high, wide))
    for view in views:
        x, y, w, h = (round(part * size) for part, size in zip(view.viewport, (wide, high, wide, high), strict=True))
        square = drawn[y : y + h, x : x + w]
        for triangle in np.asarray(triangles, np.float64):
            _draw(square, triangle, view)
    return drawn


def _draw(square: np.ndarray, triangle: np.ndarray, view: ShadowView) -> None:
    """Draw one triangle with homogeneous edges (Olano and Greer 1997), so that nothing needs to be clipped."""
    matrix = view.projection.astype(np.float64) @ view.view
    corners = np.concatenate([triangle, np.ones((3, 1))], axis=1) @ matrix.T
    edges = corners[:, [0, 1, 3]].T
    if abs(np.linalg.det(edges)) < 1e-12:
        return
    high, wide = square.shape
    x, y = np.meshgrid((np.arange(wide) + 0.5) / wide * 2 - 1, (np.arange(high) + 0.5) / high * 2 - 1)
    parts = np.stack([x, y, np.ones_like(x)], axis=-1) @ np.linalg.inv(edges).T
    inside = (parts >= -1e-12).all(axis=-1) & (parts.sum(axis=-1) > 0)
    parts /= np.where(inside, parts.sum(axis=-1), 1)[..., None]
    if view.reach > 0:
        depth = np.linalg.norm(parts @ triangle - view.eye, axis=-1) / view.reach
    else:
        depth = (parts @ corners[:, 2]) * 0.5 + 0.5
    inside &= depth >= 0
    square[inside] = np.minimum(square[inside], depth[inside])


def box_triangles(low: Sequence[float], high: Sequence[float]) -> np.ndarray:
    """Return the twelve triangles (12, 3, 3) of a box."""
    corners = np.array([[(high if k >> a & 1 else low)[a] for a in range(3)] for k in range(8)], np.float64)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return np.array([corners[[q[0], q[i], q[i + 1]]] for q in quads for i in (1, 2)])


def floor_triangles(half: float) -> np.ndarray:
    """Return the two triangles of a floor at height 0."""
    a, b, c, d = [-half, 0, -half], [half, 0, -half], [half, 0, half], [-half, 0, half]
    return np.array([[a, b, c], [a, c, d]], np.float64)
