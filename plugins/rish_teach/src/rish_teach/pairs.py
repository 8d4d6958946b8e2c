"""The broad phase: which boxes overlap, by sort and sweep.

Testing every shape against every other one takes n²/2 tests. Sorted by their left sides, a box need only be tested
against those that begin before it ends (Baraff, "Dynamic Simulation of Non-Penetrating Rigid Bodies", 1992).
"""

from __future__ import annotations

import numpy as np

from rish_jit import Array


def overlapping_boxes(low: Array, high: Array) -> list[tuple[int, int]]:
    """Return the pairs (i, j), i < j, of boxes that overlap or touch, in ascending order.

    low, high: float64 (n, 2), the lower left and upper right corners.
    """
    order = np.argsort(low[:, 0], kind="stable")
    left, bottom, top = low[order, 0], low[order, 1], high[order, 1]
    # The box at k overlaps in x with those after it that begin before it ends.
    ends = np.searchsorted(left, high[order, 0], side="right").tolist()
    pairs: list[tuple[int, int]] = []
    for k, end in enumerate(ends):
        near = (bottom[k + 1 : end] <= top[k]) & (top[k + 1 : end] >= bottom[k])
        first = int(order[k])
        pairs += [(min(first, other), max(first, other)) for other in order[k + 1 : end][near].tolist()]
    return sorted(pairs)
