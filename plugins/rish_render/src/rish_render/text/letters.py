"""Letters: the glyphs of a layout placed at a size in pixels, ready to be moved, coloured and drawn."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rish_frame.paint.writing import is_ideographic

from .fonts import PARTS, parts_of
from .glyphs import NOTHING, GlyphPage, Glyphs, Kind
from .layout import Layout
from .markup import Span

Array = npt.NDArray[Any]

SHADOW, OUTLINE, LETTER, SPAN = 0, 1, 2, 3
"""The source of a letter's colour: one of the three colours of the text's component, or the letter's span."""


class Ink(NamedTuple):
    """The parts drawn for each letter: whether a shadow, and the outline's width, pixels. sharp: on whole pixels."""

    shadow: bool
    stroke: float
    sharp: bool


class Letters(NamedTuple):
    """The glyphs of one text in pixels, relative to its anchor, y up, in drawing order.

    boxes: float32 (n, 4) centre x, y, width, height. frames: uint16 n. inks: uint8 n. spans: uint8 (n, 4), the colour
    if the ink is SPAN. pages: the pages that hold the glyphs, and their age.
    """

    boxes: Array
    frames: Array
    inks: Array
    spans: Array
    pages: tuple[tuple[GlyphPage, int], ...]

    def touch(self, clock: int) -> bool:
        """Return True if all glyphs are still in the atlas, and then keep them for this round."""
        alive = all(page.age == age for page, age in self.pages)
        for page, _ in self.pages if alive else ():
            page.used = clock
        return alive


def set_letters(
    glyphs: Glyphs, layout: Layout, pixels: int, exact: float, ink: Ink, anchor: tuple[float, float],
    spans: tuple[Span, ...],
) -> Letters:  # fmt: skip
    """Place glyphs at the pens of a layout: all shadows first, then all outlines, then the letters.

    pixels: the size at which glyphs are drawn. exact: the size at which letters are spaced; it differs a little from
    `pixels`, so that glyphs need not be stretched.
    """
    wide, ascent, step, height = _measures(layout, exact)
    x0, y0 = -anchor[0] * wide, -anchor[1] * height
    baseline = height - ascent - layout.line * step
    if ink.sharp:
        x0, y0 = np.floor(x0 + 0.5), np.floor(y0 + 0.5)
        whole, part = parts_of(pixels, layout.x * exact)
        square = np.array([is_ideographic(piece.cluster[0]) for piece in layout.pieces], np.bool_)[layout.which]
        whole, part = whole + (square & (part >= PARTS / 2)), np.where(square, 0, part)
    else:
        whole, part = layout.x * exact, np.zeros(len(layout.x), np.int64)
    kinds, inverse = np.unique(layout.which * PARTS + part, return_inverse=True)
    passes = [(SHADOW, ink.stroke)] * ink.shadow + [(OUTLINE, ink.stroke)] * (ink.stroke > 0) + [(LETTER, 0.0)]
    pages: dict[GlyphPage, int] = {}
    rows: list[tuple[Array, Array, Array]] = []
    colours = _colours(layout, spans)
    for number, stroke in passes:
        table, frames = _look_up(glyphs, layout, kinds, pixels, stroke, pages)
        box, frame = table[inverse], frames[inverse]
        box[:, 0] += x0 + whole
        box[:, 1] += y0 + baseline
        inks = np.full(len(box), number, np.uint8)
        if number == LETTER and spans:
            inks[colours[:, 3] > 0] = SPAN
        rows.append((box, frame, inks))
    boxes, frames, inks = (np.concatenate(part) for part in zip(*rows, strict=True))
    tints = np.tile(colours, (len(passes), 1))
    kept = frames >= 0
    columns = boxes[kept].astype(np.float32), frames[kept].astype(np.uint16), inks[kept], tints[kept]
    return Letters(*columns, tuple(pages.items()))


def _measures(layout: Layout, pixels: float) -> tuple[float, float, float, float]:
    """Return width, ascent, line distance and height of a block in pixels; all except the width are whole numbers."""
    ascent, descent = round(layout.ascent * pixels), round(layout.descent * pixels)
    step = max(round(layout.step * pixels), 1)
    return layout.width * pixels, ascent, step, ascent + descent + step * (layout.lines - 1)


def _look_up(
    glyphs: Glyphs, layout: Layout, kinds: Array, pixels: int, stroke: float, pages: dict[GlyphPage, int]
) -> tuple[Array, Array]:
    """Return for each kind of letter the centre and size of its glyph, float64 (n, 4), and its frame, -1 for none."""
    table, frames = np.zeros((len(kinds), 4)), np.full(len(kinds), -1, np.int64)
    for k, kind in enumerate(kinds.tolist()):
        piece = layout.pieces[kind // PARTS]
        glyph, page = glyphs.get(piece, Kind(pixels, kind % PARTS, stroke))
        if glyph is not NOTHING and page is not None:
            pages[page] = page.age
            table[k] = glyph.x + glyph.w / 2, glyph.y + glyph.h / 2, glyph.w, glyph.h
            frames[k] = glyph.frame
    return table, frames


def _colours(layout: Layout, spans: tuple[Span, ...]) -> Array:
    """Return the colour of each letter's span, uint8 (n, 4); zeros outside of spans."""
    colours = np.zeros((len(layout.place), 4), np.uint8)
    for span in spans:
        colours[(layout.place >= span.start) & (layout.place < span.end)] = (*span.rgba[:3], max(span.rgba[3], 1))
    return colours
