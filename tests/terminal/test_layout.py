"""The place of an image in a terminal."""

from __future__ import annotations

import pytest

from rish_terminal.layout import FINEST, fit


def test_a_picture_that_fits_is_shown_as_it_is() -> None:
    """An image that fits is shown with one pixel for half a cell, centered."""
    layout = fit((64, 48), 100, 40)
    assert (layout.shown, layout.fine, layout.drawn) == ((64, 48), 1, (64, 48))
    assert (layout.left, layout.top, layout.rows) == (18, 8, 24)


def test_a_large_picture_keeps_its_proportions() -> None:
    """A large image keeps its proportions, touches two edges, and is drawn at a higher resolution."""
    layout = fit((960, 540), 160, 45)
    assert (layout.shown, layout.fine, layout.drawn) == ((160, 90), FINEST, (160 * FINEST, 90 * FINEST))
    wide = fit((960, 540), 160, 90)
    assert wide.shown == (160, 90)
    assert wide.top == 22
    low = fit((960, 540), 160, 20)
    assert low.shown == (71, 40)
    assert low.left == 44


@pytest.mark.parametrize("wished", [(1, 1), (1, 5000), (5000, 1), (0, 0), (-3, 7), (333, 777)])
@pytest.mark.parametrize("cells", [(1, 1), (2, 1), (80, 24), (500, 200)])
def test_no_size_breaks_it(wished: tuple[int, int], cells: tuple[int, int]) -> None:
    """For any size the image has at least one pixel, is inside the terminal, and is drawn no larger than requested."""
    layout = fit(wished, *cells)
    assert 1 <= layout.shown[0] <= cells[0]
    assert 1 <= layout.shown[1] <= 2 * cells[1]
    assert 0 <= layout.left <= cells[0] - layout.shown[0]
    assert 0 <= layout.top <= cells[1] - layout.rows
    assert layout.drawn[0] <= max(1, wished[0])
    assert layout.drawn[1] <= max(1, wished[1])


def test_a_cell_is_found_in_the_picture() -> None:
    """Cells are counted from the top left, pixels of the game from the bottom left."""
    layout = fit((640, 480), 100, 30)
    assert (layout.shown, layout.fine, layout.left) == ((80, 60), FINEST, 10)
    assert layout.pixel(10, 0) == (0.5 * FINEST, 59 * FINEST)
    assert layout.pixel(89, 29) == (79.5 * FINEST, 1 * FINEST)
    assert layout.pixel(0, 30) == (-9.5 * FINEST, -1 * FINEST)
