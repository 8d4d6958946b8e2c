"""Kernels that cast rays through a tree of boxes: the nearest box of each ray, and all boxes.

A ray meets a box where the intervals between its three pairs of planes overlap (the slab method: Kay and Kajiya, "Ray
Tracing Complex Scenes", 1986). A ray that starts inside a box meets it at distance 0. A comparison with NaN, which
arises for a ray within a plane of the box, is false and so limits nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rish_ecs.jit import njit

Array = npt.NDArray[Any]
MISS = np.float32(np.inf)
"""The distance of a box that is not met."""
_ZERO = np.float32(0)
_1, _2, _3, _4, _5, _6 = (np.uint64(k) for k in range(1, 7))
"""Indices are unsigned, so that numba does not look for negative ones, which count from the end."""


@njit(borrows=True)
def meet(boxes: Array, o: Any, x: Any, y: Any, z: Any, u: Any, v: Any, w: Any, reach: Any) -> Any:
    """Return the distance at which a ray enters a box, or infinity.

    boxes: float32, flat; the box begins at index o, uint64. x, y, z: the origin of the ray. u, v, w: the inverse of its
    direction. reach: the largest distance, finite.
    """
    near, far = _ZERO, reach
    one, two = (boxes[o] - x) * u, (boxes[o + _3] - x) * u
    if u < _ZERO:
        one, two = two, one
    near, far = one if one > near else near, two if two < far else far
    one, two = (boxes[o + _1] - y) * v, (boxes[o + _4] - y) * v
    if v < _ZERO:
        one, two = two, one
    near, far = one if one > near else near, two if two < far else far
    one, two = (boxes[o + _2] - z) * w, (boxes[o + _5] - z) * w
    if w < _ZERO:
        one, two = two, one
    near, far = one if one > near else near, two if two < far else far
    return near if near <= far else MISS


@njit(borrows=True)
def cast_nearest(
    rays: Array, reach: Array, items: Array, links: Array, boxes: Array, leaves: Array, stack: Array, waiting: Array,
    found: Array, distances: Array,
) -> None:  # fmt: skip
    """Find the nearest box of each ray; of boxes at the same distance, the one with the lowest number.

    rays: float32, 6 for each: origin and inverse direction. reach: float32, finite, negative for rays that meet
    nothing. items, links, boxes, leaves: of the tree, not empty. stack: int32, waiting: float32, working memory. found:
    int32, -1 for none. distances: float32, infinite for none.
    """
    for r in range(len(found)):
        i = _6 * np.uint64(r)
        x, y, z = rays[i], rays[i + _1], rays[i + _2]
        u, v, w = rays[i + _3], rays[i + _4], rays[i + _5]
        best, which = reach[r], np.int32(-1)
        node, top = np.uint64(0), 0
        going = meet(boxes, node, x, y, z, u, v, w, best) < MISS
        while going:
            count, link = links[_2 * node], np.uint64(links[_2 * node + _1])
            if count == 0:
                near, other = link, link + _1
                one = meet(boxes, _6 * near, x, y, z, u, v, w, best)
                two = meet(boxes, _6 * other, x, y, z, u, v, w, best)
                if two < one:
                    near, other = other, near
                    one, two = two, one
                if two < MISS:
                    stack[np.uint64(top)], waiting[np.uint64(top)] = other, two
                    top += 1
                if one < MISS:
                    node = near
                    continue
            else:
                for k in range(link, link + np.uint64(count)):
                    at = meet(leaves, _6 * k, x, y, z, u, v, w, best)
                    if at < best or (at == best and (which < 0 or items[k] < which)):
                        best, which = at, items[k]
            going = False
            while top > 0 and not going:
                top -= 1
                going = waiting[np.uint64(top)] <= best
                node = np.uint64(stack[np.uint64(top)])
        found[r] = which
        distances[r] = best if which >= 0 else MISS


@njit(borrows=True)
def cast_all(
    rays: Array, reach: Array, items: Array, links: Array, boxes: Array, leaves: Array, stack: Array, pairs: Array,
    distances: Array,
) -> Any:  # fmt: skip
    """Find all boxes of each ray; return how many there are, which may be more than there is room for.

    pairs: int32, 2 for each: the ray and the box, in no order. distances: float32. The others are as above.
    """
    total = 0
    for r in range(len(reach)):
        i = _6 * np.uint64(r)
        x, y, z = rays[i], rays[i + _1], rays[i + _2]
        u, v, w = rays[i + _3], rays[i + _4], rays[i + _5]
        stack[0], top = 0, 1
        while top > 0:
            top -= 1
            node = np.uint64(stack[top])
            if not meet(boxes, _6 * node, x, y, z, u, v, w, reach[r]) < MISS:
                continue
            count, link = links[_2 * node], np.uint64(links[_2 * node + _1])
            if count == 0:
                stack[top], stack[top + 1] = link, link + _1
                top += 2
                continue
            for k in range(link, link + np.uint64(count)):
                at = meet(leaves, _6 * k, x, y, z, u, v, w, reach[r])
                if at < MISS:
                    if total < len(distances):
                        pairs[2 * total], pairs[2 * total + 1], distances[total] = r, items[k], at
                    total += 1
    return total
