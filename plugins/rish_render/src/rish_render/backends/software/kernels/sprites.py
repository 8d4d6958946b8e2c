"""Draws sprites: images transformed by an affine map, or copied from bitmaps that were made before.

`placing` chooses for each sprite one of two ways to draw it:

Exactly (see `exact`): transformed by an affine map, to a fraction of a pixel.

From a bitmap (see `bitmaps`): at a whole pixel, row by row in blocks of eight; opaque blocks are copied.

The target is processed in bands of rows that fit the processor's cache, each with the list of its sprites. The result
for a pixel depends neither on the bands nor on the thread that draws them.

A pixel belongs to a sprite if its center is inside; left and top edges count, right and bottom ones do not, so that
neighbors that share an edge never overlap and never leave a gap. OpenGL has the same rule.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit

from .affine_sprites import draw_exactly
from .blend import weights
from .blocks import blend1, blend8, copy8, over8
from .numbers import WHITE, i32, i64, u32, u64

_NONE, _ONE, _TWO, _THREE, _SEVEN, _EIGHT = (np.uint64(k) for k in (0, 1, 2, 3, 7, 8))
_BLOCK = np.uint64(3)
_LEFT, _SOLID, _RUN, _OFFSET = np.uint64(9), np.uint64(21), np.uint64(30), np.uint64(39)
_PART, _COLUMN = np.uint64(0x1FF), np.uint64(0xFFF)
EXACTLY = -1
"""The bitmap number of a sprite that has no bitmap and is drawn exactly."""


@njit
def _copy_bitmaps(flat: Any, width: Any, box: Any, entry: Any, stop: Any, listed: Any, cache: Any) -> Any:
    """Draw the rows `top` up to `bottom` of bitmaps with alpha blending, from one entry of a list on, up to `stop`.

    Returns the index of the first entry that this function does not handle: one that is drawn exactly, tinted, or cut
    off at the columns x0 and x1. Many entries are drawn in one call, because each call with arrays counts references,
    which costs more than a small bitmap.
    """
    x0, x1, top, bottom = box
    bitmaps, lines, pool = cache
    for k in range(entry, stop):
        at = u64(k) << _TWO
        number, x, y = listed[at], i64(listed[at + _ONE]), i64(listed[at + _TWO])
        if number < i32(0) or u32(listed[at + _THREE]) != WHITE:
            return k
        bitmap = u64(number)
        if x < x0 or x + bitmaps[bitmap, 2] > x1:
            return k
        first, last = max(y, top), min(y + bitmaps[bitmap, 3], bottom)
        line, blocks = u64(bitmaps[bitmap, 1]) + u64(first - y), u64(bitmaps[bitmap, 4])
        start, place = u64(bitmaps[bitmap, 0]), u64(first) * width + u64(x)
        if blocks == _ONE:
            source = start + (u64(first - y) << _BLOCK)
            for _ in range(first, last):
                over8(flat, place, pool, source)
                place += width
                source += _EIGHT
        elif blocks == _TWO:
            source = start + (u64(first - y) << _BLOCK << _ONE)
            for _ in range(first, last):
                over8(flat, place, pool, source)
                over8(flat, place + _EIGHT, pool, source + _EIGHT)
                place += width
                source += _EIGHT + _EIGHT
        else:
            for row in range(u64(max(last - first, 0))):
                packed = lines[line + row]
                source = start + (packed >> _OFFSET << _BLOCK)
                begin = place + ((packed >> _LEFT) & _COLUMN)
                middle = (packed >> _SOLID) & _PART
                end = middle + ((packed >> _RUN) & _PART)
                for p in range(_NONE, middle):
                    over8(flat, begin + (p << _BLOCK), pool, source + (p << _BLOCK))
                for p in range(middle, end):
                    copy8(flat, begin + (p << _BLOCK), pool, source + (p << _BLOCK))
                for p in range(end, packed & _PART):
                    over8(flat, begin + (p << _BLOCK), pool, source + (p << _BLOCK))
                place += width
    return stop


@njit
def _blend_bitmaps(flat: Any, width: Any, box: Any, entry: Any, stop: Any, listed: Any, cache: Any, mode: Any) -> Any:
    """Draw bitmaps in any blend mode, tinted, and cut off at the columns x0 and x1.

    Returns the index of the first entry that is drawn exactly, or that `_copy_bitmaps` handles.
    """
    x0, x1, top, bottom = box
    bitmaps, lines, pool = cache
    add, flip, take, turn, rest = weights(mode)
    for k in range(entry, stop):
        at = u64(k) << _TWO
        number, x, y = listed[at], i64(listed[at + _ONE]), i64(listed[at + _TWO])
        if number < i32(0):
            return k
        bitmap, tint = u64(number), u32(listed[at + _THREE])
        if mode == 0 and tint == WHITE and x >= x0 and x + bitmaps[bitmap, 2] <= x1:
            return k
        first, last = max(y, top), min(y + bitmaps[bitmap, 3], bottom)
        start, line = u64(bitmaps[bitmap, 0]), u64(bitmaps[bitmap, 1]) + u64(first - y)
        for row in range(u64(max(last - first, 0))):
            packed = lines[line + row]
            begin = x + i64((packed >> _LEFT) & _COLUMN)
            left, right = max(begin, x0), min(begin + i64((packed & _PART) << _BLOCK), x1)
            place = (u64(first) + row) * width + u64(left)
            source = start + (packed >> _OFFSET << _BLOCK) + u64(left - begin)
            size = u64(max(right - left, 0))
            whole = size & ~_SEVEN
            for p in range(_NONE, whole, _EIGHT):
                blend8(flat, place + p, pool, source + p, tint, add, flip, take, turn, rest)
            for p in range(whole, size):
                blend1(flat, place + p, pool, source + p, tint, add, flip, take, turn, rest)
    return stop


@njit
def draw_sprites(
    target: Any, y0: Any, y1: Any, clip: Any, bands: Any, sprites: Any, frames: Any, cache: Any, look: Any
) -> None:
    """Draw the rows y0 up to y1 of n sprites, in order.

    target: uint32 (h, w), row 0 on top. clip: int64 (4) x0 y0 x1 y1 in pixels. bands: height, starts and the lists, see
    `placing.list_bands`.

    sprites: rows: int32 (n, 2), first row of each and the one after its last, clipped; records: int32 (n, 4), with the
    frame of each in the last column, see `placing`; matrices: float32 (n, 6) a b c d tx ty, from the unit square around
    0 (y up) to pixels (y down), for those drawn exactly; tints: uint32 n, premultiplied.

    frames: rects: float32 (f, 4) u0 v0 u1 v1 of each frame; places: int64 (f, 2), first texel and stride of the frame's
    page; masks: uint32 f, the bits of the frame's pixels that count: 0xFFFFFFFF, or 0x00FFFFFF to add light; texels:
    uint32, the texels of all pages; texels[blank] is transparent.

    cache: the table, lines and pool of `Bitmaps`. look: keep: uint32, bits that count in this batch; the mode of
    blending; linear: 1 to filter, 0 for the nearest texel.
    """
    height, starts, listed = bands
    rects, places, masks, texels, blank = frames
    mode = look[1]
    x0, x1 = clip[0], clip[2]
    width = u64(target.shape[1])
    flat = target.reshape(-1)
    maximum = max(y1 - y0, 0)
    row, lefts, sizes = np.empty(8, np.uint32), np.empty(maximum, np.int32), np.empty(maximum, np.int32)
    us, vs = np.empty(maximum, np.float32), np.empty(maximum, np.float32)
    for band in range(y0 // height, min((y1 - 1) // height + 1, starts.shape[0] - 1)):
        top, bottom = max(y0, clip[1], band * height), min(y1, clip[3], (band + 1) * height)
        k, stop = starts[band], starts[band + 1]
        box = x0, x1, top, bottom
        while k < stop:
            if mode == 0:
                k = _copy_bitmaps(flat, width, box, k, stop, listed, cache)
            k = _blend_bitmaps(flat, width, box, k, stop, listed, cache, mode)
            if k < stop and listed[u64(k) << _TWO] < i32(0):
                k = draw_exactly(
                    flat, width, box, k, stop, listed, sprites, (rects, places, masks, texels, i32(blank)), look,
                    (row, lefts, sizes, us, vs),
                )  # fmt: skip
