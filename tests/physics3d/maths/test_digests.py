"""Digests of rows."""

from __future__ import annotations

import numpy as np
import pytest

from rish_physics3d.maths import digests as module


@pytest.mark.parametrize("collide", [False, True])
def test_rows_are_alike_if_they_are_equal(monkeypatch: pytest.MonkeyPatch, collide: bool) -> None:
    """Rows are grouped as by numpy, and so they are when all digests are equal by chance."""
    if collide:
        monkeypatch.setattr(module, "digests", lambda rows: np.zeros(len(rows), np.int64))
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 3, (200, 4)).astype(np.float64)
    first, which = module.alike(rows)
    assert len(first) == len(np.unique(rows, axis=0))
    assert np.array_equal(rows[first][which], rows)
    assert all(not (rows[: first[k]] == rows[first[k]]).all(axis=1).any() for k in range(len(first)))
