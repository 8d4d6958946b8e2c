"""Finds the images of sprites: from path, region and cell to frames of the atlas, for all sprites together.

Only changed sprites are looked up again. Most sprites show a complete image, or one cell of a sheet with a few cells;
these are found by number in one table, the others by sorting.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_frame import Frame
from rish_jit import Array

from ...components.visible import Camera, Sprite
from ...materials.material_images import CAMERA, Maps, Pictures, distinct_rows, region_of
from ...scene.camera import picture_size, target_name
from ...scene.notices import Notices

if TYPE_CHECKING:
    from rish_ecs import World

    from ...animation.sheet import SpriteSheet


@dataclass
class SpritePictures:
    """The images of n sprites, as they were last looked up.

    frames: int64 n, the first of four. texels: float32 (n, 2), width and height. textures: int32 n, an index into
    `names`, the targets that images are cut from; 0 for the pages. missing: whether a sprite
    names a camera that does not exist.
    """

    frames: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    texels: Array = field(default_factory=lambda: np.zeros((0, 2), np.float32))
    textures: Array = field(default_factory=lambda: np.zeros(0, np.int32))
    names: list[str | None] = field(default_factory=lambda: [None])
    missing: bool = False
    _key: Any = None
    _known: tuple[Array, ...] = ()

    def update(self, world: World, pictures: Pictures, rows: Array, additive: Array, stamp: Any) -> bool:
        """Look up the images of changed sprites; returns whether there were any.

        rows: of the table of Sprite. additive: bool n, sprites that only add light. stamp: changes if the rows may mean
        other sprites.
        """
        sheets = _sheets(world, rows)
        key = (stamp, pictures.version, self.versions(world))
        names = ("image", "normal", "emission", "frame", "region")
        image, normal, emission, cell, region = (world.table(Sprite).column(name)[rows] for name in names)
        columns = image, normal, emission, additive, cell, region
        count = len(rows)
        if key != self._key or len(self.frames) != count:
            self.frames, self.texels = np.zeros(count, np.int64), np.zeros((count, 2), np.float32)
            self.textures = np.zeros(count, np.int32)
            which: Array = np.arange(count)
        else:
            which = np.flatnonzero(_differ(columns, self._known))
        if len(which):
            self._look_up(world, pictures, which, columns, sheets)
        if len(which) or not self._known:
            self._known = tuple(column.copy() for column in columns)
        self._key = (stamp, pictures.version, self.versions(world))
        return bool(len(which))

    def versions(self, world: World) -> tuple[Any, ...]:
        """Return the versions of the sheets and of the cameras, whose images may change in size."""
        cameras: tuple[Any, ...] = ()
        if len(self.names) > 1 or self.missing:
            cameras = (world.table(Camera).version, *world[Frame].cameras.items())
        kind = _sheet_kind()
        sheets = world.tables.get(kind)
        return (*cameras, sheets.version) if sheets else cameras

    def _look_up(
        self, world: World, pictures: Pictures, which: Array, columns: tuple[Array, ...], sheets: Array | None
    ) -> None:
        image, normal, emission, additive, cell, region = (column[which] for column in columns)
        region = np.where(region[:, 2:3] > 0, region, np.float32(0))
        if sheets is not None and (chosen := np.flatnonzero(sheets[which] >= 0)).size:
            region[chosen] = _cells(world, pictures, sheets[which[chosen]], image[chosen], cell[chosen])
        maps = normal.astype(np.int64) << 32 | emission.astype(np.int64) << 1 | additive
        kinds, kind = np.unique(maps, return_inverse=True)
        if len(kinds) == 1 and not region.any():
            first, inverse = _distinct(image)
        else:
            first, inverse = distinct_rows(image.astype(np.int64) * len(kinds) + kind.reshape(-1), region)
        frames = np.zeros((len(first), 4), np.int64)
        for place, k in enumerate(first.tolist()):
            beside = Maps(world.text(int(normal[k])), world.text(int(emission[k])), bool(additive[k]))
            path = world.text(int(image[k]))
            if path.startswith(CAMERA):
                frames[place] = self._of_camera(world, pictures, path, region_of(region[k]))
            else:
                frames[place, :3] = pictures.frame_of(world, path, region_of(region[k]), beside)
        frames = frames[inverse]
        self.frames[which], self.texels[which], self.textures[which] = frames[:, 0], frames[:, 1:3], frames[:, 3]

    def _of_camera(
        self, world: World, pictures: Pictures, path: str, region: tuple[int, int, int, int]
    ) -> tuple[int, int, int, int]:
        """Return frame, width, height and texture of a camera's image; the checkerboard if there is no such camera."""
        name = path.removeprefix(CAMERA)
        size = picture_size(world, name)
        if size is None:
            self.missing = True
            world[Notices].error(f"{path}: no camera has the target {name!r}, so a checkerboard is shown", key=path)
            return *pictures.frame_of(world, path), 0
        width, height = size
        texture = target_name(name)
        if texture not in self.names:
            self.names.append(texture)
        return pictures.whole((width, height)), width, height, self.names.index(texture)


def _differ(now: tuple[Array, ...], before: tuple[Array, ...]) -> Array:
    """Return bool n: which rows differ in any column."""
    changed = np.zeros(len(now[0]), np.bool_)
    for new, old in zip(now, before, strict=True):
        unlike = new != old
        changed |= unlike.any(axis=1) if unlike.ndim > 1 else unlike
    return changed


def _distinct(numbers: Array) -> tuple[Array, Array]:
    """Return the index of the first of each distinct number, and for each number its index among these.

    It is fast for small numbers.
    """
    first = np.full(int(numbers.max()) + 1, -1, np.int64)
    first[numbers[::-1]] = np.arange(len(numbers))[::-1]
    there = np.flatnonzero(first >= 0)
    place = np.zeros(len(first), np.int64)
    place[there] = np.arange(len(there))
    return first[there], place[numbers]


def _sheets(world: World, rows: Array) -> Array | None:
    """Return the row of each sprite's SpriteSheet, -1 for none; None if there are no sheets at all."""
    kind = _sheet_kind()
    if kind not in world or not len(table := world.table(kind)):
        return None
    return table.rows_of(world.table(Sprite).entities[rows])


def _cells(world: World, pictures: Pictures, sheets: Array, image: Array, cell: Array) -> Array:
    """Return the regions of cells, float32 (n, 4)."""
    from ...animation.sheet import sheet_regions

    first, inverse = _distinct(image)
    sizes = np.array([pictures.picture(world, world.text(int(image[k]))).size for k in first], np.float32)
    return sheet_regions(world, sheets, sizes[inverse], cell)


def _sheet_kind() -> type[SpriteSheet]:
    from ...animation.sheet import SpriteSheet

    return SpriteSheet
