"""Sorted rows: replacing some gives what sorting all of them again gives."""

from __future__ import annotations

import numpy as np
import pytest

from rish_scene3d.scene.listing.sorted_rows import FEW, SortedRows


@pytest.mark.parametrize("width", [1, 3])
@pytest.mark.parametrize("most", [4, 3 * FEW])
@pytest.mark.parametrize("seed", range(8))
def test_replaced_rows_are_those_of_a_new_sort(seed: int, most: int, width: int):
    """After random removals and insertions, also at the place of a removed row, keys and values equal sorted ones."""
    random = np.random.default_rng(seed)
    rows = SortedRows(np.int64, width)
    plain: dict[int, list[int]] = {key: random.integers(0, 99, width).tolist() for key in range(0, 900, 3)}
    rows.fill(np.array(sorted(plain)), np.array([plain[key] for key in sorted(plain)]).reshape(-1))
    for _ in range(60):
        present = sorted(plain)
        removed = np.sort(random.permutation(len(present))[: random.integers(0, most)])
        gone = [present[position] for position in removed.tolist()]
        free = np.setdiff1d(np.arange(1000), np.setdiff1d(present, gone))
        keys = np.sort(random.permutation(np.append(free, gone))[: random.integers(0, most)])
        keys = np.unique(keys)
        values = random.integers(0, 99, (len(keys), width))
        rows.replace(removed, keys, values.reshape(-1))
        for key in gone:
            del plain[key]
        plain.update(zip(keys.tolist(), values.tolist(), strict=True))
        assert rows.keys.tolist() == sorted(plain)
        assert rows.values.reshape(-1, width).tolist() == [plain[key] for key in sorted(plain)]
