"""Boxes around shapes: axis-aligned bounding boxes, for kernels and for arrays.

A box is four numbers x0, y0, x1, y1. The box of a rounded hull is that of its turned points, wider by the radius. A
segment of a chain is boxed without its ghosts.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core.jit import njit

from ..tables import CHAIN, POINTS

Array = npt.NDArray[Any]


@njit(borrows=True, inline="always")
def core_start(flags: Any, shape: Any) -> Any:
    """Where in the flat column `hull` the first point of a shape stands that is no ghost."""
    return 32 * shape + (2 if flags & CHAIN else 0)


@njit(borrows=True, inline="always")
def core_count(flags: Any) -> Any:
    """How many points a shape has, without ghosts."""
    return 2 if flags & CHAIN else flags & POINTS


@njit(borrows=True)
def hull_box(hull: Array, start: Any, count: Any, radius: Any, x: Any, y: Any, c: Any, s: Any) -> Any:
    """x0, y0, x1, y1 of a hull at the pose x, y, c, s, rounded by the radius. start, count: see `core_start`."""
    px, py = hull[start], hull[start + 1]
    x0 = x1 = c * px - s * py
    y0 = y1 = s * px + c * py
    for k in range(1, count):
        px, py = hull[start + 2 * k], hull[start + 2 * k + 1]
        qx = c * px - s * py
        qy = s * px + c * py
        x0, x1 = min(x0, qx), max(x1, qx)
        y0, y1 = min(y0, qy), max(y1, qy)
    return x + x0 - radius, y + y0 - radius, x + x1 + radius, y + y1 + radius


def boxes_of(hull: Array, flags: Array, radius: Array, pose: Array) -> npt.NDArray[np.float32]:
    """The boxes of m shapes, (m, 4): hull (m, 32), flags (m,), radius (m,), pose of the bodies (m, 4)."""
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
