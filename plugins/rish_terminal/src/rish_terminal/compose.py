"""The kernel that writes cells as terminal sequences.

A cell shows `▀` in the color of its upper pixel on the color of its lower one, or `▄` with the colors swapped, or a
space if both are equal; of the half blocks, the one that needs fewer color changes. A cell with a glyph shows the
glyph's characters in the upper color on the lower one. The cursor is moved only at gaps, and after glyphs about whose
width terminals disagree.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rish_jit import njit

MAX = 104
"""The greatest number of bytes of a cell: a cursor movement, two colors, a character with marks."""
_UNKNOWN = -1
_ESCAPE, _BRACKET, _SEMICOLON, _ZERO, _SPACE = 27, 91, 59, 48, 32
_H, _C, _M = 72, 67, 109
_FORE, _BACK = 3, 4
"""The first digits of `38` and `48`, the commands for foreground and background color."""
_HALF = (0xE2, 0x96)
_UPPER, _LOWER = 0x80, 0x84
"""`▀` and `▄` in UTF-8: the two bytes of _HALF, then one of these."""


@njit
def compose(
    out: npt.NDArray[np.uint8],
    changed: npt.NDArray[np.int64],
    top: Any,
    bottom: Any,
    width: int,
    left: int,
    first: int,
    true: bool,
    glyph: npt.NDArray[np.int32],
    table: tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]],
) -> int:
    """Write the cells whose numbers are in `changed` (rising, row by row) into `out`; return the number of bytes.

    out: at least MAX bytes a cell. top, bottom: colors of all cells, flat, 24 bits each, or numbers of the palette
    unless `true`; int32. width: cells in a row. left, first: the terminal's column and row of cell 0, from 1. glyph: of
    all cells, flat, 0 if it shows the picture, -1 if the cell before it covers it. table: see `Glyphs.table`.
    """
    at, front, back, cursor = 0, _UNKNOWN, _UNKNOWN, _UNKNOWN
    for k in range(len(changed)):
        cell, upper, lower = changed[k], top[changed[k]], bottom[changed[k]]
        glyph_number = glyph[cell]
        if glyph_number < 0:
            continue
        if cell != cursor or cell % width == 0:
            # Move the cursor: along its row if it is there, otherwise by row and column.
            out[at], out[at + 1] = _ESCAPE, _BRACKET
            if cursor >= 0 and cursor % width != 0 and cursor // width == cell // width:
                at = number(out, at + 2, cell - cursor)
                out[at] = _C
            else:
                at = number(out, at + 2, first + cell // width)
                out[at] = _SEMICOLON
                at = number(out, at + 1, left + cell % width)
                out[at] = _H
            at += 1
        cursor = cell + 1
        if glyph_number > 0:
            if front != upper:
                at, front = color(out, at, _FORE, upper, true), upper
            if back != lower:
                at, back = color(out, at, _BACK, lower, true), lower
            for byte in range(table[1][glyph_number - 1, 0], table[1][glyph_number, 0]):
                out[at] = table[0][byte]
                at += 1
            cursor = cell + table[1][glyph_number, 1] if table[1][glyph_number, 2] else _UNKNOWN
            continue
        if upper == lower:
            if back != upper:
                at, back = color(out, at, _BACK, upper, true), upper
            out[at] = _SPACE
            at += 1
            continue
        last = _UPPER
        if int(front != upper) + int(back != lower) > int(front != lower) + int(back != upper):
            upper, lower, last = lower, upper, _LOWER
        if front != upper:
            at, front = color(out, at, _FORE, upper, true), upper
        if back != lower:
            at, back = color(out, at, _BACK, lower, true), lower
        out[at], out[at + 1], out[at + 2] = _HALF[0], _HALF[1], last
        at += 3
    return at


@njit
def color(out: Any, at: int, which: int, value: int, true: bool) -> int:
    """Set the color of the character (`_FORE`) or of its background (`_BACK`). Returns the new end."""
    out[at], out[at + 1], out[at + 2], out[at + 3] = _ESCAPE, _BRACKET, _ZERO + which, _ZERO + 8
    out[at + 4], out[at + 5], out[at + 6] = _SEMICOLON, _ZERO + (2 if true else 5), _SEMICOLON
    at += 7
    if true:
        at = number(out, at, value >> 16)
        out[at] = _SEMICOLON
        at = number(out, at + 1, value >> 8 & 255)
        out[at] = _SEMICOLON
        at = number(out, at + 1, value & 255)
    else:
        at = number(out, at, value)
    out[at] = _M
    return at + 1


@njit
def number(out: Any, at: int, value: int) -> int:
    """Write a number below 100,000 in decimal. Returns the new end."""
    unit = 1
    while unit * 10 <= value:
        unit *= 10
    while unit > 0:
        out[at] = _ZERO + value // unit % 10
        at += 1
        unit //= 10
    return at
