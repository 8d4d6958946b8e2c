"""The simple forms of the broad phase, compared with each other."""

from __future__ import annotations

import numpy as np
import pytest

from plain_boxes import QuadTree, brute_force


@pytest.mark.parametrize("spread", [3.0, 30.0, 1000.0])
def test_the_quad_tree_finds_what_brute_force_finds(spread: float) -> None:
    """The quadtree finds the same pairs as brute force, for dense and sparse boxes with a few large ones."""
    random = np.random.default_rng(int(spread))
    low = random.uniform(-spread, spread, (300, 2))
    boxes = np.concatenate([low, low + random.uniform(0, 1, (300, 2))], 1)
    boxes[:5, 2:] += spread
    assert np.array_equal(QuadTree.over(boxes).pairs(boxes), brute_force(boxes))


def test_boxes_in_one_place_end_the_parting() -> None:
    """Equal boxes do not divide a square without end."""
    boxes = np.tile(np.array([1.0, 1.0, 2.0, 2.0]), (40, 1))
    assert len(QuadTree.over(boxes).pairs(boxes)) == 40 * 39 // 2


def test_boxes_that_only_touch_overlap() -> None:
    """Boxes with a common border or corner overlap."""
    boxes = np.array([(0, 0, 1, 1), (1, 0, 2, 1), (2, 1, 3, 2), (4, 4, 5, 5)], float)
    assert brute_force(boxes).tolist() == [[0, 1], [1, 2]]
