"""Layout: computes the positions of the letters of a text.

A text is split into clusters; each gets a font and a width. Lines break where they become wider than allowed,
right-to-left text is put into its display order, and lines are aligned. All lengths are in ems, measured at a large
reference size: so lines break at the same place at every zoom, and letters are spaced as the font's designer intended,
not rounded to whole pixels. A layout depends on its text, its markup and `TextStyle` alone and is shared by all
backends and sizes. `lines` has the parts of this work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rish_frame.paint.writing import clusters_of
from rish_jit import Array

from .lines.ascii_fast_path import QuickSetter
from .lines.setter import BOX_WIDTH, REFERENCE, Measure, Pick, Piece, Rich, Row, Setter

if TYPE_CHECKING:
    from .fonts import FontFile

__all__ = ["BOX_WIDTH", "REFERENCE", "LaidIcon", "Layout", "Piece", "Rich", "TextStyle", "lay_out", "lay_out_quickly"]


MIDDLE = 0.36
"""The height of the middle of an icon above the baseline, ems: half the height of a capital letter."""
_ELLIPSIS = "…"
_SHIFTS = {"center": 0.5, "right": 1.0}
"""By the alignment, how much of the free width is on the left."""


class TextStyle(NamedTuple):
    """The style of a text. size, wrap, letter_spacing: in units; wrap 0 never breaks a line.

    most_lines: further lines are cut, and the last one ends in an ellipsis; 0: any number.
    """

    size: float
    align: str = "left"
    line_spacing: float = 1.0
    wrap: float = 0.0
    letter_spacing: float = 0.0
    most_lines: int = 0


class LaidIcon(NamedTuple):
    """An icon of a layout: its image, its left edge from that of the block, its line, width and height, ems."""

    image: str
    x: float
    line: int
    width: float
    height: float


@dataclass(eq=False, slots=True)
class Layout:
    """The letters of a text, in ems, y up.

    pieces: the distinct pieces. which: int64 n, the index of each letter's piece. x: float64 n, its pen from the left
    edge of the block. line: int64 n, its line, counted from the top. place: int64 n, the index in the text at which it
    begins. lines: the number of lines. width: of the block. ascent, descent: of the font. step: distance between lines.
    factors: float64, the size of each piece; None if all are 1. drops: float64 lines, the distance of each baseline
    from the top, tall: float64 (lines, 2), how far each reaches above and below it, and bottom, the height of the
    block; None if all lines have the height of the font. rows, measures: the lines and the paragraphs that the layout
    was made from. cut: the index from which on the text is not shown; -1
    if all of it is.
    """

    pieces: list[Piece]
    which: Array
    x: Array
    line: Array
    place: Array
    lines: int
    width: float
    ascent: float
    descent: float
    step: float
    factors: Array | None = None
    drops: Array | None = None
    tall: Array | None = None
    bottom: float = 0.0
    icons: tuple[LaidIcon, ...] = ()
    rows: Sequence[Row] = ()
    measures: Sequence[Measure] = ()
    cut: int = -1
    longest: float = 0.0
    narrowest: float = 0.0
    quick: QuickSetter | None = None

    @property
    def height(self) -> float:
        """The height of the block."""
        return self.bottom if self.drops is not None else self.ascent + self.descent + self.step * (self.lines - 1)

    @property
    def baseline(self) -> float:
        """The distance of the first baseline from the top."""
        return float(self.drops[0]) if self.drops is not None else self.ascent

    @property
    def baselines(self) -> Array:
        """float64 lines: the distance of each baseline from the top."""
        return self.drops if self.drops is not None else self.ascent + self.step * np.arange(self.lines)


def lay_out(
    text: str, face: FontFile, style: TextStyle, pick: Pick | None = None, borders: frozenset[int] = frozenset(),
    rich: Rich | None = None,
) -> Layout:  # fmt: skip
    """Lay a text out in lines. borders: positions where the color changes; no ligature reaches across them."""
    full = _lay_out(text, face, style, pick, borders, rich)
    if not style.most_lines or full.lines <= style.most_lines:
        return full
    after = full.rows[style.most_lines - 1]
    start = int(after.place.min()) if len(after.place) else _beginning(text, style.most_lines - 1)
    following = full.rows[style.most_lines]
    end = int(following.place.max()) + 1 if len(following.place) else start + 1
    ends = [start]
    for cluster in clusters_of(text[start : max(end, start + 1)], shaped=False):
        ends.append(ends[-1] + len(cluster))
    best = None
    low, high = 0, len(ends) - 1
    while low <= high:  # the most clusters that leave room for the ellipsis
        middle = (low + high) // 2
        shown = text[: ends[middle]].rstrip()
        layout = _lay_out(shown + _ELLIPSIS, face, style, pick, borders, _before(rich, len(shown)))
        if layout.lines <= style.most_lines:
            best, low = (layout, len(shown)), middle + 1
        else:
            high = middle - 1
    layout, cut = best if best is not None else (_lay_out(_ELLIPSIS, face, style, pick, borders, None), 0)
    return replace(layout, cut=cut)


def lay_out_quickly(text: str, setter: QuickSetter, style: TextStyle) -> Layout | None:
    """Lay a plain text out in one line; None if it needs more work."""
    wrap = style.wrap / style.size
    line = setter.line(text, wrap, style.letter_spacing / style.size)
    if line is None:
        return None
    x, count = np.array(line.x), len(line.which)
    width = max(wrap, line.width)
    free = (width - line.width) * _SHIFTS.get(style.align, 0.0)
    step = (setter.ascent + setter.descent) * style.line_spacing
    return Layout(
        setter.pieces, np.array(line.which, np.int64), x + free if free else x, np.zeros(count, np.int64),
        np.array(line.place, np.int64), 1, width, setter.ascent, setter.descent, step,
        longest=line.width, narrowest=line.narrowest, quick=setter,
    )  # fmt: skip


def _before(rich: Rich | None, end: int) -> Rich | None:
    """Return the sizes and icons of a text that is cut at an index."""
    return rich and rich._replace(icons=tuple(mark for mark in rich.icons if mark.place < end))


def _beginning(text: str, line: int) -> int:
    """Return the index at which a line begins if only line ends break lines; for an empty line."""
    return len("\n".join(text.split("\n")[:line])) + 1


def _lay_out(
    text: str, face: FontFile, style: TextStyle, pick: Pick | None, borders: frozenset[int], rich: Rich | None
) -> Layout:
    """Lay a text out in any number of lines."""
    lengths = style.wrap / style.size, style.letter_spacing / style.size
    setter = Setter(face, pick or (lambda _: face), borders, lengths, style.align == "justify", rich)
    rows: list[Row] = []
    begin = 0
    for part in text.split("\n"):
        rows += setter.paragraph(part, begin)
        begin += len(part) + 1
    width = max([setter.wrap, *(row.width for row in rows)])
    ascent, descent = (side / REFERENCE for side in face.metrics(REFERENCE))
    shift = _SHIFTS.get(style.align, 0.0)
    free = [(width - row.width) * (row.base if style.align == "justify" else shift) for row in rows]
    rows = [row._replace(x=row.x + left, free=left) if left else row for row, left in zip(rows, free, strict=True)]
    which, x, place = (np.concatenate([getattr(row, name) for row in rows]) for name in ("which", "x", "place"))
    line = np.repeat(np.arange(len(rows)), [len(row.which) for row in rows])
    seen = setter.visible[which]
    step = (ascent + descent) * style.line_spacing
    layout = Layout(
        setter.pieces, which[seen], x[seen], line[seen], place[seen], len(rows), float(width), ascent, descent, step,
        rows=rows, measures=setter.measures, longest=max(row.width for row in rows),
    )  # fmt: skip
    return layout if rich is None else _enriched(layout, setter, style)


def _enriched(layout: Layout, setter: Setter, style: TextStyle) -> Layout:
    """Return the layout of a text with sizes and icons: its icons, and lines as high as their letters."""
    factors = np.array(setter.factors)
    icons: list[LaidIcon] = []
    tall = np.tile([layout.ascent, layout.descent], (layout.lines, 1))
    for k, row in enumerate(layout.rows):
        for number in set(row.which.tolist()):
            factor = setter.factors[number]
            if number in setter.icons:
                tall[k] = np.maximum(tall[k], (MIDDLE + factor / 2, factor / 2 - MIDDLE))
                width = setter.width_of(number)
                where = row.x[row.which == number].tolist()
                icons += [LaidIcon(setter.icons[number], x, k, width, factor) for x in where]
            else:
                tall[k] = np.maximum(tall[k], (layout.ascent * factor, layout.descent * factor))
    drops = np.cumsum(np.concatenate([tall[:1, 0], (tall[:-1, 1] + tall[1:, 0]) * style.line_spacing]))
    bottom = float(drops[-1] + tall[-1, 1])
    return replace(layout, factors=factors, drops=drops, tall=tall, bottom=bottom, icons=tuple(icons))
