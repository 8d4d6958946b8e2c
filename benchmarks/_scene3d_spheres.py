"""The spheres of the benchmark `scene3d`, for all its engines: rows of them before a camera that moves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rish_frame import look_at, perspective

SIZE = (960, 540)
FOV, NEAR, FAR = 60.0, 0.1, 1000.0
"""The camera: the height of its view in degrees, and its planes."""
_RINGS, _SIDES = 16, 32
TRIANGLES = 2 * _SIDES * (_RINGS - 1)
"""Triangles of a sphere, which is Rish's shape `sphere`."""
LAMPS, REACH = ((2.0, 4.0, 3.0), (-4.0, 3.0, 2.0), (5.0, 3.0, -2.0)), 25.0
"""Where the lamps of the lit hall are, of which the first casts shadows, and how far they reach, meters."""
SUN = (-50.0, 30.0)
"""How far up its sun looks, and how far it is turned to the left, degrees."""


def mesh() -> tuple[Any, Any]:
    """Return the points, float32 (n, 3), and triangles, uint32 (t, 3), of a sphere one meter wide."""
    rise, turn = np.meshgrid(np.linspace(0, np.pi, _RINGS + 1), np.linspace(0, 2 * np.pi, _SIDES + 1), indexing="ij")
    points = 0.5 * np.stack([np.sin(rise) * np.cos(turn), np.cos(rise), np.sin(rise) * np.sin(turn)], axis=-1)
    row, column = np.mgrid[0:_RINGS, 0:_SIDES]
    a = row * (_SIDES + 1) + column
    b, c, d = a + 1, a + _SIDES + 1, a + _SIDES + 2
    above, below = np.stack([a, b, c], axis=-1)[1:], np.stack([b, d, c], axis=-1)[:-1]
    triangles = np.concatenate([above.reshape(-1, 3), below.reshape(-1, 3)])
    return points.reshape(-1, 3).astype(np.float32), triangles.astype(np.uint32)


def places(triangles: int) -> Any:
    """Return place and size of each of the spheres that have so many triangles together: float32 (n, 4)."""
    count = round(triangles / TRIANGLES)
    side, k = math.ceil(math.sqrt(count)), np.arange(count)
    columns = (
        (k % side - side / 2 + 0.5) * 12 / side,
        (k // side) * 6 / side + 0.4,
        -(k % 3),
        np.full(count, 11 / side),
    )
    return np.stack(columns, axis=-1).astype(np.float32)


def eye(shot: int) -> tuple[float, float, float]:
    """Return where the camera is in a frame; it looks along -z."""
    return 0.03 * (shot % 40), 2.0, 12.0


def view(shot: int) -> Any:
    """Return the matrix from the world to the camera of a frame, float32 (4, 4)."""
    x, y, z = eye(shot)
    return look_at((x, y, z), (x, y, 0.0))


def lens() -> Any:
    """Return the matrix from the camera to the picture, float32 (4, 4)."""
    return perspective(math.radians(FOV), SIZE[0] / SIZE[1], NEAR, FAR)
