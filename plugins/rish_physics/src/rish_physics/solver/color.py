"""The blocks of the contacts of a step: which contacts are solved together, see `rish_dynamics.coloring`.

The blocks are in six parts: between moving bodies with two points, with one, and cold ones (see `contact_extra`); then
the same against immovable bodies, which are solved last, so that a body is not pushed into a wall again after it was
pushed out. The code that solves a block depends only on its part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_dynamics.coloring import GROUPS, color_moving, color_still, fill_lanes
from rish_jit import njit
from rish_jit.simd import LANES

from ..components.tables import AWAKE, DYNAMIC, IS_COLD, IS_SENSOR, PASSES_THROUGH, QUARANTINED, TYPE

if TYPE_CHECKING:
    from ..contacts.state import State

TWO, ONE, COLD = 0, 1, 2
"""The parts of the blocks. With STILL added they are the parts of contacts with immovable bodies."""
STILL = 3
PARTS = 6
_MOVES = DYNAMIC | AWAKE


@njit(borrows=True)
def color(
    active: Any, pair: Any, info: Any, flags: Any, used: Any, colors: Any, order: Any, counts: Any, parts: Any
) -> int:
    """Arrange the touching contacts of `active` in blocks; return the number of lanes needed.

    used: uint64, at least one word per body; colors: int32, one per active contact; counts: int64 of PARTS * GROUPS:
    all three are working memory. order: int32, receives the contact of each lane, -1 for none. parts: int64 of PARTS +
    1, receives the first block of each part. If `order` is shorter than the returned number, it is not written.
    """
    for k in range(len(flags)):
        used[k] = np.uint64(0)
    for k in range(len(counts)):
        counts[k] = 0
    for q in range(len(active)):
        c = np.int64(active[q])
        colors[q] = -1
        points = info[2 * c]
        kind = info[2 * c + 1]
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
            group = part * GROUPS + color_moving(used, a, b)
        elif moves_a or moves_b:
            group = (part + STILL) * GROUPS + color_still(used, a if moves_a else b)
        else:
            continue
        colors[q] = group
        counts[group] += 1
    return fill_lanes(active, colors, counts, parts, order)


class Coloring:
    """The blocks of the contacts of one step. order: int32, the contact of each lane. parts: see `color`."""

    def __init__(self) -> None:
        self.counts = np.zeros(PARTS * GROUPS, np.int64)
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
