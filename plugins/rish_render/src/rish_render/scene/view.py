"""Views: the part of the world that a camera shows, and where it is drawn, as plain numbers.

A view defines which part of the world fills which rectangle of which target. It does not refer to entities, so it can
be made without a camera, compared, and stored.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rish_frame import orthographic, view_2d
from rish_frame.frame import Matrix
from rish_jit import Array, maths

Color = tuple[float, float, float, float]
Rect = tuple[float, float, float, float]
MAIN = "main"
_PLACE = attrgetter("size", "corner", "viewport", "background", "camera", "layers", "name", "target", "pixels")


class DrawArea(NamedTuple):
    """The area that cameras draw onto.

    target: its name. size: in pixels. logical: width and height of the game's image in logical pixels. place: the
    rectangle of the target that this image fills, pixels from the bottom left.
    """

    target: str
    size: tuple[int, int]
    logical: tuple[int, int]
    place: tuple[int, int, int, int]

    @classmethod
    def plain(cls, target: str, size: tuple[int, int]) -> DrawArea:
        """Return the area of a target that is filled pixel by pixel."""
        return cls(target, size, size, (0, 0, *size))


@dataclass(frozen=True)
class View:
    """The view of one camera, or of a tool: `View((640, 480), (x, y), density=2.0)` shows 320 by 240 units around x, y.

    size: of its viewport, logical pixels. center: world position in the middle. rotation: of the camera, radians.
    density: logical pixels per unit. corner: the viewport's bottom left, logical pixels. viewport: fractions of the
    target, or None for all of it. background: a color, or None for none of its own. camera: its entity, 0 for none.
    layers: names of the layers that it shows; None for all. name: of its passes. target: the name of its target.
    pixels: the viewport's size in pixels of the target; None if they are the logical ones.
    """

    size: tuple[int, int]
    center: tuple[float, float]
    rotation: float = 0.0
    density: float = 1.0
    corner: tuple[int, int] = (0, 0)
    viewport: Rect | None = None
    background: Color | None = None
    camera: int = 0
    layers: frozenset[str] | None = None
    name: str = MAIN
    target: str = "screen"
    pixels: tuple[int, int] | None = None

    @classmethod
    def on(
        cls, surface: DrawArea, rect: tuple[int, int, int, int], center: tuple[float, float], rotation: float,
        density: float, background: Color | None = None, camera: int = 0, layers: frozenset[str] | None = None,
        name: str = MAIN,
    ) -> View:  # fmt: skip
        """Return the view that fills a rectangle of an area's image: x, y, width, height in logical pixels."""
        x, y, w, h = rect
        x0, y0, x1, y1 = (math.floor(edge + 0.5) for edge in _edges(surface, rect))
        width, height = surface.size
        whole = (x0, y0, x1, y1) == (0, 0, width, height)
        viewport = None if whole else (x0 / width, y0 / height, (x1 - x0) / width, (y1 - y0) / height)
        pixels = (max(x1 - x0, 1), max(y1 - y0, 1))
        return cls(
            (w, h), center, rotation, density, (x, y), viewport, background, camera, layers, name, surface.target,
            None if pixels == (w, h) else pixels,
        )  # fmt: skip

    @cached_property
    def place(self) -> tuple[Any, ...]:
        """All fields except center, rotation and density."""
        return _PLACE(self)

    @property
    def view(self) -> Matrix:
        """The view matrix, read-only; its unit is a logical pixel, its origin the middle of the viewport."""
        return _view_matrix(*self.center, self.rotation, self.density)

    @property
    def projection(self) -> Matrix:
        """The projection that belongs to `view`, read-only."""
        return _projection(*self.size)

    @property
    def resolution(self) -> float:
        """Pixels of the target per unit: how finely things are drawn."""
        return self.density if self.pixels is None else self.density * self.pixels[1] / self.size[1]

    @cached_property
    def turn(self) -> tuple[float, float]:
        """The sine and the cosine of the rotation."""
        return maths.sincos(self.rotation)

    @property
    def drawn_size(self) -> tuple[int, int]:
        """Width and height of the viewport in pixels of the target."""
        return self.size if self.pixels is None else self.pixels

    @cached_property
    def reach(self) -> tuple[float, float]:
        """How far the view extends from its center along x and y, units."""
        w, h = self.size[0] / self.density / 2, self.size[1] / self.density / 2
        sin, cos = (abs(value) for value in self.turn)
        return cos * w + sin * h, sin * w + cos * h

    @property
    def bounds(self) -> Rect:
        """The least and greatest visible x and y: x0, y0, x1, y1."""
        (x, y), (ex, ey) = self.center, self.reach
        return x - ex, y - ey, x + ex, y + ey

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of the viewport on the screen, logical pixels."""
        return self.corner[0] + self.size[0] / 2, self.corner[1] + self.size[1] / 2

    @property
    def quad(self) -> Array:
        """float32 (1, 6): the matrix that maps the unit square to the visible area."""
        sin, cos = self.turn
        w, h = self.size[0] / self.density, self.size[1] / self.density
        return np.array([[cos * w, sin * w, -sin * h, cos * h, *self.center]], np.float32)

    def to_world(self, points: npt.ArrayLike) -> Array:
        """Convert screen points (logical pixels, y up, from the bottom left) to world positions, float64 (..., 2)."""
        p = (np.asarray(points, np.float64) - self.middle) / self.density
        sin, cos = self.turn
        x, y = p[..., 0], p[..., 1]
        out = np.empty_like(p)
        out[..., 0], out[..., 1] = cos * x - sin * y, sin * x + cos * y
        return out + self.center

    def to_screen(self, points: npt.ArrayLike) -> Array:
        """Convert world positions to screen points (logical pixels, y up, from the bottom left), float64 (..., 2)."""
        p = np.asarray(points, np.float64) - self.center
        sin, cos = self.turn
        sin, cos = sin * self.density, cos * self.density
        x, y = p[..., 0], p[..., 1]
        out = np.empty_like(p)
        out[..., 0], out[..., 1] = cos * x + sin * y, cos * y - sin * x
        return out + self.middle

    def filling(self, size: tuple[int, int]) -> View:
        """Return the view of the same place that fills a screen of a size in pixels, with the name `main`."""
        view = View(size, self.center, self.rotation, self.density, background=self.background, layers=self.layers)
        return self if view == self else view

    def moved(self, x: float, y: float, turn: float) -> View:
        """Return the view moved by x and y units and turned by an angle in radians."""
        return replace(self, center=(self.center[0] + x, self.center[1] + y), rotation=self.rotation + turn)

    def kept_within(self, limits: Rect) -> View:
        """Return the nearest view that shows nothing outside of a rectangle x y w h; centered if the rectangle is too
        small.

        A width or height of 0 sets no limit.
        """
        (x, y), (ex, ey) = self.center, self.reach
        left, bottom, width, height = limits
        center = _kept(x, ex, left, width), _kept(y, ey, bottom, height)
        return self if center == self.center else replace(self, center=center)


@lru_cache(16)
def screen_view(size: tuple[int, int] | DrawArea) -> View:
    """Return the view without a camera: the origin at the bottom left, one unit per logical pixel."""
    surface = size if isinstance(size, DrawArea) else DrawArea.plain("screen", size)
    w, h = surface.logical
    return View.on(surface, (0, 0, w, h), (w / 2, h / 2), 0.0, 1.0)


@lru_cache(64)
def _view_matrix(x: float, y: float, rotation: float, density: float) -> Matrix:
    matrix = view_2d(x, y, rotation, density)
    matrix.flags.writeable = False
    return matrix


@lru_cache(64)
def _projection(w: int, h: int) -> Matrix:
    matrix = orthographic(-w / 2, w / 2, -h / 2, h / 2)
    matrix.flags.writeable = False
    return matrix


def _edges(surface: DrawArea, rect: tuple[int, int, int, int]) -> Rect:
    """Convert a rectangle in logical pixels to the edges x0, y0, x1, y1 in pixels of the target."""
    x, y, w, h = rect
    left, bottom, width, height = surface.place
    fx, fy = width / surface.logical[0], height / surface.logical[1]
    return left + x * fx, bottom + y * fy, left + (x + w) * fx, bottom + (y + h) * fy


def _kept(at: float, reach: float, low: float, length: float) -> float:
    if length <= 0:
        return at
    if 2 * reach >= length:
        return low + length / 2
    return min(max(at, low + reach), low + length - reach)
