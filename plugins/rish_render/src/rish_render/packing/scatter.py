"""Scattering: copies packed sprites from their block to the next free places of their groups.

The order within a block is known beforehand (`order`), so the copy is a loop over stretches of one group each. A sprite
that is not drawn is written too, and the next one overwrites it; that is faster than a branch.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

from . import lanes
from .lanes import copy_row, expect_row
from .order import BLOCK

_1, _2, _3, _4, _7, _8 = (np.uint64(number) for number in (1, 2, 3, 4, 7, 8))
_EIGHTS = np.uint64(BLOCK // lanes.LANES)
_GOOD = np.uint64(lanes.GOOD)
_FITS, _ANGLE = np.uint64(16), np.uint64(32)
"""The first of the result bits of eight sprites that say whether they fit, and of those for angles."""
_ODD = np.uint8(2)


@njit(borrows=True, inline="always")
def all_good(words: Array) -> bool:
    """Return True if all sprites of a full block are visible and fit."""
    good = _GOOD
    for k in range(_EIGHTS):
        good &= words[k]
    return good == _GOOD


@njit(borrows=True, inline="always")
def tell_states(words: Array, state: Array) -> None:
    """Convert the result bits of eight sprites per word into one state per sprite: 0 invisible, 1 packed, 2 does not
    fit.
    """
    for k in range(_EIGHTS * _8):
        word, lane = words[k >> _3], k & _7
        pair = lane + lane
        seen = ((word >> pair) & _3 == _3) & ((word >> (_ANGLE + lane)) & _1 == _1)
        fits = (word >> (_FITS + pair)) & _3 == _3
        state[k] = np.uint8(seen) * (_ODD - np.uint8(fits))


@njit(borrows=True)
def scatter_good(
    done: Any, order: Array, first: Any, last: Any, ends: Array, group: Array, cursor: Array, rows: Array,
    taken: Array, out: Array,
) -> None:  # fmt: skip
    """Copy all sprites of a block to the next places of their groups, stretch by stretch; see `pack`.

    The memory after each stretch is prefetched, because the next block writes there.
    """
    begin, stretch = np.uint64(0), first
    while stretch < last:
        g, end = np.uint64(group[stretch]), np.uint64(ends[stretch])
        c = np.uint64(cursor[g])
        for k in range(begin, end):
            copy_row(rows, np.uint64(order[done + k]), out, c)
            c += _1
        cursor[g] = np.uint32(c)
        taken[stretch] = np.uint16(end - begin)
        ahead = c + _4
        stop = ahead + (end - begin)
        while ahead < stop:
            expect_row(out, ahead)
            ahead += _4
        begin = end
        stretch += _1


@njit(borrows=True)
def scatter(
    done: Any, order: Array, first: Any, last: Any, ends: Array, group: Array, cursor: Array, rows: Array,
    state: Array, taken: Array, out: Array, source: Array, odd: Array, odds: Any,
) -> Any:  # fmt: skip
    """Copy the packed sprites of a block, those whose state is 1, to the next places of their groups.

    Their sources are recorded, and the sprites that do not fit; returns how many of the latter are recorded.
    """
    begin, stretch = np.uint64(0), first
    while stretch < last:
        g, end = np.uint64(group[stretch]), np.uint64(ends[stretch])
        c = np.uint64(cursor[g])
        for k in range(begin, end):
            i = np.uint64(order[done + k])
            copy_row(rows, i, out, c)
            if len(source):
                source[c] = np.int32(done + i)
            if state[i] == _ODD:
                odd[2 * odds] = np.int32(done + i)
                odd[2 * odds + 1] = np.int32(c)
                odds += 1
            c += np.uint64(state[i] == np.uint8(1))
        taken[stretch] = np.uint16(np.uint32(c) - cursor[g])
        cursor[g] = np.uint32(c)
        begin = end
        stretch += _1
    return odds


@njit(borrows=True, inline="always")
def close_gaps(starts: Array, cursor: Array, counts: Array, out: Array, source: Array) -> Any:
    """Move the groups together, write their counts, and return the end of the last one."""
    free = np.uint64(0)
    for g in range(len(cursor)):
        begin, count = np.uint64(starts[g]), np.uint64(cursor[g]) - np.uint64(starts[g])
        if begin != free:
            for k in range(_2 * count):
                out[_2 * free + k] = out[_2 * begin + k]
            if len(source):
                for k in range(count):
                    source[free + k] = source[begin + k]
        counts[g] = np.int64(count)
        free += count
    return free
