"""The cascades of a sun: squares of its shadow map, each for a part of the view, which do not flicker.

A cascade encloses its part of the view in a sphere, so its size does not change while the camera turns. Its middle
moves in steps of whole texels, so its texels stay where they are in the world while the camera moves (Valient 2007,
"Stable rendering of cascaded shadow maps"). Where cascades end: Zhang 2006, "Parallel-split shadow maps".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]

TAPS_MARGIN = 3
"""Texels around the sphere for the taps and for the bias."""
STEPS = 64
"""A cascade moves in steps of 1/STEPS of its side; its map is drawn again only after a step."""
MAX_CASTER_DISTANCE = 1e5
"""Casters farther than this before a cascade are left out."""


@dataclass(frozen=True)
class Cascade:
    """A square of a sun's map.

    axes (3, 3): rows right, up, and the way of the light. low, high (3,): along them, meters. end: distance along the
    view where it ends. texel: meters.
    """

    axes: Doubles
    low: tuple[float, float, float]
    high: tuple[float, float, float]
    end: float
    texel: float

    def to_square(self) -> Floats:
        """Return float32 (3, 4): from the world to x, y, depth, each 0 to 1."""
        low, size = np.array(self.low), np.array(self.high) - self.low
        return np.concatenate([self.axes / size[:, None], (-low / size)[:, None]], axis=1).astype(np.float32)

    def camera(self) -> tuple[Floats, Floats]:
        """Return view and projection, float32 (4, 4), of the same square."""
        view, projection = np.eye(4), np.eye(4)
        view[:3, :3] = self.axes * [[1], [1], [-1]]
        low, high = np.array(self.low), np.array(self.high)
        scale = 2 / (high - low)
        projection[[0, 1, 2], [0, 1, 2]] = scale * [1, 1, -1]
        projection[:3, 3] = -(high + low) / (high - low)
        return view.astype(np.float32), projection.astype(np.float32)


def split_distances(near: float, far: float, count: int, split: float) -> list[float]:
    """Return where `count` cascades end between two distances; split 0: of equal depth, 1: in equal proportion."""
    parts = [(k + 1) / count for k in range(count)]
    start = max(near, far * 1e-4)
    return [split * start * (far / start) ** part + (1 - split) * (near + (far - near) * part) for part in parts]


def axes_of(way: npt.ArrayLike) -> Doubles:
    """Return float64 (3, 3): right, up, and a direction; they depend on this direction only."""
    forward = np.asarray(way, np.float64)
    forward = forward / np.sqrt((forward**2).sum())
    aid = np.array([0.0, 0.0, 1.0]) if abs(forward[1]) > 0.9 else np.array([0.0, 1.0, 0.0])
    right = _cross(forward, aid)
    right /= np.sqrt((right**2).sum())
    return np.stack([right, _cross(right, forward), forward])


def _cross(a: Doubles, b: Doubles) -> Doubles:
    """Return the cross product of two vectors; `np.cross` takes ten times as long for one."""
    (x, y, z), (u, v, w) = a.tolist(), b.tolist()
    return np.array([y * w - z * v, z * u - x * w, x * v - y * u])


def enclosing_sphere(near: float, far: float, slopes: tuple[float, float], orthographic: bool) -> tuple[float, float]:
    """Return the distance along the view, and the radius, of the least sphere around a part of the view.

    slopes: tangents of half the angles of view, across and up; orthographic: half the width and height.
    """
    square = slopes[0] ** 2 + slopes[1] ** 2
    if orthographic:
        return (near + far) / 2, float(np.sqrt(((far - near) / 2) ** 2 + square))
    middle = min((near + far) / 2 * (1 + square), far)
    return middle, float(np.sqrt(max((far - middle) ** 2 + square * far**2, (middle - near) ** 2 + square * near**2)))


def make_cascade(
    axes: Doubles, middle: npt.ArrayLike, radius: float, side: int, casters: npt.ArrayLike, end: float
) -> Cascade:
    """Return the square of `side` texels around a sphere.

    casters: (2, 3), the least and largest corner of all that casts shadows; the depth reaches up to it, so that what
    stands between the sun and the sphere is in the map.
    """
    step = max(side // STEPS, 1)
    texel = radius / (side / 2 - step / 2 - TAPS_MARGIN)
    half = texel * side / 2
    x, y, z = np.round(axes @ np.asarray(middle, np.float64) / (texel * step)) * (texel * step)
    nearest = float(np.min(axes[2] * np.asarray(casters, np.float64), axis=0).sum())  # of the box's corners
    first = min(max(nearest, z - MAX_CASTER_DISTANCE), z)
    start = min(z - half, np.floor(first / half - 0.01) * half)
    low = (float(x - half), float(y - half), float(start))
    return Cascade(axes, low, (float(x + half), float(y + half), float(z + half)), end, float(texel))
