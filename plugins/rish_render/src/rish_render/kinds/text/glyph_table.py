"""`GlyphTable`: the glyphs of a font at a size as rows of a table, so that many letters are looked up at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_frame.frame import POSITION_SCALE, SIZE_SCALE
from rish_jit import Array

from .fonts import PARTS
from .glyphs import NOTHING, GlyphPage, Glyphs, Kind

if TYPE_CHECKING:
    from .lines.ascii_fast_path import QuickSetter

COLUMNS = 8
"""The number of int16 columns of a sprite of sixteen bytes: x, y, w, h, rotation, frame, and two for the color."""
_UNKNOWN = -2


class GlyphTable:
    """The glyphs of a quick setter that were drawn at a size, in pixels. A row is a piece at a part of a pixel.

    rows: int64 (n, COLUMNS), INSTANCE at the pen, without color. page: int64 n, the index of its page in `pages`; -1 if
    nothing is drawn.
    """

    def __init__(self, pixels: int) -> None:
        self.pixels = pixels
        self.rows: Array = np.zeros((0, COLUMNS), np.int64)
        self.page: Array = np.zeros(0, np.int64)
        self.pages: list[GlyphPage] = []

    def draw(self, glyphs: Glyphs, setter: QuickSetter, kinds: Array) -> None:
        """Draw the glyphs that are not in the table yet, and let those that are stay in the atlas for this round."""
        size = len(setter.pieces) * PARTS
        if size > len(self.page):
            self.rows = np.concatenate([self.rows, np.zeros((size - len(self.rows), COLUMNS), np.int64)])
            self.page = np.concatenate([self.page, np.full(size - len(self.page), _UNKNOWN)])
        for page in self.pages:
            page.used = glyphs.clock
        for kind in dict.fromkeys(kinds[self.page[kinds] == _UNKNOWN].tolist()):
            glyph, page = glyphs.get(setter.pieces[kind // PARTS], Kind(self.pixels, kind % PARTS))
            if glyph is NOTHING or page is None:
                self.page[kind] = -1
                continue
            if page not in self.pages:
                self.pages.append(page)
            self.page[kind] = self.pages.index(page)
            x, y = int((glyph.x + glyph.w / 2) * POSITION_SCALE), int((glyph.y + glyph.h / 2) * POSITION_SCALE)
            self.rows[kind] = (x, y, int(glyph.w) * SIZE_SCALE, int(glyph.h) * SIZE_SCALE, 0, glyph.frame, 0, 0)
