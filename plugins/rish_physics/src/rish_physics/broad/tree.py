"""A bounding volume hierarchy in flat arrays, for static shapes and for ray queries.

The box of a node contains all boxes below it, so a query that misses it skips all of them. A query takes about log n
steps for any positions and sizes of the shapes. Building takes n log n, too much for every step. So moving shapes are
found through the grid, and the tree holds static shapes; for rays another tree holds moving shapes, and its boxes can
be refitted in one pass (`fit`).

The tree is built top-down: the items of a node are split at the middle of the longer side of the box around their
centers (as Box2D does for large trees), or into two halves if all of them are on one side. Nodes are stored in the
order in which they are created, so the first child follows its parent directly, and children always follow their
parents: one backward pass refits all boxes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

LEAF = 4
"""The greatest number of items in a leaf."""
DEPTH = 64
"""The size of the stack that the traversal of a tree needs."""
_HALVING_DEPTH = 40
"""From this depth on, items are split in halves, so that no tree is deeper than `DEPTH`."""
_HALF = np.float32(0.5)


@njit(borrows=True)
def part_items(items: Array, first: Any, end: Any, fat: Array, halves: bool) -> Any:
    """Partition the items of a node into two children; return the index at which the second child begins.

    The order of the items within each child is not kept, but it is the same for the same items and boxes.
    """
    # Spatial median split: the box around the centers, and the middle of its longer side.
    x0 = y0 = np.float32(np.inf)
    x1 = y1 = np.float32(-np.inf)
    for k in range(first, end):
        o = 4 * items[k]
        x, y = _HALF * fat[o] + _HALF * fat[o + 2], _HALF * fat[o + 1] + _HALF * fat[o + 3]
        x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
    middle = first + (end - first) // 2
    axis = 0 if x1 - x0 >= y1 - y0 else 1
    at = _HALF * x0 + _HALF * x1 if axis == 0 else _HALF * y0 + _HALF * y1
    if halves:
        return middle
    # Hoare partition about the split position.
    low, high = first, end - 1
    while low <= high:
        o = 4 * items[low] + axis
        if _HALF * fat[o] + _HALF * fat[o + 2] < at:
            low += 1
        else:
            items[low], items[high] = items[high], items[low]
            high -= 1
    return low if first < low < end else middle


@njit(borrows=True)
def build_nodes(items: Array, fat: Array, links: Array, stack: Array) -> Any:
    """Split the items into nodes; return the number of nodes.

    items: int32 slots; reordered. fat: float32, 4 per slot. links: int32, 2 per node: for an inner node 0 and its
    second child; for a leaf the number of its items and the index of the first one. stack: int32, 4 for each of `DEPTH`
    levels.
    """
    nodes = 0
    stack[0], stack[1], stack[2], stack[3] = 0, len(items), -1, 0
    top = 1
    while top > 0:
        top -= 1
        first, end, parent, depth = stack[4 * top], stack[4 * top + 1], stack[4 * top + 2], stack[4 * top + 3]
        node = nodes
        nodes += 1
        if parent >= 0:
            links[2 * parent + 1] = node
        if end - first <= LEAF:
            links[2 * node], links[2 * node + 1] = end - first, first
            continue
        cut = part_items(items, first, end, fat, depth >= _HALVING_DEPTH)
        links[2 * node] = 0
        o = 4 * top
        stack[o], stack[o + 1], stack[o + 2], stack[o + 3] = cut, end, node, depth + 1
        stack[o + 4], stack[o + 5], stack[o + 6], stack[o + 7] = first, cut, -1, depth + 1
        top += 2
    return nodes


@njit(borrows=True)
def fit_boxes(items: Array, fat: Array, links: Array, nodes: Any, boxes: Array, leaves: Array) -> None:
    """Refit all boxes to the boxes of the items.

    boxes: float32, 4 per node. leaves: float32, 4 per item, in the order of the items.
    """
    for k in range(len(items)):
        for c in range(4):
            leaves[4 * k + c] = fat[4 * items[k] + c]
    for node in range(nodes - 1, -1, -1):
        count, link = links[2 * node], links[2 * node + 1]
        if count == 0:
            a, b = 4 * (node + 1), 4 * link
            x0, y0 = min(boxes[a], boxes[b]), min(boxes[a + 1], boxes[b + 1])
            x1, y1 = max(boxes[a + 2], boxes[b + 2]), max(boxes[a + 3], boxes[b + 3])
        else:
            o = 4 * link
            x0, y0, x1, y1 = leaves[o], leaves[o + 1], leaves[o + 2], leaves[o + 3]
            for k in range(link + 1, link + count):
                o = 4 * k
                x0, y0 = min(x0, leaves[o]), min(y0, leaves[o + 1])
                x1, y1 = max(x1, leaves[o + 2]), max(y1, leaves[o + 3])
        o = 4 * node
        boxes[o], boxes[o + 1], boxes[o + 2], boxes[o + 3] = x0, y0, x1, y1


class Tree:
    """The nodes over some shapes, see the module.

    items: int32, their slots in the order of the leaves. boxes, links, leaves: as the kernels write them. nodes: the
    number of nodes, 0 if there are no shapes. stack: int32, working memory of a traversal. fits: the number of times
    that the boxes were refitted. wide: the cache of `bvh8.wide_of`.
    """

    __slots__ = ("boxes", "fits", "items", "leaves", "links", "nodes", "stack", "wide")

    def __init__(self) -> None:
        self.items: Array = np.zeros(0, np.int32)
        self.links: Array = np.zeros(2, np.int32)
        self.boxes: Array = np.zeros(4, np.float32)
        self.leaves: Array = np.zeros(4, np.float32)
        self.stack: Array = np.zeros(DEPTH, np.int32)
        self.nodes = self.fits = 0
        self.wide: Any = None

    def build(self, slots: Array, fat: Array) -> None:
        """Build the tree over the shapes of these slots (int32) with these boxes (float32, 4 per slot)."""
        self.items = np.array(slots, np.int32)
        n = len(self.items)
        self.links, self.boxes = np.zeros(4 * n + 2, np.int32), np.zeros(8 * n + 4, np.float32)
        self.leaves = np.zeros(4 * n + 4, np.float32)
        self.nodes = int(build_nodes(self.items, fat, self.links, np.zeros(8 * DEPTH, np.int32))) if n else 0
        self.fit(fat)

    def fit(self, fat: Array) -> None:
        """Refit the tree to the current boxes of its shapes; queries stay correct, but are fast only if the shapes
        moved little.
        """
        self.fits += 1
        if self.nodes:
            fit_boxes(self.items, fat, self.links, self.nodes, self.boxes, self.leaves)
