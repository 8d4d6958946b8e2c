"""Glyphs: pictures of clusters in the atlas, drawn when they are first seen and forgotten when they have not been seen.

They lie on pages of their own, in shelves of one height. When the pages are full, the one whose glyphs have not been
shown for longest is emptied, and its rows of the frame table are given back; what is shown in this picture is never
taken away, more pages are made instead. So a game may show any number of letters at any number of sizes, one after
another, for ever.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from rish_core import AssetError
from rish_frame import Page

from ..materials.atlas import Atlas
from .breaking import is_ideographic
from .fonts import PARTS, Drawn, FontFile
from .layout import BOX_WIDTH, Piece

_log = logging.getLogger("rish.render")

MAX_PAGES = 4
"""Pages that are filled before one is emptied; more only where a single picture needs more."""
_STEP = 4  # heights of shelves, texels


class Glyph(NamedTuple):
    """A cluster in the atlas: its frame (-1: nothing to see), and its box in pixels relative to the pen, y up."""

    frame: int
    x: float
    y: float
    w: float
    h: float


NOTHING = Glyph(-1, 0, 0, 0, 0)


class Kind(NamedTuple):
    """How a piece is drawn: its font's size in pixels, which part of a pixel to the right, and the outline's width."""

    size: int
    part: int = 0
    stroke: float = 0.0


class GlyphPage:
    """A page of the atlas with shelves of glyphs. used: when they were last shown. age: rises when it is emptied."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.used = 0
        self.age = 0
        self.keys: list[tuple[Piece, Kind]] = []
        self.frames: list[int] = []
        self._shelves: dict[int, list[int]] = {}  # by height: x and y of the free end of the last shelf
        self._floor = 0

    def place(self, width: int, height: int) -> tuple[int, int] | None:
        """The top left corner of a free rectangle, now taken; None where there is none."""
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
        """A place on a shelf that is higher than need be, where there is no room for another."""
        for high in sorted(self._shelves):
            shelf = self._shelves[high]
            if high > height and shelf[0] + width <= side:
                shelf[0] += width
                return shelf[0] - width, shelf[1]
        return None

    def empty(self) -> None:
        """Forget all that lies here."""
        self.keys.clear()
        self.frames.clear()
        self._shelves.clear()
        self._floor = 0
        self.age += 1


class Glyphs:
    """The pictures of clusters drawn so far, white and premultiplied, to be tinted.

    clock: counts the rounds in which texts are shown; what was used in the current one is not forgotten. forgotten: how
    often a page was emptied.
    """

    def __init__(self, atlas: Atlas, max_pages: int = MAX_PAGES) -> None:
        self.atlas, self.max_pages = atlas, max_pages
        self.clock = self.forgotten = 0
        self.pages: list[GlyphPage] = []
        self._known: dict[tuple[Piece, Kind], tuple[Glyph, GlyphPage | None]] = {}
        self._told = False

    def begin(self, shown: Iterable[GlyphPage] = ()) -> None:
        """A new round. shown: pages that other pictures of this frame use."""
        self.clock += 1
        for page in shown:
            page.used = self.clock

    def get(self, piece: Piece, kind: Kind) -> tuple[Glyph, GlyphPage | None]:
        """A cluster's picture, and the page on which it lies."""
        key = (piece, kind)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._add(key)
        if found[1] is not None:
            found[1].used = self.clock
        return found

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
                _log.error("some letters are not shown: %s", error)
            return NOTHING, None
        self.atlas.write(page.page, x, y, np.repeat(drawn.pixels[:, :, None], 4, axis=2))
        page.keys.append(key)
        page.frames.append(frame)
        box = (drawn.left * scale, -(drawn.top + height) * scale, width * scale, height * scale)
        return Glyph(frame, *box), page

    def _draw(self, piece: Piece, kind: Kind) -> tuple[Drawn | None, float]:
        """A cluster's picture, and by how much it is to be stretched where it would be larger than a page."""
        if piece.face is None:
            return tofu(kind, is_ideographic(piece.cluster[0])), 1.0
        size, scale = kind.size, 1.0
        for _ in range(8):
            drawn = _drawn(piece.face, piece, size, kind.part / PARTS / scale, kind.stroke / scale)
            if drawn is None or max(drawn.pixels.shape) <= self.atlas.page_size:
                return drawn, scale
            size = max(size // 2, 1)
            scale = kind.size / size
        return None, 1.0

    def _frame(self, page: GlyphPage, rect: tuple[int, int, int, int]) -> int:
        """A row of the frame table; where it is full, glyphs that are not shown make room."""
        while True:
            try:
                return self.atlas.cut(page.page.id, rect)
            except AssetError:
                if not self._forget(other_than=page):
                    raise

    def _settle(self, width: int, height: int) -> tuple[GlyphPage, int, int]:
        """Room on a page: on the one that was filled last, on others, on one that is emptied, on a new one."""
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
        """Empty the page that was not shown for longest; None where all are shown now."""
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
    """The pixels of a cluster; empty if FreeType fails for it."""
    try:
        return face.draw(size, piece.cluster, piece.turned, shift, stroke)
    except (OSError, ValueError, MemoryError):
        return None


def tofu(kind: Kind, wide: bool) -> Drawn:
    """The box that stands for a letter which no font has."""
    grown = round(kind.stroke)
    line = max(round(kind.size / 16), 1) + 2 * grown
    margin = max(round(kind.size * 0.06), 1)
    width = max(round(kind.size * (1.0 if wide else BOX_WIDTH)) - 2 * margin, 3) + 2 * grown
    height = max(round(kind.size * 0.72), 3) + 2 * grown
    pixels = np.full((height, width), 255, np.uint8)
    if height > 2 * line and width > 2 * line:
        pixels[line:-line, line:-line] = 0
    return Drawn(np.pad(pixels, 1), margin - grown - 1, -height + grown - 1)
