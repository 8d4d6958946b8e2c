"""The atlas: many small images on a few large pages.

A backend draws the sprites of one page in one call, so images are collected on pages. Each image is placed where the
skyline, the upper border of the used area, is lowest (the classic bottom-left rule). Around each image is a gutter of
one texel that repeats the image's border, so that a filter never reads a neighbor. An image larger than a page gets a
page of its own. The frame table stores the place of each image. A row keeps its meaning until the code that took it
gives it back, as `Glyphs` does with glyphs that have not been shown for long.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core import AssetError
from rish_frame import Frame, Page
from rish_frame.frame import FRAME_COLUMNS

Pixels = npt.NDArray[np.uint8]
Rect = tuple[int, int, int, int]

GUTTER = 1
_STRIP = 256
LAST_FRAME = 65535


class Skyline:
    """The free space of a page, as steps of (x, y, width) from left to right; all space below a step is free."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.steps: list[tuple[int, int, int]] = [(0, 0, width)]

    def place(self, width: int, height: int) -> tuple[int, int] | None:
        """Reserve a free rectangle of that size and return its top left corner; None if there is no room."""
        best: tuple[int, int, int] | None = None
        for index in range(len(self.steps)):
            top = self._fit(index, width, height)
            if top is not None and (best is None or (top, self.steps[index][2]) < (best[1], self.steps[best[0]][2])):
                best = (index, top, self.steps[index][0])
        if best is None:
            return None
        index, top, left = best
        self._raise(index, left, top + height, width)
        return left, top

    def _fit(self, index: int, width: int, height: int) -> int | None:
        """Return the top y of a rectangle that begins at a step, or None if it does not fit."""
        left = self.steps[index][0]
        if left + width > self.width:
            return None
        top, reach = 0, left
        while reach < left + width:
            _, y, wide = self.steps[index]
            top = max(top, y)
            if top + height > self.height:
                return None
            reach += wide
            index += 1
        return top

    def _raise(self, index: int, left: int, level: int, width: int) -> None:
        """Insert a new step that covers the steps below it."""
        right = left + width
        rest = [(x, y, wide) for x, y, wide in self.steps[index:] if x + wide > right]
        if rest and rest[0][0] < right:
            x, y, wide = rest[0]
            rest[0] = (right, y, x + wide - right)
        merged: list[tuple[int, int, int]] = []
        for x, y, wide in (*self.steps[:index], (left, level, width), *rest):
            if merged and merged[-1][1] == y:
                merged[-1] = (merged[-1][0], y, merged[-1][2] + wide)
            else:
                merged.append((x, y, wide))
        self.steps = merged


class Atlas:
    """Pages that are filled with images, and the frame table with the place of each image.

    page_size: width and height of a page, texels. table: float32 (n, 6), see `rish_frame.frame.passes`. cache: data of
    other modules about their own pages, by name; it exists as long as the pages.
    """

    def __init__(self, page_size: int = 1024) -> None:
        self.page_size = page_size
        self.pages: list[Page] = []
        self.cache: dict[str, Any] = {}
        self._skylines: list[Skyline | None] = []
        self._dirty: dict[int, Rect] = {}
        self._table = np.zeros((256, len(FRAME_COLUMNS)), np.float32)
        self._used = 0
        self._free: list[int] = []
        self._changed = True
        self._free_id = 0

    @property
    def table(self) -> npt.NDArray[np.float32]:
        """The used rows of the frame table."""
        return self._table[: self._used]

    def put(self, pixels: Pixels, *, flips: bool = False, repeat_rim: bool = True) -> int:
        """Add an image, uint8 (h, w, 4) premultiplied, and return its frame.

        flips: three more frames follow, mirrored in x, in y, and in both. Raises AssetError when the table is full.
        """
        page, x, y = self._settle(pixels, repeat_rim)
        height, width = pixels.shape[:2]
        return self.cut(page, (x, y, width, height), flips=flips)

    def cut(self, page: int, rect: Rect, *, flips: bool = False, flags: int = 0) -> int:
        """Make a frame for a part of a page, x y w h in texels, and return its number. flags: see `frame.passes`."""
        first = self._free.pop() if self._free and not flips else self._take(4 if flips else 1)
        x, y, w, h = rect
        for flip in range(4 if flips else 1):
            u0, u1 = (x + w, x) if flip & 1 else (x, x + w)
            v0, v1 = (y + h, y) if flip & 2 else (y, y + h)
            self._table[first + flip] = (page, u0, v0, u1, v1, flags)
        self._changed = True
        return first

    def give_back(self, frames: Iterable[int]) -> None:
        """Free frames that `cut` made without flips and that no batch uses any more; their numbers are used again."""
        self._free.extend(frames)

    def _take(self, count: int) -> int:
        """Reserve consecutive rows of the table; the first is a multiple of `count`.

        So the four frames of an image differ only in bits: bit 0 is mirrored in x, bit 1 in y.
        """
        skipped = -self._used % count
        self._free.extend(range(self._used, self._used + skipped))
        self._used += skipped
        if self._used + count > LAST_FRAME:
            raise AssetError(f"there are more than {LAST_FRAME} different pictures", hint="Show fewer parts of images")
        if self._used + count > len(self._table):
            self._table = np.concatenate([self._table, np.zeros_like(self._table)])
        self._used += count
        return self._used - count

    def place_of(self, frame: int) -> tuple[int, Rect]:
        """Return the page and the rectangle x y w h of a frame that `put` or `cut` returned."""
        page, u0, v0, u1, v1, _ = (int(value) for value in self._table[frame])
        return page, (u0, v0, u1 - u0, v1 - v0)

    def replace(self, frame: int, pixels: Pixels) -> bool:
        """Change the texels of an image. Returns False if its size has changed; then it must be added again."""
        page, (x, y, w, h) = self.place_of(frame)
        if pixels.shape[:2] != (h, w):
            return False
        index = next(index for index, one in enumerate(self.pages) if one.id == page)
        self.write(self.pages[index], x, y, pixels, rim=self._skylines[index] is not None)
        return True

    def publish(self, frame: Frame) -> None:
        """Pass the pages and the frame table to the frame, as far as they have changed since the last call."""
        for index, rect in self._dirty.items():
            page = self.pages[index]
            page.version += 1
            page.dirty = rect
        self._dirty.clear()
        published = {id(page) for page in frame.pages}
        frame.pages.extend(page for page in self.pages if id(page) not in published)
        if self._changed:
            frame.set_frames(self.table.copy())
            self._changed = False

    def reserve(self, frame: Frame) -> None:
        """Avoid the page numbers that are used by pages of other owners."""
        own = {id(page) for page in self.pages}
        others = [page.id for page in frame.pages if id(page) not in own]
        self._free_id = max([self._free_id, *(number + 1 for number in others)])

    def _settle(self, pixels: Pixels, repeat_rim: bool) -> tuple[int, int, int]:
        """Find room for an image and write it; return the page's number and the top left texel."""
        height, width = pixels.shape[:2]
        wide, high = width + 2 * GUTTER, height + 2 * GUTTER
        if wide > self.page_size or high > self.page_size:
            page = self._new_page(width, height, None)
            self.write(page, 0, 0, pixels)
            return page.id, 0, 0
        for index, skyline in enumerate(self._skylines):
            spot = skyline.place(wide, high) if skyline is not None else None
            if spot is not None:
                page = self.pages[index]
                break
        else:
            skyline = Skyline(self.page_size, self.page_size)
            page, spot = self._new_page(self.page_size, self.page_size, skyline), skyline.place(wide, high)
        assert spot is not None
        x, y = spot[0] + GUTTER, spot[1] + GUTTER
        self.write(page, x, y, pixels, rim=repeat_rim)
        return page.id, x, y

    def own_page(self) -> Page:
        """Return a new empty page on which only the caller puts images, with `write`."""
        return self._new_page(self.page_size, self.page_size, None)

    def _new_page(self, width: int, height: int, skyline: Skyline | None) -> Page:
        page = Page(self._free_id, np.zeros((height, width, 4), np.uint8))
        self._free_id += 1
        self.pages.append(page)
        self._skylines.append(skyline)
        return page

    def write(self, page: Page, x: int, y: int, pixels: Pixels, *, rim: bool = False) -> None:
        """Write texels to a page, top left corner at x y. rim: repeat the image's border around it."""
        h, w = pixels.shape[:2]
        target = page.pixels
        target[y : y + h, x : x + w] = pixels
        rect: Rect = (x, y, w, h)
        if rim and h and w:
            target[y - 1, x : x + w], target[y + h, x : x + w] = pixels[0], pixels[-1]
            target[y - 1 : y + h + 1, x - 1] = target[y - 1 : y + h + 1, x]
            target[y - 1 : y + h + 1, x + w] = target[y - 1 : y + h + 1, x + w - 1]
            rect = (x - 1, y - 1, w + 2, h + 2)
        index = self.pages.index(page)
        self._dirty[index] = _join(self._dirty.get(index), rect)


def _join(a: Rect | None, b: Rect) -> Rect:
    if a is None:
        return b
    x0, y0 = min(a[0], b[0]), min(a[1], b[1])
    x1, y1 = max(a[0] + a[2], b[0] + b[2]), max(a[1] + a[3], b[1] + b[3])
    return x0, y0, x1 - x0, y1 - y0


def premultiply(pixels: Pixels) -> Pixels:
    """Convert straight uint8 (h, w, 4) to premultiplied, rounded to nearest."""
    if (pixels[..., 3] == 255).all():
        return pixels
    result = pixels.copy()
    for top in range(0, len(pixels), _STRIP):  # in strips, because the products take four times the memory
        wide = pixels[top : top + _STRIP].astype(np.uint32)
        result[top : top + _STRIP, :, :3] = (wide[..., :3] * wide[..., 3:] + 127) // 255
    return result
