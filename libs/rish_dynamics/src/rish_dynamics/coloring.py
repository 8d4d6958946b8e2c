"""Graph coloring: groups of contacts that share no moving body, so that several contacts are solved together.

Each contact gets a color that neither of its bodies has yet. A body stores its colors as bits of one word, so that
finding the first free one takes three instructions. Immovable bodies need no colors, because their velocity does not
change. Contacts with such bodies have colors of their own, in the upper half of the word.

The search begins at a pseudo-random color, from the numbers of both bodies. If every contact took the first free color,
then in a pyramid that was built row by row all left supports would be solved before all right ones, and it would sway
for seconds.

If a body has more contacts than there are colors, each remaining contact gets a block of its own, with a single lane.
These blocks are solved one after the other.

The blocks are in parts, which the caller defines: the code that solves a block depends only on its part. All functions
here are for kernels.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit
from rish_jit.simd import LANES, lowest

COLORS = 32
"""The number of colors of contacts between moving bodies; contacts with immovable bodies have as many."""
GROUPS = COLORS + 1
"""The groups of a part: one for each color, and one for contacts without a color."""
_LOW = np.uint64(0xFFFFFFFF)
_ONE = np.uint64(1)
_FULL = np.uint64(1 << COLORS)
_SPREAD_A, _SPREAD_B, _STIR = np.uint64(0x9E3779B1), np.uint64(0x7FEB352D), np.uint64(0x2C1B3C6D)


@njit(borrows=True, inline="always")
def lot(a: Any, b: Any) -> Any:
    """Return a pseudo-random number from 0 to 7 (uint64) for the numbers of two bodies.

    A 32-bit integer hash: multiply, xor-shift, multiply, xor-shift.
    """
    z = (np.uint64(a) * _SPREAD_A + np.uint64(b) * _SPREAD_B) & _LOW
    z = ((z ^ (z >> np.uint64(15))) * _STIR) & _LOW
    return (z ^ (z >> np.uint64(12))) >> np.uint64(29)


@njit(borrows=True, inline="always")
def color_moving(used: Any, a: Any, b: Any) -> Any:
    """Return a color for a contact of two moving bodies, and note it for both; `COLORS` if none is free.

    used: uint64, one word a body, 0 before the first contact.
    """
    free = ~(used[a] | used[b]) & _LOW
    first = lot(a, b)
    k = lowest(free >> first << first | _FULL)
    if k == COLORS:
        k = lowest(free | _FULL)
    if k < COLORS:
        used[a] |= _ONE << np.uint64(k)
        used[b] |= _ONE << np.uint64(k)
    return k


@njit(borrows=True, inline="always")
def color_still(used: Any, moving: Any) -> Any:
    """Return a color for a contact of a moving body with an immovable one, and note it; `COLORS` if none is free."""
    k = lowest(~(used[moving] >> np.uint64(COLORS)))
    if k < COLORS:
        used[moving] |= _ONE << np.uint64(k + COLORS)
    return min(k, COLORS)


@njit(borrows=True)
def fill_lanes(active: Any, groups: Any, counts: Any, parts: Any, order: Any) -> Any:
    """Arrange contacts in blocks, part by part and color by color; return the number of lanes needed.

    active: int32, the contacts. groups: int32, for each of them `part * GROUPS + color`, -1 for none. counts: int64 of
    the contacts in each group; changed. parts: int64, receives the first block of each part, and the number of blocks.
    order: int32, receives the contact of each lane, -1 for none; not written if it is shorter than the returned number.
    A color takes full blocks of `LANES`; a contact without a color a block of its own.
    """
    blocks = 0
    for part in range(len(parts) - 1):
        parts[part] = blocks
        for k in range(GROUPS):
            n = counts[part * GROUPS + k]
            blocks += n if k == COLORS else (n + LANES - 1) // LANES
    parts[len(parts) - 1] = blocks
    if blocks * LANES > len(order):
        return blocks * LANES
    for lane in range(blocks * LANES):
        order[lane] = -1
    # Counting sort: where each group begins, then the contacts in their order.
    for part in range(len(parts) - 1):
        first = parts[part]
        for k in range(GROUPS):
            n = counts[part * GROUPS + k]
            counts[part * GROUPS + k] = first * LANES
            first += n if k == COLORS else (n + LANES - 1) // LANES
    for q in range(len(active)):
        group = np.int64(groups[q])
        if group >= 0:
            lane = counts[group]
            order[lane] = active[q]
            counts[group] = lane + (LANES if group % GROUPS == COLORS else 1)
    return blocks * LANES
