"""Which shadow maps a camera needs, and the pictures that are drawn into them.

A `ShadowView` stays the same object while nothing about it changes, so that its pass can be reused too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_ecs.declarations import distinct

from .. import layout as at
from ..light.shadowing import face_slope
from ..shadows.cascades import Cascade, axes_of, enclosing_sphere, make_cascade, split_distances
from ..shadows.faces import cube_cameras, spot_camera, spot_slope
from .clusters import spheres_of
from .views import ShadowView, View3D

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Views = tuple[ShadowView, ...]

MIN_SIDE, MAX_WIDTH = 32, 8192
"""Pixels: least side of a square of a map, and the greatest width of a map."""


@dataclass(frozen=True)
class SunPlan:
    """The settings of a sun's shadows, from its component."""

    shadows: bool
    cascades: int
    reach: float
    split: float
    map_size: int


@dataclass(eq=False)
class Maps:
    """The pictures of shadow maps of the last frame by target, each with the key of its inputs."""

    kept: dict[str, tuple[Any, Views]] = field(default_factory=dict[str, tuple[Any, Views]])

    def views(self, target: str, key: Any, make: Callable[[], Views]) -> Views:
        """Return the pictures of a map; they are created again only if `key` has changed."""
        views = self.kept.get(target)
        if views is None or views[0] != key:
            views = self.kept[target] = (key, make())
        return views[1]

    def forget(self, targets: set[str]) -> None:
        """Forget the maps of all targets but these."""
        for target in self.kept.keys() - targets:
            del self.kept[target]


def side_of(size: float, quality: float, count: int) -> int:
    """Return the side of the squares of a map of `count` squares: a multiple of 4."""
    return int(np.clip(size * quality, MIN_SIDE, MAX_WIDTH // count)) // 4 * 4


def aim_sun(
    maps: Maps, view: View3D, row: Floats, plan: SunPlan, casters: Floats, quality: float, target: str
) -> Views:
    """Write the cascades of a sun into its row of the table, and return their pictures."""
    count = plan.cascades
    side = side_of(plan.map_size, quality, count)
    cascades = _cascades(view, row, plan, casters, side)
    row[at.SUN_CASCADES], row[at.SUN_SIZE] = count, side
    for k, cascade in enumerate(cascades):
        row[at.SUN_FAR + k], row[at.SUN_TEXELS + k] = cascade.end, cascade.texel
        first = at.SUN_MATRICES + 12 * k
        row[first : first + 12] = cascade.to_square().reshape(-1)
    key = (side, *((cascade.low, cascade.high, cascade.axes.tobytes()) for cascade in cascades))

    def make() -> Views:
        eye = np.zeros(3, np.float32)
        return tuple(
            ShadowView(target, (side * count, side), (k / count, 0, 1 / count, 1), *cascade.camera(), eye, 0.0)
            for k, cascade in enumerate(cascades)
        )

    return maps.views(target, key, make)


def _cascades(view: View3D, row: Floats, plan: SunPlan, casters: Floats, side: int) -> list[Cascade]:
    axes = axes_of(row[at.SUN_AXIS : at.SUN_AXIS + 3])
    ahead, eye = -view.view[2, :3].astype(np.float64), view.eye.astype(np.float64)
    slopes = (1 / abs(float(view.projection[0, 0])), 1 / abs(float(view.projection[1, 1])))
    far = max(min(plan.reach, view.far), view.near * 1.01)
    cascades: list[Cascade] = []
    start = view.near
    for end in split_distances(view.near, far, plan.cascades, plan.split):
        middle, radius = enclosing_sphere(start, end, slopes, view.orthographic)
        cascades.append(make_cascade(axes, eye + ahead * middle, radius, side, casters, end))
        start = end
    return cascades


def aim_lamp(maps: Maps, row: Floats, side: int, target: str) -> Views:
    """Write the map of a lamp or spot into its row of the table, and return its pictures."""
    position, reach = row[at.LAMP_PLACE : at.LAMP_PLACE + 3], float(row[at.LAMP_RANGE])
    axis, cosine = row[at.LAMP_AXIS : at.LAMP_AXIS + 3], float(row[at.LAMP_ANGLE])
    is_spot = cosine > -1
    slope = spot_slope(float(np.arccos(cosine)), side) if is_spot else face_slope(side)
    row[at.LAMP_SIZE], row[at.LAMP_TEXEL] = side, 2 * slope / side
    key = (side, position.tobytes(), reach, axis.tobytes() if is_spot else b"", cosine)

    def make() -> Views:
        eye, count = position.copy(), 1 if is_spot else 6
        cameras = [spot_camera(position, axis, slope, reach)] if is_spot else cube_cameras(position, reach, side)
        return tuple(
            ShadowView(target, (side * count, side), (k / count, 0, 1 / count, 1), *camera, eye, reach)
            for k, camera in enumerate(cameras)
        )

    views = maps.views(target, key, make)
    if is_spot:
        row[at.LAMP_MATRIX : at.LAMP_MATRIX + 16] = (views[0].projection @ views[0].view).reshape(-1)
    return views


def lamps_with_maps(
    lamps: Floats, wanted: Ints, seen: Ints, eye: Floats, casters: Floats, limit: int
) -> tuple[Ints, int]:
    """Return the rows of at most `limit` lamps that get a map, rising, and the number of lamps that need one.

    wanted: rows of lamps with shadows. seen: rows of lamps that reach into the view. If there are more lamps than maps,
    the bright, large and near ones get them.
    """
    rows = distinct(wanted[np.isin(wanted, seen)])
    spheres = spheres_of(lamps[rows])
    gap = np.maximum(casters[0] - spheres[:, :3], spheres[:, :3] - casters[1])
    touched = (np.maximum(gap, 0) ** 2).sum(axis=1) <= spheres[:, 3] ** 2
    rows, spheres = rows[touched], spheres[touched]
    if len(rows) <= limit:
        return rows, len(rows)
    distance = np.sqrt(((spheres[:, :3] - eye) ** 2).sum(axis=1))
    bright = lamps[rows, at.LAMP_COLOR : at.LAMP_COLOR + 3].max(axis=1)
    weight = spheres[:, 3] / np.maximum(distance, spheres[:, 3]) * np.sqrt(bright)
    return np.sort(rows[np.argsort(-weight, kind="stable")[:limit]]), len(rows)
