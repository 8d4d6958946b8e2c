"""Sprites: pictures moved by an affine map, or copied from bitmaps that were made before.

A sprite is drawn in one of two ways, which `placing` chose for it.

Exactly: the map is inverted once; in each row the pixels whose centres lie inside form one span, found from the two
pairs of parallel edges. A span takes two passes, each of them vector code: texels are gathered into a scratch row,
then the row is blended. A picture at its own size needs no gathering: its rows are blended as they lie.

From a bitmap (see `bitmaps`): at a whole pixel, row by row in blocks of eight, opaque ones copied.

The target is worked through in bands of rows that fit the processor's cache, each with the list of its sprites. What
a pixel becomes depends neither on the bands nor on who draws them.

A pixel belongs to a sprite when its centre does; left and top edges count, right and bottom ones do not, so that
neighbours that share an edge never overlap and never leave a gap. OpenGL has the same rule.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core.jit import njit

from .blend import REPLACE, blend_span, blend_tinted, modulate, weights
from .blocks import copy8, over8

_u32 = np.uint32
_u64 = np.uint64
_i32 = np.int32
_i64 = np.int64
_f32 = np.float32
_HALF = np.float32(0.5)
_ZERO = np.float32(0)
_FLAT = np.float32(1e-9)
_FAR = np.float32(1e7)
_ENDLESS = np.float32(1e30)
_WHITE = np.uint32(0xFFFFFFFF)
_LANES = np.uint32(0x00FF00FF)
_HIGH = np.uint32(0xFF00FF00)
_BYTE = np.uint32(255)
_8 = np.uint32(8)
_16 = np.uint32(16)
_256 = np.uint32(256)
_NONE = np.uint64(0)
_SEVEN = np.uint64(7)
_PART = np.uint64(0x1FF)
_NEAR = np.float32(1 / 512)
CHUNK = 4096
EXACTLY = -1
"""The number of a bitmap that stands for none: the sprite is drawn exactly."""


@njit
def mix(x: Any, y: Any, part: Any) -> Any:
    """x and y mixed channel by channel, part/256 of y; part: uint32, 0 to 256."""
    rest = _u32(_256 - part)
    low = _u32(_u32(_u32(x & _LANES) * rest) + _u32(_u32(y & _LANES) * part))
    high = _u32(_u32(_u32((x >> _8) & _LANES) * rest) + _u32(_u32((y >> _8) & _LANES) * part))
    return _u32(_u32(_u32(low >> _8) & _LANES) | _u32(high & _HIGH))


@njit
def place_nearest(
    at: Any, start: Any, size: Any, base: Any, stride: Any, u: Any, v: Any, du: Any, dv: Any, box: Any
) -> None:
    """Write where the texels nearest to (u, v), (u+du, v+dv), ... lie; box: least and greatest column and line."""
    left, top, right, bottom = box
    for p in range(size):
        step = _f32(_i32(p))
        column = min(max(_i32(u + step * du), left), right)
        line = min(max(_i32(v + step * dv), top), bottom)
        at[start + p] = _u32(_i32(base + _i32(line * stride)) + column)


@njit
def place_linear(
    at: Any, at1: Any, at2: Any, at3: Any, weight: Any, start: Any, size: Any, base: Any, stride: Any, u: Any, v: Any,
    du: Any, dv: Any, box: Any,
) -> None:  # fmt: skip
    """Write where the four texels around each sample lie, and how much of the right and lower ones to take."""
    left, top, right, bottom = box
    for p in range(size):
        step = _f32(_i32(p))
        column = _i32(_i32((u + step * du + _HALF) * _f32(256)) - _i32(256))
        line = _i32(_i32((v + step * dv + _HALF) * _f32(256)) - _i32(256))
        weight[start + p] = _u32(_u32(column & _i32(255)) | _u32(_u32(line & _i32(255)) << _16))
        column = _i32(column >> _i32(8))
        line = _i32(line >> _i32(8))
        c0 = min(max(column, left), right)
        c1 = min(max(_i32(column + _i32(1)), left), right)
        upper = _i32(base + _i32(min(max(line, top), bottom) * stride))
        lower = _i32(base + _i32(min(max(_i32(line + _i32(1)), top), bottom) * stride))
        at[start + p] = _u32(upper + c0)
        at1[start + p] = _u32(upper + c1)
        at2[start + p] = _u32(lower + c0)
        at3[start + p] = _u32(lower + c1)


@njit
def _fetch(texels: Any, at: Any, size: Any) -> None:
    for p in range(size):
        at[p] = texels[_u64(at[p])]


@njit
def finish(
    target: Any, spans: Any, count: Any, row: Any, row1: Any, row2: Any, row3: Any, weight: Any, size: Any,
    texels: Any, tint: Any, mask: Any, mode: Any, linear: Any,
) -> None:  # fmt: skip
    """Fetch the texels of several spans at once, filter and tint them, then blend each span onto its row.

    spans: uint64 (3·count): where in the target, how many pixels in the scratch rows, how many of them to blend.
    """
    _fetch(texels, row, size)
    if linear:
        _fetch(texels, row1, size)
        _fetch(texels, row2, size)
        _fetch(texels, row3, size)
        for p in range(size):
            across = _u32(weight[p] & _BYTE)
            above = mix(row[p], row1[p], across)
            below = mix(row2[p], row3[p], across)
            row[p] = mix(above, below, _u32(weight[p] >> _16))
    if tint != _WHITE:
        for p in range(size):
            row[p] = modulate(row[p], tint)
    if mask != _WHITE:
        for p in range(size):
            row[p] = _u32(row[p] & mask)
    start = _NONE
    for k in range(count):
        blend_span(target, spans[_u64(3 * k)], row, start, spans[_u64(3 * k + 2)], mode)
        start += spans[_u64(3 * k + 1)]


@njit
def reach(slope: Any, half: Any) -> Any:
    """1/slope and half/|slope| for `span`, once a sprite; a slope of 0 gives an infinite reach."""
    if abs(slope) < _FLAT:
        return _ZERO, _FAR
    inverse = _f32(1) / slope
    return inverse, abs(half * inverse)


@njit
def span(origin: Any, inverse: Any, far: Any, half: Any) -> Any:
    """Where |origin + slope·x| < half, from what `reach` gave: (first, last); first > last where nowhere."""
    if inverse == _ZERO and abs(origin) >= half:
        return _FAR, -_FAR
    middle = -origin * inverse
    return middle - far, middle + far


@njit
def _between(x: Any) -> Any:
    """Whether a coordinate lies so far from a whole number that a filter would show it."""
    return abs(x - np.floor(x + _HALF)) > _NEAR


@njit(inline="always")
def _draw_exactly(
    flat: Any, width: Any, x0: Any, x1: Any, first: Any, last: Any, matrix: Any, rect: Any, base: Any, stride: Any,
    texels: Any, empty: Any, tint: Any, mask: Any, mode: Any, linear: Any, row: Any, row1: Any, row2: Any, row3: Any,
    weight: Any, spans: Any,
) -> None:  # fmt: skip
    """The rows `first` up to `last` of one sprite; matrix and rect: tuples, see `draw_sprites`."""
    a, b, c, d, tx, ty = matrix
    u0, v0, u1, v1 = rect
    area = a * d - b * c
    if not (abs(area) >= _FLAT and abs(area) <= _ENDLESS):
        return
    one = _f32(1) / area
    gx, gy, hx, hy = d * one, -b * one, -c * one, a * one
    ix, rx = reach(gx, _HALF)
    iy, ry = reach(gy, _HALF)
    straight = b == _ZERO and c == _ZERO
    wide, tall = u1 - u0, v1 - v0
    box = _i32(min(u0, u1)), _i32(min(v0, v1)), _i32(max(u0, u1) - _f32(1)), _i32(max(v0, v1) - _f32(1))
    ux, uy, vx, vy = gx * wide, hx * wide, -gy * tall, -hy * tall
    if straight:
        ux, vy = wide / a, -tall / d  # exactly 1 at a picture's own size
    middle_u, middle_v = u0 + _HALF * wide, v0 + _HALF * tall
    smooth = linear != 0
    own_size = straight and abs(abs(a) - abs(wide)) < _NEAR and abs(abs(d) - abs(tall)) < _NEAR
    if smooth and own_size:
        smooth = _between(tx - a * _HALF) or _between(ty + d * _HALF)
    plain = own_size and not smooth and a * wide > _ZERO and tint == _WHITE and mask == _WHITE
    count, size = _i64(0), _NONE
    for y in range(first, last + 1):
        if count and (y == last or size >= _u64(CHUNK)):
            finish(flat, spans, count, row, row1, row2, row3, weight, size, texels, tint, mask, mode, smooth)
            count, size = _i64(0), _NONE
        if y == last:
            break
        down = _f32(y) + _HALF - ty
        if straight:
            begin, end = -abs(a) * _HALF, abs(a) * _HALF
        else:
            begin, end = span(hx * down, ix, rx, _HALF)
            begin2, end2 = span(hy * down, iy, ry, _HALF)
            begin, end = max(begin, begin2), min(end, end2)
        if not begin < end:  # of NaNs, too
            continue
        low, high = _f32(x0) - _HALF, _f32(x1) - _HALF
        left = _i32(np.ceil(min(max(begin + tx - _HALF, low), high)))
        right = _i32(np.ceil(min(max(end + tx - _HALF, low), high)))
        if left >= right:
            continue
        across = _f32(left) + _HALF - tx
        u = middle_u + ux * across + uy * down
        v = middle_v + vx * across + vy * down
        real = _u64(right - left)
        at = _u64(y) * width + _u64(left)
        if plain and _i32(u) >= box[0] and _i32(u) + right - left <= box[2] + 1:
            line = min(max(_i32(v), box[1]), box[3])
            blend_span(flat, at, texels, _u64(base + _i32(line * stride) + _i32(u)), real, mode)
            continue
        more = (real + _SEVEN) & ~_SEVEN
        if smooth:
            place_linear(row, row1, row2, row3, weight, size, more, base, stride, u, v, ux, vx, box)
            for p in range(size + real, size + more):
                row[p], row1[p], row2[p], row3[p] = empty, empty, empty, empty
        else:
            place_nearest(row, size, more, base, stride, u, v, ux, vx, box)
            for p in range(size + real, size + more):
                row[p] = empty
        spans[_u64(3 * count)] = at
        spans[_u64(3 * count + 1)] = more
        spans[_u64(3 * count + 2)] = real if mode >= REPLACE else more
        count += 1
        size += more


@njit(inline="always")
def _copy_bitmap(
    flat: Any, width: Any, at: Any, count: Any, start: Any, line: Any, lines: Any, pool: Any
) -> None:  # fmt: skip
    """Draw `count` rows of a bitmap by alpha; `at`: where its left edge lies in the first of them. The usual case."""
    for k in range(count):
        packed = lines[line + _u64(k)]
        source = start + _u64(packed >> _u64(39) << _u64(3))
        place = at + ((packed >> _u64(9)) & _u64(0xFFF))
        blocks, middle = packed & _PART, (packed >> _u64(21)) & _PART
        stop = middle + ((packed >> _u64(30)) & _PART)
        for p in range(_NONE, middle):
            over8(flat, place + (p << _u64(3)), pool, source + (p << _u64(3)))
        for p in range(middle, stop):
            copy8(flat, place + (p << _u64(3)), pool, source + (p << _u64(3)))
        for p in range(stop, blocks):
            over8(flat, place + (p << _u64(3)), pool, source + (p << _u64(3)))
        at += width


@njit
def _blend_bitmap(
    flat: Any, width: Any, x0: Any, x1: Any, x: Any, y: Any, count: Any, start: Any, line: Any, lines: Any, pool: Any,
    tint: Any, mode: Any,
) -> None:  # fmt: skip
    """The same in any mode, tinted, and cut off at the columns x0 and x1; its left edge is at (x, y)."""
    add, flip, take, turn, rest = weights(mode)
    for k in range(count):
        packed = lines[line + _u64(k)]
        source = start + _u64(packed >> _u64(39) << _u64(3))
        begin = x + _i64((packed >> _u64(9)) & _u64(0xFFF))
        left, right = max(begin, x0), min(begin + _i64((packed & _PART) << _u64(3)), x1)
        if left < right:
            at = _u64(y + k) * width + _u64(left)
            source += _u64(left - begin)
            blend_tinted(flat, at, pool, source, _u64(right - left), tint, add, flip, take, turn, rest)


@njit
def draw_sprites(
    target: Any, y0: Any, y1: Any, clip: Any, height: Any, starts: Any, listed: Any, rows: Any, records: Any,
    matrices: Any, tints: Any, rects: Any, places: Any, masks: Any, texels: Any, blank: Any, bitmaps: Any, lines: Any,
    pool: Any, keep: Any, mode: Any, linear: Any,
) -> None:  # fmt: skip
    """Draw the rows y0 up to y1 of n sprites, in order.

    target: uint32 (h, w), row 0 on top. clip: int64 (4) x0 y0 x1 y1 in pixels. height, starts, listed: the bands, see
    `placing.list_bands`. rows: int32 (n, 2), first row of each and the one after its last, clipped. records: int32
    (n, 4): the bitmap or EXACTLY, x and y of its top left corner, the frame. matrices: float32 (n, 6) a b c d tx ty,
    from the unit square around 0 (y up) to pixels (y down), of those drawn exactly. tints: uint32 n, premultiplied.
    rects: float32 (f, 4) u0 v0 u1 v1 of each frame. places: int64 (f, 2), first texel and stride of the frame's page.
    masks: uint32 f, which bits of the frame's pixels count: 0xFFFFFFFF, or 0x00FFFFFF to add light. texels: uint32,
    all pages in one; texels[blank] is transparent. bitmaps, lines, pool: see `bitmaps`. keep: uint32, bits that count
    in this batch. mode: of blending. linear: 1 to filter, 0 for the nearest texel.
    """
    x0, x1 = clip[0], clip[2]
    width = _u64(target.shape[1])
    flat = target.reshape(-1)
    empty = _u32(blank)
    length = CHUNK + max(x1 - x0, 1) + 8
    row, row1, row2 = np.empty(length, np.uint32), np.empty(length, np.uint32), np.empty(length, np.uint32)
    row3, weight = np.empty(length, np.uint32), np.empty(length, np.uint32)
    spans = np.empty(3 * (max(y1 - y0, 0) + 1), np.uint64)
    for band in range(y0 // height, min((y1 - 1) // height + 1, starts.shape[0] - 1)):
        top, bottom = _i32(max(y0, band * height)), _i32(min(y1, (band + 1) * height))
        for k in range(starts[band], starts[band + 1]):
            i = _u64(listed[_u64(k)])
            first, last = max(rows[i, 0], top), min(rows[i, 1], bottom)
            if first >= last:
                continue
            if records[i, 0] >= 0:
                bitmap, x, y = _u64(records[i, 0]), _i64(records[i, 1]), _i64(records[i, 2])
                start, line = _u64(bitmaps[bitmap, 0]), _u64(bitmaps[bitmap, 1]) + _u64(_i64(first) - y)
                count = _i64(last - first)
                if mode == 0 and tints[i] == _WHITE and x >= x0 and x + bitmaps[bitmap, 2] <= x1:
                    _copy_bitmap(flat, width, _u64(first) * width + _u64(x), count, start, line, lines, pool)
                else:
                    _blend_bitmap(
                        flat, width, x0, x1, x, _i64(first), count, start, line, lines, pool, tints[i], mode
                    )  # fmt: skip
                continue
            frame = _u64(records[i, 3])
            matrix = matrices[i, 0], matrices[i, 1], matrices[i, 2], matrices[i, 3], matrices[i, 4], matrices[i, 5]
            rect = rects[frame, 0], rects[frame, 1], rects[frame, 2], rects[frame, 3]
            _draw_exactly(
                flat, width, x0, x1, first, last, matrix, rect, _i32(places[frame, 0]), _i32(places[frame, 1]), texels,
                empty, tints[i], _u32(masks[frame] & keep), mode, linear, row, row1, row2, row3, weight, spans,
            )  # fmt: skip
