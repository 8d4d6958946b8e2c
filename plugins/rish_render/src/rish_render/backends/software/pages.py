"""Pages: the images that sprites are cut from, one after another in one flat array of texels.

A kernel takes one array, whatever the number of pages; a page is found in it by its offset and stride. The first texels
are transparent: the kernels read them for the rest of a span that is rounded up to complete vectors.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from rish_ecs.declarations import distinct
from rish_jit import Array

from ..shared import check_page

Rectangle: TypeAlias = tuple[int, int, int, int]

BLANK = 8
_OFF = 16
"""Texels in a cache line. Rows whose width is an even number of lines would all map to a few sets of the cache, so
their stride is one line larger; this makes turned sprites a quarter faster."""
_ADDITIVE = 1
_COLORS, _BLACK = np.uint32(0x00FFFFFF), np.uint32(0xFF000000)
_REMEMBERED = 64


class Place(NamedTuple):
    """The place of an image in the array of texels: its first texel, its stride, its size."""

    start: int
    stride: int
    width: int
    height: int


@dataclass(frozen=True, eq=False)
class Cuts:
    """A frame table, prepared for the kernels.

    rects: float32 (f, 4) u0 v0 u1 v1. places: int64 (f, 2) first texel and stride of the frame's page. masks: uint32 f,
    the bits of a pixel that count: all, only the colors for a frame that adds light, only alpha for a black one, 0 for
    a frame that can't be drawn. pages: int64 f, the page of each frame. blank: the index of a transparent texel.
    """

    rects: Array
    places: Array
    masks: Array
    pages: Array
    blank: int = 0

    @cached_property
    def sheet(self) -> tuple[Array, Array, Any]:
        """The tables with which a kernel looks up a frame without branches, and the mask of all frames.

        float32 (f+1, 6) u v width height, last column and line; int32 (f+1, 2) first texel and stride. The last row,
        and that of a frame that can't be drawn, shows the texel `blank`. The mask is 0 if not all frames have the same.
        """
        there = self.masks != 0
        cuts, starts = np.zeros((len(there) + 1, 6), np.float32), np.zeros((len(there) + 1, 2), np.int32)
        low, high = self.rects[there, :2], self.rects[there, 2:]
        cuts[:-1][there] = np.concatenate([low, high - low, np.maximum(low, high) - np.float32(1)], axis=1)
        starts[:, 0] = self.blank
        starts[:-1][there] = self.places[there]
        kinds = distinct(self.masks[there])
        return cuts, starts, kinds[0] if len(kinds) == 1 else np.uint32(0)


class Pages:
    """The pages of a backend, and the frame tables cut from them.

    layout: rises whenever a page is added, removed or moved. changes: how often texels have changed so far.
    """

    def __init__(self) -> None:
        self.texels: Array = np.zeros(BLANK + 1024, np.uint32)
        self.places: dict[int, Place] = {}
        self._used = BLANK
        self.layout = 0
        self.changes = 0
        self._recent: deque[tuple[int, Rectangle]] = deque(maxlen=_REMEMBERED)
        self._cuts: dict[str, tuple[tuple[Any, ...], Cuts]] = {}

    def put(self, page: int, pixels: npt.NDArray[np.uint8], dirty: Rectangle | None = None) -> int:
        """Store a page, uint8 (h, w, 4) premultiplied, or the changed part of it; returns the bytes copied."""
        check_page(page, pixels)
        height, width = pixels.shape[:2]
        place = self.places.get(page)
        if place is None or (place.width, place.height) != (width, height):
            place, dirty = self._allocate(page, width, height), None
        x, y, w, h = dirty or (0, 0, width, height)
        source = np.ascontiguousarray(pixels[y : y + h, x : x + w]).view(np.uint32)[..., 0]
        self._view(place)[y : y + h, x : x + w] = source
        self._note(page, (x, y, w, h))
        return source.nbytes

    def _note(self, page: int, where: Rectangle) -> None:
        self.changes += 1
        self._recent.append((page, where))

    def touched(self, cuts: Cuts, since: int) -> Array:
        """Return bool f: the frames whose texels may have changed after the first `since` changes."""
        touched = np.zeros(max(len(cuts.rects), 1), np.bool_)
        missed = self.changes - since
        if missed > len(self._recent):
            touched[:] = True
            return touched
        u0, u1 = np.minimum(cuts.rects[:, 0], cuts.rects[:, 2]), np.maximum(cuts.rects[:, 0], cuts.rects[:, 2])
        v0, v1 = np.minimum(cuts.rects[:, 1], cuts.rects[:, 3]), np.maximum(cuts.rects[:, 1], cuts.rects[:, 3])
        for page, (x, y, w, h) in list(self._recent)[len(self._recent) - missed :]:
            within = (u0 < x + w) & (u1 > x) & (v0 < y + h) & (v1 > y)
            touched[: len(within)] |= within & (cuts.pages == page)
        return touched

    def drop(self, page: int) -> None:
        """Remove a page."""
        if self.places.pop(page, None) is not None:
            self.layout += 1
            self._note(page, (0, 0, 1 << 30, 1 << 30))

    def cuts(self, table: Array, version: int, name: str = "") -> Cuts:
        """Return the prepared table of a frame, or of its channel with this name; cached until something changes."""
        key = (id(table), version, self.layout)
        entry = self._cuts.get(name)
        if entry is None or entry[0] != key:
            entry = self._cuts[name] = (key, self._cut(table))
        return entry[1]

    def channel(self, own: Array, table: Array, version: int, name: str, *, covers: bool) -> Cuts:
        """Return the cuts of a channel, see `covering`; cached until something changes.

        own, table: the table of the frame, and the table of the channel.
        """
        key = (id(own), id(table), version, self.layout)
        label = f"{name} over" if covers else f"{name} only"
        entry = self._cuts.get(label)
        if entry is None or entry[0] != key:
            cuts = covering(self.cuts(own, version), self.cuts(table, version, name), covers=covers)
            entry = self._cuts[label] = (key, cuts)
        return entry[1]

    def _cut(self, table: Array) -> Cuts:
        lookup: Array = np.zeros((len(table), 4), np.int64)
        numbers = table[:, 0]
        there = np.zeros(len(table), np.bool_)
        for page, place in self.places.items():
            of_page = numbers == page
            lookup[of_page] = place
            there |= of_page
        return cut_table(table, lookup, there)

    def _view(self, place: Place) -> Array:
        stop = place.start + place.stride * place.height
        return self.texels[place.start : stop].reshape(place.height, place.stride)[:, : place.width]

    def _allocate(self, page: int, width: int, height: int) -> Place:
        self.places.pop(page, None)
        self.layout += 1
        stride = width + _OFF if width % (2 * _OFF) == 0 else width
        need = stride * height
        if self._used + need > len(self.texels):
            self._repack(need)
        place = self.places[page] = Place(self._used, stride, width, height)
        self._used += need
        return place

    def _repack(self, need: int) -> None:
        """Move the pages together into an array that has room for `need` more texels."""
        total = BLANK + sum(place.stride * place.height for place in self.places.values())
        texels = np.zeros(max(2 * total, total + need), np.uint32)
        used = BLANK
        for page, place in self.places.items():
            size = place.stride * place.height
            texels[used : used + size] = self.texels[place.start : place.start + size]
            self.places[page] = place._replace(start=used)
            used += size
        self.texels, self._used = texels, used


def cut_table(table: Array, places: Array, there: Array, blank: int = 0) -> Cuts:
    """Return the cuts of a frame table; its rectangles are clipped to their images.

    places: int64 (f, 4), the Place of each row's image. there: bool f, whether the image exists. blank: see `Cuts`.
    """
    rects = np.ascontiguousarray(table[:, 1:5])
    wide, high = places[:, 2], places[:, 3]
    limit = np.stack([wide, high, wide, high], axis=1).astype(np.float32)
    inside = np.clip(rects, 0, limit)
    there = there & (np.abs(inside[:, 2] - inside[:, 0]) >= 1) & (np.abs(inside[:, 3] - inside[:, 1]) >= 1)
    with np.errstate(invalid="ignore"):
        pages, flags = table[:, 0].astype(np.int64), table[:, 5].astype(np.int64)
    additive = (flags & _ADDITIVE) != 0
    masks = np.where(additive, _COLORS, np.uint32(0xFFFFFFFF)).astype(np.uint32)
    masks[~there] = 0
    return Cuts(inside.astype(np.float32), np.ascontiguousarray(places[:, :2]), masks, pages, blank)


def covering(own: Cuts, beside: Cuts, *, covers: bool) -> Cuts:
    """Return the cuts of a channel: the image that each frame has in it; if it has none, its own in black if `covers`.

    own, beside: the cuts of the main table and of the channel's table. A frame that adds light also adds its light in
    the channel, and covers nothing.
    """
    there = beside.masks != 0
    black = own.masks & (_BLACK if covers else np.uint32(0))
    masks = np.where(there, np.where(own.masks == _COLORS, _COLORS, beside.masks), black)
    both = there[:, None]
    rects, places = np.where(both, beside.rects, own.rects), np.where(both, beside.places, own.places)
    return Cuts(rects, places, masks, np.where(there, beside.pages, own.pages), own.blank)
