"""Lists of triangles, lines and points from all modes of a primitive, and normals of faces."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Indices = npt.NDArray[np.uint32]
Reals = npt.NDArray[np.floating[Any]]
MODES = ("points", "lines", "line loop", "line strip", "triangles", "triangle strip", "triangle fan")
"""The modes of the file format by number."""
MIN_INDICES = (1, 2, 2, 2, 3, 3, 3)
"""The smallest number of indices of each mode."""


def parts_of(mode: int, order: Indices) -> Indices:
    """Return the points (n, 1), lines (n, 2) or triangles (n, 3) of indices (m,) in a mode.

    Every second triangle of a strip is turned, so that all have the same winding.
    """
    if mode == 0:
        return order.reshape(-1, 1)
    if mode in (1, 4):
        width = 2 if mode == 1 else 3
        return order[: len(order) // width * width].reshape(-1, width)
    if mode == 2:
        return np.stack([order, np.roll(order, -1)], axis=1)
    if mode == 3:
        return np.stack([order[:-1], order[1:]], axis=1)
    if mode == 6:
        return np.stack([order[1:-1], order[2:], np.broadcast_to(order[:1], len(order) - 2)], axis=1)
    turned = np.arange(len(order) - 2) % 2 == 1
    first, second, third = order[:-2], order[1:-1], order[2:]
    return np.stack([first, np.where(turned, third, second), np.where(turned, second, third)], axis=1)


def face_normals(positions: Reals, triangles: Indices) -> Floats:
    """Return a unit normal for each triangle (n, 3); of a triangle without area, +y."""
    first, second, third = (positions[triangles[:, corner]].astype(np.float64) for corner in range(3))
    return unit(np.cross(second - first, third - first), (0.0, 1.0, 0.0))


def unit(vectors: npt.NDArray[Any], otherwise: tuple[float, float, float]) -> Floats:
    """Return vectors (n, 3) of length 1; `otherwise` replaces those of length 0."""
    wide = vectors.astype(np.float64)
    length = np.sqrt((wide * wide).sum(1, keepdims=True))
    small = ~(length > 1e-30)
    return np.where(small, np.array(otherwise), wide / np.where(small, 1.0, length)).astype(np.float32)
