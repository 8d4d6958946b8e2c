"""Matrices along chains of parents."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rish_core.common import hang_matrices, product
from rish_ecs.storage import generations_of

NUMBER = st.one_of(st.floats(-4, 4, width=32), st.sampled_from([0.0, -0.0, 1e-30, 1e-45, 3e38, -3e38, float("inf")]))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.lists(NUMBER, min_size=6, max_size=6), st.integers(-1, 60)), min_size=1, max_size=60))
def test_few_matrices_have_the_bits_of_many(rows: list[tuple[list[float], int]]) -> None:
    """Matrices that are multiplied one by one have the same bits as products of arrays, infinite numbers included."""
    matrices = np.array([numbers for numbers, _ in rows], np.float32)
    parents = np.array([link if link < len(rows) else -1 for _, link in rows])
    generations, _ = generations_of(parents)
    expected = matrices.copy()
    with np.errstate(all="ignore"):
        for rank in generations:
            for row in rank:
                many = np.repeat(row, 20)
                expected[row] = product(expected[parents[many]], expected[many])[0]
        hang_matrices(matrices, parents, generations)
    number = ~np.isnan(expected)
    assert (np.isnan(matrices) == ~number).all()
    assert matrices[number].tobytes() == expected[number].tobytes()


@pytest.mark.parametrize("width", [1, 40])
def test_chains_are_multiplied_in_order(width: int) -> None:
    """In a chain of shifts each matrix is below all former ones, whether a rank has few rows or many."""
    count = 30 * width
    matrices = np.tile(np.array([1, 0, 0, 1, 1, 2], np.float32), (count, 1))
    parents = np.arange(count) - width
    hang_matrices(matrices, parents, np.arange(count).reshape(30, width)[1:])
    assert matrices[-1].tolist() == [1, 0, 0, 1, 30, 60]
