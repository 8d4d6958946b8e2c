"""Layout: where the letters of a text stand.

A text is cut into clusters; each gets a font and a width. Lines break where they grow wider than allowed, what is
written from right to left is put in its order, and lines are aligned to one another. All is measured in ems, on a large
reference size: so lines break at the same place whatever the zoom, and letters are spaced as the font's designer meant,
not rounded to whole pixels. A layout depends on its text and `TextStyle` alone and is shared by all backends and sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from .bidi import embedding_levels, needs_order, paragraph_level, visual_order
from .breaking import is_ideographic, is_space, may_break
from .clusters import clusters_of, is_invisible, is_word

Array = npt.NDArray[Any]

REFERENCE = 1000
"""The font size, in pixels, on which letters are measured."""
TAB = 4
"""Tab stops are this many digits apart."""
BOX_WIDTH = 0.62
"""Of the box that stands for a letter which no font has, em."""
_ROOM = 1e-6


class Face(Protocol):
    """A font at any size, as the layout needs it; sizes are whole pixels."""

    shaping: bool

    def advance(self, size: int, text: str, turned: bool = False, ligatures: bool = True, /) -> float:
        """How far the pen moves, pixels, with kerning. turned: written from right to left."""
        ...

    def metrics(self, size: int, /) -> tuple[int, int]:
        """Ascent and descent, pixels, both positive."""
        ...


Pick = Callable[[str], Any]
"""The font for a cluster; None where none has it."""


@dataclass(frozen=True)
class TextStyle:
    """How a text is set. size, wrap, letter_spacing: in units; wrap 0 never breaks a line."""

    size: float
    align: str = "left"
    line_spacing: float = 1.0
    wrap: float = 0.0
    letter_spacing: float = 0.0


class Piece(NamedTuple):
    """A cluster as it is drawn: its font (None: a box), and whether it is written from right to left."""

    face: Any
    cluster: str
    turned: bool


@dataclass(frozen=True, eq=False)
class Layout:
    """The letters of a text, in ems, y up.

    pieces: what is drawn, each once. which: int64 n, the piece of each letter. x: float64 n, its pen from the left
    edge of the block. line: int64 n, from the top. place: int64 n, where in the text it begins. lines: how many there
    are. width: of the block. ascent, descent: of the font. step: from line to line.
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
    """One paragraph's clusters, measured.

    which, place: int64 n. left, right: float64 n, the pen before and after each, as if it were one line. kern: float64
    n, what is in `left` between a cluster and the one before it. may_end: bool n. space: bool n. levels: None where all
    is written from left to right.
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
    text: str, face: Face, style: TextStyle, pick: Pick | None = None, borders: frozenset[int] = frozenset()
) -> Layout:
    """Set a text in lines. borders: where colours change, so that no ligature reaches across."""
    setter = _Setter(face, style, pick or (lambda _: face), borders)
    rows: list[_Row] = []
    begin = 0
    for part in text.split("\n"):
        rows += setter.paragraph(part, begin)
        begin += len(part) + 1
    width = max([style.wrap / style.size, *(row.width for row in rows)])
    ascent, descent = (side / REFERENCE for side in face.metrics(REFERENCE))
    shift = {"center": 0.5, "right": 1.0}.get(style.align, 0.0)
    which, x, line, place = [[np.zeros(0)] for _ in range(4)]
    for number, row in enumerate(rows):
        if len(row.which):
            free = width - row.width
            which.append(row.which)
            x.append(row.x + free * (row.base if style.align == "justify" else shift))
            line.append(np.full(len(row.which), number))
            place.append(row.place)
    index = np.concatenate(which).astype(np.int64)
    seen = setter.visible[index] if len(index) else np.zeros(0, np.bool_)
    return Layout(
        setter.pieces,
        index[seen],
        np.concatenate(x)[seen],
        np.concatenate(line).astype(np.int64)[seen],
        np.concatenate(place).astype(np.int64)[seen],
        len(rows),
        float(width),
        ascent,
        descent,
        (ascent + descent) * style.line_spacing,
    )


class _Row(NamedTuple):
    """One line, from left to right: pieces, pens from its own left end in ems, places in the text, and its width."""

    which: Array
    x: Array
    place: Array
    width: float
    base: int


class _Setter:
    """Sets one text paragraph by paragraph, and remembers what it has measured."""

    def __init__(self, face: Face, style: TextStyle, pick: Pick, borders: frozenset[int]) -> None:
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
        """bool a piece: whether there is anything to draw."""
        return np.array(self._seen, np.bool_)

    def paragraph(self, text: str, begin: int) -> Iterator[_Row]:
        """The lines of a paragraph that begins at a place in the text."""
        if not text:
            yield _Row(np.zeros(0), np.zeros(0), np.zeros(0), 0.0, 0)
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
        """Ligatures in which the colour changes fall apart."""
        for cluster in clusters:
            inside = len(cluster) > 1 and any(begin + k in self.borders for k in range(1, len(cluster)))
            yield from cluster if inside and cluster.isascii() else (cluster,)
            begin += len(cluster)

    def _number(self, pair: tuple[str, bool]) -> int:
        """The piece of a cluster, measured when it first comes."""
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

    def _width(self, face: Face | None, cluster: str, turned: bool) -> float:
        if face is None:
            return 1.0 if is_ideographic(cluster[0]) else BOX_WIDTH
        if cluster == "\t":
            self._stop = TAB * face.advance(REFERENCE, "0", False, True) / REFERENCE
            return self._stop
        return face.advance(REFERENCE, cluster, turned, True) / REFERENCE

    def _between(self, which: Array) -> tuple[Array, Array]:
        """For each cluster the kerning before it, and whether a line may end after it."""
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
        """How much closer two clusters stand than their widths say, ems."""
        first, second = self.pieces[a], self.pieces[b]
        one, other = first.cluster, second.cluster
        if first.face is not second.face or first.face is None or first.turned != second.turned:
            return 0.0
        if not (self._seen[a] and self._seen[b]) or is_word(one) or is_word(other) or is_ideographic(one[0]):
            return 0.0
        if (one + other).isascii() and len(one + other) > 2:
            return 0.0  # a ligature may not be measured as one
        pair = first.face.advance(REFERENCE, one + other, first.turned, False)
        return pair / REFERENCE - self._widths[a] - self._widths[b]

    def _ends(self, measure: _Measure) -> list[int]:
        """The ends of the lines: after the last break that fits, or within a word that is too long."""
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
        """The clusters from `start` up to `end` in the order in which they are seen."""
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
        """Make tabs as wide as it takes to reach the next stop, in place."""
        for k in np.flatnonzero([self.pieces[piece].cluster == "\t" for piece in which.tolist()]).tolist():
            pen = float((wide + gap)[:k].sum()) + gap[k]
            wide[k] = (pen // self._stop + 1) * self._stop - pen


def _ordered(order: Array, wide: Array, gap: Array, which: Array) -> Array:
    """The pens of a line whose clusters are seen in another order than they are written: float64 n, in that order."""
    between = np.zeros(len(order))
    follows = np.diff(order)
    between[1:] = np.where(follows == 1, gap[order[1:]], np.where(follows == -1, gap[order[:-1]], 0.0))
    return np.cumsum(wide[order] + between) - wide[order]
