"""Gathering: collects texels along straight lines through images, in scratch rows.

Tiles are drawn in runs of a few pixels from many images. So the indices of the texels of a row's runs are collected
first; then all texels are fetched together, filtered, and blended run by run. Each step is a loop long enough to be
vectorized.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit

from .blend import blend_span, modulate
from .numbers import BITS8, BITS16, BYTE, HALF, LANES, WHITE, f32, i32, u32, u64

_HIGH = np.uint32(0xFF00FF00)
_256 = np.uint32(256)
_NONE = np.uint64(0)
CHUNK = 4096
"""The number of texels after which they are blended; a few more may be gathered."""


@njit
def mix(x: Any, y: Any, part: Any) -> Any:
    """Return x and y mixed channel by channel, with part/256 of y; part: uint32, 0 to 256."""
    rest = u32(_256 - part)
    low = u32(u32(u32(x & LANES) * rest) + u32(u32(y & LANES) * part))
    high = u32(u32(u32((x >> BITS8) & LANES) * rest) + u32(u32((y >> BITS8) & LANES) * part))
    return u32(u32(u32(low >> BITS8) & LANES) | u32(high & _HIGH))


@njit
def place_nearest(
    at: Any, start: Any, size: Any, base: Any, stride: Any, u: Any, v: Any, du: Any, dv: Any, box: Any
) -> None:
    """Write the indices of the texels nearest to (u, v), (u+du, v+dv), ...; box: least and greatest column and line."""
    left, top, right, bottom = box
    for p in range(size):
        step = f32(i32(p))
        column = min(max(i32(u + step * du), left), right)
        line = min(max(i32(v + step * dv), top), bottom)
        at[start + p] = u32(i32(base + i32(line * stride)) + column)


@njit
def place_linear(
    at: Any, at1: Any, at2: Any, at3: Any, weight: Any, start: Any, size: Any, base: Any, stride: Any, u: Any, v: Any,
    du: Any, dv: Any, box: Any,
) -> None:  # fmt: skip
    """Write the indices of the four texels around each sample, and the weights of the right and the lower ones."""
    left, top, right, bottom = box
    for p in range(size):
        step = f32(i32(p))
        column = i32(i32((u + step * du + HALF) * f32(256)) - i32(256))
        line = i32(i32((v + step * dv + HALF) * f32(256)) - i32(256))
        weight[start + p] = u32(u32(column & i32(255)) | u32(u32(line & i32(255)) << BITS16))
        column = i32(column >> i32(8))
        line = i32(line >> i32(8))
        c0 = min(max(column, left), right)
        c1 = min(max(i32(column + i32(1)), left), right)
        upper = i32(base + i32(min(max(line, top), bottom) * stride))
        lower = i32(base + i32(min(max(i32(line + i32(1)), top), bottom) * stride))
        at[start + p] = u32(upper + c0)
        at1[start + p] = u32(upper + c1)
        at2[start + p] = u32(lower + c0)
        at3[start + p] = u32(lower + c1)


@njit
def finish(
    target: Any, spans: Any, count: Any, row: Any, row1: Any, row2: Any, row3: Any, weight: Any, size: Any,
    texels: Any, tint: Any, mask: Any, mode: Any, linear: Any,
) -> None:  # fmt: skip
    """Fetch the texels of several spans together, filter and tint them, then blend each span onto its row.

    spans: uint64 (3·count), for each span: where it is in the target, how many pixels it has in the scratch rows, how
    many of them to blend.
    """
    for p in range(size):
        row[p] = texels[u64(row[p])]
    if linear:
        for other in (row1, row2, row3):
            for p in range(size):
                other[p] = texels[u64(other[p])]
        for p in range(size):
            across = u32(weight[p] & BYTE)
            above = mix(row[p], row1[p], across)
            below = mix(row2[p], row3[p], across)
            row[p] = mix(above, below, u32(weight[p] >> BITS16))
    if tint != WHITE:
        for p in range(size):
            row[p] = modulate(row[p], tint)
    if mask != WHITE:
        for p in range(size):
            row[p] = u32(row[p] & mask)
    start = _NONE
    for k in range(count):
        blend_span(target, spans[u64(3 * k)], row, start, spans[u64(3 * k + 2)], mode)
        start += spans[u64(3 * k + 1)]
