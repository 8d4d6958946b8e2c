"""Picks and measures texts by the block of their lines, so that the gaps between letters count as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_frame import Hits
from rish_jit import Array

from ....components.visible import Text
from ....drawables.extraction import RenderCache
from ....drawables.pick_scene import PickScene
from ....drawables.quads import anchored_boxes, quads
from ....drawables.touching import touch_unit
from ....materials.material_images import Pictures
from ..cache import TextCache

if TYPE_CHECKING:
    from rish_ecs import World


def pick_texts(scene: PickScene) -> list[Hits]:
    """Return the texts whose block the region touches; empty ones are never touched."""
    seen, table = scene.visible(Text), scene.world.table(Text)
    seen = seen.some((table.column("opacity")[seen.rows] > 0) & (table.column("text")[seen.rows, 1] > 0))
    cache = TextCache.of(scene.world, scene.parts.cache, scene.parts.pictures)
    size = np.zeros((len(seen.rows), 2), np.float32)
    for k, row in enumerate(seen.rows.tolist()):
        words = table.read_row("text", row).encode()
        layout = cache.layout_of(scene.world, row, words).layout
        size[k] = layout.width, layout.height
    size *= table.column("size")[seen.rows][:, None]
    quad = quads(seen.matrix, size, table.column("anchor")[seen.rows])
    seen = seen.some(touch_unit(scene.into(quad, seen.numbers)) & (size > 0).all(axis=1))
    return scene.hits(Text, seen.rows, seen.numbers, seen.matrix[:, 5])


def boxes_of_texts(world: World, rows: Array) -> Array:
    """Return the boxes of blocks of lines, float64 (n, 4); NaN for empty texts."""
    table = world.table(Text)
    cache = TextCache.of(world, world[RenderCache], world[Pictures])
    size = np.full((len(rows), 2), np.nan)
    for k, row in enumerate(rows.tolist()):
        words = table.read_row("text", row).encode()
        if words:
            layout = cache.layout_of(world, row, words).layout
            size[k] = layout.width, layout.height
    return anchored_boxes(size * table.column("size")[rows][:, None], table.column("anchor")[rows])
