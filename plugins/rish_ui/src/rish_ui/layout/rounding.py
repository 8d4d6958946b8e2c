"""Rectangles on whole pixels."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def round_rects(rects: Array, scale: float = 1.0) -> Array:
    """Return rectangles x y w h (n, 4) in whole pixels, float32; scale: pixels of a unit.

    Edges are rounded, not sizes: rectangles that share an edge share it afterwards, without a gap and without overlap.
    """
    low = np.floor(rects[:, :2] * np.float32(scale) + np.float32(0.5))
    high = np.floor((rects[:, :2] + rects[:, 2:]) * np.float32(scale) + np.float32(0.5))
    return np.concatenate([low, high - low], axis=1).astype(np.float32)
