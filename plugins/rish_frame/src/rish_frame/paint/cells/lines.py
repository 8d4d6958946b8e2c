"""Breaks a text into lines of character cells, and puts the clusters of each line into the order of display."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..writing.bidi import embedding_levels, needs_order, paragraph_level, visual_order
from ..writing.breaking import is_space, line_ends
from ..writing.clusters import clusters_of
from .widths import TAB_CELLS, cells_of

ELLIPSIS = "\u2026"


class Piece(NamedTuple):
    """A cluster. start, end: its indices in the text. level: of embedding, odd from right to left.

    may_end: whether a line may end after it.
    """

    cluster: str
    start: int
    end: int
    cells: int
    level: int
    may_end: bool = False


class Place(NamedTuple):
    """A cluster on a line: its first column, and the cells that it takes there."""

    piece: Piece
    column: int
    cells: int

    @property
    def before(self) -> int:
        """The column of the caret before it, in the order of reading."""
        return self.column + self.cells if self.piece.level & 1 else self.column

    @property
    def after(self) -> int:
        """The column of the caret after it."""
        return self.column if self.piece.level & 1 else self.column + self.cells


@dataclass(frozen=True)
class Line:
    """A line: its clusters from left to right, then spaces at its end. start, end: its part of the text.

    width: without these spaces. last: whether it ends its paragraph. left: the column of its first cell. base: 1 if
    its paragraph is written from right to left.
    """

    places: tuple[Place, ...]
    start: int
    end: int
    width: int
    last: bool
    left: int
    base: int

    @property
    def final(self) -> int:
        """The column of the caret behind its last cluster."""
        if not self.places:
            return self.left
        return max(self.places, key=lambda place: place.piece.start).after


class Paragraph(NamedTuple):
    """The clusters of a paragraph, and its level. start: its place in the text."""

    pieces: list[Piece]
    start: int
    base: int


def paragraphs_of(text: str) -> Iterator[Paragraph]:
    """Yield the paragraphs of a text, which line feeds separate."""
    at = 0
    for part in text.split("\n"):
        base = paragraph_level(part) if needs_order(part) else 0
        levels = embedding_levels(part, base) if needs_order(part) else None
        ends = frozenset(line_ends(part))
        pieces: list[Piece] = []
        inside = 0
        for cluster in clusters_of(part, shaped=False):
            level = levels[inside] if levels is not None else 0
            end = inside + len(cluster)
            pieces.append(Piece(cluster, at + inside, at + end, cells_of(cluster), level, end in ends))
            inside = end
        yield Paragraph(pieces, at, base)
        at += len(part) + 1


def ends_of(pieces: Sequence[Piece], room: int) -> list[int]:
    """Return the ends of the lines of a paragraph: after the last break that fits, or within a word that is too long.

    room: the greatest number of cells of a line, 0: any number. Spaces at the end of a line are not counted.
    """
    ends: list[int] = []
    start = 0
    while start < len(pieces):
        full = _full(pieces, start, room)
        end = full
        if full < len(pieces):
            while end > start and not pieces[end - 1].may_end:
                end -= 1
        start = end if end > start else full
        ends.append(start)
    return ends or [0]


def narrowest(pieces: Sequence[Piece]) -> int:
    """Return the cells of the widest part of a paragraph that no line break divides."""
    widest = cells = 0
    for k, piece in enumerate(pieces):
        if k and pieces[k - 1].may_end:
            cells = 0
        cells += piece.cells
        if not is_space(piece.cluster):
            widest = max(widest, cells)
    return widest


def shortened(paragraph: Paragraph, line: Sequence[Piece], room: int, length: int) -> list[Piece]:
    """Return a line that continues with the clusters that follow it in its paragraph, as far as they fit, and an
    ellipsis.

    length: of the complete text, whose end the ellipsis replaces.
    """
    start = line[0].start if line else paragraph.start
    following = [piece for piece in paragraph.pieces if piece.start >= start]
    visible = following[: _full(following, 0, max(room - 1, 1) if room else 0)]
    while visible and (is_space(visible[-1].cluster) or (room and sum(_widths(visible)) >= room)):
        visible.pop()
    cut = visible[-1].end if visible else start
    return [*visible, Piece(ELLIPSIS, cut, length, 1, paragraph.base)]


def visible_cells(pieces: Sequence[Piece]) -> int:
    """Return the width of a line without the spaces at its end."""
    return sum(_widths(_without_spaces(pieces)))


def make_line(pieces: Sequence[Piece], paragraph: Paragraph, last: bool, space: tuple[int, int], align: str) -> Line:
    """Return a line of these clusters.

    last: whether it ends the paragraph. space: the line's greatest width, 0: any, and the width within which it is
    aligned.
    """
    room, box = space
    base = paragraph.base
    visible = _without_spaces(pieces)
    widths = _widths(visible)
    if align == "justify" and room and not last:
        _stretch(visible, widths, room - sum(widths))
    width = sum(widths)
    free = max(box - width, 0)
    left = {"center": free // 2, "right": free, "justify": free * base}.get(align, 0)
    places: list[Place] = []
    column = left
    for k in visual_order([piece.level for piece in visible]):
        places.append(Place(visible[k], column, widths[k]))
        column += widths[k]
    places += _hanging(pieces[len(visible) :], left if base else column, base, room)
    start, end = (pieces[0].start, pieces[-1].end) if pieces else (paragraph.start, paragraph.start)
    return Line(tuple(places), start, end, width, last, left, base)


def _without_spaces(pieces: Sequence[Piece]) -> Sequence[Piece]:
    """Return the clusters of a line without the spaces at its end."""
    stop = len(pieces)
    while stop and is_space(pieces[stop - 1].cluster):
        stop -= 1
    return pieces[:stop]


def _full(pieces: Sequence[Piece], start: int, room: int) -> int:
    """Return the end of the longest part that fits into a line; at least one cluster."""
    pen, end = 0, start
    while end < len(pieces):
        advance = _advance(pieces[end], pen)
        if room and end > start and pen + advance > room and not is_space(pieces[end].cluster):
            break
        pen += advance
        end += 1
    return end


def _advance(piece: Piece, pen: int) -> int:
    return TAB_CELLS - pen % TAB_CELLS if piece.cluster == "\t" else piece.cells


def _widths(pieces: Sequence[Piece]) -> list[int]:
    widths: list[int] = []
    pen = 0
    for piece in pieces:
        widths.append(_advance(piece, pen))
        pen += widths[-1]
    return widths


def _stretch(pieces: Sequence[Piece], widths: list[int], free_cells: int) -> None:
    """Distribute free cells over the spaces of a line, in place."""
    spaces = [k for k, piece in enumerate(pieces) if is_space(piece.cluster)]
    for number, k in enumerate(spaces if free_cells > 0 else ()):
        widths[k] += free_cells // len(spaces) + (number < free_cells % len(spaces))


def _hanging(spaces: Sequence[Piece], pen: int, base: int, maximum: int) -> Iterator[Place]:
    """Yield the spaces at the end of a line, which only move the caret. maximum: the greatest width of the line.

    pen: the column at which they begin; leftwards if `base` is 1.
    """
    for space in spaces:
        room = pen if base else max(maximum - pen, 0) if maximum else space.cells
        cells = min(space.cells, room)
        pen -= cells * base
        yield Place(space._replace(level=base), pen, cells)
        pen += cells * (1 - base)
