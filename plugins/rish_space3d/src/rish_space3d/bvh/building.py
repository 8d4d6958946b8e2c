"""Kernels that build and refit a tree of boxes in flat arrays.

The tree is built top-down: the boxes of a node are split at the middle of the longest side of the box around their
centres, or into halves if all centres are on one side. The two children of a node are neighbours in memory, because a
query reads both, and they follow their parent: one backward pass refits all boxes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rish_ecs.jit import njit

Array = npt.NDArray[Any]
LEAF = 8
"""The most boxes of a leaf."""
DEPTH = 96
"""The size of the stack that a traversal needs."""
_HALF, _INF = np.float32(0.5), np.float32(np.inf)
_DEEP = 56
"""From this depth on, boxes are split in halves, so that no tree is deeper than `DEPTH`."""


@njit(borrows=True)
def part_items(items: Array, first: Any, end: Any, centres: Array, halves: bool) -> Any:
    """Partition the items of a node into two children; return the index at which the second child begins."""
    x0 = y0 = z0 = _INF
    x1 = y1 = z1 = -_INF
    for k in range(first, end):
        o = 3 * items[k]
        x, y, z = centres[o], centres[o + 1], centres[o + 2]
        x0, y0, z0 = min(x0, x), min(y0, y), min(z0, z)
        x1, y1, z1 = max(x1, x), max(y1, y), max(z1, z)
    middle = first + (end - first) // 2
    wide, tall, deep = x1 - x0, y1 - y0, z1 - z0
    if halves or not max(wide, tall, deep) > 0:
        return middle
    axis, split = 0, _HALF * x0 + _HALF * x1
    if tall > wide and tall >= deep:
        axis, split = 1, _HALF * y0 + _HALF * y1
    elif deep > wide:
        axis, split = 2, _HALF * z0 + _HALF * z1
    # Hoare partition about the split position.
    i, j = first, end - 1
    while i <= j:
        if centres[3 * items[i] + axis] < split:
            i += 1
        else:
            items[i], items[j] = items[j], items[i]
            j -= 1
    return i if first < i < end else middle


@njit(borrows=True)
def build_nodes(items: Array, centres: Array, links: Array, stack: Array) -> Any:
    """Split the items into nodes; return the number of nodes.

    items: int32 numbers of boxes; reordered. centres: float32, 3 for each box. links: int32, 2 for each node: for an
    inner node 0 and its first child, which the second one follows; for a leaf the number of its items and the index of
    the first one. stack: int32, 4 for each of `2 * DEPTH` entries.
    """
    nodes = 1
    stack[0], stack[1], stack[2], stack[3] = 0, len(items), 0, 0
    top = 1
    while top > 0:
        top -= 1
        first, end, node, depth = stack[4 * top], stack[4 * top + 1], stack[4 * top + 2], stack[4 * top + 3]
        if end - first <= LEAF:
            links[2 * node], links[2 * node + 1] = end - first, first
            continue
        cut = part_items(items, first, end, centres, depth >= _DEEP)
        links[2 * node], links[2 * node + 1] = 0, nodes
        o = 4 * top
        stack[o], stack[o + 1], stack[o + 2], stack[o + 3] = cut, end, nodes + 1, depth + 1
        stack[o + 4], stack[o + 5], stack[o + 6], stack[o + 7] = first, cut, nodes, depth + 1
        nodes += 2
        top += 2
    return nodes


@njit(borrows=True)
def fit_boxes(items: Array, given: Array, links: Array, nodes: Any, boxes: Array, leaves: Array) -> None:
    """Fit the boxes of all nodes around the given ones.

    given: float32, 6 for each box. boxes: float32, 6 for each node. leaves: float32, 6 for each item, in the order of
    the items.
    """
    for k in range(len(items)):
        for c in range(6):
            leaves[6 * k + c] = given[6 * items[k] + c]
    for node in range(nodes - 1, -1, -1):
        count, link = links[2 * node], links[2 * node + 1]
        o = 6 * node
        if count == 0:
            a, b = 6 * link, 6 * (link + 1)
            for c in range(3):
                boxes[o + c] = min(boxes[a + c], boxes[b + c])
                boxes[o + c + 3] = max(boxes[a + c + 3], boxes[b + c + 3])
            continue
        for c in range(6):
            boxes[o + c] = leaves[6 * link + c]
        for k in range(link + 1, link + count):
            for c in range(3):
                boxes[o + c] = min(boxes[o + c], leaves[6 * k + c])
                boxes[o + c + 3] = max(boxes[o + c + 3], leaves[6 * k + c + 3])
