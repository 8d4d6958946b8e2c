"""The camera of a view of space: it turns around a point, flies, and belongs to the panel, not to the game."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from rish_jit import Array
from rish_space3d import SpaceView, quaternions

Three = tuple[float, float, float]
STEP = 1.15
"""The factor of one notch of the wheel."""
MIN_DISTANCE, MAX_DISTANCE = 0.01, 1e5
"""The least and greatest distance from the point that it turns around, meters."""
_TURN = 0.006
"""The angle for each pixel of the mouse, radians."""
_MAX_PITCH = math.pi / 2
SIDES: dict[str, tuple[float, float]] = {
    "front": (0.0, 0.0),
    "back": (math.pi, 0.0),
    "right": (math.pi / 2, 0.0),
    "left": (-math.pi / 2, 0.0),
    "top": (0.0, -math.pi / 2),
    "bottom": (0.0, math.pi / 2),
}
"""Turn and tilt of the views along the axes, radians; `front` looks along -z, `right` along -x, `top` along -y."""


@dataclass(frozen=True)
class OrbitCamera:
    """The camera of a view of space. pivot: the point that it rotates around, meters. distance: from the pivot, meters.
    yaw, pitch: radians. fov: the vertical angle of view, radians. flat: whether it is orthographic."""

    pivot: Three = (0.0, 0.0, 0.0)
    distance: float = 8.0
    yaw: float = 0.6
    pitch: float = -0.45
    fov: float = 0.87
    flat: bool = False

    @property
    def rotation(self) -> Array:
        """The rotation of the camera, a quaternion, float64 (4,)."""
        turn, tilt = quaternions.from_axis((0, 1, 0), self.yaw), quaternions.from_axis((1, 0, 0), self.pitch)
        return quaternions.product(turn, tilt)

    @property
    def axes(self) -> Array:
        """The directions right, up and back, float64 (3, 3), one a row."""
        return quaternions.to_matrix(self.rotation).T

    @property
    def eye(self) -> Array:
        """The position of the camera, float64 (3,)."""
        return np.array(self.pivot) + self.axes[2] * self.distance

    @property
    def view(self) -> SpaceView:
        """The view of the camera, for drawing."""
        a, b, c, d = self.rotation.tolist()
        far = max(1000.0, self.distance * 20)
        if not self.flat:
            return SpaceView(_three(self.eye), (a, b, c, d), self.fov, near=max(0.02, self.distance / 400), far=far)
        height = 2 * self.distance * math.tan(self.fov / 2)
        place = np.array(self.pivot) + self.axes[2] * far / 2
        return SpaceView(_three(place), (a, b, c, d), self.fov, height, 0.01, far)

    def orbit(self, dx: float, dy: float) -> OrbitCamera:
        """Return the camera rotated around its pivot. dx, dy: of the mouse, pixels, y down."""
        pitch = min(max(self.pitch - dy * _TURN, -_MAX_PITCH), _MAX_PITCH)
        return replace(self, yaw=math.remainder(self.yaw - dx * _TURN, math.tau), pitch=pitch)

    def look(self, dx: float, dy: float) -> OrbitCamera:
        """Return the camera rotated at its place. dx, dy: of the mouse, pixels, y down."""
        turned = self.orbit(dx / 2, dy / 2)
        return replace(turned, pivot=_three(self.eye - turned.axes[2] * self.distance))

    def pan(self, dx: float, dy: float, height: float) -> OrbitCamera:
        """Return the camera moved sideways, so that the pivot follows the pointer. dx, dy: pixels. height: of the view,
        pixels."""
        share = 2 * self.distance * math.tan(self.fov / 2) / max(height, 1.0)
        right, up, _ = self.axes
        return replace(self, pivot=_three(np.array(self.pivot) - right * dx * share + up * dy * share))

    def zoom(self, notches: float) -> OrbitCamera:
        """Return the camera nearer to its pivot, or farther away for negative values."""
        return replace(self, distance=min(max(self.distance / STEP**notches, MIN_DISTANCE), MAX_DISTANCE))

    def fly(self, way: npt.ArrayLike) -> OrbitCamera:
        """Return the camera moved along its own axes right, up and back. way: the displacement, meters."""
        return replace(self, pivot=_three(np.array(self.pivot) + np.asarray(way) @ self.axes))

    def frame(self, low: npt.ArrayLike, high: npt.ArrayLike, aspect: float = 1.0) -> OrbitCamera:
        """Return the camera moved so that it shows a box completely. aspect: width / height of the view."""
        lowest, highest = np.asarray(low, np.float64), np.asarray(high, np.float64)
        radius = max(float(np.linalg.norm(highest - lowest)) / 2, 1e-3)
        half = math.atan(math.tan(self.fov / 2) * min(aspect, 1.0))
        distance = min(max(1.1 * radius / math.sin(half), MIN_DISTANCE), MAX_DISTANCE)
        return replace(self, pivot=_three((lowest + highest) / 2), distance=distance)

    def through(self, view: SpaceView) -> OrbitCamera:
        """Return the camera at the place and with the direction of another view, but upright."""
        back = view.axes[2]
        yaw, pitch = math.atan2(back[0], back[2]), -math.asin(min(max(float(back[1]), -1.0), 1.0))
        distance = self.distance if not view.height else view.height / 2 / math.tan(self.fov / 2)
        camera = replace(self, yaw=yaw, pitch=pitch, distance=distance, flat=view.height > 0)
        camera = camera if view.height else replace(camera, fov=view.fov)
        return replace(camera, pivot=_three(np.array(view.position) - camera.axes[2] * distance))

    def side(self, name: str) -> OrbitCamera:
        """Return the camera looking along an axis. name: one of `SIDES`."""
        yaw, pitch = SIDES[name]
        return replace(self, yaw=yaw, pitch=pitch)


def _three(point: Array) -> Three:
    x, y, z = (float(part) for part in point)
    return x, y, z
