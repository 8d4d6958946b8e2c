"""The form of the tree: every box once, in nodes that follow their parents."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_space3d import Bvh, prepare_bvh
from rish_space3d.bvh.building import NOTHING, SIZE, STACK, WIDE

FORMS = ["spread", "equal", "line", "far", "clusters"]


def boxes_of(form: str, count: int, seed: int) -> Any:
    """Return boxes, float32 (n, 6), that are easy or hard to tell apart."""
    random = np.random.default_rng(seed)
    low = random.normal(size=(count, 3))
    if form == "equal":
        low[:] = 1
    elif form == "line":
        low[:, 1:], low[:, 0] = 0, 2.0 ** -np.arange(count)
    elif form == "far":
        low *= random.choice([1e-30, 1, 1e30], (count, 1))
    elif form == "clusters":
        low = np.round(low) * 100 + low * 1e-3
    return np.concatenate([low, low + random.uniform(0, 1, (count, 3))], axis=1).astype(np.float32)


@settings(max_examples=long(40, 10), deadline=None)
@given(st.sampled_from(FORMS), st.integers(0, 150), st.integers(0, 2**32 - 1))
def test_every_box_has_one_slot_within_its_nodes(form: str, count: int, seed: int) -> None:
    """All boxes are in the tree once; a slot holds the box of what it leads to; nodes follow their parents."""
    assert prepare_bvh()
    boxes = boxes_of(form, count, seed)
    links, nodes = (each.reshape(-1, n) for each, n in zip(Bvh(boxes).nodes(), (WIDE, SIZE), strict=True))
    found: list[int] = []
    deepest = 0
    waiting = [(0, 0)]
    seen = {0}
    while waiting:
        node, depth = waiting.pop()
        deepest = max(deepest, depth)
        for k, link in enumerate(links[node].tolist()):
            here = nodes[node].reshape(6, WIDE)[:, k]
            if link == NOTHING:
                assert here[0] > here[3]
            elif link < 0:
                found.append(-1 - link)
                assert here.tolist() == boxes[-1 - link].tolist()
            else:
                assert link > node
                assert link not in seen
                seen.add(link)
                below = nodes[link].reshape(6, WIDE)
                assert here.tolist() == [*below[:3].min(axis=1), *below[3:].max(axis=1)]
                waiting.append((link, depth + 1))
    assert sorted(found) == [*range(count)]
    assert seen == set(range(len(links)))
    assert 1 + (WIDE - 1) * (deepest + 1) <= STACK


@pytest.mark.slow
def test_no_tree_is_deeper_than_its_stack() -> None:
    """Boxes at powers of two, of which a split parts off few, stay within the stack of a traversal."""
    assert prepare_bvh()
    count = 250
    low = np.zeros((count, 3), np.float32)
    low[:, 0] = 2.0 ** np.linspace(-90, 100, count)
    tree = Bvh(np.concatenate([low, low * np.float32(1.01)], axis=1))
    many = np.tile([0, 0, 0, 1, 0, 0], (200, 1)).astype(np.float32)
    links = tree.nodes()[0].reshape(-1, WIDE)
    depth = np.zeros(len(links), int)
    for node in range(len(links)):
        depth[links[node][links[node] >= 0]] = depth[node] + 1
    assert 1 + (WIDE - 1) * (depth.max() + 1) <= STACK
    assert len(tree.all_hits(many[:, :3], many[:, 3:])[0]) == count * len(many)
