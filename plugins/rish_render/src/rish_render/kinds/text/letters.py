"""Letters: the glyphs of a layout placed at a size in pixels, ready to be moved, colored and drawn."""

from __future__ import annotations

from collections.abc import Callable
from math import floor
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rish_frame.frame import POSITION_SCALE, SIZE_SCALE
from rish_frame.paint.writing import Span, is_ideographic
from rish_jit import Array

from .fonts import LARGEST_IN_PARTS, LARGEST_UNSTRETCHED, PARTS, parts_of, quantized
from .glyphs import NOTHING, GlyphPage, Glyphs, Kind
from .layout import MIDDLE, Layout

if TYPE_CHECKING:
    from .glyph_table import GlyphTable
    from .lines.ascii_fast_path import QuickSetter

SHADOW, OUTLINE, LETTER, SPAN = 0, 1, 2, 3
"""The source of a letter's color: one of the three colors of the text's component, or the letter's span."""
_WHITE = 255
_SCALES = np.array([1 / POSITION_SCALE, 1 / POSITION_SCALE, 1 / SIZE_SCALE, 1 / SIZE_SCALE])

FrameOf = Callable[[str], int]
"""A function that returns the frame of an image."""


class Ink(NamedTuple):
    """The parts drawn for each letter: whether a shadow, and the outline's width, pixels. sharp: on whole pixels."""

    shadow: bool
    stroke: float
    sharp: bool


class Letters(NamedTuple):
    """The glyphs of one text in pixels, relative to its anchor, y up, in drawing order.

    boxes: float32 (n, 4) center x, y, width, height. frames: uint16 n. inks: uint8 n. spans: uint8 (n, 4), the color
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
    spans: tuple[Span, ...], frame_of: FrameOf | None = None, even: bool = True,
) -> Letters:  # fmt: skip
    """Place glyphs at the pens of a layout: all shadows first, then all outlines, then the letters, then icons.

    pixels: the size at which glyphs are drawn. exact: the size at which letters are spaced; it differs a little from
    `pixels`, so that glyphs need not be stretched. even: whether all distances between lines are the same number of
    pixels; otherwise each line is at the pixel nearest to its place.
    """
    drops, height = _lines(layout, exact, even)
    x0, y0 = -anchor[0] * layout.width * exact, -anchor[1] * height
    baseline = height - drops
    if ink.sharp:
        x0, y0 = np.floor(x0 + 0.5), np.floor(y0 + 0.5)
        whole, part = parts_of(pixels, layout.x * exact)
        if layout.quick is None:
            square = np.array([is_ideographic(piece.cluster[0]) for piece in layout.pieces], np.bool_)[layout.which]
            whole, part = whole + (square & (part >= PARTS / 2)), np.where(square, 0, part)
    else:
        whole, part = layout.x * exact, np.zeros(len(layout.x), np.int64)
    kinds, inverse = np.unique(layout.which * PARTS + part, return_inverse=True)
    passes = [(SHADOW, ink.stroke)] * ink.shadow + [(OUTLINE, ink.stroke)] * (ink.stroke > 0) + [(LETTER, 0.0)]
    pages: dict[GlyphPage, int] = {}
    rows: list[tuple[Array, ...]] = []
    colors = _colors(layout, spans)
    sizes = _sizes(layout, pixels, ink.sharp)
    for number, stroke in passes:
        table, frames = _look_up(glyphs, layout, kinds, sizes, stroke, pages)
        box, frame = table[inverse], frames[inverse]
        box[:, 0] += x0 + whole
        box[:, 1] += y0 + baseline[layout.line]
        inks = np.full(len(box), number, np.uint8)
        if number == LETTER and spans:
            inks[colors[:, 3] > 0] = SPAN
        rows.append((box, frame, inks, colors))
    if layout.icons and frame_of is not None:
        rows.append(_icons(layout, exact, (x0, y0 + baseline), ink.sharp, frame_of))
    boxes, frames, inks, tints = (np.concatenate(part) for part in zip(*rows, strict=True))
    visible = frames >= 0
    columns = boxes[visible].astype(np.float32), frames[visible].astype(np.uint16), inks[visible], tints[visible]
    return Letters(*columns, tuple(pages.items()))


def set_line(
    glyphs: Glyphs, table: GlyphTable, setter: QuickSetter, layout: Layout, exact: float, anchor: tuple[float, float]
) -> Letters:  # fmt: skip
    """Place glyphs as `set_letters` does, for a plain line without shadow and outline on whole pixels.

    table: of the glyphs of its setter at this size.
    """
    steps = np.floor(layout.x * exact * PARTS + 0.5).astype(np.int64)
    kinds = layout.which * PARTS + steps % PARTS
    table.draw(glyphs, setter, kinds)
    rows, pages = table.rows[kinds], table.page[kinds]
    ascent, descent = round(layout.ascent * exact), round(layout.descent * exact)
    rows[:, 0] += (steps // PARTS + floor(-anchor[0] * layout.width * exact + 0.5)) * POSITION_SCALE
    rows[:, 1] += (floor(-anchor[1] * (ascent + descent) + 0.5) + descent) * POSITION_SCALE
    used = set(pages.tolist())
    if -1 in used:
        rows = rows[pages >= 0]
        used.discard(-1)
    boxes, count = (rows[:, :4] * _SCALES).astype(np.float32), len(rows)
    found = tuple((page, page.age) for page in map(table.pages.__getitem__, used))
    inks, spans = np.full(count, LETTER, np.uint8), np.zeros((count, 4), np.uint8)
    return Letters(boxes, rows[:, 5].astype(np.uint16), inks, spans, found)


def _lines(layout: Layout, pixels: float, even: bool) -> tuple[Array, float]:
    """Return the distance of each baseline from the top, and the height of the block; whole numbers of pixels."""
    if layout.drops is not None or not even:
        return np.floor(layout.baselines * pixels + 0.5), float(round(layout.height * pixels))
    ascent, descent = round(layout.ascent * pixels), round(layout.descent * pixels)
    step = max(round(layout.step * pixels), 1)
    return ascent + step * np.arange(layout.lines), float(ascent + descent + step * (layout.lines - 1))


def _sizes(layout: Layout, pixels: int, sharp: bool) -> list[tuple[int, float]]:
    """Return for each piece the size at which its glyph is drawn, and the factor by which the glyph is stretched."""
    if layout.factors is None:
        return [(pixels, 1.0)] * len(layout.pieces)
    wanted = np.maximum(layout.factors * pixels, 1.0)
    drawn = quantized(wanted)
    stretch = np.where(sharp & (drawn <= LARGEST_UNSTRETCHED), 1.0, wanted / drawn)
    return list(zip(drawn.tolist(), stretch.tolist(), strict=True))


def _icons(
    layout: Layout, exact: float, ground: tuple[float, Array], sharp: bool, frame_of: FrameOf
) -> tuple[Array, ...]:
    """Return boxes, frames, inks and colors of a layout's icons. ground: the left edge, and the baselines."""
    count = len(layout.icons)
    boxes = np.zeros((count, 4))
    for k, icon in enumerate(layout.icons):
        left, middle = ground[0] + icon.x * exact, ground[1][icon.line] + MIDDLE * exact
        wide, high = icon.width * exact, icon.height * exact
        low = middle - high / 2
        if sharp:
            left, low, wide, high = (np.floor(side + 0.5) for side in (left, low, max(wide, 1), max(high, 1)))
        boxes[k] = left + wide / 2, low + high / 2, wide, high
    frames = np.array([frame_of(icon.image) for icon in layout.icons], np.int64)
    return boxes, frames, np.full(count, SPAN, np.uint8), np.full((count, 4), _WHITE, np.uint8)


def _look_up(
    glyphs: Glyphs, layout: Layout, kinds: Array, sizes: list[tuple[int, float]], stroke: float,
    pages: dict[GlyphPage, int],
) -> tuple[Array, Array]:  # fmt: skip
    """Return for each kind of letter the center and size of its glyph, float64 (n, 4), and its frame, -1 for none.

    sizes: see `_sizes`.
    """
    table, frames = np.zeros((len(kinds), 4)), np.full(len(kinds), -1, np.int64)
    for k, kind in enumerate(kinds.tolist()):
        piece, (pixels, stretch) = layout.pieces[kind // PARTS], sizes[kind // PARTS]
        part = kind % PARTS if pixels <= LARGEST_IN_PARTS else 0
        glyph, page = glyphs.get(piece, Kind(pixels, part, stroke))
        if glyph is not NOTHING and page is not None:
            pages[page] = page.age
            table[k] = glyph.x + glyph.w / 2, glyph.y + glyph.h / 2, glyph.w, glyph.h
            if stretch != 1.0:
                table[k] *= stretch
            frames[k] = glyph.frame
    return table, frames


def _colors(layout: Layout, spans: tuple[Span, ...]) -> Array:
    """Return the color of each letter's span, uint8 (n, 4); zeros outside of spans."""
    colors = np.zeros((len(layout.place), 4), np.uint8)
    for span in spans:
        colors[(layout.place >= span.start) & (layout.place < span.end)] = (*span.rgba[:3], max(span.rgba[3], 1))
    return colors
