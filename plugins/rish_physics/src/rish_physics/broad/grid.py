"""An unbounded grid: shapes sorted by the cell that contains the center of their box.

Cells are squares, as wide as a typical shape, so all shapes that overlap a box of that size are in a few cells around
it. The plane is unbounded, but the memory is not: the rows of cells are stored in a ring buffer of 2n to 4n places, for
n shapes. Cell (x, y) is stored at place `(x + y * step) & mask`. Neighbors in a row are neighbors in the ring, so one
row of a query is one run of places, and the shapes of a run are contiguous. `step` is the golden section of the ring.
If the world is roughly a rectangle that fits into the ring, the places of its rows do not overlap, and the grid is as
good as a dense one (the three-distance theorem: multiples of the golden section leave gaps of nearly equal length). In
other worlds (one tower, one road, one body a million units away) rows share places; this costs a few additional tests,
and no memory.

The sort is a counting sort: count the shapes of each place, compute the prefix sums, and write each shape's slot and
box at its position. The shapes are processed in order of slots, so the order within a place depends only on the boxes.

A few shapes much larger than the others would make cells useless. They are kept in a list, `big`, which every query
tests.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_ecs.declarations import median
from rish_jit import Array, njit
from rish_jit.simd import LANES

from ..components.tables import SHAPE_USED

BIG_RATIO = 4.0
"""A shape is big if it is larger than this multiple of the median size."""
_CELL_RATIO = 2.0
"""The width of a cell, as a multiple of the median half width."""
_MEASURE_INTERVAL = 64
"""The number of sorts after which the median size of shapes is measured again."""
_MAX_CELL = np.float64(2.0**30)
_HALF = np.float64(0.5)
_TAG_MASK = 0xFFFFFF


@njit(borrows=True, inline="always")
def cell_of(value: Any, inverse: Any) -> Any:
    """Return the row or column (int64) of a coordinate (float64); clamped to the outermost one if it is too large or
    NaN.
    """
    cell = np.floor(value * inverse)
    if cell > _MAX_CELL:
        cell = _MAX_CELL
    elif not cell >= -_MAX_CELL:
        cell = -_MAX_CELL
    return np.int64(cell)


@njit(borrows=True, inline="always")
def tag_of(row: Any) -> Any:
    """Return a number for a row of cells that float32 represents exactly. Rows that differ by a multiple of 2**24 have
    the same number.
    """
    return row & _TAG_MASK


@njit(borrows=True)
def sort_shapes(
    movers: Array, flags: Array, fat: Array, inverse: Any, limit: Any, step: Any, places: Array, starts: Array,
    slots: Array, boxes: Array, big: Array, counts: Array,
) -> Any:  # fmt: skip
    """Sort shapes by place; return the greatest half width among the sorted ones, float64.

    movers: int32, their slots, ascending. flags: int32 by slot; shapes no longer in use are left out. fat: float32, 4
    per slot. inverse: 1 / width of a cell. limit: half width above which a shape is big. step: see the module. places:
    int32, two per mover, working memory. starts: int32, one per place and two more: place t holds the entries from
    starts[t + 1] up to starts[t + 2]. slots: int32, boxes: float32, the sorted shapes: x0 of all, then y0, x1, y1 and
    the tags of their rows (`tag_of`), each a fifth of `boxes`. big: int32. counts: int64, 3: receives the number of
    sorted, of big and of left out shapes.
    """
    mask, room, n = len(starts) - 3, len(boxes) // 5, len(movers)
    for t in range(len(starts)):
        starts[t] = 0
    reach = np.float64(0)
    bigs = unused = 0
    # Counting sort, pass 1: compute each shape's place and count the shapes of each place.
    for k in range(len(movers)):
        places[k] = -1
        if not flags[movers[k]] & SHAPE_USED:
            unused += 1
            continue
        o = 4 * movers[k]
        x0, y0, x1, y1 = np.float64(fat[o]), np.float64(fat[o + 1]), np.float64(fat[o + 2]), np.float64(fat[o + 3])
        half = max(x1 - x0, y1 - y0) * _HALF
        if not half <= limit:
            big[bigs] = movers[k]
            bigs += 1
            continue
        reach = max(reach, half)
        row = cell_of((y0 + y1) * _HALF, inverse)
        place = (cell_of((x0 + x1) * _HALF, inverse) + step * row) & mask
        places[k], places[n + k] = place, tag_of(row)
        starts[place + 1] += 1
    # Pass 2: prefix sums, so that starts[t + 1] is the end of place t.
    total = 0
    for t in range(1, len(starts)):
        total += starts[t]
        starts[t] = total
    # Pass 3: write the entries from the end, which moves each start back to its final value.
    for k in range(len(movers) - 1, -1, -1):
        place = places[k]
        if place >= 0:
            at = starts[place + 1] - 1
            starts[place + 1] = at
            slots[at] = movers[k]
            for c in range(4):
                boxes[c * room + at] = fat[4 * movers[k] + c]
            boxes[4 * room + at] = places[n + k]
    counts[0] = total
    counts[1] = bigs
    counts[2] = unused
    return reach


class Grid:
    """The sorted shapes, see the module.

    starts, slots, boxes, big: as `sort_shapes` writes them; only the first `count` entries and the first `bigs` of
    `big` are valid. inverse: 1 / width of a cell. reach: the greatest half width among the sorted shapes. step: the
    offset of one row of cells in the ring.
    """

    def __init__(self) -> None:
        self.starts: Array = np.zeros(66, np.int32)
        self.slots: Array = np.zeros(0, np.int32)
        self.boxes: Array = np.zeros(0, np.float32)
        self.big: Array = np.zeros(0, np.int32)
        self._places: Array = np.zeros(0, np.int32)
        self._counts: Array = np.zeros(3, np.int64)
        self.count = self.bigs = self._until = 0
        self.inverse = self.limit = np.float64(1)
        self.reach = np.float64(0)
        self.step = 1

    def sort(self, movers: Array, flags: Array, fat: Array) -> int:
        """Sort the shapes of these slots (int32, ascending) by their boxes (float32, 4 per slot).

        flags: int32 by slot. Returns the number of slots that were left out because they are no longer in use.
        """
        n = len(movers)
        if len(self.slots) < n:
            room = max(64, n + n // 2)
            self.slots, self.boxes = np.zeros(room, np.int32), np.zeros(5 * (room + LANES), np.float32)
            self.big, self._places = np.zeros(room, np.int32), np.zeros(2 * room, np.int32)
            self._until = 0
        ring = max(64, 1 << (2 * n - 1).bit_length()) if n else 64
        if len(self.starts) != ring + 2:
            self.starts = np.zeros(ring + 2, np.int32)
            self.step = int(0.6180339887498949 * ring) | 1
        if self._until <= 0:
            self._measure(movers, fat)
        self._until -= 1
        reach = sort_shapes(
            movers, flags, fat, self.inverse, self.limit, self.step, self._places, self.starts, self.slots, self.boxes,
            self.big, self._counts,
        )  # fmt: skip
        self.reach = np.float64(reach) * np.float64(1.000001)
        self.count, self.bigs, unused = self._counts.tolist()
        return unused

    def _measure(self, movers: Array, fat: Array) -> None:
        """Choose the cell width from the median shape size, and the size above which a shape counts as big."""
        boxes = fat.reshape(-1, 4)[movers].astype(np.float64)
        half = np.maximum(boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]) / 2
        half = half[np.isfinite(half) & (half > 0)]
        usual = median(half) if len(half) else np.float64(1)
        self.limit = np.float64(BIG_RATIO * usual)
        self.inverse = np.float64(1 / (_CELL_RATIO * usual))
        self._until = _MEASURE_INTERVAL
