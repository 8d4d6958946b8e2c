"""Boxes around sprites, for tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_jit import Array

from ...animation.sheet import SpriteSheet, sheet_regions
from ...components.visible import Camera, Sprite
from ...drawables.quads import anchored_boxes
from ...materials.material_images import CAMERA, Pictures
from ...scene.camera import target_size

if TYPE_CHECKING:
    from rish_ecs import World


def boxes_of_sprites(world: World, rows: Array) -> Array:
    """Return the boxes around sprites with all their repetitions, float64 (n, 4); see `DrawableKind.boxes`."""
    table = world.table(Sprite)
    size = table.column("size")[rows].astype(np.float64)
    if (size <= 0).any():
        size = np.where(size > 0, size, _texels(world, rows))
    repeat = np.maximum(table.column("repeat")[rows], 1)
    return anchored_boxes(size * repeat, table.column("anchor")[rows])


def _texels(world: World, rows: Array) -> Array:
    """Return the size of the picture, or the part of one, that sprites show, float64 (n, 2)."""
    table, pictures = world.table(Sprite), world[Pictures]
    images, which = np.unique(table.column("image")[rows], return_inverse=True)
    whole = np.array([_picture_size(world, pictures, world.text(int(image))) for image in images], np.float64)[which]
    region = table.column("region")[rows].astype(np.float64)
    sheets = world.tables.get(SpriteSheet)
    if sheets is not None and len(sheets):
        cells = sheets.rows_of(table.entities[rows])
        some = np.flatnonzero(cells >= 0)
        if len(some):
            frames = table.column("frame")[rows[some]]
            region[some] = sheet_regions(world, cells[some], whole[some].astype(np.float32), frames)
    return np.where((region[:, 2:3] > 0) & (region[:, 3:4] > 0), np.minimum(region[:, 2:], whole), whole)


def _picture_size(world: World, pictures: Pictures, path: str) -> tuple[int, int]:
    if not path.startswith(CAMERA):
        return pictures.picture(world, path).size
    table, number = world.table(Camera), world.texts.find(path.removeprefix(CAMERA))
    cameras = np.flatnonzero(table.column("target") == number) if number > 0 else []
    return target_size(table, int(cameras[0])) if len(cameras) else pictures.picture(world, path).size
