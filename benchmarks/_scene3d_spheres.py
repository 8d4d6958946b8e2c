"""The spheres of the benchmark `scene3d`, for all its engines: rows of them before a camera that moves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rish_frame import look_at, perspective
from rish_scene3d.models.shapes import shape

SIZE = (960, 540)
FOV, NEAR, FAR = 60.0, 0.1, 1000.0
"""The camera: the height of its view in degrees, and its planes."""
TRIANGLES = 960
"""Triangles of the shape `sphere`."""
LAMPS, REACH = ((2.0, 4.0, 3.0), (-4.0, 3.0, 2.0), (5.0, 3.0, -2.0)), 25.0
"""Where the lamps of the lit hall are, of which the first casts shadows, and how far they reach, metres."""
SUN = (-50.0, 30.0)
"""How far up its sun looks, and how far it is turned to the left, degrees."""


def mesh() -> tuple[Any, Any]:
    """Return the points, float32 (n, 3), and triangles, uint32 (t, 3), of a sphere one metre wide."""
    ball = shape("sphere")
    assert len(ball.indices) == TRIANGLES
    return ball.positions, ball.indices


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
