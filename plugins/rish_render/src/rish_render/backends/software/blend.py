"""Blending: how one premultiplied pixel meets another, and whole spans of them.

A pixel is a `uint32`: red in the low byte, then green, blue and alpha, colour channels premultiplied by alpha and
encoded as sRGB. `over` works on two channels at once in the halves of one word, exactly rounded; it has no
branch for clear or opaque pixels, so that LLVM can turn the loops below into vector code. The loops run over slices
that start at 0: an index that might be negative costs a test per pixel and the vector code with it.

The five modes, with s the source, d the target and a the source's alpha:

    alpha     s + d·(1-a)             add      s + d, alpha of the target kept
    multiply  s·d + d·(1-a)           screen   s + d·(1-s)           replace   s
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._shim import njit

MODES = {"alpha": 0, "add": 1, "multiply": 2, "screen": 3, "replace": 4}
"""The number by which the kernels know each blend mode."""

_u32 = np.uint32
_ALPHA, _ADD, _MULTIPLY, _SCREEN = 0, 1, 2, 3
_LANES = np.uint32(0x00FF00FF)
_ROUND = np.uint32(0x00800080)
_CARRY = np.uint32(0x01000100)
_COLOURS = np.uint32(0x00FFFFFF)
_BYTE = np.uint32(255)
_HALF = np.uint32(128)
_8 = np.uint32(8)
_16 = np.uint32(16)
_24 = np.uint32(24)


@njit
def saturating_add(x: Any, y: Any) -> Any:
    """The sum of two pixels channel by channel, 255 at most."""
    low = _u32(_u32(x & _LANES) + _u32(y & _LANES))
    high = _u32(_u32((x >> _8) & _LANES) + _u32((y >> _8) & _LANES))
    carry = _u32(low & _CARRY)
    low = _u32((low | _u32(carry - (carry >> _8))) & _LANES)
    carry = _u32(high & _CARRY)
    high = _u32((high | _u32(carry - (carry >> _8))) & _LANES)
    return _u32(low | _u32(high << _8))


@njit
def scale(pixel: Any, factor: Any) -> Any:
    """All four channels times factor/255, rounded to the nearest; factor: uint32, 0 to 255."""
    low = _u32(_u32(_u32(pixel & _LANES) * factor) + _ROUND)
    low = _u32((_u32(low + _u32((low >> _8) & _LANES)) >> _8) & _LANES)
    high = _u32(_u32(_u32((pixel >> _8) & _LANES) * factor) + _ROUND)
    high = _u32(_u32(high + _u32((high >> _8) & _LANES)) & _u32(0xFF00FF00))
    return _u32(low | high)


@njit
def over(d: Any, s: Any) -> Any:
    """The premultiplied pixel s over d. A source whose alpha is 0 adds its colour: additive light is this, too."""
    return saturating_add(s, scale(d, _u32(_BYTE - _u32(s >> _24))))


@njit
def _product(x: Any, y: Any) -> Any:
    wide = _u32(_u32(x * y) + _HALF)
    return _u32(_u32(wide + _u32(wide >> _8)) >> _8)


@njit
def modulate(x: Any, y: Any) -> Any:
    """Two pixels multiplied channel by channel, x·y/255."""
    red = _product(_u32(x & _BYTE), _u32(y & _BYTE))
    green = _product(_u32((x >> _8) & _BYTE), _u32((y >> _8) & _BYTE))
    blue = _product(_u32((x >> _16) & _BYTE), _u32((y >> _16) & _BYTE))
    alpha = _product(_u32(x >> _24), _u32(y >> _24))
    return _u32(red | _u32(green << _8) | _u32(blue << _16) | _u32(alpha << _24))


@njit
def combine(d: Any, s: Any, mode: Any) -> Any:
    """One source pixel s on one target pixel d by a mode's number."""
    if mode == _ALPHA:
        return over(d, s)
    if mode == _ADD:
        return saturating_add(d, _u32(s & _COLOURS))
    if mode == _MULTIPLY:
        alpha = _u32(s >> _24)
        return modulate(d, saturating_add(s, _u32(_u32(_BYTE - alpha) * _u32(0x01010101))))
    if mode == _SCREEN:
        return saturating_add(s, modulate(d, _u32(~s)))
    return s


@njit
def blend_span(target: Any, at: Any, source: Any, start: Any, size: Any, mode: Any) -> None:
    """Blend `size` pixels of the flat row `source` from `start` on onto the flat target from `at` on.

    Offsets and size are uint64: an unsigned index needs no test for being negative, and passing whole arrays with
    offsets rather than slices saves the counting of references, which costs more than a short span.
    """
    if mode == _ALPHA:
        for p in range(size):
            target[at + p] = over(target[at + p], source[start + p])
    elif mode == _ADD:
        for p in range(size):
            target[at + p] = saturating_add(target[at + p], _u32(source[start + p] & _COLOURS))
    else:
        for p in range(size):
            target[at + p] = combine(target[at + p], source[start + p], mode)


@njit
def fill_span(target: Any, at: Any, size: Any, colour: Any, mode: Any) -> None:
    """Blend one colour onto `size` pixels of the flat target from `at` on; offset and size are uint64."""
    if mode == _ALPHA and _u32(colour >> _24) == _BYTE:
        for p in range(size):
            target[at + p] = colour
    elif mode == _ALPHA:
        for p in range(size):
            target[at + p] = over(target[at + p], colour)
    else:
        for p in range(size):
            target[at + p] = combine(target[at + p], colour, mode)
