"""The tree of boxes, compared with brute force."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_physics.broad.tree import DEPTH, LEAF, Tree

Boxes = npt.NDArray[Any]


def some_boxes(seed: int, count: int, spread: float, size: float) -> Boxes:
    """Return random boxes, float32 (n, 4), some of them much larger than others."""
    random = np.random.default_rng(seed)
    low = random.uniform(-spread, spread, (count, 2))
    extent = random.uniform(0, size, (count, 2)) * np.exp(random.uniform(-3, 3, (count, 1)))
    return np.concatenate([low, low + extent], 1).astype(np.float32)


def ask(tree: Tree, box: Boxes) -> list[int]:
    """Return the slots of the items that overlap a box, by walking the tree."""
    found, stack = [], [0] if tree.nodes else []
    boxes, leaves = tree.boxes.reshape(-1, 4), tree.leaves.reshape(-1, 4)
    while stack:
        assert len(stack) < DEPTH
        node = stack.pop()
        if not overlap(boxes[node], box):
            continue
        leaf, link = tree.links[2 * node : 2 * node + 2]
        if leaf:
            found += [int(tree.items[k]) for k in range(link, link + leaf) if overlap(leaves[k], box)]
        else:
            stack += [int(link), node + 1]
    return sorted(found)


def overlap(a: Boxes, b: Boxes) -> bool:
    """Return True if two boxes share a point."""
    return bool(a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3])


@settings(max_examples=long(60, 15), deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 120), st.sampled_from([0.0, 1.0, 50.0, 1e6]), st.sampled_from([0.1, 5.0]))
def test_a_box_finds_what_brute_force_finds(seed: int, count: int, spread: float, size: float) -> None:
    """A query finds the same boxes as brute force, for boxes of any size and place, also after they moved."""
    fat = some_boxes(seed, count, spread, size)
    slots = np.flatnonzero(np.random.default_rng(seed).random(count) < 0.8)
    tree = Tree()
    tree.build(slots, fat.ravel())
    for _ in range(2):
        for box in (*fat[:5], np.array([-spread, -spread, spread / 3, spread / 2])):
            assert ask(tree, box) == [k for k in slots if overlap(fat[k], box)]
        fat += np.float32(0.3)
        tree.fit(fat.ravel())


@pytest.mark.parametrize("layout", ["row", "doubling", "same"])
def test_no_layout_makes_it_deep(layout: str) -> None:
    """Boxes in a row, at doubling distances or in one place give a tree within the maximal depth."""
    n = 3000
    x = {"row": np.arange(n), "doubling": 1.03 ** np.arange(n), "same": np.zeros(n)}[layout].astype(np.float32)
    boxes = np.stack([x, 0 * x, x + 1, 0 * x + 1], 1)
    tree = Tree()
    tree.build(np.arange(n), boxes.ravel())
    assert ask(tree, np.array([-1, -1, np.inf, 2])) == list(range(n))
    assert depth_of(tree) < DEPTH


def depth_of(tree: Tree) -> int:
    """Return the number of nodes on the longest path from the root."""
    deepest, stack = 0, [(0, 1)]
    while stack:
        node, depth = stack.pop()
        deepest = max(deepest, depth)
        leaf, link = tree.links[2 * node : 2 * node + 2]
        assert leaf <= LEAF
        if not leaf:
            stack += [(int(link), depth + 1), (node + 1, depth + 1)]
    return deepest


def test_the_same_boxes_make_the_same_tree() -> None:
    """The same boxes always give the same tree."""
    fat = some_boxes(1, 500, 30, 2).ravel()
    first, second = Tree(), Tree()
    second.build(np.arange(40), fat)
    for tree in (first, second):
        tree.build(np.arange(500), fat)
    assert np.array_equal(first.items, second.items)
    assert np.array_equal(first.boxes[: 4 * first.nodes], second.boxes[: 4 * second.nodes])


def test_a_tree_over_nothing_has_no_nodes() -> None:
    """A tree without boxes has no nodes."""
    tree = Tree()
    tree.build(np.zeros(0, np.int32), np.zeros(0, np.float32))
    assert tree.nodes == 0
    tree.fit(np.zeros(0, np.float32))
