"""Axis-aligned bounding boxes of shapes, for kernels.

A box is four numbers x0, y0, x1, y1. The box of a rounded hull is the box of its rotated points, enlarged by the
radius. The box of a chain segment does not include its ghosts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

from ..components.tables import CHAIN, MOVED, POINTS, STATIC, TYPE

MARGIN_SHARE = np.float32(0.125)
"""The largest margin of a fat box, as a share of its shape's reach."""


@njit(borrows=True, inline="always")
def core_start(flags: Any, shape: Any) -> Any:
    """Return the index in the flat column `hull` of a shape's first point that is not a ghost."""
    return 32 * shape + (2 if flags & CHAIN else 0)


@njit(borrows=True, inline="always")
def core_count(flags: Any) -> Any:
    """Return the number of points of a shape, without ghosts."""
    return 2 if flags & CHAIN else flags & POINTS


@njit(borrows=True)
def hull_box(hull: Array, start: Any, count: Any, radius: Any, x: Any, y: Any, c: Any, s: Any) -> Any:
    """Return x0, y0, x1, y1 of a hull at the pose x, y, c, s, rounded by the radius. start, count: see `core_start`."""
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


@njit(borrows=True, inline="always")
def fit_boxes(
    slots: Array, body: Array, flags: Array, size: Array, hull: Array, pose: Array, body_flags: Array,
    speculative: Any, margin: Any, tight: Array, fat: Array,
) -> None:  # fmt: skip
    """Write the boxes of shapes (int32 slots), and set MOVED; the fat boxes of non-static bodies include a margin."""
    for k in range(len(slots)):
        shape = np.int64(slots[k])
        b, p = 4 * shape, 4 * np.int64(body[shape])
        look, radius = flags[shape], size[b + 2]
        start, c, s = core_start(look, shape), pose[p + 2], pose[p + 3]
        x0, y0, x1, y1 = np.float32(np.inf), np.float32(np.inf), np.float32(-np.inf), np.float32(-np.inf)
        for q in range(core_count(look)):
            px, py = hull[start + 2 * q], hull[start + 2 * q + 1]
            qx, qy = c * px - s * py, s * px + c * py
            x0, y0, x1, y1 = min(x0, qx), min(y0, qy), max(x1, qx), max(y1, qy)
        tight[b] = pose[p] - radius + x0
        tight[b + 1] = pose[p + 1] - radius + y0
        tight[b + 2] = pose[p] + radius + x1
        tight[b + 3] = pose[p + 1] + radius + y1
        wider = np.float32(0)
        if body_flags[np.int64(body[shape])] & TYPE != STATIC:
            wider = speculative + min(margin, MARGIN_SHARE * size[b + 3])
        fat[b] = tight[b] - wider
        fat[b + 1] = tight[b + 1] - wider
        fat[b + 2] = tight[b + 2] + wider
        fat[b + 3] = tight[b + 3] + wider
        flags[shape] = look | MOVED
