"""The cells of a sheet are placed on a grid."""

from __future__ import annotations

import numpy as np
import pytest

from rish_render.animation import cell_regions


def regions(size, frames, cell=(16, 16), columns=0, margin=0, spacing=0, count=0):
    """Return the regions of cells of one sheet."""
    n = len(frames)
    sheet = (np.tile(np.float32(cell), (n, 1)), *(np.full(n, v, np.int32) for v in (columns, margin, spacing, count)))
    return cell_regions(sheet, np.tile(np.float32(size), (n, 1)), np.array(frames)).tolist()


def test_cells_are_counted_like_words():
    """Cells are counted along the rows, from the top left."""
    assert regions((64, 32), [0, 3, 4, 7]) == [[0, 0, 16, 16], [48, 0, 16, 16], [0, 16, 16, 16], [48, 16, 16, 16]]


def test_a_number_beyond_the_last_starts_over():
    """An index beyond the last cell starts again at the first, and one below 0 counts from the end."""
    assert regions((64, 32), [8, -1, 9]) == [[0, 0, 16, 16], [48, 16, 16, 16], [16, 0, 16, 16]]
    assert regions((64, 32), [3], count=3) == [[0, 0, 16, 16]]


def test_margin_spacing_and_columns():
    """A margin around the grid, spacing between cells, and fewer columns than fit are respected."""
    assert regions((70, 70), [0, 5], margin=1, spacing=2) == [[1, 1, 16, 16], [37, 19, 16, 16]]
    assert regions((64, 64), [2], columns=2) == [[0, 16, 16, 16]]


@pytest.mark.parametrize("cell", [(0, 0), (500, 500), (0.5, 0.5)])
def test_a_cell_never_reaches_beyond_the_image(cell):
    """A cell that is too large, or has no size, is the complete image."""
    assert regions((20, 10), [0, 7], cell=cell) == [[0, 0, 20, 10]] * 2


def test_hostile_grids_stay_within_the_image():
    """Cells stay within the image even with margins and columns that do not fit."""
    for x, y, w, h in regions((20, 10), [0, 3, 99], cell=(8, 8), columns=50, margin=100, spacing=100):
        assert 0 <= x <= 20 - w
        assert 0 <= y <= 10 - h
