"""The grid on the ground of a view of space: lines that the plugin that draws space draws, so that things hide them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from .camera import OrbitCamera

Array = npt.NDArray[Any]
_HALF = 40
"""The number of lines on each side of the middle."""
_MINOR, _MAJOR = (150, 150, 160, 60), (165, 165, 178, 120)
_X, _Z = (235, 90, 85, 220), (95, 140, 245, 220)


def grid_lines(camera: OrbitCamera, unit: float) -> tuple[Array, Array]:
    """Return lines, float32 (n, 2, 3), metres, and their colours, uint8 (n, 4), for a grid of this unit.

    Where lines would be too dense, every tenth of them is drawn. The axes x and z are red and blue.
    """
    if not unit > 0:
        return np.zeros((0, 2, 3), np.float32), np.zeros((0, 4), np.uint8)
    step = unit * 10.0 ** max(0, math.ceil(math.log10(camera.distance / 30 / unit)))
    x, z = (round(camera.pivot[k] / step) for k in (0, 2))
    numbers = np.arange(-_HALF, _HALF + 1)
    reach = _HALF * step
    across, along = (numbers + x) * step, (numbers + z) * step
    ends = np.zeros((2, len(numbers), 2, 3))
    ends[0, :, :, 0], ends[0, :, :, 2] = across[:, None], [z * step - reach, z * step + reach]
    ends[1, :, :, 2], ends[1, :, :, 0] = along[:, None], [x * step - reach, x * step + reach]
    colours = np.empty((2, len(numbers), 4), np.uint8)
    for k, (middle, axis) in enumerate(((x, _Z), (z, _X))):
        colours[k] = np.where(((numbers + middle) % 10 == 0)[:, None], _MAJOR, _MINOR)
        colours[k, numbers + middle == 0] = axis
    return ends.reshape(-1, 2, 3).astype(np.float32), colours.reshape(-1, 4)
