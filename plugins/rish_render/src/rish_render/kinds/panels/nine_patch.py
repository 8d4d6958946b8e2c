"""Nine-patches: frames and panels of any size, made from one small image.

Two horizontal and two vertical cuts divide an image into nine parts. The corners keep their size, the sides grow along
one direction, the middle along both: stretched, or filled with whole copies. A panel that is smaller than its corners
shrinks them. Stretched parts are sprites; filled ones are grids of `tiles`, which have no seams.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_ecs import Asset, Color, Str, Vec2, Vec4, component, field
from rish_frame import Batch
from rish_jit import Array

from ...components.visible import Blend, ImageMode, Sampling
from ...drawables.colors import rgba_bytes
from ...drawables.drawables import BLENDS, FILTERS, Drawables, MakeBatch
from ...drawables.quads import quads, reach_of
from .nine_parts import Parts, frame_of_part, parts_of

if TYPE_CHECKING:
    from ...drawables.extraction import Extraction, Seen


_MAX_TILES = 1024
"""The greatest number of copies along one side; more would be smaller than a pixel."""


@component
class NinePatch:
    """A panel whose corners keep their size."""

    image: Asset = field("", names="images", doc="path of the picture")
    region: Vec4 = field(
        (0, 0, 0, 0), unit="px", doc="x y w h within the picture, from its top left", meanings={0: "all of it"}
    )
    border: Vec4 = field((8, 8, 8, 8), unit="px", low=0, doc="of the picture: left, top, right, bottom")
    size: Vec2 = field((64, 64), unit="units", low=0, doc="of the panel")
    scale: float = field(1.0, unit="units/px", low=0.01, high=100, doc="the size of one image pixel of the border")
    image_mode: ImageMode = field(
        ImageMode.STRETCH, doc="whether the sides and the middle are stretched or filled with whole copies"
    )
    hollow: bool = field(False, doc="whether the middle is left out")
    anchor: Vec2 = field((0.5, 0.5), doc="the point of the panel that is at the position; 0 0 is the bottom left")
    color: Color = field((1, 1, 1, 1), low=0, high=1, doc="multiplies the picture's colors")
    opacity: float = field(1.0, low=0, high=1, doc="multiplies the colors' own opacity")
    layer: Str = field("", names="layers", doc="name of the layer; the first one where empty")
    z: float = field(0.0, doc="within the layer, greater is nearer")
    blend: Blend = field(Blend.ALPHA, doc="how it is blended with the pixels below")
    sampling: Sampling = field(Sampling.NEAREST, doc="nearest keeps pixels sharp, linear is smooth")
    visible: bool = field(True, doc="whether it is drawn")


def extract_nine_patches(scene: Extraction, seen: Seen) -> list[Drawables]:
    """Return the drawables of all visible panels: a row for each part."""
    table = scene.world[NinePatch]
    quad = quads(seen.matrix, table.size[seen.rows], table.anchor[seen.rows])
    seen = seen.some(scene.seen(quad[:, 4:], reach_of(quad), seen.numbers))
    rows, matrix, numbers = seen
    if not len(rows):
        return []
    regions = table.region[rows]
    whole, texels = scene.pictures.frames_of(scene.world, table.image[rows], regions, f"{scene.view.name} panels")
    parts = parts_of(table.size[rows], table.border[rows], texels, table.scale[rows])
    drawn = (parts.w > 0) & (parts.h > 0) & (parts.uw > 0) & (parts.vh > 0)
    drawn[:, 4] &= ~table.hollow[rows]
    owner, part = np.nonzero(drawn)
    parts = Parts(*(column[drawn] for column in parts))
    frames = np.array([frame_of_part(scene, int(whole[k]), parts, i) for i, k in enumerate(owner)], np.int64)
    tiled = (table.image_mode[rows][owner] == list(ImageMode).index(ImageMode.TILE)) & (part % 2 + (part == 4) > 0)
    size, anchor, matrix = table.size[rows][owner], table.anchor[rows][owner], matrix[owner]
    x, y = parts.x - size[:, 0] * anchor[:, 0], size[:, 1] * (1 - anchor[:, 1]) - parts.y
    corner = matrix[:, 0:2] * x[:, None] + matrix[:, 2:4] * y[:, None] + matrix[:, 4:]
    right, down = matrix[:, 0:2] * parts.w[:, None], matrix[:, 2:4] * -parts.h[:, None]
    rgba = rgba_bytes(table.color[rows].copy(), table.opacity[rows])[owner]
    count = _counts(parts, table.scale[rows][owner], tiled)
    state = table.blend[rows].astype(np.int64) * 4 + table.sampling[rows].astype(np.int64) * 2
    state = state[owner] + tiled + (np.arange(len(owner)) + 1) * tiled * 64
    make = _batches(corner, right, down, frames, rgba, count)
    return [Drawables(numbers[owner], table.z[rows][owner], matrix[:, 5], state, make)]


def _counts(parts: Parts, scale: Array, tiled: Array) -> Array:
    """Return how many whole copies fill a part across and down, int64 (n, 2); 1 if it is not tiled."""
    across, down = parts.w / (parts.uw * scale), parts.h / (parts.vh * scale)
    count = np.clip(np.round(np.stack([across, down], axis=1)), 1, _MAX_TILES).astype(np.int64)
    return np.where(tiled[:, None], count, 1)


def _batches(corner: Array, right: Array, down: Array, frames: Array, rgba: Array, count: Array) -> MakeBatch:
    """Return the function that makes batches of parts that have one state: sprites, or a grid of tiles for each part.

    corner, right, down: float32 (n, 2), the top left corner of each part in the pass's space, and the way along its
    sides.
    """

    def tiles(some: Array | slice) -> dict[str, Array]:
        k = int(np.arange(len(frames))[some][0])
        columns, rows = count[k].tolist()
        return {
            "cells": np.full((rows, columns), frames[k] + 1, np.uint32),
            "grid": np.array([*(right[k] / columns), *(down[k] / rows), *corner[k]], np.float32),
            "rgba": rgba[k].copy(),
        }

    def sprites(some: Array | slice) -> dict[str, Array]:
        middle = corner[some] + (right[some] + down[some]) / 2
        return {
            "matrix": np.ascontiguousarray(np.concatenate([right[some], -down[some], middle], axis=1), np.float32),
            "frame": frames[some].astype(np.uint16),
            "rgba": np.ascontiguousarray(rgba[some]),
        }

    def make(some: Array | slice, state: int) -> Batch:
        kind, arrays = ("tiles", tiles(some)) if state & 1 else ("sprites_wide", sprites(some))
        blend, filtering = BLENDS[state % 64 >> 2], FILTERS[state >> 1 & 1]
        return Batch(kind, arrays, blend=blend, filter=filtering, source="render")

    return make
