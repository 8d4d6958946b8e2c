"""Kernels that build and refit a tree of boxes in flat arrays.

A node has eight slots, so that a query compares eight boxes at once; a slot is another node, a box of the caller, or
empty. The tree is built top-down: boxes are split where the surface of both sides, weighted by the number of nodes that
they need, is least, over twelve bins along the longest side of the box around their centers (binned SAH: Wald, "On fast
Construction of SAH-based Bounding Volume Hierarchies", 2007). The part with the largest surface is split next, until
the eight slots are used. Nodes follow their parent, so one backward pass refits all boxes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

WIDE = 8
"""The slots of a node."""
SIZE = 48
"""The floats of a node: eight lowest x, y, z, then eight highest x, y, z."""
NOTHING = np.iinfo(np.int32).min
"""The link of an empty slot. Links from 0 up are nodes, those from -1 down boxes: -1 is box 0."""
STACK = 192
"""The entries of the stack that a traversal needs: seven for each of at most 24 levels, and one."""
BINS = 12
_SLIM = np.float32(1e-30)
"""The extent of centers below which boxes are split in halves by number."""
_DEEP = 12
"""From this depth on, boxes are split in halves, so that no tree is deeper than `STACK` allows."""
_INF = np.float32(np.inf)


@njit(borrows=True)
def half_surface(bins: Array, o: Any) -> Any:
    """Return half of the surface of a box of six float64 from o on; 0 for an empty one."""
    x, y, z = bins[o + 3] - bins[o], bins[o + 4] - bins[o + 1], bins[o + 5] - bins[o + 2]
    return x * y + y * z + z * x if x >= 0 else 0.0


@njit(borrows=True)
def grow(bins: Array, o: Any, added: Array, p: Any) -> None:
    """Extend the box of six float64 at o by another one at p."""
    for c in range(3):
        bins[o + c] = min(bins[o + c], added[p + c])
        bins[o + c + 3] = max(bins[o + c + 3], added[p + c + 3])


@njit(borrows=True)
def split_items(
    items: Array, first: Any, end: Any, centers: Array, boxes: Array, halves: bool, bins: Array, counts: Array
) -> Any:
    """Partition a range of items into two parts; return the index at which the second one begins.

    bins: float64, 12 for each of `BINS`; counts: int64, one for each; working memory. Half of the surfaces of both
    parts are written to bins[0] and bins[1] if the boxes can be told apart.
    """
    x0 = y0 = z0 = _INF
    x1 = y1 = z1 = -_INF
    for k in range(first, end):
        o = 3 * items[k]
        x, y, z = centers[o], centers[o + 1], centers[o + 2]
        x0, y0, z0 = min(x0, x), min(y0, y), min(z0, z)
        x1, y1, z1 = max(x1, x), max(y1, y), max(z1, z)
    middle = first + (end - first) // 2
    axis, start, length = 0, x0, x1 - x0
    if y1 - y0 > length:
        axis, start, length = 1, y0, y1 - y0
    if z1 - z0 > length:
        axis, start, length = 2, z0, z1 - z0
    if halves or not length > _SLIM:
        return middle
    scale = np.float32(BINS) / length
    for b in range(4 * BINS):
        bins[3 * b : 3 * b + 3] = -np.inf if b % 2 else np.inf
    counts[:] = 0
    for k in range(first, end):
        b = min(np.int64((centers[3 * items[k] + axis] - start) * scale), BINS - 1)
        counts[b] += 1
        grow(bins, 6 * b, boxes, 6 * items[k])
    # the boxes around the last bins, from each bin on
    for b in range(BINS - 1, 0, -1):
        o = 6 * (BINS + b)
        grow(bins, o, bins, 6 * b)
        if b < BINS - 1:
            grow(bins, o, bins, o + 6)
    lowest, cut, left, first_surface, second_surface = np.inf, 0, 0, 0.0, 0.0
    for b in range(1, BINS):
        grow(bins, 6 * BINS, bins, 6 * (b - 1))  # its first box is that around the bins before
        left += counts[b - 1]
        right = end - first - left
        before, after = half_surface(bins, 6 * BINS), half_surface(bins, 6 * (BINS + b))
        cost = before * ((left + 7) // 8) + after * ((right + 7) // 8)
        if left > 0 and right > 0 and cost < lowest:
            lowest, cut, first_surface, second_surface = cost, b, before, after
    if cut == 0:
        return middle
    i, j = first, end - 1  # Hoare's partition
    while i <= j:
        if min(np.int64((centers[3 * items[i] + axis] - start) * scale), BINS - 1) < cut:
            i += 1
        else:
            items[i], items[j] = items[j], items[i]
            j -= 1
    bins[0], bins[1] = first_surface, second_surface
    return i


@njit(borrows=True)
def build_nodes(
    items: Array, centers: Array, boxes: Array, links: Array, parts: Array, sizes: Array, stack: Array, bins: Array,
    counts: Array,
) -> Any:  # fmt: skip
    """Split the items into nodes; return the number of nodes.

    items: int32 numbers of boxes; reordered. centers: float32, 3 for each box, finite. boxes: float64, 6 for each.
    links: int32, 8 for each node, see `NOTHING`; room for as many nodes as items, and one. parts: int64, 16; sizes:
    float64, 8; stack: int64, 4 for each of `STACK`; bins: float64, 12 for each of `BINS`; counts: int64, `BINS`.
    """
    nodes = 1
    stack[0], stack[1], stack[2], stack[3] = 0, len(items), 0, 0
    top = 1 if len(items) > 0 else 0
    links[:WIDE] = NOTHING
    while top > 0:
        top -= 1
        node, depth = stack[4 * top + 2], stack[4 * top + 3]
        parts[0], parts[1], sizes[0] = stack[4 * top], stack[4 * top + 1], np.inf
        used = 1
        while used < WIDE:
            # the part to split: the largest that needs nodes of its own, then one whose boxes all have room here
            widest, largest = -1, -1.0
            for k in range(used):
                count = parts[2 * k + 1] - parts[2 * k]
                if count > WIDE and sizes[k] > largest:
                    widest, largest = k, sizes[k]
            if widest < 0:
                for k in range(used):
                    count = parts[2 * k + 1] - parts[2 * k]
                    if 1 < count <= WIDE - used + 1 and sizes[k] > largest:
                        widest, largest = k, sizes[k]
                if widest < 0:
                    break
                end = parts[2 * widest + 1]
                parts[2 * widest + 1] = parts[2 * widest] + 1
                for k in range(parts[2 * widest] + 1, end):
                    parts[2 * used], parts[2 * used + 1], sizes[used] = k, k + 1, 0.0
                    used += 1
                continue
            first, end = parts[2 * widest], parts[2 * widest + 1]
            bins[0] = bins[1] = largest
            cut = split_items(items, first, end, centers, boxes, depth >= _DEEP, bins, counts)
            parts[2 * widest + 1], sizes[widest] = cut, bins[0]
            parts[2 * used], parts[2 * used + 1], sizes[used] = cut, end, bins[1]
            used += 1
        for k in range(used):
            first, end = parts[2 * k], parts[2 * k + 1]
            if end - first == 1:
                links[WIDE * node + k] = -1 - items[first]
                continue
            links[WIDE * node + k] = nodes
            links[WIDE * nodes : WIDE * (nodes + 1)] = NOTHING
            stack[4 * top], stack[4 * top + 1], stack[4 * top + 2], stack[4 * top + 3] = first, end, nodes, depth + 1
            nodes += 1
            top += 1
    return nodes


@njit(borrows=True)
def fit_boxes(items: Array, links: Array, nodes: Any, boxes: Array) -> None:
    """Fit the boxes of all nodes around the boxes of the items.

    items: float32, 6 for each box. boxes: float32, `SIZE` for each node.
    """
    for node in range(nodes - 1, -1, -1):
        for k in range(WIDE):
            link, o = links[WIDE * node + k], SIZE * node + k
            for c in range(3):
                low, high = _INF, -_INF
                if link >= 0:
                    for j in range(WIDE):
                        low = min(low, boxes[SIZE * link + WIDE * c + j])
                        high = max(high, boxes[SIZE * link + WIDE * (c + 3) + j])
                elif link != NOTHING:
                    low, high = items[6 * (-1 - link) + c], items[6 * (-1 - link) + c + 3]
                boxes[o + WIDE * c], boxes[o + WIDE * (c + 3)] = low, high
