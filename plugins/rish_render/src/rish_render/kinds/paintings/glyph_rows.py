"""Places the glyphs of a text at a size, as rows that are ready to be moved, colored and put into a batch."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rish_frame import TextItem, pack_sprites
from rish_frame.frame import POSITION_SCALE, SIZE_SCALE, fits
from rish_jit import Array

from ..text.fonts import LARGEST_IN_PARTS, LARGEST_UNSTRETCHED, PARTS, quantized
from ..text.glyphs import NOTHING, GlyphPage, Kind
from ..text.letters import LETTER, Ink, set_letters
from .typesetter import SetText

if TYPE_CHECKING:
    from rish_ecs import World

    from ..text.cache import TextCache
    from ..text.lines.ascii_fast_path import QuickSetter


COLUMNS = 8
"""The number of int16 columns of a sprite of sixteen bytes: x, y, w, h, rotation, frame, and two for the color."""
_ROUND = 16
"""Sizes are rounded to 1 / _ROUND of a pixel, outlines to 1 / _STROKES."""
_STROKES = 4
_MAX_READY = 8
"""The most sizes of one text whose letters are kept."""
_TOO_FAR = 1e9


class Fineness(NamedTuple):
    """The resolution of texts: pixels per unit of the painting, and whether letters are at whole pixels."""

    density: float
    sharp: bool


class Ready(NamedTuple):
    """The sprites of a text at a size, relative to its top left corner.

    packed: int16 (n, COLUMNS), INSTANCE without colors. reach: how far they extend, in units of INSTANCE; if that is
    too far, boxes and frames have them. inks, spans: see `Letters`; None if all have the color of the text.
    """

    packed: Array
    count: int
    reach: float
    pages: tuple[tuple[GlyphPage, int], ...]
    inks: Array | None = None
    spans: Array | None = None
    boxes: Array | None = None
    frames: Array | None = None

    def touch(self, clock: int) -> bool:
        """Return True if all glyphs are still in the atlas, and then keep them for this round."""
        for page, age in self.pages:
            if page.age != age:
                return False
            page.used = clock
        return True


def ready_of(world: World, cache: TextCache, text: SetText, item: TextItem, fine: Fineness) -> Ready:
    """Return the sprites of a text, from its cache or newly placed."""
    look = text.look
    wide = look.outline_width if item.outline[3] else 0.0
    key = (fine, wide, bool(item.shadow[3]))
    ready: Ready | None = text.ready.get(key)
    if ready is not None and ready.touch(cache.glyphs.clock):
        return ready
    size = look.size * fine.density
    exact = max(floor(size * _ROUND + 0.5) / _ROUND, 1.0)
    quick = text.laid.layout.quick
    if quick is not None and fine.sharp and not wide and not key[2] and exact <= LARGEST_IN_PARTS:
        ready = _quick(cache, text, quick, exact)
    else:
        ready = _placed(world, cache, text, fine, exact, wide, key[2])
    if len(text.ready) >= _MAX_READY:
        text.ready.clear()
    text.ready[key] = ready
    return ready


def _placed(
    world: World, cache: TextCache, text: SetText, fine: Fineness, exact: float, wide: float, shadow: bool
) -> Ready:
    """Place the glyphs of any text. exact: the size at which letters are spaced. wide: the width of the outline."""
    laid, size = text.laid, text.look.size * fine.density
    pixels = int(quantized(exact))
    plain = fine.sharp and pixels <= LARGEST_UNSTRETCHED
    exact = exact if plain else float(pixels)
    stretch = 1.0 if plain else size / exact
    stroke = max(round(wide * fine.density / stretch * _STROKES) / _STROKES, 0.5) if wide > 0 else 0.0
    ink = Ink(shadow, stroke, fine.sharp)
    frames = cache.frames(world)
    letters = set_letters(
        cache.glyphs, laid.layout, pixels, exact, ink, (0.0, 1.0), laid.spans, frames, even=False
    )  # fmt: skip
    boxes, count = letters.boxes * np.float32(stretch), len(letters.frames)
    x, y, w, h = boxes.T
    packed = pack_sprites(x, y, w, h, 0.0, letters.frames).view(np.int16).reshape(count, COLUMNS)
    fit = bool(fits(x, y, w, h, letters.frames).all())
    reach = float(np.abs(packed[:, :2].astype(np.int64)).max(initial=0)) if fit else _TOO_FAR
    inks = None if (letters.inks == LETTER).all() else letters.inks
    return Ready(packed, count, reach, letters.pages, inks, letters.spans, boxes, letters.frames)


def _quick(cache: TextCache, text: SetText, setter: QuickSetter, exact: float) -> Ready:
    """Place the glyphs of one plain line on whole pixels."""
    layout, glyphs = text.laid.layout, cache.glyphs
    pixels = floor(exact + 0.5)
    base = floor(layout.ascent * exact + 0.5) * POSITION_SCALE
    cached = cache.glyph_rows(setter, pixels)
    rows: list[tuple[int, ...]] = []
    pages: dict[GlyphPage, int] = {}
    for number, pen in zip(layout.which.tolist(), layout.x.tolist(), strict=True):
        steps = floor(pen * exact * PARTS + 0.5)
        key = number * PARTS + steps % PARTS
        row = cached.get(key)
        if row is None or row[5].age != row[6]:
            glyph, page = glyphs.get(setter.pieces[number], Kind(pixels, steps % PARTS))
            if glyph is NOTHING or page is None:
                continue
            x, y = (glyph.x + glyph.w / 2) * POSITION_SCALE, (glyph.y + glyph.h / 2) * POSITION_SCALE
            wide, high = int(glyph.w) * SIZE_SCALE, int(glyph.h) * SIZE_SCALE
            row = cached[key] = int(x), int(y), wide, high, glyph.frame, page, page.age
        x, y, w, h, frame, page, age = row
        page.used = glyphs.clock
        pages[page] = age
        rows.append((x + steps // PARTS * POSITION_SCALE, y - base, w, h, 0, frame, 0, 0))
    packed = np.array(rows, np.int64).reshape(-1, COLUMNS)
    reach = float(np.abs(packed[:, :2]).max(initial=0))
    return Ready(packed.astype(np.int16), len(rows), reach, tuple(pages.items()))


def unpacked(ready: Sequence[Ready]) -> tuple[Array, Array]:
    """Return the boxes of all sprites in pixels, float64 (n, 4), center and size, and their frames, uint16 n."""
    boxes: list[Array] = []
    frames: list[Array] = []
    for one in ready:
        if one.boxes is not None and one.frames is not None:
            boxes.append(one.boxes.astype(np.float64))
            frames.append(one.frames)
        else:
            place, size = one.packed[:, :2] / POSITION_SCALE, one.packed[:, 2:4].view(np.uint16) / SIZE_SCALE
            boxes.append(np.concatenate([place, size], axis=1))
            frames.append(one.packed[:, 5].view(np.uint16))
    return np.concatenate(boxes), np.concatenate(frames)
