"""Graph coloring: groups of contacts that share no body, so that eight contacts of a group are solved together.

Each contact gets a color that neither of its bodies has yet; a body stores its colors as bits of one word. Bodies that
do not move need no colors. Contacts with them have their own colors and are solved last, so that a body is not pushed
into a wall again. The search begins at a pseudo-random color, so that a wall of bricks is not solved from one side. If
a body has more contacts than there are colors, each remaining contact gets a block of its own, with a single lane.

The blocks are in four parts: between moving bodies with many points, with one; the same with immovable bodies.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import njit
from rish_jit.simd import LANES, lowest

from .blocks import POINTS

COLORS = 32
"""The number of colors of contacts between moving bodies; contacts with immovable bodies have as many."""
ONE = 1
"""The part of contacts with one point; the part before it has those with more."""
STILL = 2
"""Added to a part: the contacts with immovable bodies."""
PARTS = 4
_ROW = COLORS + 1
_LOW = np.uint64(0xFFFFFFFF)
_ONE64 = np.uint64(1)
_FULL = np.uint64(1 << COLORS)
_SPREAD_A, _SPREAD_B, _STIR = np.uint64(0x9E3779B1), np.uint64(0x7FEB352D), np.uint64(0x2C1B3C6D)


@njit(borrows=True, inline="always")
def points_of(part: Any) -> Any:
    """Return the number of points that contacts of a part may have."""
    return 1 if part % 2 == ONE else POINTS


@njit(borrows=True, inline="always")
def lot(a: Any, b: Any) -> Any:
    """Return a pseudo-random number from 0 to 7 (uint64) for the slots of two bodies.

    A 32-bit integer hash: multiply, xor-shift, multiply, xor-shift.
    """
    z = (np.uint64(a) * _SPREAD_A + np.uint64(b) * _SPREAD_B) & _LOW
    z = ((z ^ (z >> np.uint64(15))) * _STIR) & _LOW
    return (z ^ (z >> np.uint64(12))) >> np.uint64(29)


@njit(borrows=True)
def color(
    active: Any, pair: Any, info: Any, moves: Any, used: Any, colors: Any, order: Any, counts: Any, parts: Any
) -> int:
    """Arrange the touching contacts of `active` in blocks; return the number of lanes needed.

    pair: int32, bodies A and B of each contact. info: int32, its number of points and flags. moves: bool, whether a
    body is moved by impulses. used: uint64, one word per body; colors: int32, one per active contact; counts: int64 of
    PARTS * (COLORS + 1): working memory. order: int32, receives the contact of each lane, -1 for none. parts: int64 of
    PARTS + 1, receives the first block of each part. If `order` is shorter than the returned number, it is not written.
    """
    for k in range(len(moves)):
        used[k] = np.uint64(0)
    for k in range(len(counts)):
        counts[k] = 0
    for q in range(len(active)):
        c = np.int64(active[q])
        colors[q] = -1
        points = info[2 * c]
        if points == 0:
            continue
        a, b = np.int64(pair[2 * c]), np.int64(pair[2 * c + 1])
        part = np.int64(ONE if points == 1 else 0)
        if moves[a] and moves[b]:
            free = ~(used[a] | used[b]) & _LOW
            first = lot(a, b)
            k = lowest(free >> first << first | _FULL)
            if k == COLORS:
                k = lowest(free | _FULL)
            if k < COLORS:
                used[a] |= _ONE64 << np.uint64(k)
                used[b] |= _ONE64 << np.uint64(k)
        # One body can't move: only the other needs the color, in the upper half of its word.
        elif moves[a] or moves[b]:
            moving = a if moves[a] else b
            part += STILL
            k = lowest(~(used[moving] >> np.uint64(COLORS)))
            if k < COLORS:
                used[moving] |= _ONE64 << np.uint64(k + COLORS)
        else:
            continue
        group = part * _ROW + min(k, COLORS)
        colors[q] = group
        counts[group] += 1
    # A color takes full blocks of LANES, the overflow one block for each contact.
    blocks = 0
    for part in range(PARTS):
        parts[part] = blocks
        for k in range(_ROW):
            n = counts[part * _ROW + k]
            blocks += n if k == COLORS else (n + LANES - 1) // LANES
    parts[PARTS] = blocks
    if blocks * LANES > len(order):
        return blocks * LANES
    for lane in range(blocks * LANES):
        order[lane] = -1
    # Counting sort: where each group begins, then the contacts in their order.
    for part in range(PARTS):
        first = parts[part]
        for k in range(_ROW):
            n = counts[part * _ROW + k]
            counts[part * _ROW + k] = first * LANES
            first += n if k == COLORS else (n + LANES - 1) // LANES
    for q in range(len(active)):
        group = np.int64(colors[q])
        if group >= 0:
            lane = counts[group]
            order[lane] = active[q]
            counts[group] = lane + (LANES if group % _ROW == COLORS else 1)
    return blocks * LANES
