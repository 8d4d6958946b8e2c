"""Layout: computes the positions of the letters of a text.

A text is split into clusters; each gets a font and a width. Lines break where they become wider than allowed,
right-to-left text is put into its display order, and lines are aligned. All lengths are in ems, measured at a large
reference size: so lines break at the same place at every zoom, and letters are spaced as the font's designer intended,
not rounded to whole pixels. A layout depends on its text and `TextStyle` alone and is shared by all backends and sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rish_frame.paint.writing import (
    clusters_of,
    embedding_levels,
    is_ideographic,
    is_invisible,
    is_space,
    is_word,
    may_break,
    needs_order,
    paragraph_level,
    visual_order,
)

if TYPE_CHECKING:
    from .fonts import FontFile

Array = npt.NDArray[Any]

REFERENCE = 1000
"""The font size, in pixels, at which letters are measured."""
TAB = 4
"""The distance between tab stops, in widths of a digit."""
BOX_WIDTH = 0.62
"""The width, in em, of the box that is drawn for a letter missing from every font."""
_ROOM = 1e-6


Pick = Callable[[str], Any]
"""A function that returns the font for a cluster, or None if no font has it."""


@dataclass(frozen=True)
class TextStyle:
    """The style of a text. size, wrap, letter_spacing: in units; wrap 0 never breaks a line."""

    size: float
    align: str = "left"
    line_spacing: float = 1.0
    wrap: float = 0.0
    letter_spacing: float = 0.0


class Piece(NamedTuple):
    """A cluster to draw: its font (None: a box), and whether it is written from right to left."""

    face: Any
    cluster: str
    turned: bool


@dataclass(frozen=True, eq=False)
class Layout:
    """The letters of a text, in ems, y up.

    pieces: the distinct pieces. which: int64 n, the index of each letter's piece. x: float64 n, its pen from the left
    edge of the block. line: int64 n, its line, counted from the top. place: int64 n, the index in the text at which it
    begins. lines: the number of lines. width: of the block. ascent, descent: of the font. step: distance between lines.
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

    @property
    def height(self) -> float:
        """The height of the block."""
        return self.ascent + self.descent + self.step * (self.lines - 1)


class _Measure(NamedTuple):
    """The measured clusters of one paragraph.

    which, place: int64 n. left, right: float64 n, the pen before and after each, as if it were one line. kern: float64
    n, the part of `left` that is kerning between a cluster and the previous one. may_end: bool n, whether a line may
    end after it. space: bool n. levels: None if all text is written from left to right. base: the paragraph's level.
    """

    which: Array
    place: Array
    left: Array
    right: Array
    kern: Array
    may_end: Array
    space: Array
    levels: list[int] | None
    base: int


def lay_out(
    text: str, face: FontFile, style: TextStyle, pick: Pick | None = None, borders: frozenset[int] = frozenset()
) -> Layout:
    """Lay a text out in lines. borders: positions where the colour changes; no ligature reaches across them."""
    setter = _Setter(face, style, pick or (lambda _: face), borders)
    rows: list[_Row] = []
    begin = 0
    for part in text.split("\n"):
        rows += setter.paragraph(part, begin)
        begin += len(part) + 1
    width = max([style.wrap / style.size, *(row.width for row in rows)])
    ascent, descent = (side / REFERENCE for side in face.metrics(REFERENCE))
    shift = {"center": 0.5, "right": 1.0}.get(style.align, 0.0)
    pens = [row.x + (width - row.width) * (row.base if style.align == "justify" else shift) for row in rows]
    which, place = (np.concatenate(part) for part in zip(*((row.which, row.place) for row in rows), strict=True))
    line = np.repeat(np.arange(len(rows)), [len(row.which) for row in rows])
    seen = setter.visible[which]
    step = (ascent + descent) * style.line_spacing
    return Layout(
        setter.pieces, which[seen], np.concatenate(pens)[seen], line[seen], place[seen], len(rows), float(width),
        ascent, descent, step,
    )  # fmt: skip


class _Row(NamedTuple):
    """One line, from left to right: pieces, pens from its own left end in ems, positions in the text, and its width."""

    which: Array
    x: Array
    place: Array
    width: float
    base: int


class _Setter:
    """Lays out one text paragraph by paragraph, and caches its measurements."""

    def __init__(self, face: FontFile, style: TextStyle, pick: Pick, borders: frozenset[int]) -> None:
        self.face, self.style, self.pick, self.borders = face, style, pick, borders
        self.wrap, self.spacing = style.wrap / style.size, style.letter_spacing / style.size
        self.pieces: list[Piece] = []
        self._seen: list[bool] = []
        self._widths: list[float] = []
        self._numbers: dict[tuple[str, bool], int] = {}
        self._kerns: dict[tuple[int, int], tuple[float, bool]] = {}
        self._stop = 0.0

    @property
    def visible(self) -> Array:
        """Whether each piece draws anything, a bool array."""
        return np.array(self._seen, np.bool_)

    def paragraph(self, text: str, begin: int) -> Iterator[_Row]:
        """Yield the lines of a paragraph that begins at index `begin` of the text."""
        if not text:
            yield _Row(np.zeros(0, np.int64), np.zeros(0), np.zeros(0, np.int64), 0.0, 0)
            return
        measure = self._measure(text, begin)
        ends = self._ends(measure) if self.wrap > 0 else [len(measure.which)]
        start = 0
        for end in ends:
            yield self._row(measure, start, end, last=end == ends[-1])
            start = end

    def _measure(self, text: str, begin: int) -> _Measure:
        clusters = clusters_of(text, shaped=self.face.shaping and not self.spacing)
        if self.borders:
            clusters = list(self._cut(clusters, begin))
        lengths = np.array([len(cluster) for cluster in clusters])
        place = np.cumsum(lengths) - lengths
        levels, base = None, 0
        if needs_order(text):
            base = paragraph_level(text)
            by_character = embedding_levels(text, base)
            levels = [base if text[k] == "\t" else by_character[k] for k in place.tolist()]
        turned = [bool(level & 1) for level in levels] if levels is not None else [False] * len(clusters)
        which = np.array([self._number(pair) for pair in zip(clusters, turned, strict=True)], np.int64)
        kern, may_end = self._between(which)
        width = np.array(self._widths)[which] + self.spacing
        left = np.cumsum(width + kern) - width
        space = np.array([is_space(piece.cluster) for piece in self.pieces], np.bool_)[which]
        return _Measure(which, place + begin, left, left + width - self.spacing, kern, may_end, space, levels, base)

    def _cut(self, clusters: list[str], begin: int) -> Iterator[str]:
        """Yield the clusters, with ligatures split into letters if the colour changes inside them."""
        for cluster in clusters:
            inside = len(cluster) > 1 and any(begin + k in self.borders for k in range(1, len(cluster)))
            yield from cluster if inside and cluster.isascii() else (cluster,)
            begin += len(cluster)

    def _number(self, pair: tuple[str, bool]) -> int:
        """Return the index of a cluster's piece; measures the piece at its first use."""
        number = self._numbers.get(pair)
        if number is None:
            number = self._numbers[pair] = len(self.pieces)
            cluster, turned = pair
            blank = all(is_invisible(character) for character in cluster)
            space = is_space(cluster) or cluster.isspace()
            face = self.face if blank or space else self.pick(cluster)
            self.pieces.append(Piece(face, cluster, turned))
            self._seen.append(not blank and not space)
            self._widths.append(0.0 if blank and cluster != "\t" else self._width(face, cluster, turned))
        return number

    def _width(self, face: FontFile | None, cluster: str, turned: bool) -> float:
        if face is None:
            return 1.0 if is_ideographic(cluster[0]) else BOX_WIDTH
        if cluster == "\t":
            self._stop = TAB * face.advance(REFERENCE, "0", False, True) / REFERENCE
            return self._stop
        return face.advance(REFERENCE, cluster, turned, True) / REFERENCE

    def _between(self, which: Array) -> tuple[Array, Array]:
        """Return for each cluster the kerning before it, and whether a line may end after it."""
        n = len(self.pieces)
        pairs, inverse = np.unique(which[:-1] * n + which[1:], return_inverse=True)
        found = [self._pair(pair // n, pair % n) for pair in pairs.tolist()]
        kern, may_end = np.zeros(len(which)), np.zeros(len(which), np.bool_)
        if found:
            kern[1:] = np.array([one[0] for one in found])[inverse]
            may_end[:-1] = np.array([one[1] for one in found])[inverse]
        return kern, may_end

    def _pair(self, a: int, b: int) -> tuple[float, bool]:
        known = self._kerns.get((a, b))
        if known is None:
            known = self._kerns[a, b] = (self._kern(a, b), may_break(self.pieces[a].cluster, self.pieces[b].cluster))
        return known

    def _kern(self, a: int, b: int) -> float:
        """Return the kerning of two adjacent clusters, ems: negative if they are closer than their widths say."""
        first, second = self.pieces[a], self.pieces[b]
        one, other = first.cluster, second.cluster
        if first.face is not second.face or first.face is None or first.turned != second.turned:
            return 0.0
        if not (self._seen[a] and self._seen[b]) or is_word(one) or is_word(other) or is_ideographic(one[0]):
            return 0.0
        if (one + other).isascii() and len(one + other) > 2:
            return 0.0  # the pair could form a ligature, which has another width
        pair = first.face.advance(REFERENCE, one + other, first.turned, False)
        return pair / REFERENCE - self._widths[a] - self._widths[b]

    def _ends(self, measure: _Measure) -> list[int]:
        """Return the ends of the lines: after the last break that fits, or within a word that is too long."""
        n = len(measure.which)
        shown = np.maximum.accumulate(np.where(measure.space, -np.inf, measure.right))
        breaks = np.flatnonzero(measure.may_end)
        ends: list[int] = []
        start = 0
        while start < n:
            maximum = measure.left[start] + self.wrap + _ROOM
            full = max(int(np.searchsorted(shown, maximum, "right")), start + 1)
            if full >= n:
                break
            k = int(np.searchsorted(breaks, full)) - 1
            start = int(breaks[k]) + 1 if k >= 0 and breaks[k] >= start else full
            ends.append(start)
        return [*ends, n] if not ends or ends[-1] < n else ends

    def _row(self, measure: _Measure, start: int, end: int, last: bool) -> _Row:
        """Return the clusters from `start` to before `end` in the order in which they appear on the screen."""
        stop = end
        while stop > start and measure.space[stop - 1]:
            stop -= 1
        wide = measure.right[start:stop] - measure.left[start:stop] + self.spacing
        gap = measure.kern[start:stop].copy()
        gap[:1] = 0.0
        if self.style.align == "justify" and not last and self.wrap > 0:
            self._stretch(measure, start, stop, wide, self.wrap - float((wide + gap).sum()) + self.spacing)
        which = measure.which[start:stop]
        if self._stop and not measure.base:
            self._tabulate(which, wide, gap)
        place = measure.place[start:stop]
        width = max(float((wide + gap).sum()) - self.spacing, 0.0) if stop > start else 0.0
        if measure.levels is None:
            x = np.cumsum(wide + gap) - wide
        else:
            order = np.array(visual_order(measure.levels[start:stop]), np.int64)
            x, which, place = _ordered(order, wide, gap, which), which[order], place[order]
        return _Row(which, x, place, width, measure.base)

    def _stretch(self, measure: _Measure, start: int, stop: int, wide: Array, free: float) -> None:
        """Distribute the free width over the spaces of a line; an ideographic line without spaces: over all letters."""
        here = np.flatnonzero(measure.space[start : stop - 1])
        if not len(here) and stop > start and is_ideographic(self.pieces[measure.which[start]].cluster[0]):
            here = np.arange(stop - start - 1)
        if len(here) and free > 0:
            wide[here] += free / len(here)

    def _tabulate(self, which: Array, wide: Array, gap: Array) -> None:
        """Widen each tab to the next tab stop, in place."""
        for k in np.flatnonzero([self.pieces[piece].cluster == "\t" for piece in which.tolist()]).tolist():
            pen = float((wide + gap)[:k].sum()) + gap[k]
            wide[k] = (pen // self._stop + 1) * self._stop - pen


def _ordered(order: Array, wide: Array, gap: Array, which: Array) -> Array:
    """Return the pens of a line in display order, for a line that is displayed in another order; float64 n."""
    between = np.zeros(len(order))
    follows = np.diff(order)
    between[1:] = np.where(follows == 1, gap[order[1:]], np.where(follows == -1, gap[order[:-1]], 0.0))
    return np.cumsum(wide[order] + between) - wide[order]
