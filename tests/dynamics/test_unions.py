"""Disjoint sets."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rish_dynamics.unions import root_of, unite


@given(st.lists(st.tuples(st.integers(0, 19), st.integers(0, 19)), max_size=40), st.randoms())
def test_sets_are_the_connected_parts_in_any_order(pairs: list[tuple[int, int]], random: object) -> None:
    """Two numbers have one root exactly if pairs connect them; the root is the lowest number of the set."""
    reach = np.eye(20, dtype=bool)
    for a, b in pairs:
        reach[a, b] = reach[b, a] = True
    for _ in range(5):  # paths of up to 32 pairs
        reach |= reach @ reach
    random.shuffle(pairs)  # type: ignore[attr-defined]
    parent = np.arange(20, dtype=np.int32)
    for a, b in pairs:
        unite(parent, np.uint64(a), np.uint64(b))
    roots = [int(root_of(parent, np.uint64(s))) for s in range(20)]
    assert roots == reach.argmax(axis=1).tolist()
