"""Matrices from the world to pixels of a pass's target and back, for drawers of any backend."""

from __future__ import annotations

import numpy as np

from rish_frame import Batch, Pass
from rish_frame.frame import pixel_rect
from rish_jit import Array


def matrices(pass_: Pass, size: tuple[int, int], origin: tuple[float, float]) -> tuple[Array, Array]:
    """Return the matrix and offset, float64 (2, 2) and (2,), from units to clip space of the complete target.

    Units are relative to `origin`. The pass's viewport is included.
    """
    camera = pass_.projection.astype(np.float64) @ pass_.view.astype(np.float64)
    x, y, w, h = pixel_rect(pass_.viewport, size)
    stretch = np.array([w / size[0], h / size[1]])
    shift = np.array([(2 * x + w) / size[0] - 1, (2 * y + h) / size[1] - 1])
    linear = camera[:2, :2] * stretch[:, None]
    offset = (camera[:2, :2] @ origin + camera[:2, 3]) * stretch + shift
    return linear, offset


def drawn_box(pass_: Pass, batch: Batch, size: tuple[int, int]) -> Array:
    """Return the rectangle of pixels that a batch may change, int64 (4): x0 y0 x1 y1, row 0 on top."""
    x, y, w, h = pass_.clip(size, batch)
    return np.array([x, size[1] - y - h, x + w, size[1] - y], np.int64)


def backwards(linear: Array, offset: Array, size: tuple[int, int]) -> tuple[Array, Array]:
    """Return the matrix and offset, float64 (2, 2) and (2,), from pixels of the target, y up, to units.

    linear, offset: the result of `matrices`; units are relative to its origin.
    """
    inverse = np.linalg.inv(linear)
    return inverse * (2 / np.array(size)), inverse @ (-1 - offset)
