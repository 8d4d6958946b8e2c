"""Cameras: which part of the world is seen, and how positions on the screen and in the world belong together.

Without a camera the world's origin is the bottom left corner of the screen, and one unit is one pixel. A camera is
centred on its Transform; its `height` fixes how many units fit into the picture, whatever the window's size.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core.common.transform import Transform, WorldMatrices, world_matrices
from rish_core.frame.camera_math import Matrix, orthographic, view_2d
from rish_core.frame.passes import Frame, pixel_rect

from .components import Camera

if TYPE_CHECKING:
    from rish_core.ecs.world import World

Array = npt.NDArray[Any]
Colour = tuple[float, float, float, float]


@dataclass(frozen=True)
class View:
    """What one camera sees.

    size: of its viewport, pixels. corner: the viewport's bottom left pixel. centre: world position in the middle.
    rotation: of the camera, radians. density: pixels a unit. viewport: fractions of the screen, or None for all of
    it. background: a colour, or None for the settings' one.
    """

    size: tuple[int, int]
    centre: tuple[float, float]
    rotation: float = 0.0
    density: float = 1.0
    corner: tuple[int, int] = (0, 0)
    viewport: tuple[float, float, float, float] | None = None
    background: Colour | None = None

    @property
    def view(self) -> Matrix:
        """The view matrix; its unit is a pixel, its origin the middle of the viewport."""
        return view_2d(*self.centre, self.rotation, self.density)

    @property
    def projection(self) -> Matrix:
        """The projection that belongs to `view`."""
        w, h = self.size
        return orthographic(-w / 2, w / 2, -h / 2, h / 2)

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """The least and greatest x and y that are seen: x0, y0, x1, y1."""
        w, h = self.size[0] / self.density / 2, self.size[1] / self.density / 2
        cos, sin = abs(math.cos(self.rotation)), abs(math.sin(self.rotation))
        ex, ey = cos * w + sin * h, sin * w + cos * h
        x, y = self.centre
        return x - ex, y - ey, x + ex, y + ey

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of the viewport on the screen, pixels."""
        return self.corner[0] + self.size[0] / 2, self.corner[1] + self.size[1] / 2

    def to_world(self, points: npt.ArrayLike) -> Array:
        """World positions of points on the screen (pixels, y up, from the bottom left), float64 (..., 2)."""
        p = (np.asarray(points, np.float64) - self.middle) / self.density
        cos, sin = math.cos(self.rotation), math.sin(self.rotation)
        x, y = p[..., 0], p[..., 1]
        return np.stack([cos * x - sin * y + self.centre[0], sin * x + cos * y + self.centre[1]], axis=-1)

    def to_screen(self, points: npt.ArrayLike) -> Array:
        """Points on the screen (pixels, y up, from the bottom left) of world positions, float64 (..., 2)."""
        p = np.asarray(points, np.float64) - self.centre
        cos, sin = math.cos(self.rotation) * self.density, math.sin(self.rotation) * self.density
        x, y = p[..., 0], p[..., 1]
        return np.stack([cos * x + sin * y, cos * y - sin * x], axis=-1) + self.middle


def screen_view(size: tuple[int, int]) -> View:
    """The view without a camera: the origin at the bottom left, one unit a pixel."""
    return View(size, (size[0] / 2, size[1] / 2))


def main_view(world: World, *, interpolated: bool = False) -> View:
    """What the primary camera sees; the plain view of the screen where there is no camera.

    interpolated: between the last two ticks, as it is drawn; for systems of the frame, not of a tick.
    """
    size = world[Frame].size
    query = world.query(Camera, Transform)
    table = world[Camera]
    rows = query.rows(Camera)
    primary = np.flatnonzero(table.primary[rows]) if len(rows) else rows
    if not len(primary):
        return screen_view(size)
    chosen = int(primary[0])
    matrices = world[WorldMatrices].matrix if interpolated else world_matrices(world)
    a, b, _, _, x, y = (float(value) for value in matrices[query.rows(Transform)[chosen]])
    return _view_of(table, int(rows[chosen]), size, (x, y), math.atan2(b, a))


def _view_of(table: Any, row: int, screen: tuple[int, int], centre: tuple[float, float], rotation: float) -> View:
    fx, fy, fw, fh = (float(value) for value in table.viewport[row])
    whole = (fx, fy, fw, fh) == (0, 0, 1, 1)
    x, y, w, h = pixel_rect((fx, fy, fw, fh), screen)
    w, h = max(w, 1), max(h, 1)
    height, zoom = float(table.height[row]), float(table.zoom[row])
    density = (h / height if height > 0 else 1.0) * zoom
    red, green, blue, alpha = (float(value) for value in table.background[row])
    background = (red, green, blue, 1.0) if alpha > 0 else None
    return View((w, h), centre, rotation, density, (x, y), None if whole else (fx, fy, fw, fh), background)


def to_world(world: World, points: npt.ArrayLike) -> Array:
    """Where in the world points on the screen lie (pixels, y up), as the primary camera stands in this tick."""
    return main_view(world).to_world(points)
