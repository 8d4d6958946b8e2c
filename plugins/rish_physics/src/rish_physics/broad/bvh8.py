"""A tree with up to eight children per node, for rays: eight boxes are tested at a time.

It is built from the binary tree (`tree`): a node replaces its largest child by the children of that child, and repeats
this until it has eight children. A child is a node or a single item. So a ray among five thousand shapes visits four
nodes on its path down instead of twelve, and testing the eight boxes of a node at once costs as much as testing two.

The boxes and the ray tests of them are float32. The tests count a box as hit if rounding could have missed it. The
exact hits are then computed from the shapes, in float64.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit
from rish_jit.simd import LANES

from .tree import DEPTH, Tree

NODE = 4 * LANES
"""The number of float32 in a node: x0 of its children, then y0, x1, y1."""
STACK = LANES * DEPTH
"""The size of the stack that a traversal needs."""
EMPTY = np.int32(-(2**31))
"""The value of a missing child, in a node with fewer than eight children."""
_MISSING = np.float32(3e38)
"""The box coordinate of a missing child, which no ray reaches."""


@njit(borrows=True)
def widen(items: Array, links: Array, nodes: Any, sizes: Array, stack: Array, kids: Array, sources: Array) -> Any:
    """Choose the children of each node; return the number of nodes.

    items, links, nodes: of the binary tree. sizes: int32 per binary node, working memory. stack: int32, two per level.
    kids: int32, 8 per node: the index of a node, -1 minus the slot of an item, or EMPTY. sources: int32 likewise: the
    source of the child's box, a node of the binary tree or -1 minus the index of an item.
    """
    # sizes: the number of items below each binary node, bottom-up.
    for node in range(nodes - 1, -1, -1):
        count = links[2 * node]
        sizes[node] = count if count > 0 else sizes[node + 1] + sizes[links[2 * node + 1]]
    total, top = min(1, nodes), min(1, nodes)
    stack[0], stack[1] = 0, 0
    while top > 0:
        top -= 1
        o = LANES * stack[2 * top]
        sources[o] = stack[2 * top + 1]
        used = 1
        # Replace the child with the most items by its own children, as long as all fit.
        while True:
            best, maximum = -1, 0
            for k in range(used):
                source = sources[o + k]
                if source >= 0 and max(2, links[2 * source]) <= LANES + 1 - used and sizes[source] > maximum:
                    best, maximum = k, sizes[source]
            if best < 0:
                break
            source = sources[o + best]
            count, link = links[2 * source], links[2 * source + 1]
            if count == 0:
                sources[o + best], sources[o + used] = source + 1, link
                used += 1
            else:
                sources[o + best] = -1 - link
                for k in range(1, count):
                    sources[o + used] = -1 - link - k
                    used += 1
        for k in range(LANES):
            if k >= used:
                kids[o + k] = EMPTY
            elif sources[o + k] < 0:
                kids[o + k] = -1 - items[-1 - sources[o + k]]
            else:
                kids[o + k] = total
                stack[2 * top], stack[2 * top + 1] = total, sources[o + k]
                total += 1
                top += 1
    return total


@njit(borrows=True)
def fit_wide(nodes: Any, kids: Array, sources: Array, binary: Array, leaves: Array, boxes: Array) -> None:
    """Copy the boxes of the binary tree's nodes and items."""
    for lane in range(LANES * nodes):
        o = lane // LANES * NODE + lane % LANES
        source = sources[lane]
        for c in range(4):
            if kids[lane] == EMPTY:
                boxes[o + c * LANES] = _MISSING
            elif source >= 0:
                boxes[o + c * LANES] = binary[4 * source + c]
            else:
                boxes[o + c * LANES] = leaves[4 * (-1 - source) + c]


class Wide:
    """The wide form of a binary tree. boxes, kids: see the kernels. nodes: the number of nodes, 0 if there are no
    shapes.
    """

    __slots__ = ("_fits", "_links", "_sources", "boxes", "kids", "nodes")

    def __init__(self) -> None:
        self.boxes: Array = np.zeros(0, np.float32)
        self.kids: Array = np.zeros(0, np.int32)
        self._sources: Array = np.zeros(0, np.int32)
        self._links: Any = None
        self._fits = -1
        self.nodes = 0

    def follow(self, tree: Tree) -> None:
        """Update to the current state of the binary tree; do nothing if it is up to date."""
        if self._links is not tree.links:
            self._links, room = tree.links, max(1, tree.nodes)
            self.kids, self._sources = np.full(LANES * room, EMPTY, np.int32), np.zeros(LANES * room, np.int32)
            sizes, stack = np.zeros(room, np.int32), np.zeros(2 * STACK, np.int32)
            self.nodes = int(widen(tree.items, tree.links, tree.nodes, sizes, stack, self.kids, self._sources))
            self.boxes = np.zeros(NODE * max(1, self.nodes), np.float32)
            self._fits = -1
        if self._fits != tree.fits:
            self._fits = tree.fits
            fit_wide(self.nodes, self.kids, self._sources, tree.boxes, tree.leaves, self.boxes)


def wide_of(tree: Tree) -> Wide:
    """Return the wide form of a tree, cached in the tree."""
    if tree.wide is None:
        tree.wide = Wide()
    tree.wide.follow(tree)
    return tree.wide
