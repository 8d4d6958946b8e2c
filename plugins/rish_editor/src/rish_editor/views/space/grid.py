"""The grid on the ground of a view of space. The plugin that draws space draws its lines too, so that nearer things
hide them."""

from __future__ import annotations

import math

import numpy as np

from rish_jit import Array

from ...look.theme import Theme
from .camera import OrbitCamera

_LINES_PER_SIDE = 40
"""The number of lines on each side of the middle."""
_PARTS = 12
"""The number of parts of each line; they fade towards the border."""
_MINOR, _MAJOR = (150, 150, 160, 90), (165, 165, 178, 160)
_AXIS = 220
"""The opacity of the axes, of 255."""


def grid_lines(camera: OrbitCamera, unit: float, theme: Theme) -> tuple[Array, Array]:
    """Return lines, float32 (n, 2, 3), meters, and their colors, uint8 (n, 4), for a grid of this unit.

    Where lines would be too dense, every tenth of them is drawn. The axes x and z have their colors of the theme.
    """
    if not unit > 0:
        return np.zeros((0, 2, 3), np.float32), np.zeros((0, 4), np.uint8)
    step = unit * 10.0 ** max(0, math.ceil(math.log10(camera.distance / 30 / unit)))
    x, z = (round(camera.pivot[k] / step) for k in (0, 2))
    numbers, parts = (
        np.arange(-_LINES_PER_SIDE, _LINES_PER_SIDE + 1),
        np.linspace(-_LINES_PER_SIDE, _LINES_PER_SIDE, _PARTS + 1),
    )
    ends = np.zeros((2, len(numbers), _PARTS, 2, 3))
    for k, (own, other) in enumerate(((0, 2), (2, 0))):
        middle, along = (x, z) if k == 0 else (z, x)
        ends[k, ..., own] = ((numbers + middle) * step)[:, None, None]
        ends[k, ..., other] = (np.stack([parts[:-1], parts[1:]], axis=1) + along) * step
    colors = np.empty((2, len(numbers), _PARTS, 4))
    for k, (middle, axis) in enumerate(((x, "axis_z"), (z, "axis_x"))):
        colors[k] = np.where(((numbers + middle) % 10 == 0)[:, None, None], _MAJOR, _MINOR)
        colors[k, numbers + middle == 0] = [*(255 * part for part in theme.rgba(axis)[:3]), _AXIS]
    away = np.hypot(*(ends.mean(axis=3)[..., each] / step - at for each, at in ((0, x), (2, z)))) / _LINES_PER_SIDE
    colors[..., 3] *= np.clip(1.0 - away, 0.0, 1.0)
    return ends.reshape(-1, 2, 3).astype(np.float32), np.rint(colors).astype(np.uint8).reshape(-1, 4)
