"""Quaternions of three angles, and back: the rotations that people write.

A quaternion is `x y z w`, of length 1. The angles are radians around the axes x, y and z of a right-handed space in
which y points up: the quaternion turns about z first (roll), then about x (pitch), then about y (yaw). Results are
equal to the bit everywhere, like those of the functions of `maths`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import atan2, sincos, sqrt

Array = npt.NDArray[Any]

_ALMOST_UP = 1.0 - 1e-9
"""From this sine of the pitch on, yaw and roll can't be told apart."""


def quaternions_of(angles: npt.ArrayLike) -> Array:
    """Return float64 (..., 4): the quaternions of angles (..., 3) in radians around x, y and z."""
    radians: Array = np.asarray(angles, np.float64)
    halves: Array = 0.5 * radians
    sine, cosine = sincos(halves)
    sx, sy, sz = (sine[..., k] for k in range(3))
    cx, cy, cz = (cosine[..., k] for k in range(3))
    x = cy * sx * cz + sy * cx * sz
    y = sy * cx * cz - cy * sx * sz
    z = cy * cx * sz - sy * sx * cz
    w = cy * cx * cz + sy * sx * sz
    return np.stack([x, y, z, w], axis=-1)


def angles_of(quaternions: npt.ArrayLike) -> Array:
    """Return float64 (..., 3): the angles around x, y and z in radians of quaternions (..., 4) of length 1.

    The pitch is from -π/2 to π/2. If it is one of these, the roll is 0.
    """
    components: Array = np.asarray(quaternions, np.float64)
    x, y, z, w = (components[..., k] for k in range(4))
    sine: Array = np.clip(2 * (w * x - y * z), -1.0, 1.0)
    pitch = atan2(sine, sqrt((1 - sine) * (1 + sine)))
    upright = np.abs(sine) >= _ALMOST_UP
    yaw = atan2(2 * (x * z + w * y), 1 - 2 * (x * x + y * y))
    roll = atan2(2 * (x * y + w * z), 1 - 2 * (x * x + z * z))
    alone = atan2(2 * (w * y - x * z), 1 - 2 * (y * y + z * z))
    return np.stack([pitch, np.where(upright, alone, yaw), np.where(upright, 0.0, roll)], axis=-1)
