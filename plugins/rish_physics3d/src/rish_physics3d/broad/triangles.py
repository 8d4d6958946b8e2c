"""The triangles of meshes that are near other shapes.

A tree has the boxes of the triangles of each mesh, in its own frame. The box of the other shape is brought into that
frame. As for pairs of shapes, the result depends only on where the shapes are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array
from rish_space3d import quaternions

from ..contacts.shapes import MESH


class NearTriangles:
    """Replaces each pair with a mesh by pairs with its triangles, for one layout."""

    def __init__(self, layout: Any) -> None:
        self._layout = layout
        self._is_mesh = layout.form[:, 0] == MESH
        self._any = bool(self._is_mesh.any())
        self._last: tuple[Array, Array] | None = None

    def expand(self, near: Array, boxes: Array, pose: Array, limit: float) -> tuple[Array, Array]:
        """Return pairs of shapes (k, 2) and their children, int32 (k,): 0, or 1 + a triangle; sorted.

        near: pairs of shapes, sorted. boxes: of the shapes, float32, 6 each. pose: of the bodies. limit: the greatest
        distance of the boxes, m. While they stay, the results are the same objects.
        """
        if self._any and self._is_mesh[near].any():
            pairs, child = self.split(near, boxes, pose, limit)
            if self._last is None or not (
                np.array_equal(self._last[0], pairs) and np.array_equal(self._last[1], child)
            ):
                self._last = pairs, child
        elif self._last is None or self._last[0] is not near:
            self._last = near, np.zeros(len(near), np.int32)
        return self._last

    def split(self, near: Array, boxes: Array, pose: Array, limit: Any) -> tuple[Array, Array]:
        """Return the same as `expand`, in arrays of their own. limit: also one for each pair."""
        rows = np.flatnonzero(self._is_mesh[near].any(axis=1))
        if not len(rows):
            return near, np.zeros(len(near), np.int32)
        limit = np.broadcast_to(limit, len(near))[rows, None]
        first = self._is_mesh[near[rows, 0]]
        meshes, others = np.where(first, near[rows].T, near[rows, ::-1].T)
        regions = self._local(meshes, boxes.reshape(-1, 6)[others], pose.reshape(-1, 8), limit)
        numbers, triangles = [], []
        for mesh in np.unique(meshes).tolist():
            those = np.flatnonzero(meshes == mesh)
            which, found = self._layout.trees[self._layout.form[mesh, 2]].touching(regions[those])
            numbers.append(rows[those[which]])
            triangles.append(found + 1)
        plain = np.delete(np.arange(len(near)), rows)
        number = np.concatenate([plain, *numbers])
        child = np.concatenate([np.zeros(len(plain), np.int32), *triangles]).astype(np.int32)
        order = np.lexsort((child, number))
        return near[number[order]], child[order]

    def _local(self, meshes: Array, boxes: Array, pose: Array, limit: Array) -> Array:
        """Return the boxes around boxes of the world in the frames of meshes, enlarged by limits, float32 (k, 6)."""
        layout = self._layout
        body, place = pose[layout.form[meshes, 1]].astype(np.float64), layout.place[meshes].astype(np.float64)
        center = body[:, :3] + quaternions.turned(body[:, 4:], place[:, :3])
        back = quaternions.inverse(quaternions.product(body[:, 4:], place[:, 4:]))
        low, high = boxes[:, :3].astype(np.float64), boxes[:, 3:].astype(np.float64)
        middle = quaternions.turned(back, (low + high) / 2 - center)
        size = (high - low) / 2
        turn = np.abs(quaternions.to_matrix(back))
        half = limit + (turn[:, :, 0] * size[:, :1] + turn[:, :, 1] * size[:, 1:2] + turn[:, :, 2] * size[:, 2:])
        return np.concatenate([middle - half, middle + half], axis=1).astype(np.float32)
