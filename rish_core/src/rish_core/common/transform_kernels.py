"""The compiled twin of the transforms' plain numpy code, for many rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import maths
from ..ecs.columns import Column
from ..jit import njit

_TAU = np.float32(maths.TAU)
_ONE = np.float32(1)
_HALF = np.float32(0.5)


@njit
def local_matrices(
    position: Column, rotation: Column, scale: Column, last_position: Column, last_rotation: Column, last_scale: Column,
    alpha: Any, out: Column,
) -> None:  # fmt: skip
    """The local pose between two ticks as a matrix, row by row; see `transform._local_matrices`."""
    back = _ONE - alpha
    for k in range(len(rotation)):
        turn = rotation[k] - last_rotation[k]
        turn -= _TAU * np.float32(np.floor(turn / _TAU + _HALF))
        angle = rotation[k] - back * turn
        width = scale[k, 0] - back * (scale[k, 0] - last_scale[k, 0])
        height = scale[k, 1] - back * (scale[k, 1] - last_scale[k, 1])
        cos, sin = maths.cos(angle), maths.sin(angle)
        out[k, 0] = cos * width
        out[k, 1] = sin * width
        out[k, 2] = -sin * height
        out[k, 3] = cos * height
        out[k, 4] = position[k, 0] - back * (position[k, 0] - last_position[k, 0])
        out[k, 5] = position[k, 1] - back * (position[k, 1] - last_position[k, 1])
