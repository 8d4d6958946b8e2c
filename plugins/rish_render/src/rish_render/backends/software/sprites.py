"""Sprites: pictures moved by an affine map, rasterised row by row at exact sub-pixel positions.

For each sprite the map is inverted once; in each row the pixels whose centres lie inside form one span, found from the
two pairs of parallel edges. A span takes two passes, each of them vector code: texels are gathered into a scratch
row, then the row is blended. The target is worked through in bands of rows that fit the processor's cache.

A pixel belongs to a sprite when its centre does; left and top edges count, right and bottom ones do not, so that
neighbours that share an edge never overlap and never leave a gap. OpenGL has the same rule.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core.jit import njit

from .blend import REPLACE, blend_span, modulate

_u32 = np.uint32
_u64 = np.uint64
_i32 = np.int32
_i64 = np.int64
_f32 = np.float32
_HALF = np.float32(0.5)
_ZERO = np.float32(0)
_FLAT = np.float32(1e-9)
_FAR = np.float32(1e7)
_WHITE = np.uint32(0xFFFFFFFF)
_LANES = np.uint32(0x00FF00FF)
_HIGH = np.uint32(0xFF00FF00)
_BYTE = np.uint32(255)
_8 = np.uint32(8)
_16 = np.uint32(16)
_256 = np.uint32(256)
_SEVEN = np.uint64(7)
_NEAR = np.float32(1 / 512)
BAND_ROWS = 48
CHUNK = 4096


@njit
def mix(x: Any, y: Any, part: Any) -> Any:
    """x and y mixed channel by channel, part/256 of y; part: uint32, 0 to 256."""
    rest = _u32(_256 - part)
    low = _u32(_u32(_u32(x & _LANES) * rest) + _u32(_u32(y & _LANES) * part))
    high = _u32(_u32(_u32((x >> _8) & _LANES) * rest) + _u32(_u32((y >> _8) & _LANES) * part))
    return _u32(_u32(_u32(low >> _8) & _LANES) | _u32(high & _HIGH))


@njit
def _place_nearest(
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
def _place_linear(
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
def _finish(
    target: Any, spans: Any, count: Any, row: Any, row1: Any, row2: Any, row3: Any, weight: Any, size: Any,
    texels: Any, tint: Any, mask: Any, mode: Any, linear: Any,
) -> None:  # fmt: skip
    """Fetch the texels of several spans at once, filter and tint them, then blend each span onto its row."""
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
    start = _u64(0)
    for k in range(count):
        blend_span(target, spans[_u64(3 * k)], row, start, spans[_u64(3 * k + 2)], mode)
        start += spans[_u64(3 * k + 1)]


@njit
def _bounds(matrices: Any, y0: Any, y1: Any) -> Any:
    """First row and the row after the last of each sprite, int32 (n, 2), clipped to y0..y1."""
    rows = np.empty((matrices.shape[0], 2), np.int32)
    for i in range(matrices.shape[0]):
        extent = (abs(matrices[i, 1]) + abs(matrices[i, 3])) * _HALF
        low = max(min(matrices[i, 5] - extent - _HALF, _FAR), -_FAR)
        high = max(min(matrices[i, 5] + extent - _HALF, _FAR), -_FAR)
        rows[i, 0] = max(_i32(np.ceil(low)), y0)
        rows[i, 1] = min(_i32(np.ceil(high)), y1)
    return rows


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


@njit
def draw_sprites(
    target: Any, clip: Any, matrices: Any, frames: Any, tints: Any, masks: Any, rects: Any, places: Any,
    texels: Any, blank: Any, mode: Any, linear: Any,
) -> None:  # fmt: skip
    """Draw n sprites in order.

    target: uint32 (h, w), row 0 on top. clip: int64 (4) x0 y0 x1 y1 in pixels. matrices: float32 (n, 6) a b c d tx ty,
    from the unit square around 0 (y up) to pixels (y down). frames: int32 n, -1 for none. tints: uint32 n,
    premultiplied. masks: uint32 n, which bits of the pixels count: 0xFFFFFFFF, or 0x00FFFFFF to add light. rects:
    float32 (f, 4) u0 v0 u1 v1 of each frame. places: int64 (f, 2), first texel and stride of the frame's page.
    texels: uint32, all pages in one; texels[blank] is transparent. mode: of blending. linear: 1 to filter, 0 for the
    nearest texel.
    """
    x0, y0, x1, y1 = clip[0], clip[1], clip[2], clip[3]
    width = _u64(target.shape[1])
    flat = target.reshape(-1)
    empty = _u32(blank)
    rows = _bounds(matrices, y0, y1)
    length = CHUNK + max(x1 - x0, 1) + 8
    row, row1, row2 = np.empty(length, np.uint32), np.empty(length, np.uint32), np.empty(length, np.uint32)
    row3, weight = np.empty(length, np.uint32), np.empty(length, np.uint32)
    spans = np.empty(3 * (max(y1 - y0, 0) + 1), np.uint64)
    height = BAND_ROWS if matrices.shape[0] > 64 else max(y1 - y0, 1)
    for band in range(y0, y1, height):
        band_end = min(band + height, y1)
        for i in range(matrices.shape[0]):
            first = max(rows[i, 0], _i32(band))
            last = min(rows[i, 1], _i32(band_end))
            a, b, c, d = matrices[i, 0], matrices[i, 1], matrices[i, 2], matrices[i, 3]
            area = a * d - b * c
            frame = frames[i]
            if first >= last or abs(area) < _FLAT or frame < 0:
                continue
            tx, ty = matrices[i, 4], matrices[i, 5]
            one = _f32(1) / area
            gx, gy, hx, hy = d * one, -b * one, -c * one, a * one
            ix, rx = reach(gx, _HALF)
            iy, ry = reach(gy, _HALF)
            straight = b == _ZERO and c == _ZERO
            u0, v0, u1, v1 = rects[frame, 0], rects[frame, 1], rects[frame, 2], rects[frame, 3]
            wide, tall = u1 - u0, v1 - v0
            box = (
                _i32(min(u0, u1)), _i32(min(v0, v1)), _i32(max(u0, u1) - _f32(1)), _i32(max(v0, v1) - _f32(1))
            )  # fmt: skip
            smooth = linear != 0
            if smooth and straight and abs(abs(a) - abs(wide)) < _NEAR and abs(abs(d) - abs(tall)) < _NEAR:
                smooth = _between(tx - a * _HALF) or _between(ty + d * _HALF)
            base, stride = _i32(places[frame, 0]), _i32(places[frame, 1])
            count, size = _i64(0), _u64(0)
            for y in range(first, last):
                down = _f32(y) + _HALF - ty
                if straight:
                    begin, end = -abs(a) * _HALF, abs(a) * _HALF
                else:
                    begin, end = span(hx * down, ix, rx, _HALF)
                    begin2, end2 = span(hy * down, iy, ry, _HALF)
                    begin, end = max(begin, begin2), min(end, end2)
                begin = max(begin + tx - _HALF, _f32(x0) - _HALF)
                end = min(end + tx - _HALF, _f32(x1) - _HALF)
                left = _i32(np.ceil(begin))
                right = _i32(np.ceil(end))
                if left >= right:
                    continue
                across = _f32(left) + _HALF - tx
                u = u0 + (gx * across + hx * down + _HALF) * wide
                v = v0 + (_HALF - gy * across - hy * down) * tall
                real = _u64(right - left)
                more = (real + _SEVEN) & ~_SEVEN
                if smooth:
                    _place_linear(
                        row, row1, row2, row3, weight, size, more, base, stride, u, v, gx * wide, -gy * tall, box
                    )
                    for p in range(size + real, size + more):
                        row[p], row1[p], row2[p], row3[p] = empty, empty, empty, empty
                else:
                    _place_nearest(row, size, more, base, stride, u, v, gx * wide, -gy * tall, box)
                    for p in range(size + real, size + more):
                        row[p] = empty
                spans[_u64(3 * count)] = _u64(y) * width + _u64(left)
                spans[_u64(3 * count + 1)] = more
                spans[_u64(3 * count + 2)] = real if mode == REPLACE else more
                count += 1
                size += more
                if size >= _u64(CHUNK):
                    _finish(
                        flat,
                        spans,
                        count,
                        row,
                        row1,
                        row2,
                        row3,
                        weight,
                        size,
                        texels,
                        tints[i],
                        masks[i],
                        mode,
                        smooth,
                    )
                    count, size = _i64(0), _u64(0)
            if count:
                _finish(
                    flat, spans, count, row, row1, row2, row3, weight, size, texels, tints[i], masks[i], mode, smooth
                )
