"""Measures the clusters of a text, breaks its paragraphs into lines and puts each line into its display order.

All lengths are in ems. A text with sizes and icons has pieces of its own for each size; kerning is only between letters
of one size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rish_frame.paint.writing import (
    IconMark,
    Sized,
    clusters_of,
    embedding_levels,
    is_ideographic,
    is_invisible,
    is_space,
    is_word,
    line_ends,
    needs_order,
    paragraph_level,
    visual_order,
)
from rish_jit import Array

if TYPE_CHECKING:
    from ..fonts import FontFile


REFERENCE = 1000
"""The font size, in pixels, at which letters are measured."""
TAB = 4
"""The distance between tab stops, in widths of a digit."""
BOX_WIDTH = 0.62
"""The width, in em, of the box that is drawn for a letter missing from every font."""
_ROOM = 1e-3

Pick = Callable[[str], Any]
"""A function that returns the font for a cluster, or None if no font has it."""


class Piece(NamedTuple):
    """A cluster to draw: its font (None: a box), and whether it is written from right to left."""

    face: Any
    cluster: str
    turned: bool


class Rich(NamedTuple):
    """The parts of a text with other sizes, its icons, and a function that returns width / height of an image."""

    sizes: tuple[Sized, ...]
    icons: tuple[IconMark, ...]
    ratio: Callable[[str], float]

    @property
    def borders(self) -> frozenset[int]:
        """The positions where the size changes, or an icon begins or ends."""
        edges = {edge for part in self.sizes for edge in part[:2]}
        return frozenset(edges | {mark.place + k for mark in self.icons for k in (0, 1)})

    def look(self, place: int) -> tuple[float, str]:
        """Return the size of the letter at an index, and the image of the icon that is there, "" for none."""
        for mark in self.icons:
            if mark.place == place:
                return mark.factor, mark.image
        return next((part.factor for part in self.sizes if part.start <= place < part.end), 1.0), ""


class Measure(NamedTuple):
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


class Row(NamedTuple):
    """One line, from left to right.

    which: pieces. x, wide: pens from its own left end, and how far each moves the pen, ems. place: positions in the
    text. width: of the line. base: of the paragraph. measure, start, end: the clusters of the paragraph that it shows;
    spaces at its end are not in the arrays. measure is None for an empty line. free:
    the distance of its left end from that of the block, which `x` contains.
    """

    which: Array
    x: Array
    wide: Array
    place: Array
    width: float
    base: int
    measure: Measure | None = None
    start: int = 0
    end: int = 0
    free: float = 0.0


class Setter:
    """Lays out one text paragraph by paragraph, and caches its measurements."""

    def __init__(
        self, face: FontFile, pick: Pick, borders: frozenset[int], lengths: tuple[float, float], justify: bool,
        rich: Rich | None = None,
    ) -> None:  # fmt: skip
        """lengths: the greatest width of a line (0: any) and the space between letters, ems."""
        self.face, self.pick, self.justify, self.rich = face, pick, justify, rich
        self.borders = borders if rich is None else borders | rich.borders
        self.wrap, self.spacing = lengths
        self.pieces: list[Piece] = []
        self.factors: list[float] = []
        self.icons: dict[int, str] = {}
        self.measures: list[Measure] = []
        self._seen: list[bool] = []
        self._widths: list[float] = []
        self._numbers: dict[Any, int] = {}
        self._kerns: dict[tuple[int, int], float] = {}
        self._stop = 0.0

    @property
    def visible(self) -> Array:
        """Whether each piece draws anything, a bool array."""
        return np.array(self._seen, np.bool_)

    def measured(self, cluster: str) -> tuple[int, float, bool]:
        """Return the index, the width and the visibility of the piece of a cluster written from left to right."""
        number = self._number((cluster, False))
        return number, self._widths[number], self._seen[number]

    def width_of(self, number: int) -> float:
        """Return the width of a piece."""
        return self._widths[number]

    def paragraph(self, text: str, begin: int) -> Iterator[Row]:
        """Yield the lines of a paragraph that begins at index `begin` of the text."""
        if not text:
            yield Row(np.zeros(0, np.int64), np.zeros(0), np.zeros(0), np.zeros(0, np.int64), 0.0, 0)
            return
        measure = self._measure(text, begin)
        self.measures.append(measure)
        ends = self._ends(measure) if self.wrap > 0 else [len(measure.which)]
        start = 0
        for end in ends:
            yield self._row(measure, start, end, last=end == ends[-1])
            start = end

    def _measure(self, text: str, begin: int) -> Measure:
        clusters = clusters_of(text, shaped=self.face.shaping and not self.spacing)
        if self.borders:
            clusters = list(self._cut(clusters, begin))
        lengths = np.array([len(cluster) for cluster in clusters])
        place = np.cumsum(lengths) - lengths
        may_end = np.isin(place + lengths, line_ends(text))
        levels, base = None, 0
        if needs_order(text):
            base = paragraph_level(text)
            by_character = embedding_levels(text, base)
            levels = [base if text[k] == "\t" else by_character[k] for k in place.tolist()]
        turned = [bool(level & 1) for level in levels] if levels is not None else [False] * len(clusters)
        keys = zip(clusters, turned, strict=True)
        if self.rich is None:
            which = np.array([self._number(key) for key in keys], np.int64)
        else:
            looks = [self.rich.look(begin + k) for k in place.tolist()]
            which = np.array([self._number(key, *look) for key, look in zip(keys, looks, strict=True)], np.int64)
        kern = self._between(which)
        width = np.array(self._widths)[which] + self.spacing
        left = np.cumsum(width + kern) - width
        space = np.array([is_space(piece.cluster) for piece in self.pieces], np.bool_)[which]
        return Measure(which, place + begin, left, left + width - self.spacing, kern, may_end, space, levels, base)

    def _cut(self, clusters: list[str], begin: int) -> Iterator[str]:
        """Yield the clusters, with ligatures split into letters if the color changes inside them."""
        for cluster in clusters:
            inside = len(cluster) > 1 and any(begin + k in self.borders for k in range(1, len(cluster)))
            yield from cluster if inside and cluster.isascii() else (cluster,)
            begin += len(cluster)

    def _number(self, pair: tuple[str, bool], factor: float = 1.0, icon: str = "") -> int:
        """Return the index of a cluster's piece; measures the piece at its first use. icon: the image it is."""
        key = pair if self.rich is None else (pair, factor, icon)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.pieces)
            self.factors.append(factor)
            cluster, turned = pair
            if icon and self.rich is not None:
                self.icons[number] = icon
                self.pieces.append(Piece(self.face, cluster, turned))
                self._seen.append(False)
                self._widths.append(self.rich.ratio(icon) * factor)
                return number
            blank = all(is_invisible(character) for character in cluster)
            space = is_space(cluster) or cluster.isspace()
            face = self.face if blank or space else self.pick(cluster)
            self.pieces.append(Piece(face, cluster, turned))
            self._seen.append(not blank and not space)
            self._widths.append(0.0 if blank and cluster != "\t" else self._width(face, cluster, turned) * factor)
        return number

    def _width(self, face: FontFile | None, cluster: str, turned: bool) -> float:
        if face is None:
            return 1.0 if is_ideographic(cluster[0]) else BOX_WIDTH
        if cluster == "\t":
            self._stop = TAB * face.advance(REFERENCE, "0", False, True) / REFERENCE
            return self._stop
        return face.advance(REFERENCE, cluster, turned, True) / REFERENCE

    def _between(self, which: Array) -> Array:
        """Return for each cluster the kerning before it."""
        n = len(self.pieces)
        pairs, inverse = np.unique(which[:-1] * n + which[1:], return_inverse=True)
        kernings = [self.kerning(pair // n, pair % n) for pair in pairs.tolist()]
        kern = np.zeros(len(which))
        if kernings:
            kern[1:] = np.array(kernings)[inverse]
        return kern

    def kerning(self, a: int, b: int) -> float:
        """Return the kerning between two pieces, ems, from the cache or measured."""
        kerning = self._kerns.get((a, b))
        if kerning is None:
            kerning = self._kerns[a, b] = self._kern(a, b)
        return kerning

    def _kern(self, a: int, b: int) -> float:
        """Return the kerning of two adjacent clusters, ems: negative if they are closer than their widths say."""
        first, second = self.pieces[a], self.pieces[b]
        one, other = first.cluster, second.cluster
        if first.face is not second.face or first.face is None or first.turned != second.turned:
            return 0.0
        factor = self.factors[a]
        if factor != self.factors[b]:
            return 0.0
        if not (self._seen[a] and self._seen[b]) or is_word(one) or is_word(other) or is_ideographic(one[0]):
            return 0.0
        if (one + other).isascii() and len(one + other) > 2:
            return 0.0  # the pair could form a ligature, which has another width
        pair = first.face.advance(REFERENCE, one + other, first.turned, False)
        return pair / REFERENCE * factor - self._widths[a] - self._widths[b]

    def _ends(self, measure: Measure) -> list[int]:
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

    def _row(self, measure: Measure, start: int, end: int, last: bool) -> Row:
        """Return the clusters from `start` to before `end` in the order in which they appear on the screen."""
        stop = end
        while stop > start and measure.space[stop - 1]:
            stop -= 1
        wide = measure.right[start:stop] - measure.left[start:stop] + self.spacing
        gap = measure.kern[start:stop].copy()
        gap[:1] = 0.0
        if self.justify and not last and self.wrap > 0:
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
            x, which, place = _ordered(order, wide, gap), which[order], place[order]
            wide = wide[order]
        return Row(which, x, wide, place, width, measure.base, measure, start, end)

    def _stretch(self, measure: Measure, start: int, stop: int, wide: Array, free: float) -> None:
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


def _ordered(order: Array, wide: Array, gap: Array) -> Array:
    """Return the pens of the clusters of a line with right-to-left parts, in display order; ems, float64 n.

    order: int n, the clusters in display order. wide, gap: in text order, their widths and the kerning before each.
    """
    between = np.zeros(len(order))
    follows = np.diff(order)
    between[1:] = np.where(follows == 1, gap[order[1:]], np.where(follows == -1, gap[order[:-1]], 0.0))
    return np.cumsum(wide[order] + between) - wide[order]
