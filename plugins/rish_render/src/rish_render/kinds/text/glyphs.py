"""Glyphs: images of clusters in the atlas, drawn when first shown and removed when they have not been shown for long.

They are on atlas pages of their own, packed into shelves of one height each. When the pages are full, the page whose
glyphs have not been shown for the longest time is emptied, and its rows of the frame table are freed. Glyphs that are
shown in the current frame are never removed; more pages are made instead. So a game may show any number of letters at
any number of sizes over time.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from rish_core import AssetError
from rish_frame import Page
from rish_frame.paint.writing import is_ideographic

from ...materials.atlas import Atlas
from .fonts import PARTS, Drawn, FontFile
from .lines.setter import BOX_WIDTH, Piece

_log = logging.getLogger("rish.render")

MAX_PAGES = 4
"""The number of pages that are filled before one is emptied. More are added only if a single frame needs them."""
_STEP = 4  # heights of shelves are multiples of this, texels


class Glyph(NamedTuple):
    """A cluster in the atlas: its frame (-1: nothing to draw), and its box in pixels relative to the pen, y up."""

    frame: int
    x: float
    y: float
    w: float
    h: float


NOTHING = Glyph(-1, 0, 0, 0, 0)


class Kind(NamedTuple):
    """The variant of a piece: font size in pixels, shift to the right in `PARTS` of a pixel, and outline width."""

    size: int
    part: int = 0
    stroke: float = 0.0


class GlyphPage:
    """An atlas page with shelves of glyphs. used: the last round in which it was shown. age: rises when emptied."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.used = 0
        self.age = 0
        self.keys: list[tuple[Piece, Kind]] = []
        self.frames: list[int] = []
        self._shelves: dict[int, list[int]] = {}  # by height: x and y of the free end of the last shelf
        self._floor = 0

    def place(self, width: int, height: int) -> tuple[int, int] | None:
        """Reserve a free rectangle and return its top left corner; None if there is no room."""
        side, _ = self.page.pixels.shape[:2]
        high = -(-height // _STEP) * _STEP
        shelf = self._shelves.get(high)
        if shelf is None or shelf[0] + width > side:
            if width > side or self._floor + high > side:
                return self._higher(width, high, side)
            shelf = self._shelves[high] = [0, self._floor]
            self._floor += high
        shelf[0] += width
        return shelf[0] - width, shelf[1]

    def _higher(self, width: int, height: int, side: int) -> tuple[int, int] | None:
        """Reserve a place on a higher shelf than necessary; used if there is no room for another shelf."""
        for high in sorted(self._shelves):
            shelf = self._shelves[high]
            if high > height and shelf[0] + width <= side:
                shelf[0] += width
                return shelf[0] - width, shelf[1]
        return None

    def empty(self) -> None:
        """Remove all glyphs from the page."""
        self.keys.clear()
        self.frames.clear()
        self._shelves.clear()
        self._floor = 0
        self.age += 1


class Glyphs:
    """The images of clusters drawn so far, white and premultiplied, to be tinted.

    clock: counts the rounds in which texts are shown; glyphs used in the current round are not removed. forgotten: how
    often a page was emptied.
    """

    def __init__(self, atlas: Atlas, max_pages: int = MAX_PAGES) -> None:
        self.atlas, self.max_pages = atlas, max_pages
        self.clock = self.forgotten = 0
        self.pages: list[GlyphPage] = []
        self._known: dict[tuple[Piece, Kind], tuple[Glyph, GlyphPage | None]] = {}
        self._told = False

    def begin(self, shown: Iterable[GlyphPage] = ()) -> None:
        """Begin the next round of showing texts. shown: pages that other views of this frame use; they stay."""
        self.clock += 1
        for page in shown:
            page.used = self.clock

    def get(self, piece: Piece, kind: Kind) -> tuple[Glyph, GlyphPage | None]:
        """Return a cluster's glyph and the page that holds it (None if nothing is drawn), drawing it if necessary."""
        key = (piece, kind)
        entry = self._known.get(key)
        if entry is None:
            entry = self._known[key] = self._add(key)
        if entry[1] is not None:
            entry[1].used = self.clock
        return entry

    def _add(self, key: tuple[Piece, Kind]) -> tuple[Glyph, GlyphPage | None]:
        piece, kind = key
        drawn, scale = self._draw(piece, kind)
        if drawn is None:
            return NOTHING, None
        height, width = drawn.pixels.shape
        try:
            page, x, y = self._settle(width, height)
            frame = self._frame(page, (x, y, width, height))
        except AssetError as error:
            if not self._told:
                self._told = True
                _log.error("some letters can't be drawn: %s", error)
            return NOTHING, None
        self.atlas.write(page.page, x, y, np.repeat(drawn.pixels[:, :, None], 4, axis=2))
        page.keys.append(key)
        page.frames.append(frame)
        box = (drawn.left * scale, -(drawn.top + height) * scale, width * scale, height * scale)
        return Glyph(frame, *box), page

    def _draw(self, piece: Piece, kind: Kind) -> tuple[Drawn | None, float]:
        """Return a cluster's image, and the factor to stretch it by; above 1 if it would not fit on a page."""
        size, scale = kind.size, 1.0
        for _ in range(8):
            if piece.face is None:
                drawn = tofu(Kind(size, stroke=kind.stroke / scale), is_ideographic(piece.cluster[0]))
            else:
                drawn = _drawn(piece.face, piece, size, kind.part / PARTS / scale, kind.stroke / scale)
            if drawn is None or max(drawn.pixels.shape) <= self.atlas.page_size:
                return drawn, scale
            size = max(size // 2, 1)
            scale = kind.size / size
        return None, 1.0

    def _frame(self, page: GlyphPage, rect: tuple[int, int, int, int]) -> int:
        """Return a row of the frame table for a rectangle; if the table is full, glyphs not shown now are removed."""
        while True:
            try:
                return self.atlas.cut(page.page.id, rect)
            except AssetError:
                if not self._forget(other_than=page):
                    raise

    def _settle(self, width: int, height: int) -> tuple[GlyphPage, int, int]:
        """Reserve room on a page: the last one, an earlier one, an emptied one or a new one, in this order."""
        for page in reversed(self.pages):
            spot = page.place(width, height)
            if spot is not None:
                return page, *spot
        page = self._forget() if len(self.pages) >= self.max_pages else None
        if page is None:
            page = GlyphPage(self.atlas.own_page())
        else:
            self.pages.remove(page)
        self.pages.append(page)
        page.used = self.clock
        spot = page.place(width, height)
        assert spot is not None
        return page, *spot

    def _forget(self, other_than: GlyphPage | None = None) -> GlyphPage | None:
        """Empty the page that was not shown for the longest time; None if all are shown now."""
        old = [page for page in self.pages if page.used < self.clock and page.keys and page is not other_than]
        if not old:
            return None
        page = min(old, key=lambda page: page.used)
        for key in page.keys:
            del self._known[key]
        self.atlas.give_back(page.frames)
        self.atlas.write(page.page, 0, 0, np.zeros_like(page.page.pixels))
        page.empty()
        self.forgotten += 1
        return page


def _drawn(face: FontFile, piece: Piece, size: int, shift: float, stroke: float) -> Drawn | None:
    """Return the image of a cluster; None if FreeType fails."""
    try:
        return face.draw(size, piece.cluster, piece.turned, shift, stroke)
    except (OSError, ValueError, MemoryError):
        return None


def tofu(kind: Kind, wide: bool) -> Drawn:
    """Return the image of the box that is drawn for a letter that no font has."""
    grown = round(kind.stroke)
    line = max(round(kind.size / 16), 1) + 2 * grown
    margin = max(round(kind.size * 0.06), 1)
    width = max(round(kind.size * (1.0 if wide else BOX_WIDTH)) - 2 * margin, 3) + 2 * grown
    height = max(round(kind.size * 0.72), 3) + 2 * grown
    pixels = np.full((height, width), 255, np.uint8)
    if height > 2 * line and width > 2 * line:
        pixels[line:-line, line:-line] = 0
    return Drawn(np.pad(pixels, 1), margin - grown - 1, -height + grown - 1)
