"""Views of space as plain numbers, and the view of a tool such as an editor.

While `ToolView3D.view` is set, space is drawn through this view instead of the game's cameras.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from rish_core import UsageError, resource
from rish_jit import Array

from .quaternions import to_matrix

Three = tuple[float, float, float]
Four = tuple[float, float, float, float]


@dataclass(frozen=True)
class SpaceView:
    """A camera as plain numbers, which looks along its -z axis; it belongs to no entity. Raises UsageError if it shows
    nothing.

    position: meters. rotation: quaternion x, y, z, w. fov: the angle from bottom to top, radians. height: of an
    orthographic view, meters; 0: perspective. near, far: the shown range of distances, meters. layers: it shows
    entities on no layer and on these; None: all. exposure: a factor of all light.
    """

    position: Three = (0.0, 0.0, 0.0)
    rotation: Four = (0.0, 0.0, 0.0, 1.0)
    fov: float = 0.87
    height: float = 0.0
    near: float = 0.1
    far: float = 500.0
    layers: frozenset[str] | None = None
    exposure: float = 1.0

    def __post_init__(self) -> None:
        numbers = (*self.position, *self.rotation, self.fov, self.height, self.near, self.far, self.exposure)
        if not all(map(math.isfinite, numbers)) or not 0 < self.near < self.far:
            message = f"a view of space needs finite numbers and 0 < near < far, not {self}"
            raise UsageError(message, hint="Give distances in meters and angles in radians")
        if self.height < 0 or (self.height == 0 and not 0 < self.fov < math.pi):
            raise UsageError(f"a view of space with fov {self.fov} and height {self.height} shows nothing")

    @property
    def axes(self) -> Array:
        """The directions right, up and back in the world, float64 (3, 3), one a row."""
        return to_matrix(self.rotation).T

    @property
    def view(self) -> Array:
        """The matrix from the world to the view, float64 (4, 4), for column vectors."""
        view = np.eye(4)
        view[:3, :3] = self.axes
        view[:3, 3] = -self.axes @ np.array(self.position)
        return view

    def projection(self, aspect: float) -> Array:
        """Return the matrix from the view to clip space, float64 (4, 4). aspect: width by height of the picture."""
        matrix, depth = np.zeros((4, 4)), self.far - self.near
        if self.height > 0:
            up = 2 / self.height
            matrix[2, 2], matrix[2, 3], matrix[3, 3] = -2 / depth, -(self.far + self.near) / depth, 1
        else:
            up = 1 / math.tan(self.fov / 2)
            matrix[2, 2], matrix[2, 3] = -(self.far + self.near) / depth, -2 * self.far * self.near / depth
            matrix[3, 2] = -1
        matrix[0, 0], matrix[1, 1] = up / max(aspect, 1e-6), up
        return matrix

    def pixels(self, size: tuple[float, float]) -> Array:
        """Return the matrix from the world to pixels of a picture, float64 (4, 4).

        After division by w, x and y are pixels from the bottom left, and z reaches from -1 at `near` to 1 at `far`.
        """
        return to_pixels((0.0, 0.0, *size)) @ self.projection(size[0] / size[1]) @ self.view


def to_pixels(rect: tuple[float, float, float, float]) -> Array:
    """Return the matrix from clip space to pixels, float64 (4, 4). rect: x y w h of the picture, y up."""
    x, y, w, h = rect
    return np.array([[w / 2, 0, 0, x + w / 2], [0, h / 2, 0, y + h / 2], [0, 0, 1, 0], [0, 0, 0, 1]], np.float64)


@resource(derived=True)
class ToolView3D:
    """The view through which a tool looks at space, in place of the game's cameras; it fills the screen.

    view: the view, or None. hidden: whether nothing of space is drawn onto the screen, as in a tool's view of the
    layers. lines, rgba: what the tool draws into space through its view, such as a grid: float32 (n, 2, 3), meters, and
    uint8 (n, 4); nearer surfaces hide it. A tool sets all before `App.draw` and resets them after it, so that code of
    the game never sees them.
    """

    view: SpaceView | None = None
    hidden: bool = False
    lines: Array = field(default_factory=lambda: np.zeros((0, 2, 3), np.float32))
    rgba: Array = field(default_factory=lambda: np.zeros((0, 4), np.uint8))

    def reset(self) -> None:
        """Let the game's cameras draw again."""
        self.__init__()
