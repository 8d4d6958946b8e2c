"""Blending: combines one premultiplied source pixel, or a span of them, with the target.

A pixel is a `uint32`: red in the low byte, then green, blue and alpha, color channels premultiplied by alpha and
encoded as sRGB. `over` processes two channels at a time in the halves of one word, exactly rounded; it has no branch
for clear or opaque pixels. Spans are blended in blocks of eight pixels, see `blocks`, and the rest one by one. Offsets
are unsigned: an index that might be negative costs a test per pixel.

The modes, with s the source, d the target and a the source's alpha:

    alpha     s + d·(1-a)             add      s + d, alpha of the target kept
    multiply  s·d + d·(1-a)           screen   s + d·(1-s)           erase   d·(1-a)
    replace   s                       mask     d·a

The last two change a pixel even if the source is clear, so they work on whole pixels: those whose center is covered, or
half of whose area is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit

from .blocks import blend1, blend8, over1, over8
from .numbers import BITS8, BITS16, BITS24, BYTE, LANES, WHITE, u32

MODES = {"alpha": 0, "add": 0, "multiply": 1, "screen": 2, "erase": 3, "replace": 4, "mask": 5}
"""The number of each blend mode in the kernels. Adding is alpha blending of a source whose alpha is 0."""

REPLACE = 4
"""The first of the modes that work on whole pixels."""

_ALPHA, _MULTIPLY, _SCREEN, _ERASE, _MASK = 0, 1, 2, 3, 5
_ROUND = np.uint32(0x00800080)
_CARRY = np.uint32(0x01000100)
_NONE = np.uint32(0)
_SPREAD = np.uint32(0x01010101)
_HALF = np.uint32(128)
_ZERO = np.uint64(0)
_SEVEN = np.uint64(7)
_EIGHT = np.uint64(8)


@njit
def saturating_add(x: Any, y: Any) -> Any:
    """Return the sum of two pixels channel by channel, 255 at most."""
    low = u32(u32(x & LANES) + u32(y & LANES))
    high = u32(u32((x >> BITS8) & LANES) + u32((y >> BITS8) & LANES))
    carry = u32(low & _CARRY)
    low = u32((low | u32(carry - (carry >> BITS8))) & LANES)
    carry = u32(high & _CARRY)
    high = u32((high | u32(carry - (carry >> BITS8))) & LANES)
    return u32(low | u32(high << BITS8))


@njit
def scale(pixel: Any, factor: Any) -> Any:
    """Return all four channels times factor/255, rounded to the nearest; factor: uint32, 0 to 255."""
    # (v + (v >> 8)) >> 8 with v = x·factor + 128 is x·factor / 255, rounded; for two channels at a time.
    low = u32(u32(u32(pixel & LANES) * factor) + _ROUND)
    low = u32((u32(low + u32((low >> BITS8) & LANES)) >> BITS8) & LANES)
    high = u32(u32(u32((pixel >> BITS8) & LANES) * factor) + _ROUND)
    high = u32(u32(high + u32((high >> BITS8) & LANES)) & u32(0xFF00FF00))
    return u32(low | high)


@njit
def over(d: Any, s: Any) -> Any:
    """Return the premultiplied pixel s over d. A source whose alpha is 0 adds its color, which is the mode `add`."""
    return saturating_add(s, scale(d, u32(BYTE - u32(s >> BITS24))))


@njit
def _product(x: Any, y: Any) -> Any:
    wide = u32(u32(x * y) + _HALF)
    return u32(u32(wide + u32(wide >> BITS8)) >> BITS8)


@njit
def modulate(x: Any, y: Any) -> Any:
    """Return two pixels multiplied channel by channel, x·y/255."""
    red = _product(u32(x & BYTE), u32(y & BYTE))
    green = _product(u32((x >> BITS8) & BYTE), u32((y >> BITS8) & BYTE))
    blue = _product(u32((x >> BITS16) & BYTE), u32((y >> BITS16) & BYTE))
    alpha = _product(u32(x >> BITS24), u32(y >> BITS24))
    return u32(red | u32(green << BITS8) | u32(blue << BITS16) | u32(alpha << BITS24))


@njit
def weights(mode: Any) -> Any:
    """Return the five masks (add, flip, take, turn, rest) with which `combine` implements a mode."""
    if mode == _ALPHA:
        return WHITE, _NONE, _NONE, _NONE, WHITE
    if mode == _MULTIPLY:
        return _NONE, _NONE, WHITE, _NONE, WHITE
    if mode == _SCREEN:
        return WHITE, WHITE, WHITE, _NONE, _NONE
    if mode == _ERASE:
        return _NONE, _NONE, _NONE, _NONE, WHITE
    if mode == _MASK:
        return _NONE, _NONE, _NONE, WHITE, WHITE
    return WHITE, _NONE, _NONE, _NONE, _NONE


@njit
def combine(d: Any, s: Any, add: Any, flip: Any, take: Any, turn: Any, rest: Any) -> Any:
    """Return source s blended onto target d with the masks of `weights`: (s if add) + d·factor.

    The factor is 1 - a for alpha and to erase, s + 1 - a to multiply, 1 - s to screen, a to mask, 0 to replace.
    """
    clear = u32(u32(BYTE - u32(s >> BITS24)) * _SPREAD)
    factor = saturating_add(u32(u32(s ^ flip) & take), u32(u32(clear ^ turn) & rest))
    return saturating_add(u32(s & add), modulate(d, factor))


@njit
def blend_tinted(
    target: Any, at: Any, source: Any, start: Any, size: Any, tint: Any,
    add: Any, flip: Any, take: Any, turn: Any, rest: Any,
) -> None:  # fmt: skip
    """Blend a span as `blend_span` does, after multiplying it by a tint, with the masks of `weights`."""
    whole = size & ~_SEVEN
    for p in range(_ZERO, whole, _EIGHT):
        blend8(target, at + p, source, start + p, tint, add, flip, take, turn, rest)
    for p in range(whole, size):
        blend1(target, at + p, source, start + p, tint, add, flip, take, turn, rest)


@njit
def blend_span(target: Any, at: Any, source: Any, start: Any, size: Any, mode: Any) -> None:
    """Blend `size` pixels of the flat row `source` from `start` on onto the flat target from `at` on.

    Offsets and size are uint64. Passing complete arrays with offsets, rather than slices, avoids counting references,
    which costs more than a short span.
    """
    whole = size & ~_SEVEN
    if mode == _ALPHA:
        for p in range(_ZERO, whole, _EIGHT):
            over8(target, at + p, source, start + p)
        for p in range(whole, size):
            over1(target, at + p, source, start + p)
    else:
        add, flip, take, turn, rest = weights(mode)
        blend_tinted(target, at, source, start, size, WHITE, add, flip, take, turn, rest)


@njit
def blend_pixel(d: Any, s: Any, mode: Any) -> Any:
    """Return one source pixel s blended onto one target pixel d."""
    if mode == _ALPHA:
        return over(d, s)
    add, flip, take, turn, rest = weights(mode)
    return combine(d, s, add, flip, take, turn, rest)


@njit
def fill_span(target: Any, at: Any, size: Any, color: Any, mode: Any) -> None:
    """Blend one color onto `size` pixels of the flat target from `at` on; offset and size are uint64."""
    if mode == _ALPHA and u32(color >> BITS24) == BYTE:
        for p in range(size):
            target[at + p] = color
    elif mode == _ALPHA:
        for p in range(size):
            target[at + p] = over(target[at + p], color)
    else:
        for p in range(size):
            target[at + p] = blend_pixel(target[at + p], color, mode)


@njit
def unchanged(d: Any, mode: Any) -> Any:
    """Return the source pixel that leaves the target pixel d unchanged, in the modes that work on whole pixels."""
    return WHITE if mode == _MASK else u32(d)


def pack_colors(rgba: Any, additive: bool = False) -> Any:
    """Convert straight uint8 (n, 4) colors to premultiplied pixels, uint32 (n,); additive: with alpha 0."""
    colors = rgba.astype(np.uint32)
    alpha = colors[:, 3]
    wide = colors[:, :3] * alpha[:, None] + _HALF
    colors[:, :3] = (wide + (wide >> BITS8)) >> BITS8
    packed = colors[:, 0] | (colors[:, 1] << BITS8) | (colors[:, 2] << BITS16)
    return packed if additive else packed | (alpha << BITS24)


def blend_arrays(d: Any, s: Any, mode: int) -> Any:
    """Return n source pixels blended onto n target pixels, uint32 (n,), without a kernel; equal to `blend_pixel`."""
    add, flip, take, turn, rest = (np.full(1, mask, np.uint32).view(np.uint8) for mask in weights.py_func(mode))
    below, above = (np.ascontiguousarray(pixels).view(np.uint8).reshape(-1, 4).astype(np.uint16) for pixels in (d, s))
    clear = 255 - above[:, 3:]
    factor = np.minimum(((above ^ flip) & take) + ((clear ^ turn) & rest), 255)
    wide = below * factor + 128
    blended = np.minimum((above & add) + ((wide + (wide >> 8)) >> 8), 255)
    return blended.astype(np.uint8).reshape(-1).view(np.uint32)
