"""Quads: maps from the unit square around 0 to boxes of a size, and the boxes themselves."""

from __future__ import annotations

import numpy as np

from rish_jit import Array


def quads(matrix: Array, size: Array, anchor: Array) -> Array:
    """Return maps from the unit square around 0 to boxes of a size, float32 (n, 6), with anchors at the matrices'
    origins.
    """
    out = np.empty_like(matrix)
    shift = np.float32(0.5) - anchor
    with np.errstate(over="ignore", invalid="ignore"):  # an infinite box is not drawn
        out[:, 0:2] = matrix[:, 0:2] * size[:, :1]
        out[:, 2:4] = matrix[:, 2:4] * size[:, 1:]
        out[:, 4:6] = matrix[:, 4:6] + out[:, 0:2] * shift[:, :1] + out[:, 2:4] * shift[:, 1:]
    return out


def reach_of(quad: Array) -> Array:
    """Return how far a quad extends from its center along x and y, float32 (n, 2)."""
    return (np.abs(quad[:, 0:2]) + np.abs(quad[:, 2:4])) * np.float32(0.5)


def anchored_boxes(size: Array, anchor: Array) -> Array:
    """Return boxes, float64 (n, 4), of a size (n, 2) whose anchor, a fraction of the size (n, 2), is at 0."""
    low = -anchor.astype(np.float64) * size
    return np.concatenate([low, low + size], axis=1)
