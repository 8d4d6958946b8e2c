"""The blocks of the contacts of a step: which contacts are solved together, see `rish_dynamics.coloring`.

The blocks are in four parts: between moving bodies with many points, with one; the same with immovable bodies, which
are solved last, so that a body is not pushed into a wall again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_dynamics.coloring import GROUPS, color_moving, color_still, fill_lanes
from rish_jit import njit

from .blocks import POINTS

ONE = 1
"""The part of contacts with one point; the part before it has those with more."""
STILL = 2
"""Added to a part: the contacts with immovable bodies."""
PARTS = 4


@njit(borrows=True, inline="always")
def points_of(part: Any) -> Any:
    """Return the number of points that contacts of a part may have."""
    return 1 if part % 2 == ONE else POINTS


@njit(borrows=True)
def color(
    active: Any, pair: Any, info: Any, moves: Any, used: Any, colors: Any, order: Any, counts: Any, parts: Any
) -> int:
    """Arrange the touching contacts of `active` in blocks; return the number of lanes needed.

    pair: int32, bodies A and B of each contact. info: int32, its number of points and flags. moves: bool, whether a
    body is moved by impulses. used: uint64, one word per body; colors: int32, one per active contact; counts: int64 of
    PARTS * GROUPS: working memory. order: int32, receives the contact of each lane, -1 for none. parts: int64 of PARTS
    + 1, receives the first block of each part. If `order` is shorter than the returned number, it is not written.
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
            group = part * GROUPS + color_moving(used, a, b)
        elif moves[a] or moves[b]:
            group = (part + STILL) * GROUPS + color_still(used, a if moves[a] else b)
        else:
            continue
        colors[q] = group
        counts[group] += 1
    return fill_lanes(active, colors, counts, parts, order)
