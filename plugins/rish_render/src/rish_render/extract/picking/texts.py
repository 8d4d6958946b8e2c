"""Picks texts by the block of their lines, so that the gaps between letters count as well."""

from __future__ import annotations

import numpy as np

from rish_frame import Hits

from ...components.visible import Text
from ...text.cache import TextCache
from ..sprites import quads
from .area import touch_unit
from .scene import PickScene


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
