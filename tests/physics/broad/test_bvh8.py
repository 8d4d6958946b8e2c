"""The tree with eight children per node contains the same as the binary tree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_jit.simd import LANES
from rish_physics.broad.bvh8 import EMPTY, NODE, STACK, Wide, wide_of
from rish_physics.broad.tree import Tree


def grown(seed: int, count: int, spread: float) -> tuple[Tree, Any]:
    """Return a tree over some boxes, and the boxes, (n, 4)."""
    random = np.random.default_rng(seed)
    low = random.uniform(-spread, spread, (count, 2)) * random.choice([1, 1, 30], (count, 1))
    fat = np.concatenate([low, low + random.uniform(0, 3, (count, 2))], 1).astype(np.float32)
    tree = Tree()
    tree.build(np.arange(count, dtype=np.int32), fat.ravel())
    return tree, fat


def check(wide: Wide, fat: Any) -> int:
    """Assert that every item is there once and that each child's box contains its items; return the greatest depth."""
    boxes, kids = wide.boxes.reshape(-1, 4, LANES), wide.kids.reshape(-1, LANES)
    seen: list[int] = []

    def below(node: int) -> tuple[Any, int]:
        held, deepest = [], 0
        assert (kids[node] != EMPTY).any()
        for lane in np.flatnonzero(kids[node] != EMPTY):
            kid, box = int(kids[node, lane]), boxes[node, :, lane]
            if kid < 0:
                seen.append(-1 - kid)
                assert np.array_equal(box, fat[-1 - kid])
            else:
                around, depth = below(kid)
                assert np.array_equal(box, around)
                deepest = max(deepest, depth)
            held.append(box)
        held = np.array(held)
        return np.concatenate([held[:, :2].min(0), held[:, 2:].max(0)]), deepest + 1

    depth = below(0)[1] if wide.nodes else 0
    assert sorted(seen) == list(range(len(fat)))
    return depth


@pytest.mark.parametrize("count", [0, 1, 2, 5, 8, 9, 40, 700])
@pytest.mark.parametrize("spread", [0.0, 40.0])
def test_it_holds_every_item_once(count: int, spread: float) -> None:
    """The tree contains every item once, for few and many items, in one place or scattered, also after they moved."""
    tree, fat = grown(count, count, spread)
    wide = wide_of(tree)
    assert wide.nodes <= max(tree.nodes, 1)
    assert len(wide.boxes) >= NODE * wide.nodes
    assert check(wide, fat) * LANES < STACK
    fat += np.float32(0.5)
    tree.fit(fat.ravel())
    assert wide_of(tree) is wide
    check(wide, fat)


def test_it_is_low() -> None:
    """A thousand items are at most five nodes deep."""
    tree, fat = grown(3, 1000, 100.0)
    assert check(wide_of(tree), fat) <= 5


def test_it_follows_a_tree_that_is_built_anew() -> None:
    """The wide tree follows a binary tree that is built again with other items."""
    tree, _ = grown(1, 30, 10.0)
    wide_of(tree)
    other, fat = grown(2, 50, 10.0)
    tree.build(np.arange(50, dtype=np.int32), fat.ravel())
    check(wide_of(tree), fat)
    assert np.array_equal(wide_of(tree).kids, wide_of(other).kids)
