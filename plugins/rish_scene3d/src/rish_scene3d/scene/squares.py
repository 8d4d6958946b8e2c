"""The billboards of other plugins, such as particles: squares that turn to each camera, among the blended instances."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_frame import Billboards, BillboardSet
from rish_jit import Array
from rish_space3d import frustum_planes

from .. import layout as at
from ..models.materials import plain_row
from ..models.store import Models3D
from .listing.packing import inside
from .views import View3D

if TYPE_CHECKING:
    from rish_core import World

Key = tuple[str, tuple[int, int], bool, bool]
"""The picture of a set, its cells, whether it is additive, and whether it is lit."""
_GLOW = 1024.0
"""Light is added by blending with a color so many times brighter and an opacity so many times lower, so that what is
behind loses a thousandth."""


class Squares:
    """The squares of all sets of `Billboards`. mesh: of a square.

    materials: float32 (m, MATERIAL), for each kind of set that was shown, one for each cell of its picture.
    """

    def __init__(self) -> None:
        self.mesh = 0
        self.materials: Array = np.zeros((0, at.MATERIAL), np.float32)
        self._first: dict[Key, tuple[int, float]] = {}  # the first material, and width by height of a cell
        self._sets: list[tuple[BillboardSet, int, float]] = []

    def __bool__(self) -> bool:
        return bool(self._sets)

    def start(self, world: World, store: Models3D) -> None:
        """Take the billboards of this frame, with new materials."""
        self.materials = self.materials[:0]
        self._first.clear()
        self.update(world, store)

    def update(self, world: World, store: Models3D) -> bool:
        """Take the billboards of this frame; return False if there are new materials."""
        count, sets = len(self._first), world[Billboards].sets
        self.mesh = store.square() if sets else self.mesh
        self._sets = [(each, *self._material(world, store, each)) for each in sets]
        return len(self._first) == count

    def _material(self, world: World, store: Models3D, shown: BillboardSet) -> tuple[int, float]:
        key = shown.picture, shown.cells, shown.additive, shown.lit
        if key not in self._first:
            (wide, high), first = shown.cells, len(self.materials)
            pixels = store.pictures.get(world, shown.picture)
            row = plain_row()
            row[at.MODEL], row[at.ALPHA_MODE], row[at.ROUGHNESS] = at.PBR if shown.lit else at.UNLIT, at.BLEND, 1
            row[at.MAPS + at.MAP_PAGE] = store.picture(world, shown.picture, encoded=True)
            row[at.MAPS + at.MAP_UV_WRAP] = at.WRAP_CLAMP + 16 * at.WRAP_CLAMP
            if shown.additive:
                row[at.BASE : at.BASE + 4] = _GLOW, _GLOW, _GLOW, 1 / _GLOW
            rows = np.tile(row, (wide * high, 1))
            matrix = at.MAPS + at.MAP_MATRIX
            rows[:, matrix], rows[:, matrix + 4] = 1 / wide, 1 / high
            rows[:, matrix + 2] = np.tile(np.arange(wide) / wide, high)
            rows[:, matrix + 5] = np.repeat(np.arange(high) / high, wide)
            self.materials = np.concatenate([self.materials, rows])
            self._first[key] = first, pixels.shape[1] / wide / max(pixels.shape[0] / high, 1e-6)
        return self._first[key]

    def seen(self, view: View3D, first: int) -> list[Array]:
        """Return the instances of each set that a camera sees, turned to it, `layout.INSTANCE`.

        first: number of their first material among all.
        """
        planes = frustum_planes(view.projection @ view.view)
        return [_turned(shown, first + number, aspect, view, planes) for shown, number, aspect in self._sets]


def _turned(shown: BillboardSet, material: int, aspect: float, view: View3D, planes: Array) -> Array:
    """Return the instances of a set that a camera sees. aspect: width by height of the picture."""
    right, up, back = view.view[:3, :3].astype(np.float32)
    wide = shown.sizes * np.float32(min(aspect, 1.0))
    high = shown.sizes * np.float32(min(1 / aspect, 1.0))
    cos, sin = np.cos(shown.turns), np.sin(shown.turns)
    if shown.along is not None:
        x, y = shown.along @ right, shown.along @ up
        length = np.sqrt(x * x + y * y)
        still = length < 1e-9
        x, y = (np.where(still, rest, part / np.where(still, 1, length)) for part, rest in ((x, 1), (y, 0)))
        cos, sin = cos * x - sin * y, sin * x + cos * y
        wide = wide + length * np.float32(shown.stretch)
    radius = np.sqrt(wide * wide + high * high) / 2
    spheres = np.concatenate([shown.places, radius[:, None]], axis=1).astype(np.float32)
    rows = np.flatnonzero(inside(spheres, np.full(len(spheres), -1, np.int32), planes, -1))
    cos, sin, wide, high, places = cos[rows], sin[rows], wide[rows], high[rows], shown.places[rows]
    across_x, across_y, up_x, up_y = cos * wide, sin * wide, -sin * high, cos * high
    instances = np.zeros(len(rows), at.INSTANCE)
    numbers = instances.view(np.float32).reshape(-1, 16)
    for k in range(3):
        numbers[:, 4 * k], numbers[:, 4 * k + 1] = (
            across_x * right[k] + across_y * up[k],
            up_x * right[k] + up_y * up[k],
        )
        numbers[:, 4 * k + 2], numbers[:, 4 * k + 3] = back[k], places[:, k]
    instances["material"] = material if shown.cell is None else material + shown.cell[rows]
    instances["tint"] = shown.colors[rows]
    instances["palette"] = instances["morph"] = -1
    return instances
