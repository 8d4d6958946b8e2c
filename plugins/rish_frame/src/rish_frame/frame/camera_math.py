"""Camera matrices, which transform positions of the world to those of a target.

Matrices are float32 (4, 4), row-major, for column vectors: `clip = projection @ view @ point`. After division
by w the visible space reaches from -1 to 1 in each axis, y up; z is -1 at the near plane and 1 at the far
one. Angles are in radians. Two dimensions are the special case of an orthographic pair.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rish_ecs import UsageError

Matrix: TypeAlias = npt.NDArray[np.float32]
Point3: TypeAlias = tuple[float, float, float]


def identity() -> Matrix:
    """Return a new identity matrix."""
    return np.eye(4, dtype=np.float32)


def orthographic(left: float, right: float, bottom: float, top: float, near: float = -1.0, far: float = 1.0) -> Matrix:
    """Return a projection that shows the box left..right, bottom..top, and z from -near down to -far."""
    if left == right or bottom == top or near == far:
        raise UsageError(
            f"an orthographic view needs a box with some size, not {(left, right, bottom, top, near, far)}"
        )
    width, height, depth = right - left, top - bottom, far - near
    return np.array(
        [
            [2 / width, 0, 0, -(right + left) / width],
            [0, 2 / height, 0, -(top + bottom) / height],
            [0, 0, -2 / depth, -(far + near) / depth],
            [0, 0, 0, 1],
        ],
        dtype=np.float32,
    )


def pixels(size: tuple[int, int]) -> Matrix:
    """Return the projection in which one unit is one pixel of a target of this size, from its bottom left."""
    return orthographic(0, max(size[0], 1), 0, max(size[1], 1))


def perspective(fov: float, aspect: float, near: float, far: float) -> Matrix:
    """Return a perspective projection for a camera that looks along -z.

    fov: the full vertical angle of view, radians. aspect: width ÷ height. near, far: distances, 0 < near <
    far.
    """
    if not 0 < fov < math.pi or aspect <= 0 or not 0 < near < far:
        raise UsageError(
            f"a perspective needs 0 < fov < π, aspect > 0 and 0 < near < far, not {(fov, aspect, near, far)}"
        )
    f = 1 / math.tan(fov / 2)
    return np.array(
        [
            [f / aspect, 0, 0, 0],
            [0, f, 0, 0],
            [0, 0, (far + near) / (near - far), 2 * far * near / (near - far)],
            [0, 0, -1, 0],
        ],
        dtype=np.float32,
    )


def _cross(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the cross product of two vectors; `np.cross` takes ten times as long for one."""
    (x, y, z), (u, v, w) = a.tolist(), b.tolist()
    return np.array([y * w - z * v, z * u - x * w, x * v - y * u])


def look_at(eye: Point3, target: Point3, up: Point3 = (0.0, 1.0, 0.0)) -> Matrix:
    """Return the view of a camera at `eye` that looks at `target`; `up` points upwards in the image."""
    e = np.asarray(eye, dtype=np.float64)
    forward = np.asarray(target, dtype=np.float64) - e
    side = _cross(forward, np.asarray(up, dtype=np.float64))
    if not np.linalg.norm(forward) or not np.linalg.norm(side):
        message = "look_at needs an eye that differs from the target, and an up that is not parallel to the view"
        raise UsageError(f"{message}, not {eye}, {target}")
    forward /= np.linalg.norm(forward)
    side /= np.linalg.norm(side)
    above = _cross(side, forward)
    view = np.eye(4)
    view[0, :3], view[1, :3], view[2, :3] = side, above, -forward
    view[:3, 3] = -view[:3, :3] @ e
    return view.astype(np.float32)


def view_2d(x: float, y: float, rotation: float = 0.0, zoom: float = 1.0) -> Matrix:
    """Return the view of a 2D camera centered on (x, y), rotated counter-clockwise and magnified by `zoom`."""
    cos, sin = math.cos(rotation) * zoom, math.sin(rotation) * zoom
    return np.array(
        [
            [cos, sin, 0, -(cos * x + sin * y)],
            [-sin, cos, 0, sin * x - cos * y],
            [0, 0, 1, 0],
            [0, 0, 0, 1],
        ],
        dtype=np.float32,
    )


def project(matrix: npt.NDArray[Any], points: npt.ArrayLike, size: tuple[int, int]) -> npt.NDArray[np.float64]:
    """Return the positions of points on a target: pixel x, y (from the bottom left), depth -1..1; float64 (n, 3).

    matrix: projection @ view. points: (n, 2) or (n, 3). A point on or behind the camera's plane gives NaN.
    """
    rows = np.atleast_2d(np.asarray(points, dtype=np.float64))
    homogeneous = np.zeros((len(rows), 4))
    homogeneous[:, : rows.shape[1]] = rows
    homogeneous[:, 3] = 1
    clip = homogeneous @ np.asarray(matrix, dtype=np.float64).T
    w = np.where(clip[:, 3:] > 0, clip[:, 3:], np.nan)
    return (clip[:, :3] / w) * [size[0] / 2, size[1] / 2, 1] + [size[0] / 2, size[1] / 2, 0]
