"""Matrices along chains of parents."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rish_ecs.storage import generations_of
from rish_jit import hang_matrices, product

SPECIAL = [0.0, -0.0, 1e-30, 1e-45, 3e38, -3e38, np.inf]


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32), st.lists(st.integers(-1, 60), min_size=1, max_size=60), st.booleans())
def test_few_matrices_have_the_bits_of_many(seed: int, links: list[int], special: bool) -> None:
    """Matrices that are multiplied one by one have the same bits as products of arrays, infinite numbers included."""
    chance = np.random.default_rng(seed)
    matrices = chance.normal(size=(len(links), 6)).astype(np.float32)
    if special:
        matrices[chance.random(matrices.shape) < 0.2] = chance.choice(SPECIAL)
    parents = np.array([link if link < len(links) else -1 for link in links])
    generations, _ = generations_of(parents)
    depths = np.zeros(len(parents), np.int32)
    for depth, rank in enumerate(generations, 1):
        depths[rank] = depth
    expected = matrices.copy()
    with np.errstate(all="ignore"):
        for rank in generations:
            for row in rank:
                many = np.repeat(row, 20)
                expected[row] = product(expected[parents[many]], expected[many])[0]
        hang_matrices(matrices, parents, np.argsort(depths, kind="stable"), depths)
    number = ~np.isnan(expected)
    assert (np.isnan(matrices) == ~number).all()
    assert matrices[number].tobytes() == expected[number].tobytes()


@pytest.mark.parametrize("width", [1, 40])
def test_chains_are_multiplied_in_order(width: int) -> None:
    """In a chain of shifts each matrix is below all former ones, whether a rank has few rows or many."""
    count = 30 * width
    matrices = np.tile(np.array([1, 0, 0, 1, 1, 2], np.float32), (count, 1))
    parents = np.arange(count) - width
    hang_matrices(matrices, parents, np.arange(count), np.arange(count) // width)
    assert matrices[-1].tolist() == [1, 0, 0, 1, 30, 60]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([1, 2, 11, 12, 13, 14, 40]), min_size=1, max_size=12))
def test_ranks_of_any_size_follow_each_other(sizes: list[int]) -> None:
    """Narrow and wide ranks in any order give the sums of all shifts above each matrix."""
    depths = np.repeat(np.arange(len(sizes)), sizes)
    first = np.cumsum([0, *sizes])[:-1]
    parents = np.where(depths > 0, first[np.maximum(depths - 1, 0)], -1)
    matrices = np.tile(np.array([1, 0, 0, 1, 1, 0], np.float32), (len(depths), 1))
    hang_matrices(matrices, parents, np.arange(len(depths)), depths)
    assert matrices[:, 4].tolist() == (depths + 1).tolist()
