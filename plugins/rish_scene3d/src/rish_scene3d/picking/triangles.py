"""Rays and triangles: the exact test, and a tree of the triangles of one mesh."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rish_jit import Array
from rish_space3d import Bvh

Showing = Callable[[Array, Array, Array], Array]
"""A function that returns which points are visible, bool (n,), from the numbers of their rays, triangles and
weights."""
_SLACK = 1e-9
"""The distance outside of a triangle, relative to its sides, at which a ray still hits, so that triangles leave no
gaps."""
_MARGIN = 2e-6
"""The enlargement of the boxes of triangles relative to the mesh's extent, because the tree computes in float32."""


class TriangleHits(NamedTuple):
    """The hits of rays. triangles: int64 (n,), -1 for none. distances: float64 (n,), infinite for none. weights:
    float64 (n, 2), shares of the second and third corner of the triangle."""

    triangles: Array
    distances: Array
    weights: Array


def meet_triangles(origins: Array, directions: Array, corners: Array, sides: Array) -> tuple[Array, Array]:
    """Return where rays meet triangles, one by one: distances, float64 (n,), infinite for a miss, and weights (n, 2).

    origins, directions: (n, 3). corners: (n, 3, 3), counter-clockwise seen from the front. sides: (n,): 1: only the
    front is met, -1: only the back, 0: both. Distances are multiples of the length of a direction. Source: Möller and
    Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", 1997.
    """
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    cross = np.cross(directions, second)
    size = (first * cross).sum(axis=1)
    arm = origins - corners[:, 0]
    turned = np.cross(arm, first)
    with np.errstate(all="ignore"):
        u = (arm * cross).sum(axis=1) / size
        v = (directions * turned).sum(axis=1) / size
        distance = (second * turned).sum(axis=1) / size
    met = (size * sides > 0) | ((sides == 0) & (size != 0))
    met &= (u >= -_SLACK) & (v >= -_SLACK) & (u + v <= 1 + _SLACK) & (distance >= 0)
    return np.where(met, distance, np.inf), np.stack([u, v], axis=1)


class TriangleTree:
    """The triangles of a mesh in a tree of their boxes.

    positions: (n, 3). indices: (t, 3), corners of the triangles.
    """

    def __init__(self, positions: Array, indices: Array) -> None:
        self._corners = np.asarray(positions, np.float32)[np.asarray(indices, np.int64)]
        low, high = self._corners.min(axis=1), self._corners.max(axis=1)
        extent = float(np.abs(self._corners).max()) if self._corners.size else 0.0
        margin = np.float32(_MARGIN * extent + 1e-30)
        self._tree = Bvh(np.concatenate([low - margin, high + margin], axis=1).reshape(-1, 6))

    def __len__(self) -> int:
        return len(self._corners)

    def corners(self, triangles: Array) -> Array:
        """Return the corners of triangles, float64 (n, 3, 3)."""
        return self._corners[triangles].astype(np.float64)

    def cast(
        self, origins: Array, directions: Array, reach: Array, sides: Array, shows: Showing | None = None
    ) -> TriangleHits:  # fmt: skip
        """Return the first triangle that each ray hits.

        reach: (n,), the largest distances. shows: a test of visible points, None: all are. Other parameters: see
        `meet_triangles`.
        """
        count = len(origins)
        triangles, distances = np.full(count, -1, np.int64), np.asarray(reach, np.float64).copy()
        weights = np.zeros((count, 2))
        slack = np.nextafter(distances.astype(np.float32) * np.float32(1.0001), np.float32(np.inf))
        rays, boxes, _ = self._tree.all_hits(origins, directions, slack)
        if len(rays):
            at, shares = meet_triangles(origins[rays], directions[rays], self.corners(boxes), sides[rays])
            if shows is not None:
                met = np.flatnonzero(np.isfinite(at))
                at[met[~shows(rays[met], boxes[met], shares[met])]] = np.inf
            order = np.lexsort((boxes, at, rays))
            first = order[np.flatnonzero(np.diff(rays[order], prepend=-1))]
            first = first[at[first] <= distances[rays[first]]]
            first = first[np.isfinite(at[first])]
            which = rays[first]
            triangles[which], distances[which], weights[which] = boxes[first], at[first], shares[first]
        return TriangleHits(triangles, np.where(triangles >= 0, distances, np.inf), weights)
