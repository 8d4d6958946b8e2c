"""A kernel that finds the boxes that touch convex regions: boxes and volumes of view alike."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit
from rish_jit.simd import bits, load, lowest, splat

_ZERO = np.float32(0)
_1, _4, _8, _24, _48 = (np.uint64(k) for k in (1, 4, 8, 24, 48))


@njit(borrows=True)
def touches(boxes: Array, o: Any, planes: Array, first: Any, end: Any) -> Any:
    """Return, as bits, which boxes of a node no plane has completely on its outer side.

    boxes: float32, flat; the node begins at index o, uint64. planes: float32, 4 for each; those from first to end bound
    the region. The corner that is farthest inside decides; a normal's component of 0 does not count.
    """
    zero = splat(_ZERO)
    touched = bits(load(boxes, o) <= load(boxes, o + _24))
    for p in range(first, end):
        plane = _4 * np.uint64(p)
        total = splat(planes[plane + np.uint64(3)])
        for c in range(3):
            n, side = planes[plane + np.uint64(c)], o + _8 * np.uint64(c)
            if n != _ZERO:
                total = total + splat(n) * load(boxes, side + (_24 if n > _ZERO else np.uint64(0)))
        touched &= ~bits(total < zero)
        if touched == 0:
            break
    return touched


@njit(borrows=True)
def find_touching(
    planes: Array, each: Any, regions: Any, links: Array, boxes: Array, stack: Array, pairs: Array
) -> Any:
    """Find all boxes that touch each region; return how many there are, which may be more than there is room for.

    planes: float32, 4 for each. each: the number of planes of a region. links, boxes: of the tree. stack: int32,
    working memory. pairs: int32, 2 for each: the region and the box, in no order.
    """
    total = 0
    for r in range(regions):
        stack[0], top = 0, 1
        while top > 0:
            top -= 1
            node = np.uint64(stack[top])
            left = np.uint64(touches(boxes, _48 * node, planes, r * each, (r + 1) * each))
            while left > 0:
                k = np.uint64(lowest(left))
                left &= left - _1
                link = links[_8 * node + k]
                if link >= 0:
                    stack[top] = link
                    top += 1
                    continue
                if 2 * total < len(pairs):
                    pairs[2 * total], pairs[2 * total + 1] = r, -1 - link
                total += 1
    return total
