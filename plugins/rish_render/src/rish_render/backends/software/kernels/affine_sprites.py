"""Draws sprites exactly: an image transformed by an affine map, to a fraction of a pixel.

The map is inverted once. In each row, the pixels whose centers are inside the sprite form one span, which is computed
from the two pairs of parallel edges, so that no pixel is tested. First the spans of all rows are computed; then each is
drawn in blocks of eight pixels, which are sampled and blended. An image at its own size needs no sampling: its rows are
blended unchanged.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit

from .blend import REPLACE, weights
from .blocks import blend1, blend8, over1, over8
from .numbers import HALF, ONE, WHITE, ZERO, f32, i32, u32, u64
from .samples import linear8, nearest8

_FLAT = np.float32(1e-9)
_FAR = np.float32(1e7)
_ENDLESS = np.float32(1e30)
_START, _TWO, _SEVEN, _EIGHT = (np.uint64(k) for k in (0, 2, 7, 8))
_NEAR = np.float32(1 / 512)


@njit
def reach(slope: Any, half: Any) -> Any:
    """Return 1/slope and half/|slope| for `span`, once for a sprite; a slope of 0 gives an infinite reach."""
    if abs(slope) < _FLAT:
        return ZERO, _FAR
    inverse = ONE / slope
    return inverse, abs(half * inverse)


@njit
def span(origin: Any, inverse: Any, far: Any, half: Any) -> Any:
    """Return (first, last) of the x with |origin + slope·x| < half, from `reach`'s result; first > last if none."""
    if inverse == ZERO and abs(origin) >= half:
        return _FAR, -_FAR
    middle = -origin * inverse
    return middle - far, middle + far


@njit
def _between(x: Any) -> Any:
    """Return True if a coordinate is so far from a whole number that a filter would change the result."""
    return abs(x - np.floor(x + HALF)) > _NEAR


@njit
def draw_exactly(
    flat: Any, width: Any, box: Any, entry: Any, stop: Any, listed: Any, sprites: Any, frames: Any, look: Any,
    scratch: Any,
) -> Any:  # fmt: skip
    """Draw some rows of sprites, from one entry of a list on, up to `stop`.

    Returns the index of the first entry that is not drawn exactly. Many entries are drawn in one call, because each
    call with arrays counts references, which takes time. box: the columns x0 and x1, the rows `top` and `bottom`.
    scratch: row: uint32 (8), lefts, sizes: int32, us, vs: float32, with one element per row. The other arguments are
    those of `sprites.draw_sprites`.
    """
    x0, x1, top, bottom = box
    rows, records, matrices, tints = sprites
    rects, places, masks, texels, blank = frames
    keep, mode, linear = look
    row, lefts, sizes, us, vs = scratch
    add, flip, take, turn, rest = weights(mode)
    for entry_at in range(entry, stop):
        number = listed[u64(entry_at) << _TWO]
        if number >= i32(0):
            return entry_at
        i = u64(i32(-1) - number)
        first, last = max(rows[i, 0], i32(top)), min(rows[i, 1], i32(bottom))
        # The affine map of the unit square, and its inverse (g, h).
        a, b, c, d, tx, ty = (
            matrices[i, 0], matrices[i, 1], matrices[i, 2], matrices[i, 3], matrices[i, 4], matrices[i, 5],
        )  # fmt: skip
        area = a * d - b * c
        if first >= last or not (abs(area) >= _FLAT and abs(area) <= _ENDLESS):
            continue
        frame = u64(records[i, 3])
        u0, v0, u1, v1 = rects[frame, 0], rects[frame, 1], rects[frame, 2], rects[frame, 3]
        base, stride = i32(places[frame, 0]), i32(places[frame, 1])
        tint = u32(tints[i] & masks[frame] & keep)
        one = ONE / area
        gx, gy, hx, hy = d * one, -b * one, -c * one, a * one
        ix, rx = reach(gx, HALF)
        iy, ry = reach(gy, HALF)
        # Texels per pixel along x and y.
        wide, tall = u1 - u0, v1 - v0
        ux, uy, vx, vy = gx * wide, hx * wide, -gy * tall, -hy * tall
        straight = b == ZERO and c == ZERO
        if straight:
            ux, vy = wide / a, -tall / d  # exactly 1 at the image's own size
            hx, ix, rx, hy, iy, ry = ZERO, ONE, abs(a) * HALF, ZERO, ONE, _ENDLESS
        # The span of each row: a pixel is inside if |gx·x + hx·y| < ½ and |gy·x + hy·y| < ½, relative to the center.
        u, v = u0 + HALF * wide, v0 + HALF * tall
        low, high = f32(x0) - HALF, f32(x1) - HALF
        for k in range(u64(last - first)):
            down = f32(i32(first) + i32(k)) + HALF - ty
            begin, end = span(hx * down, ix, rx, HALF)
            begin2, end2 = span(hy * down, iy, ry, HALF)
            begin, end = max(begin, begin2), min(end, end2)
            left = i32(np.ceil(min(max(begin + tx - HALF, low), high)))
            right = i32(np.ceil(min(max(end + tx - HALF, low), high)))
            across = f32(left) + HALF - tx
            lefts[k] = left
            sizes[k] = i32(right - left) if begin < end else i32(0)  # False for NaN, too
            us[k], vs[k] = u + ux * across + uy * down, v + vx * across + vy * down
        # An image at its own size on whole pixels needs no filter.
        smooth = linear != 0
        own_size = straight and abs(abs(a) - abs(wide)) < _NEAR and abs(abs(d) - abs(tall)) < _NEAR
        if smooth and own_size:
            smooth = _between(tx - a * HALF) or _between(ty + d * HALF)
        simple = mode == 0 and tint == WHITE
        as_it_lies = own_size and not smooth and a * wide > ZERO and simple
        near, upper, far, lower = min(u0, u1), min(v0, v1), max(u0, u1) - ONE, max(v0, v1) - ONE
        # Row by row: blend the texels unchanged if the image has its own size, otherwise sample eight pixels at a time.
        for k in range(u64(last - first)):
            size, u, v = sizes[k], us[k], vs[k]
            at = u64(first + i32(k)) * width + u64(lefts[k])
            if as_it_lies and u >= near and i32(u) + size <= i32(far) + 1:
                line = min(max(i32(v), i32(upper)), i32(lower))
                start = u64(base + i32(line * stride) + i32(u))
                whole = u64(size) & ~_SEVEN
                for p in range(_START, whole, _EIGHT):
                    over8(flat, at + p, texels, start + p)
                for p in range(whole, u64(size)):
                    over1(flat, at + p, texels, start + p)
                continue
            for p in range(i32(0), size, i32(8)):
                if smooth:
                    linear8(row, texels, p, size, u, v, ux, vx, near, upper, far, lower, base, stride, blank)
                else:
                    nearest8(row, texels, p, size, u, v, ux, vx, near, upper, far, lower, base, stride, blank)
                place = at + u64(p)
                if simple:
                    over8(flat, place, row, _START)
                elif mode < REPLACE or size - p >= i32(8):
                    blend8(flat, place, row, _START, tint, add, flip, take, turn, rest)
                else:
                    for n in range(u64(size - p)):
                        blend1(flat, place + n, row, n, tint, add, flip, take, turn, rest)
    return stop
