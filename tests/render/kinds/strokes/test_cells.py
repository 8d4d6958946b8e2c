"""Neighbors are found by a grid, each pair once."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rish_render.kinds.strokes.cells import Polygons, fans, neighbors, runs


def squares(places, sizes):
    """Return squares with these middles."""
    ring = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    corners = np.zeros((len(places), 4, 5))
    corners[:, :, :2] = places[:, None] + sizes[:, None, None] * ring
    return Polygons(corners.reshape(-1, 5), np.arange(0, 4 * len(places) + 1, 4))


@given(st.integers(0, 1000), st.integers(1, 60), st.sampled_from([0.1, 1.0, 30.0]))
def test_neighbors_are_the_pairs_whose_boxes_overlap(seed, count, size):
    """The pairs are exactly those that a comparison of each with each finds, in the order of the first."""
    dice = np.random.default_rng(seed)
    places, sizes = dice.uniform(-50, 50, (count, 2)), dice.uniform(0.5, 1, count) * size
    found = [np.stack(pair, axis=1) for pair in neighbors(squares(places, sizes))]
    pairs = np.concatenate(found)
    assert (np.diff(pairs[:, 0]) >= 0).all()
    near = (np.abs(places[:, None] - places) < (sizes[:, None] + sizes)[:, :, None]).all(axis=2)
    assert sorted(map(tuple, pairs.tolist())) == list(map(tuple, np.argwhere(near).tolist()))


def test_runs_and_fans_follow_the_counts():
    """Runs count from each first number; a polygon of n corners is n - 2 triangles, one of two corners is none."""
    assert runs(np.array([5, 0, 9]), np.array([2, 0, 3])).tolist() == [5, 6, 9, 10, 11]
    assert fans(np.array([0, 4, 6, 9])).tolist() == [[0, 1, 2], [0, 2, 3], [6, 7, 8]]
