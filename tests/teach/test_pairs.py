"""The broad phase of the physics to be read."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_teach import overlapping_boxes

BOXES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 4), st.integers(0, 4)), max_size=12)


@settings(max_examples=long(100, 20), deadline=None)
@given(BOXES)
def test_sort_and_sweep_finds_what_all_against_all_finds(boxes: list[tuple[int, int, int, int]]) -> None:
    """The pairs are those of a test of each box against each other one."""
    rows = np.array(boxes, float).reshape(-1, 4)
    low, high = rows[:, :2], rows[:, :2] + rows[:, 2:]
    wanted = [
        (i, j)
        for i in range(len(rows))
        for j in range(i + 1, len(rows))
        if (low[i] <= high[j]).all() and (low[j] <= high[i]).all()
    ]
    assert overlapping_boxes(low, high) == wanted
