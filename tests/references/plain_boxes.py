"""The broad phase in its simplest forms: easy to read, and a reference for the tests of the fast one.

`brute_force` compares every box with every other: n² comparisons, so it misses no pair. `QuadTree` is the structure
that most textbooks show next: a square that is divided into four when it holds too many boxes. A box that does not
fit completely into one of the quarters stays with the undivided square. Both are plain Python.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def brute_force(boxes: Array) -> Array:
    """Return all pairs of overlapping boxes, int64 (k, 2), the lower index first, in ascending order.

    boxes: (n, 4), x0, y0, x1, y1 each.
    """
    x0, y0, x1, y1 = boxes.T
    apart = (x0[:, None] > x1) | (x0 > x1[:, None]) | (y0[:, None] > y1) | (y0 > y1[:, None])
    return np.argwhere(np.triu(~apart, 1))


class QuadTree:
    """A quadtree: boxes in a square that is divided recursively into four.

    box: x0, y0, x1, y1 of this square. numbers: of the boxes stored in this node. quarters: empty, or four trees.
    """

    CAPACITY = 8
    DEEPEST = 12

    def __init__(self, box: tuple[float, float, float, float], depth: int = 0) -> None:
        self.box = box
        self.depth = depth
        self.numbers: list[int] = []
        self.quarters: list[QuadTree] = []

    @classmethod
    def over(cls, boxes: Array) -> QuadTree:
        """Return a tree that holds all of these boxes (n, 4)."""
        low, high = boxes[:, :2].min(), boxes[:, 2:].max()
        tree = cls((float(low), float(low), float(high), float(high)))
        for number in range(len(boxes)):
            tree.insert(number, boxes)
        return tree

    def insert(self, number: int, boxes: Array) -> None:
        """Insert the box with that index."""
        for quarter in self.quarters:
            if _holds(quarter.box, boxes[number]):
                quarter.insert(number, boxes)
                return
        self.numbers.append(number)
        if not self.quarters and len(self.numbers) > self.CAPACITY and self.depth < self.DEEPEST:
            self._part(boxes)

    def _part(self, boxes: Array) -> None:
        x0, y0, x1, y1 = self.box
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        corners = ((x0, y0, x, y), (x, y0, x1, y), (x0, y, x, y1), (x, y, x1, y1))
        self.quarters = [QuadTree(corner, self.depth + 1) for corner in corners]
        numbers, self.numbers = self.numbers, []
        for number in numbers:
            self.insert(number, boxes)

    def query(self, box: Array, boxes: Array) -> list[int]:
        """Return the indices of the boxes that overlap the given box, ascending."""
        found = [number for number in self.numbers if _overlap(boxes[number], box)]
        for quarter in self.quarters:
            if _overlap(np.array(quarter.box), box):
                found += quarter.query(box, boxes)
        return sorted(found)

    def pairs(self, boxes: Array) -> Array:
        """Return the same pairs as `brute_force`, int64 (k, 2)."""
        found = [(i, j) for i in range(len(boxes)) for j in self.query(boxes[i], boxes) if j > i]
        return np.array(found, np.int64).reshape(-1, 2)


def _overlap(a: Array, b: Array) -> bool:
    return bool(a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3])


def _holds(outer: tuple[float, float, float, float], inner: Array) -> bool:
    return bool(outer[0] <= inner[0] and outer[1] <= inner[1] and inner[2] <= outer[2] and inner[3] <= outer[3])
