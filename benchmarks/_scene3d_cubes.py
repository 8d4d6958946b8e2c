"""The moving cubes of the benchmark `scene3d`, for all its engines."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rish_frame import look_at, perspective

COUNT, FEWER = 100_000, 10_000
SIZE = (960, 540)
WIDE = 150.0
"""Half the width of the field in which the cubes are, meters."""
DT, ALPHA = 1 / 60, 0.25
"""The length of a tick, seconds, and how much of it has passed since the last one when a frame is drawn."""
EYE, TILT, FOV, NEAR, FAR = (0.0, 60.0, 220.0), -15.0, 50.0, 0.1, 800.0
"""The camera: its place, how far it looks up, the height of its view in degrees, its planes."""


_SIDES = np.array([[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]])
"""The corners of a cube's sides, counter-clockwise seen from outside; bit k of a corner's number is its axis k."""


def mesh() -> tuple[Any, Any]:
    """Return the points, float32 (8, 3), and triangles, uint32 (12, 3), of a cube one meter wide."""
    corners = np.array([[k & 1, k >> 1 & 1, k >> 2] for k in range(8)], np.float32) - 0.5
    return corners, _SIDES[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3).astype(np.uint32)


def poses(count: int, wide: float = WIDE) -> tuple[Any, Any]:
    """Return the poses of cubes in two ticks, between which they swing: float32 (2, count, 3) and (2, count, 4)."""
    random = np.random.default_rng(1)
    place = random.uniform(-1, 1, (count, 3)) * [wide, 10, wide]
    turn = _unit(random.normal(size=(count, 4)))
    positions = np.stack([place, place + random.normal(size=(count, 3)) * 0.5])
    rotations = np.stack([turn, _unit(turn + random.normal(size=(count, 4)) * 0.1)])
    return positions.astype(np.float32), rotations.astype(np.float32)


def drawn(count: int) -> tuple[Any, Any]:
    """Return the poses that frames show, which are ALPHA of the way from the last tick to this one; as `poses`."""
    positions, rotations = poses(count)
    between = [array[::-1] + ALPHA * (array - array[::-1]) for array in (positions, rotations)]
    return between[0], _unit(between[1])


def _unit(quaternions: Any) -> Any:
    return quaternions / np.linalg.norm(quaternions, axis=-1, keepdims=True)


def camera() -> Any:
    """Return the matrix from the world to the picture, float32 (4, 4)."""
    slope = math.tan(math.radians(TILT))
    eye = look_at(EYE, (EYE[0], EYE[1] + slope, EYE[2] - 1))
    return perspective(math.radians(FOV), SIZE[0] / SIZE[1], NEAR, FAR) @ eye
