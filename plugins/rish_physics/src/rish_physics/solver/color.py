"""Graph coloring: groups of contacts that share no body, so that eight contacts of a group are solved together.

Each contact gets a color that neither of its bodies has yet. A body stores its colors as bits of one word, so that
finding the first free one takes three instructions. Immovable bodies need no colors, because their velocity does not
change. Contacts with such bodies have their own colors, which are solved last, so that a body is not pushed into a
wall again after it was pushed out.

The search begins at a pseudo-random color, from the slots of both bodies. If every contact took the first free color,
then in a pyramid that was built row by row all left supports would be solved before all right ones, and it would sway
for seconds.

If a body has more contacts than there are colors, each remaining contact gets a block of its own, with a single lane.
These blocks are solved one after the other.

The blocks are in six parts: between moving bodies with two points, with one, and cold ones (see `contact_extra`); then
the same against immovable bodies. The code that solves a block depends only on its part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import njit
from rish_jit.simd import LANES, lowest

from ..components.tables import AWAKE, DYNAMIC, IS_COLD, IS_SENSOR, PASSES_THROUGH, QUARANTINED, TYPE

if TYPE_CHECKING:
    from ..contacts.state import State

COLORS = 32
"""The number of colors of contacts between moving bodies; contacts with immovable bodies have as many."""
TWO, ONE, COLD = 0, 1, 2
"""The parts of the blocks. With STILL added they are the parts of contacts with immovable bodies."""
STILL = 3
PARTS = 6
_MOVES = DYNAMIC | AWAKE
_ROW = COLORS + 1
_LOW = np.uint64(0xFFFFFFFF)
_ONE64 = np.uint64(1)
_FULL = np.uint64(1 << COLORS)
_SPREAD_A, _SPREAD_B, _STIR = np.uint64(0x9E3779B1), np.uint64(0x7FEB352D), np.uint64(0x2C1B3C6D)


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
    active: Any, pair: Any, info: Any, flags: Any, used: Any, colors: Any, order: Any, counts: Any, parts: Any
) -> int:
    """Arrange the touching contacts of `active` in blocks; return the number of lanes needed.

    used: uint64, at least one word per body; colors: int32, one per active contact; counts: int64 of PARTS * (COLORS +
    1): all three are working memory. order: int32, receives the contact of each lane, -1 for none. parts: int64 of
    PARTS + 1, receives the first block of each part. If `order` is shorter than the returned number, it is not written.
    """
    for k in range(len(flags)):
        used[k] = np.uint64(0)
    for k in range(len(counts)):
        counts[k] = 0
    # Greedy coloring: the lowest color that neither body has yet, from a start that depends on the pair.
    for q in range(len(active)):
        c = np.int64(active[q])
        colors[q] = -1
        kind = info[2 * c + 1]
        points = info[2 * c]
        if points == 0 or kind & (IS_SENSOR | PASSES_THROUGH):
            continue
        a = np.int64(pair[4 * c + 2])
        b = np.int64(pair[4 * c + 3])
        moves_a = flags[a] & (TYPE | AWAKE | QUARANTINED) == _MOVES
        moves_b = flags[b] & (TYPE | AWAKE | QUARANTINED) == _MOVES
        part = np.int64(TWO if points == 2 else ONE)
        if kind & IS_COLD:
            part = np.int64(COLD)
        if moves_a and moves_b:
            free = ~(used[a] | used[b]) & _LOW
            first = lot(a, b)
            k = lowest(free >> first << first | _FULL)
            if k == COLORS:
                k = lowest(free | _FULL)
            if k < COLORS:
                used[a] |= _ONE64 << np.uint64(k)
                used[b] |= _ONE64 << np.uint64(k)
        # One body can't move: only the other needs the color, in the upper half of its word.
        elif moves_a or moves_b:
            moving = a if moves_a else b
            part += STILL
            k = lowest(~(used[moving] >> np.uint64(COLORS)))
            if k < COLORS:
                used[moving] |= _ONE64 << np.uint64(k + COLORS)
        else:
            continue
        group = part * _ROW + min(k, COLORS)
        colors[q] = group
        counts[group] += 1
    # Sizes: a color takes full blocks of LANES, the overflow one block each.
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


class Coloring:
    """The blocks of the contacts of one step. order: int32, the contact of each lane. parts: see `color`."""

    def __init__(self) -> None:
        self.counts = np.zeros(PARTS * _ROW, np.int64)
        self.parts = np.zeros(PARTS + 1, np.int64)
        self.order: Any = np.zeros(0, np.int32)

    def color(self, state: State) -> int:
        """Arrange the contacts `active` in blocks; return the number of blocks."""
        active = state.active
        if not len(active):
            self.parts[:] = 0
            return 0
        contacts, bodies, scratch = state.flats(state.contacts), state.flats(state.bodies), state.scratch
        used = scratch.take("color.used", bodies.used, np.uint64)
        colors = scratch.take("color.chosen", len(active), np.int32)
        self.order = scratch.take("color.order", len(active) + 64 * LANES, np.int32)
        while True:
            lanes = color(
                active, contacts.pair, contacts.info, bodies.flags, used, colors, self.order, self.counts, self.parts
            )
            if lanes <= len(self.order):
                return lanes // LANES
            self.order = scratch.take("color.order", lanes, np.int32)
