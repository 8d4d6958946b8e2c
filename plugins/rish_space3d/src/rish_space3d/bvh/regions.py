"""A kernel that finds the boxes that touch convex regions: boxes and volumes of view alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rish_ecs.jit import njit

Array = npt.NDArray[Any]
_ZERO = np.float32(0)


@njit(borrows=True)
def touches(boxes: Array, o: Any, planes: Array, first: Any, end: Any) -> bool:
    """Whether no plane has a box completely on its outer side.

    boxes: float32, flat; the box begins at index o. planes: float32, 4 for each; those from first to end bound the
    region. The corner that is farthest inside decides; a normal's component of 0 does not count.
    """
    if not boxes[o] <= boxes[o + 3]:
        return False
    for p in range(first, end):
        total = planes[4 * p + 3]
        for c in range(3):
            n = planes[4 * p + c]
            if n > _ZERO:
                total += n * boxes[o + 3 + c]
            elif n < _ZERO:
                total += n * boxes[o + c]
        if total < _ZERO:
            return False
    return True


@njit(borrows=True)
def find_touching(
    planes: Array, each: Any, regions: Any, items: Array, links: Array, boxes: Array, leaves: Array, stack: Array,
    pairs: Array,
) -> Any:  # fmt: skip
    """Find all boxes that touch each region; return how many there are, which may be more than there is room for.

    planes: float32, 4 for each. each: the number of planes of a region. items, links, boxes, leaves: of the tree, not
    empty. stack: int32, working memory. pairs: int32, 2 for each: the region and the box, in no order.
    """
    total = 0
    for r in range(regions):
        first, end = r * each, (r + 1) * each
        stack[0], top = 0, 1
        while top > 0:
            top -= 1
            node = stack[top]
            if not touches(boxes, 6 * node, planes, first, end):
                continue
            count, link = links[2 * node], links[2 * node + 1]
            if count == 0:
                stack[top], stack[top + 1] = link, link + 1
                top += 2
                continue
            for k in range(link, link + count):
                if touches(leaves, 6 * k, planes, first, end):
                    if 2 * total < len(pairs):
                        pairs[2 * total], pairs[2 * total + 1] = r, items[k]
                    total += 1
    return total
