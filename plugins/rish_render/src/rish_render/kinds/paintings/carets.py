"""Carets: the places between the letters of a text that was set, in ems, y down from the top of the block.

The letters here are clusters of Unicode (a letter with its marks, an emoji with its joiners). Words of joined scripts
and ligatures are drawn as one image; the places inside them are in proportion to the widths of their parts.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import NamedTuple

import numpy as np

from rish_frame.paint.writing import clusters_of, is_word

from ..text.layout import REFERENCE, Layout
from ..text.lines.setter import Row

_LINE_END = 0.25
"""The width of a selected line end, ems."""


class Cell(NamedTuple):
    """A letter on its line: the indices at which it begins and ends, its left and right edge, and its direction."""

    start: int
    end: int
    left: float
    right: float
    turned: bool


class Carets:
    """The caret positions of one text. starts: the indices where clusters begin, and the length of the text."""

    def __init__(self, layout: Layout, text: str) -> None:
        self.layout, self.text = layout, text
        self.starts = [0]
        for cluster in clusters_of(text, shaped=False):
            self.starts.append(self.starts[-1] + len(cluster))
        self.lines: list[list[Cell]] = [_cells(layout, row, self._limit) for row in layout.rows]
        drops = layout.baselines.tolist()
        self.baselines: list[float] = drops
        self.begins = self._begins()
        self._places: dict[int, tuple[int, float]] = {}
        for number, line in enumerate(self.lines):
            for cell in line:
                self._places[cell.start] = number, cell.right if cell.turned else cell.left

    @property
    def _limit(self) -> int:
        """The index from which on the text is not shown."""
        return self.layout.cut if self.layout.cut >= 0 else len(self.text)

    def _begins(self) -> list[int]:
        """Return the index at which each line begins."""
        begins: list[int] = []
        at = 0
        for line, row in zip(self.lines, self.layout.rows, strict=True):
            at = min((cell.start for cell in line), default=at)
            begins.append(at)
            end = max((cell.end for cell in line), default=at)
            whole = row.measure is None or row.end >= len(row.measure.which)
            at = end + 1 if whole else end
        return begins

    def snapped(self, index: int) -> int:
        """Return the start of the cluster that holds an index."""
        return self.starts[max(bisect_right(self.starts, max(index, 0)) - 1, 0)]

    def step(self, index: int, by: int) -> int:
        """Return the index some clusters after or before another one."""
        place = bisect_right(self.starts, max(index, 0)) - 1
        if by < 0 and self.starts[place] < index:
            place += 1
        return self.starts[min(max(place + by, 0), len(self.starts) - 1)]

    def place(self, index: int) -> tuple[int, float]:
        """Return the line and the x of the caret before the cluster at an index."""
        index = self.snapped(min(index, self._limit))
        place = self._places.get(index)
        if place is not None:
            return place
        number = max(bisect_right(self.begins, index) - 1, 0)
        return number, self._end(number)

    def _end(self, number: int) -> float:
        """Return the x of the caret after the last letter of a line."""
        line = self.lines[number]
        if not line:
            return self._empty(number)
        last = max(line, key=lambda cell: cell.end)
        return last.left if last.turned else last.right

    def _empty(self, number: int) -> float:
        """Return the x of the caret on a line without letters, as it is aligned."""
        return self.layout.rows[number].free

    def box(self, number: int) -> tuple[float, float]:
        """Return the top and the height of a line."""
        ascent, descent = self.layout.ascent, self.layout.descent
        if self.layout.tall is not None:
            ascent, descent = self.layout.tall[number].tolist()
        return self.baselines[number] - ascent, ascent + descent

    def line_at(self, y: float) -> int:
        """Return the line nearest to a y."""
        bottoms = [sum(self.box(number)) for number in range(len(self.lines))]
        tops = [self.box(number)[0] for number in range(len(self.lines))]
        edges = [(low + high) / 2 for low, high in zip(bottoms[:-1], tops[1:], strict=True)]
        return bisect_left(edges, y)

    def index_at(self, x: float, y: float) -> int:
        """Return the index whose caret is nearest to a point."""
        number = self.line_at(y)
        line = self.lines[number]
        if not line:
            return min(self.begins[number], len(self.text))
        places = [(cell.start, cell.right if cell.turned else cell.left) for cell in line]
        row = self.layout.rows[number]
        if row.measure is None or row.end >= len(row.measure.which):
            places.append((max(cell.end for cell in line), self._end(number)))
        return min(places, key=lambda place: abs(place[1] - x))[0]

    def selection(self, start: int, end: int) -> list[tuple[float, float, float, float]]:
        """Return the rectangles x, y, w, h of the clusters from `start` to before `end`."""
        rectangles: list[tuple[float, float, float, float]] = []
        for number, line in enumerate(self.lines):
            top, height = self.box(number)
            spans = sorted((cell.left, cell.right) for cell in line if start <= cell.start < end)
            close = self.begins[number] if not line else max(cell.end for cell in line)
            if start <= close < end and close < len(self.text) and self.text[close] == "\n":
                x = self._end(number)
                spans.append((x, x + _LINE_END))
            for left, right in _joined(spans):
                rectangles.append((left, top, right - left, height))
        return rectangles


def _joined(spans: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Join spans that touch."""
    joined: list[tuple[float, float]] = []
    for left, right in sorted(spans):
        if joined and left <= joined[-1][1] + 1e-3:
            joined[-1] = joined[-1][0], max(joined[-1][1], right)
        else:
            joined.append((left, right))
    return joined


def _cells(layout: Layout, row: Row, limit: int) -> list[Cell]:
    """Return the letters of a line that are part of the text, which ends at `limit`; not those of an ellipsis."""
    measure = row.measure
    if measure is None:
        return []
    cells: list[Cell] = []
    index = np.searchsorted(measure.place, row.place)
    for k, x, wide, place in zip(index.tolist(), row.x.tolist(), row.wide.tolist(), row.place.tolist(), strict=True):
        if place < limit:
            cells += _split(
                layout,
                int(measure.which[k]),
                (x, x + wide),
                place,
                measure.levels is not None and bool(measure.levels[k] & 1),
            )
    x = row.free if measure.base else row.free + row.width
    for k in range(row.start + len(row.place), row.end):  # spaces at the end
        wide, place = float(measure.right[k] - measure.left[k]), int(measure.place[k])
        low = x - wide if measure.base else x
        if place < limit:
            cells.append(Cell(place, place + 1, low, low + wide, bool(measure.base)))
        x = low if measure.base else x + wide
    return cells


def _split(layout: Layout, number: int, edges: tuple[float, float], place: int, turned: bool) -> list[Cell]:
    """Return the letters of one image."""
    piece = layout.pieces[number]
    text = piece.cluster
    if len(text) == 1:
        return [Cell(place, place + 1, *edges, turned)]
    parts = clusters_of(text, shaped=False)
    left, right = edges
    ends = np.cumsum([len(part) for part in parts]).tolist()
    if len(parts) > 1 and is_word(text) and piece.face is not None:
        whole = max(piece.face.advance(REFERENCE, text, piece.turned, True), 1.0)
        cuts = [piece.face.advance(REFERENCE, text[:end], piece.turned, True) / whole for end in ends[:-1]]
    else:
        cuts = [(k + 1) / len(parts) for k in range(len(parts) - 1)]
    cuts = np.maximum.accumulate(np.clip([0.0, *cuts, 1.0], 0, 1)).tolist()
    cells: list[Cell] = []
    for k, (part, end) in enumerate(zip(parts, ends, strict=True)):
        low, high = (1 - cuts[k + 1], 1 - cuts[k]) if turned else (cuts[k], cuts[k + 1])
        wide = right - left
        cells.append(Cell(place + end - len(part), place + end, left + low * wide, left + high * wide, turned))
    return cells
