"""Autotiles: the pieces of a terrain chosen by neighboring cells."""

from __future__ import annotations

import numpy as np
import pytest

from rish_core import UsageError
from rish_render.tiles import autotile
from rish_render.tiles.autotile import BLOB_SUMS

AROUND = {1: (-1, 0), 2: (-1, 1), 4: (0, 1), 8: (1, 1), 16: (1, 0), 32: (1, -1), 64: (0, -1), 128: (-1, -1)}


def plain(mask: np.ndarray, form: str, outside: bool) -> np.ndarray:
    """Return the same pieces, computed cell by cell."""
    height, width = mask.shape
    found = np.full(mask.shape, -1)

    def has(row: int, column: int) -> bool:
        inside = 0 <= row < height and 0 <= column < width
        return bool(mask[row, column]) if inside else outside

    for row, column in np.argwhere(mask):
        near = {worth: has(row + down, column + right) for worth, (down, right) in AROUND.items()}
        if form == "edges":
            found[row, column] = sum(bit for bit, worth in ((1, 1), (2, 4), (4, 16), (8, 64)) if near[worth])
        else:
            total = sum(worth for worth in (1, 4, 16, 64) if near[worth])
            corners = {2: (1, 4), 8: (4, 16), 32: (16, 64), 128: (64, 1)}
            total += sum(worth for worth, (a, b) in corners.items() if near[worth] and near[a] and near[b])
            found[row, column] = BLOB_SUMS.tolist().index(total)
    return found


@pytest.mark.parametrize("form", ["edges", "blob"])
@pytest.mark.parametrize("outside", [True, False])
def test_every_cell_gets_the_piece_that_its_neighbors_ask_for(form: str, outside: bool) -> None:
    """The pieces equal those of a plain loop, on random terrains of every density and of odd sizes."""
    rng = np.random.default_rng(4)
    for shape in ((1, 1), (1, 7), (9, 1), (12, 17)):
        for density in (0.2, 0.5, 0.9, 1.0):
            mask = rng.random(shape) < density
            assert np.array_equal(autotile(mask, form, outside), plain(mask, form, outside))


def test_the_blob_has_47_pieces() -> None:
    """The form "blob" has 47 pieces, from a single cell to one that is surrounded."""
    assert len(BLOB_SUMS) == 47
    assert autotile(np.ones((1, 1), bool), "blob", outside=False).tolist() == [[0]]
    assert autotile(np.ones((3, 3), bool), "blob")[1, 1] == 46


def test_an_unknown_form_is_refused_with_the_nearest() -> None:
    """An unknown form raises UsageError with the nearest name."""
    with pytest.raises(UsageError, match=r"'blobs'.*did you mean 'blob'"):
        autotile(np.ones((2, 2), bool), "blobs")


def test_a_map_without_cells_has_no_pieces() -> None:
    """A map without cells gives an empty array."""
    assert autotile(np.zeros((0, 0), bool)).shape == (0, 0)
