"""The cameras of lamps: six faces of a cube side by side in one map, or the one square of a spot."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..light.shadowing import face_slope

Floats = npt.NDArray[np.float32]

FORWARD = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], np.float64)
UP = np.array([[0, 1, 0], [0, 1, 0], [0, 0, 1], [0, 0, -1], [0, 1, 0], [0, 1, 0]], np.float64)
"""The axis of each face of a cube, and the direction that is up on it; see `light.shadowing.face_of`."""
AXES = np.stack([np.cross(FORWARD, UP), UP, -FORWARD], axis=1)
"""float64 (6, 3, 3): the rows right, up and back of each face."""
MIN_DISTANCE = 0.01
"""The smallest distance of shadow casters from a lamp, relative to its range; at most 5 cm."""


def camera_at(position: npt.ArrayLike, forward: npt.ArrayLike, up: npt.ArrayLike) -> Floats:
    """Return the view, float32 (4, 4), from a place along `forward`; `up` is at a right angle to it."""
    ahead, above = np.asarray(forward, np.float64), np.asarray(up, np.float64)
    return _view(position, np.stack([np.cross(ahead, above), above, -ahead]))


def _view(position: npt.ArrayLike, axes: npt.NDArray[np.float64]) -> Floats:
    """Return the view from a place. axes: the rows right, up and back."""
    view = np.eye(4)
    view[:3, :3] = axes
    view[:3, 3] = -view[:3, :3] @ np.asarray(position, np.float64)
    return view.astype(np.float32)


def projection_of(slope: float, reach: float) -> Floats:
    """Return the projection, float32 (4, 4), of a square view; slope: tangent of half its angle. reach: meters."""
    near, far = min(reach * MIN_DISTANCE, 0.05), reach
    matrix = np.zeros((4, 4))
    matrix[0, 0] = matrix[1, 1] = 1 / slope
    matrix[2, 2], matrix[2, 3], matrix[3, 2] = -(far + near) / (far - near), -2 * far * near / (far - near), -1
    return matrix.astype(np.float32)


def cube_cameras(place: npt.ArrayLike, reach: float, side: int) -> list[tuple[Floats, Floats]]:
    """Return view and projection of each face, in the order +x -x +y -y +z -z."""
    projection = projection_of(face_slope(side), reach)
    return [(_view(place, axes), projection) for axes in AXES]


def spot_camera(place: npt.ArrayLike, axis: npt.ArrayLike, slope: float, reach: float) -> tuple[Floats, Floats]:
    """Return view and projection of a spot; `axis` has length 1."""
    ahead = np.asarray(axis, np.float64)
    aid = np.array([0.0, 0.0, 1.0]) if abs(ahead[1]) > 0.9 else np.array([0.0, 1.0, 0.0])
    right = np.cross(ahead, aid)
    right /= np.sqrt((right**2).sum())
    return camera_at(place, ahead, np.cross(right, ahead)), projection_of(slope, reach)


def spot_slope(half_angle: float, side: int) -> float:
    """Return the tangent of half the angle of view of a spot's map, with a margin for the taps."""
    return float(np.tan(half_angle)) * face_slope(side)
