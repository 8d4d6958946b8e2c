"""Kernels of the looks of sprites: which of them show the same image, and all that does not depend on views.

The columns of tables, and arrays with several numbers a sprite, are flat.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

from ...components.visible import Blend
from ...drawables.colors import rgba_word

_ADD = list(Blend).index(Blend.ADD)
_ZERO, _HALF, _UNIT = np.float32(0), np.float32(0.5), np.float32(1)
_MOST = np.float32(4096)
"""The most repetitions along a side."""


@njit(borrows=True)
def distinct_images(
    rows: Array, columns: Any, regions: Array, own: bool, slots: Array, first: Array, which: Array
) -> int:  # fmt: skip
    """Number the distinct images of n sprites in the order in which they appear; return how many there are.

    rows: of the table. columns: image, normal, emission and blend of the table. regions: float32, four for each row of
    the table; if `own`, for each of the n sprites. slots: int32, -1, a power of two above n: the hash table. first:
    int32 n, written: the first sprite of each image. which: int32 n, written: the number of the image of each.
    """
    image, normal, emission, blend = columns
    bits, mask = regions.view(np.uint32), np.uint64(len(slots) - 1)
    count = 0
    for k in range(len(rows)):
        row = rows[k]
        at = 4 * k if own else 4 * row
        part, adds = regions[at + 2] > _ZERO, blend[row] == _ADD
        code = np.uint64(image[row]) * np.uint64(0x9E3779B1) ^ np.uint64(normal[row]) * np.uint64(0x85EBCA77)
        code = code ^ np.uint64(emission[row]) * np.uint64(0xC2B2AE3D) ^ np.uint64(adds)
        if part:
            for i in range(4):
                code = (code ^ np.uint64(bits[at + i])) * np.uint64(0x27D4EB2F)
        slot = (code ^ code >> np.uint64(15)) & mask
        while slots[slot] >= 0:
            other = first[slots[slot]]
            known = rows[other]
            there = 4 * other if own else 4 * known
            same = image[known] == image[row] and normal[known] == normal[row] and emission[known] == emission[row]
            same = same and (blend[known] == _ADD) == adds and (regions[there + 2] > _ZERO) == part
            if same and part:
                for i in range(4):
                    same = same and regions[there + i] == regions[at + i]
            if same:
                break
            slot = (slot + np.uint64(1)) & mask
        if slots[slot] < 0:
            slots[slot] = count
            first[count] = k
            count += 1
        which[k] = slots[slot]
    return count


@njit(borrows=True)
def write_looks(rows: Array, which: Array, images: Array, columns: Any, looks: Any) -> None:
    """Write the looks of some sprites, see `SpriteLooks`.

    which: see `distinct_images`. images: int64, four for each: frame, width, height and texture. columns: of the table.
    looks: those of all sprites, in the order of the fields.
    """
    size, anchor, repeat, color, opacity, flip_x, flip_y, visible, snap = columns
    frame, texels, texture, sizes, rgba, shift, snaps, repeats = looks
    for k in range(len(rows)):
        row, at = rows[k], 4 * which[k]
        x, y = 2 * row, 2 * row + 1
        frame[row] = images[at] + np.int64(flip_x[row]) + 2 * np.int64(flip_y[row])
        texels[x], texels[y] = images[at + 1], images[at + 2]
        texture[row] = images[at + 3]
        snaps[row] = snap[row]
        rgba[row] = rgba_word(color, np.uint64(4 * row), opacity[row])
        shift[x], shift[y] = _HALF - anchor[x], _HALF - anchor[y]
        across, up = _whole(repeat[x]), _whole(repeat[y])
        several = across > _UNIT or up > _UNIT
        repeats[x] = (across if across > _UNIT else _UNIT) if several else _ZERO
        repeats[y] = (up if up > _UNIT else _UNIT) if several else _ZERO
        shown = visible[row] and not several
        sizes[x] = (size[x] if size[x] > _ZERO else texels[x]) if shown else _ZERO
        sizes[y] = (size[y] if size[y] > _ZERO else texels[y]) if shown else _ZERO


@njit(borrows=True, inline="always")
def _whole(repeat: Any) -> Any:
    """Return a whole number of repetitions, 0 for NaN."""
    whole = np.float32(np.floor(repeat + _HALF))
    return _ZERO if not whole > _ZERO else whole if whole < _MOST else _MOST
