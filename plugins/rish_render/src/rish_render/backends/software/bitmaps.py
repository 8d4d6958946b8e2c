"""Bitmaps: images that are scaled and turned once and then copied many times.

A bitmap belongs to a frame, a size, an angle and a filter. Clear rows and columns around it are left out. The rows are
stored in one pool of pixels, each from its first pixel that is not clear to its last, filled up to complete blocks of
eight with clear pixels. A word for each row says where its pixels are and which blocks are completely opaque, so that
these are copied instead of blended:

    bits 0-8  blocks   9-20  column of the first pixel   21-29  first opaque block   30-38  opaque blocks
    bits 39-63  where its pixels begin, in blocks from the bitmap's first

In a narrow bitmap all rows have the same width, one or two blocks, so that the words need not be read. The table has a
row of int32 for each bitmap:

    0  first pixel in the pool   1  first line   2  width in pixels, of whole blocks   3  rows
    4  blocks in each row, 0 where that differs from row to row
    5  twice its left edge from the sprite's middle, less 1   6  likewise its top edge

A bitmap is made when it is needed for the second time: a sprite that appears once (at a size that changes from frame to
frame) is drawn exactly. When the pool is full, the bitmaps that were used last are copied to a new one. No pixels are
overwritten, so kernel calls that were prepared earlier stay valid.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

from . import placing
from .kernels import sprites
from .kernels.numbers import i64, u32, u64
from .pages import Cuts, Pages

MISSING = 1 << 14
"""The greatest number of missing keys that are processed in one drawing."""
BUDGET = 64 << 20
"""The greatest size of the pool, in bytes."""
EFFORT = 1 << 20
"""The greatest number of pixels of new bitmaps in one drawing; the rest is made in the next drawings."""
MAX = placing.SLOTS // 4
DENSE = 2
"""The greatest number of blocks in a row of a narrow bitmap."""
COLUMNS = 7
"""The number of columns of the table."""


@njit
def pack_bitmaps(canvas: Any, boxes: Any, table: Any, pool: Any, filled: Any, lines: Any, line: Any) -> Any:
    """Pack n images from a canvas into bitmaps; returns how many pixels of the pool are then filled.

    canvas: uint32 (h, w). boxes: int64 (n, 3), first row, height and width of each; the first column is 0. table: int32
    (n, 7), to be filled, see the module. filled: pixels of the pool filled so far. line: lines filled so far.
    """
    for i in range(boxes.shape[0]):
        first, height, width = boxes[i, 0], boxes[i, 1], boxes[i, 2]
        # The bounds of the pixels that are not clear: first row, row after the last, and the same for columns.
        top, bottom, first_column, end_column = first + height, first, width, i64(0)
        for y in range(first, first + height):
            for x in range(width):
                if canvas[y, x] != u32(0):
                    top, bottom = min(top, y), y + 1
                    first_column, end_column = min(first_column, x), max(end_column, x + 1)
        top, first_column = min(top, bottom), min(first_column, end_column)
        start, widest = filled, i64(0)
        even = (end_column - first_column + 7) >> 3
        if even > DENSE:
            even = i64(0)
        for y in range(top, bottom):
            left, right = first_column, end_column
            while even == 0 and left < right and canvas[y, left] == u32(0):
                left += 1
            while even == 0 and left < right and canvas[y, right - 1] == u32(0):
                right -= 1
            blocks = (right - left + 7) >> 3
            run, best, length = i64(0), i64(0), i64(0)
            for block in range(blocks):
                solid = True
                for p in range(8):
                    x = left + 8 * block + p
                    pixel = canvas[y, x] if x < right else u32(0)
                    pool[filled + 8 * block + p] = pixel
                    solid = solid and u32(pixel >> u32(24)) == u32(255)
                run = run + 1 if solid else i64(0)
                if run > length:
                    best, length = block + 1 - run, run
            offset, column = (filled - start) >> 3, left - first_column
            lines[line + y - top] = u64(blocks | (column << 9) | (best << 21) | (length << 30) | (offset << 39))
            widest = max(widest, column + 8 * blocks)
            filled += 8 * blocks
        table[i, 0], table[i, 1], table[i, 2], table[i, 3] = start, line, widest, bottom - top
        table[i, 4] = even
        table[i, 5], table[i, 6] = 2 * first_column - width - 1, 2 * (top - first) - height - 1
        line += bottom - top
    return filled


class Bitmaps:
    """The bitmaps of one frame table.

    slots: a hash table, uint64, see `placing.file_bitmaps`. table: int32 (m, 7), see the module. used: int32 m, the
    number of the drawing in which each was last used. version: rises whenever a bitmap that may be in a prepared kernel
    call has become wrong.
    """

    def __init__(self, budget: int = BUDGET) -> None:
        self.budget = budget
        self.now = 0
        self.version = 0
        self._before: Array = np.zeros(0, np.uint64)
        self._noted: Array = np.zeros(0, np.uint64)
        self._cuts: Cuts | None = None
        self._dirt = 0
        self._empty()

    def begin(self) -> None:
        """Begin another drawing."""
        self.now += 1
        self._before, self._noted = self._noted, self._before[:0]

    def _empty(self) -> None:
        self.slots: Array = np.zeros(placing.SLOTS, np.uint64)
        self.table: Array = np.zeros((0, COLUMNS), np.int32)
        self.used: Array = np.zeros(0, np.int32)
        self.owners: Array = np.zeros(0, np.uint64)
        self.pool: Array = np.zeros(1 << 16, np.uint32)
        self.lines: Array = np.zeros(1 << 12, np.uint64)
        self._filled = self._line = 0

    def follow(self, cuts: Cuts, pages: Pages) -> None:
        """Drop the bitmaps of frames whose rectangles or images have changed."""
        if cuts is self._cuts and self._dirt == pages.changes:
            return
        if self._cuts is None:  # compile now, in the loading phase, and not when the first bitmap is needed
            boxes, none = np.zeros((0, 3), np.int64), self.table[:0]
            pack_bitmaps(self.pool.reshape(-1, 8), boxes, none, self.pool, 0, self.lines, 0)
            placing.file_bitmaps(self.slots, self.owners, 0)
        stale = _changed(self._cuts, cuts) | pages.touched(cuts, self._dirt)
        self._cuts, self._dirt = cuts, pages.changes
        if len(self.table) and stale.any():
            frames = _frame_of(self.owners)
            lost = (frames >= len(stale)) | stale[np.minimum(frames, len(stale) - 1)]
            if lost.any():
                self.version += 1
                self._forget(lost)

    def _forget(self, lost: Array) -> None:
        """Remove bitmaps from the hash table; their pixels are dropped when the pool is next copied."""
        self.owners[lost], self.used[lost] = 0, -1
        self.slots = np.zeros(placing.SLOTS, np.uint64)
        placing.file_bitmaps(self.slots, self.owners, 0)

    def make(self, missing: Array, cuts: Cuts, texels: Array) -> bool:
        """Make bitmaps that were missing in two drawings; returns whether any were made.

        missing: uint64, keys, in the order of the sprites. At most as many are made as one drawing may make.
        """
        keys, counts = np.unique(missing[:MISSING], return_counts=True)
        # The default kind overflows for large uint64 in numpy 2.0.
        again = (counts > 1) | np.isin(keys, np.concatenate([self._before, self._noted]), kind="sort")
        self._noted = np.concatenate([self._noted, keys])[-MISSING:]
        keys = keys[again]
        if not len(keys):
            return False
        w, h, angles, styles = _wishes(keys)
        cos, sin = placing.CIRCLE[angles * (placing.STEPS // 256)].T
        wide = np.ceil(np.abs(cos) * w + np.abs(sin) * h - 1e-6).astype(np.int64)
        high = np.ceil(np.abs(sin) * w + np.abs(cos) * h - 1e-6).astype(np.int64)
        room = np.cumsum((wide + 7 & ~7) * high)
        fits = int(np.searchsorted(room, min(EFFORT, self.budget // 4), "right"))
        fits = min(fits, MAX - 1)
        if not fits or not self._make_room(int(room[fits - 1]), int(high[:fits].sum()), fits):
            return False
        frames = _frame_of(keys)
        matrices = np.stack([cos * w, -sin * w, -sin * h, -cos * h, wide / 2, high / 2], axis=1).astype(np.float32)
        for style in range(4):
            chosen = np.flatnonzero(styles[:fits] == style)
            if len(chosen):
                canvas, boxes = _draw(matrices[chosen], frames[chosen], wide[chosen], high[chosen], style, cuts, texels)
                self._take(keys[chosen], canvas, boxes)
        return True

    def _take(self, keys: Array, canvas: Array, boxes: Array) -> None:
        """Pack the images of new bitmaps and enter their keys into the hash table."""
        rows = np.zeros((len(keys), COLUMNS), np.int32)
        self._filled = int(pack_bitmaps(canvas, boxes, rows, self.pool, self._filled, self.lines, self._line))
        self._line += int(rows[:, 3].sum())
        first = len(self.table)
        self.table = np.concatenate([self.table, rows])
        self.used = np.concatenate([self.used, np.full(len(keys), self.now, np.int32)])
        self.owners = np.concatenate([self.owners, keys])
        placing.file_bitmaps(self.slots, keys, first)

    def _make_room(self, pixels: int, lines: int, count: int) -> bool:
        """Make room for more bitmaps, and drop the least recently used ones if the budget is used up; False if that
        fails.
        """
        if 4 * (self._filled + pixels) > self.budget or len(self.table) + count > MAX:
            if 4 * pixels > self.budget // 2:
                return False
            self._retire()
        if self._filled + pixels > len(self.pool):
            self.pool = _grown(self.pool, self._filled, self._filled + pixels)
        if self._line + lines > len(self.lines):
            self.lines = _grown(self.lines, self._line, self._line + lines)
        return True

    def _retire(self) -> None:
        """Keep the most recently used bitmaps, up to half of the budget, and drop the others."""
        order = np.argsort(-self.used, kind="stable")
        order = order[self.used[order] >= 0]
        sizes = np.diff(np.append(self.table[:, 0], self._filled))[order]
        recent = order[: min(int(np.searchsorted(np.cumsum(4 * sizes), self.budget // 2, "right")), MAX // 2)]
        self._keep(np.sort(recent))

    def _keep(self, numbers: Array) -> None:
        """Move these bitmaps into a new pool, and drop the others."""
        rows, used, owners = self.table[numbers], self.used[numbers], self.owners[numbers]
        sizes = np.append(self.table[1:, :2], [[self._filled, self._line]], axis=0)[numbers] - rows[:, :2]
        old = self.pool, self.lines
        starts = np.cumsum(sizes, axis=0) - sizes
        self._empty()
        self.pool, self.lines = np.zeros(max(len(old[0]), 1 << 16), np.uint32), np.zeros(len(old[1]), np.uint64)
        for (pixel, line), (pixels, lines), row in zip(starts, sizes, rows, strict=True):
            self.pool[pixel : pixel + pixels] = old[0][row[0] : row[0] + pixels]
            self.lines[line : line + lines] = old[1][row[1] : row[1] + lines]
        rows[:, :2] = starts
        self._filled, self._line = (int(total) for total in sizes.sum(axis=0))
        self.table, self.used, self.owners = rows, used, owners
        placing.file_bitmaps(self.slots, self.owners, 0)


def _grown(array: Array, filled: int, need: int) -> Array:
    """Return a larger array with the same beginning."""
    larger = np.zeros(max(2 * len(array), need), array.dtype)
    larger[:filled] = array[:filled]
    return larger


def _frame_of(keys: Array) -> Array:
    return ((keys >> np.uint64(32)) & np.uint64(0xFFFF)).astype(np.int64)


def _wishes(keys: Array) -> tuple[Array, Array, Array, Array]:
    """Return the values in keys of `placing.bitmap_key`: width and height in pixels, angle in 1/256 turn, style."""
    wide, high = (((keys >> np.uint64(shift)) & np.uint64(0x7FF)).astype(np.float64) / 2 for shift in (21, 10))
    angle = ((keys >> np.uint64(2)) & np.uint64(0xFF)).astype(np.int64)
    return wide, high, angle, (keys & np.uint64(3)).astype(np.int64)


def _draw(
    matrices: Array, frames: Array, wide: Array, high: Array, style: int, cuts: Cuts, texels: Array
) -> tuple[Array, Array]:
    """Draw images exactly, one below the other; returns the canvas and the boxes for `pack_bitmaps`."""
    n = len(matrices)
    first = np.cumsum(high) - high
    width, height = int(wide.max()), int(high.sum())
    canvas = np.zeros((height, width + 8), np.uint32)
    matrices[:, 5] += first.astype(np.float32)
    rows = np.stack([first, first + high], axis=1).astype(np.int32)
    records, listed = np.zeros((n, 4), np.int32), np.zeros((n, 4), np.int32)
    records[:, 3], listed[:, 0] = frames, -1 - np.arange(n)
    sprites.draw_sprites(
        canvas, 0, height, np.array([0, 0, width, height], np.int64),
        (height, np.array([0, n], np.int64), listed.reshape(-1)),
        (rows, records, matrices, np.full(n, 0xFFFFFFFF, np.uint32)),
        (cuts.rects, cuts.places, cuts.masks, texels, 0), (NONE.table, NONE.lines, NONE.pool),
        (np.uint32(0x00FFFFFF if style & 2 else 0xFFFFFFFF), 0, style & 1),
    )  # fmt: skip
    return canvas, np.stack([first, high, wide], axis=1)


def _changed(before: Cuts | None, now: Cuts) -> Array:
    """Return bool f: the frames whose rectangle, page or mask differs from before."""
    changed = np.ones(max(len(now.rects), 1), np.bool_)
    if before is not None:
        n = min(len(before.rects), len(now.rects))
        changed[:n] = (before.rects[:n] != now.rects[:n]).any(axis=1)
        changed[:n] |= (before.pages[:n] != now.pages[:n]) | (before.masks[:n] != now.masks[:n])
    return changed


NONE = Bitmaps()
"""Empty bitmaps, for batches that are drawn exactly."""
