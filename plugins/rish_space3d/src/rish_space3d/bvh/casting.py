"""Kernels that cast rays through a tree of boxes: the nearest box of each ray, and all boxes.

A ray meets a box where the intervals between its three pairs of planes overlap (the slab method: Kay and Kajiya, "Ray
Tracing Complex Scenes", 1986). A ray that starts inside a box meets it at distance 0. A comparison with NaN, which
arises for a ray within a plane of the box, is false and so limits nothing. The eight boxes of a node are compared at
once; the side at which a ray enters depends only on the sign of its direction.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit
from rish_jit.simd import bits, load, lowest, maximum, minimum, splat, store

MISS = np.float32(np.inf)
"""The distance of a box that the ray misses."""
_ZERO = np.float32(0)
_1, _2, _3, _4, _5, _6, _8, _16, _24, _48 = (np.uint64(k) for k in (1, 2, 3, 4, 5, 6, 8, 16, 24, 48))
"""Indices are unsigned, so that numba does not look for negative ones, which count from the end."""


@njit(borrows=True)
def meet(boxes: Array, o: Any, rays: Array, i: Any, reach: Any, entries: Array) -> Any:
    """Return which boxes of a node a ray enters, as bits, and write at which distances.

    boxes: float32, flat; the node begins at index o, uint64. rays: float32; the ray begins at index i, uint64. reach:
    the largest distance, finite. entries: float32, 8, the distances.
    """
    near, far = splat(_ZERO), splat(reach)
    for c in range(3):
        start, turn = splat(rays[i + np.uint64(c)]), splat(rays[i + _3 + np.uint64(c)])
        low = o + _8 * np.uint64(c)
        far_side = _24 if rays[i + _3 + np.uint64(c)] < _ZERO else np.uint64(0)
        near = maximum((load(boxes, low + far_side) - start) * turn, near)
        far = minimum((load(boxes, low + _24 - far_side) - start) * turn, far)
    store(entries, 0, near)
    return bits(near <= far)


@njit(borrows=True)
def cast_nearest(
    rays: Array, reach: Array, links: Array, boxes: Array, stack: Array, pending: Array, entries: Array,
    items: Array, distances: Array,
) -> None:  # fmt: skip
    """Find the nearest box of each ray; of boxes at the same distance, the one with the lowest number.

    rays: float32, 6 for each: origin and inverse direction. reach: float32, finite, negative for rays that meet
    nothing. links, boxes: of the tree. stack: int32, pending: float32, entries: float32, working memory. items: int32,
    -1 for none. distances: float32, infinite for none.
    """
    for r in range(len(items)):
        i = _6 * np.uint64(r)
        limit, nearest = reach[r], np.int32(-1)
        stack[0], pending[0], top = 0, _ZERO, 1
        while top > 0:
            top -= 1
            if not pending[np.uint64(top)] <= limit:
                continue
            node = np.uint64(stack[np.uint64(top)])
            left = np.uint64(meet(boxes, _48 * node, rays, i, limit, entries))
            bottom = top
            while left > 0:
                k = np.uint64(lowest(left))
                left &= left - _1
                link, at = links[_8 * node + k], entries[k]
                if link < 0:
                    item = np.int32(-1 - link)
                    if at < limit or (at == limit and (nearest < 0 or item < nearest)):
                        limit, nearest = at, item
                    continue
                # the nearest node is on top
                j = top
                while j > bottom and pending[np.uint64(j - 1)] < at:
                    pending[np.uint64(j)], stack[np.uint64(j)] = pending[np.uint64(j - 1)], stack[np.uint64(j - 1)]
                    j -= 1
                pending[np.uint64(j)], stack[np.uint64(j)] = at, link
                top += 1
        items[r] = nearest
        distances[r] = limit if nearest >= 0 else MISS


@njit(borrows=True)
def cast_all(
    rays: Array, reach: Array, links: Array, boxes: Array, stack: Array, entries: Array, pairs: Array,
    distances: Array,
) -> Any:  # fmt: skip
    """Find all boxes of each ray; return how many there are, which may be more than there is room for.

    pairs: int32, 2 for each: the ray and the box, in no order. distances: float32. The others are as above.
    """
    total = 0
    for r in range(len(reach)):
        stack[0], top = 0, 1
        while top > 0:
            top -= 1
            node = np.uint64(stack[top])
            left = np.uint64(meet(boxes, _48 * node, rays, _6 * np.uint64(r), reach[r], entries))
            while left > 0:
                k = np.uint64(lowest(left))
                left &= left - _1
                link = links[_8 * node + k]
                if link >= 0:
                    stack[top] = link
                    top += 1
                    continue
                if total < len(distances):
                    pairs[2 * total], pairs[2 * total + 1], distances[total] = r, -1 - link, entries[k]
                total += 1
    return total
