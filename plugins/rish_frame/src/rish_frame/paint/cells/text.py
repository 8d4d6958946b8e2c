"""A text that was set in character cells."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from ..typesetting import Caret, Icon, TextLook
from ..writing.bidi import MIRRORED
from ..writing.clusters import clusters_of
from ..writing.markup import Marked
from .lines import (
    Line,
    Paragraph,
    Piece,
    Place,
    ends_of,
    make_line,
    narrowest,
    paragraphs_of,
    shortened,
    visible_cells,
)
from .widths import divided, plain_form

BASELINE = 0.8
"""The distance from the top of a cell to the baseline, cells."""
_ROOM = 1e-6

Rgba = tuple[int, int, int, int]


class CellLetter(NamedTuple):
    """The visible part of a cluster: the characters to show, line and column from the top left, its cells, its color.

    A cluster of several characters with cells, as a Thai letter with a vowel beside it, is several of these. color:
    None if the markup gives none.
    """

    text: str
    line: int
    column: int
    cells: int
    color: Rgba | None


class CellText:
    """A `Typeset` of which each line is as high as a cell, whatever its size, and each cluster takes whole cells.

    source: the text with markup. marked: the text without it. look: how to set it; font, size and spacing have no
    effect. cell: width and height of a cell.
    """

    def __init__(self, source: str, marked: Marked, look: TextLook, cell: tuple[float, float]) -> None:
        self.source, self.look, self.cell = source, look, cell
        self.text = marked.text
        self._marked = marked
        room = max(int(look.wrap / cell[0] + _ROOM), 1) if look.wrap > 0 else 0
        self._narrowest = 0
        self._rows = self._lines(room)

    def _lines(self, room: int) -> list[Line]:
        """Return the lines; those beyond the most lines of the look are cut."""
        max_lines, raw = self.look.most_lines, list[tuple[list[Piece], Paragraph, bool]]()
        for paragraph in paragraphs_of(self.text):
            self._narrowest = max(self._narrowest, narrowest(paragraph.pieces))
            begin = 0
            for end in ends_of(paragraph.pieces, room):
                if len(raw) == max_lines > 0:
                    cut = shortened(raw[-1][1], raw[-1][0], room, len(self.text))
                    raw[-1] = cut, raw[-1][1], True
                    return self._aligned(raw, room)
                raw.append((paragraph.pieces[begin:end], paragraph, end == len(paragraph.pieces)))
                begin = end
        return self._aligned(raw, room)

    def _aligned(self, raw: Sequence[tuple[list[Piece], Paragraph, bool]], room: int) -> list[Line]:
        box = max([room, *(visible_cells(pieces) for pieces, _, _ in raw)])
        return [make_line(pieces, paragraph, last, (room, box), self.look.align) for pieces, paragraph, last in raw]

    @property
    def width(self) -> float:
        """The width of the widest line."""
        return max(line.width for line in self._rows) * self.cell[0]

    @property
    def height(self) -> float:
        """The height of the block."""
        return self.lines * self.cell[1]

    @property
    def narrowest(self) -> float:
        """The width of the widest part that can't be broken."""
        return self._narrowest * self.cell[0]

    @property
    def baseline(self) -> float:
        """The distance from the top to the baseline of the first line."""
        return BASELINE * self.cell[1]

    @property
    def lines(self) -> int:
        """The number of lines."""
        return len(self._rows)

    @property
    def icons(self) -> Sequence[Icon]:
        """The images inside the text, each as high as a line."""
        images = {mark.place: mark.image for mark in self._marked.icons}
        w, h = self.cell
        return [
            Icon(images[place.piece.start], place.column * w, line * h, place.cells * w, h)
            for line, place in (self._places() if images else ())
            if place.piece.start in images and place.cells
        ]

    @cached_property
    def letters(self) -> tuple[CellLetter, ...]:
        """The visible clusters, line by line from left to right."""
        spans = self._marked.spans
        begins = [span.start for span in spans]
        letters: list[CellLetter] = []
        for line, place in self._places():
            form = plain_form(place.piece.cluster)
            if not form or not place.cells:
                continue
            if place.piece.level & 1:
                form = MIRRORED.get(form, form)
            k = bisect_right(begins, place.piece.start) - 1
            color = spans[k].rgba if k >= 0 and place.piece.start < spans[k].end else None
            column = place.column
            for text, cells in divided(form):
                letters.append(CellLetter(text, line, column, cells, color))
                column += cells
        return tuple(letters)

    def _places(self) -> Iterator[tuple[int, Place]]:
        for number, line in enumerate(self._rows):
            for place in line.places:
                yield number, place

    def caret(self, index: int) -> Caret:
        """Return the position before the character `index`; it is never inside a cluster."""
        number = max(bisect_right(self._begins, index) - 1, 0)
        line = self._rows[number]
        column = line.final
        for place in line.places:
            if place.piece.start <= index < place.piece.end:
                column = place.before
        w, h = self.cell
        return Caret(column * w, number * h, h)

    def index_at(self, x: float, y: float) -> int:
        """Return the index whose caret is nearest to a point; a point outside counts for the nearest line."""
        w, h = self.cell
        line = self._rows[min(max(int(y // h), 0), len(self._rows) - 1)]
        carets = [(place.before, place.piece.start) for place in line.places]
        if line.last or not carets:
            carets.append((line.final, line.end))
        return min(carets, key=lambda caret: abs(caret[0] * w - x))[1]

    def step(self, index: int, by: int) -> int:
        """Return the index that is `by` clusters after or before another one."""
        stops = self._stops
        at = max(bisect_right(stops, index) - 1, 0)
        if by < 0 and stops[at] < index:
            by += 1
        return stops[min(max(at + by, 0), len(stops) - 1)]

    def selection(self, start: int, end: int) -> list[tuple[float, float, float, float]]:
        """Return the rectangles x, y, w, h that cover the characters from `start` to before `end`."""
        w, h = self.cell
        rectangles: list[tuple[float, float, float, float]] = []
        for number, line in enumerate(self._rows):
            runs: list[list[int]] = []
            for place in sorted(line.places, key=lambda item: item.column):
                if not place.cells or place.piece.end <= start or place.piece.start >= end:
                    continue
                if runs and runs[-1][1] == place.column:
                    runs[-1][1] += place.cells
                else:
                    runs.append([place.column, place.column + place.cells])
            rectangles += [(low * w, number * h, (high - low) * w, h) for low, high in runs]
        return rectangles

    @cached_property
    def _begins(self) -> list[int]:
        return [line.start for line in self._rows]

    @cached_property
    def _stops(self) -> list[int]:
        """The indices at which a caret may be, rising."""
        stops = [0]
        for cluster in clusters_of(self.text, shaped=False):
            stops.append(stops[-1] + len(cluster))
        return stops
