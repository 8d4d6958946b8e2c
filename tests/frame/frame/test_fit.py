"""A fit converts points of the screen into the game's logical pixels and back."""

from __future__ import annotations

import pytest

from rish_frame.frame.fit import Fit
from rish_frame.frame.frame import Frame


def test_the_corners_of_the_picture_are_the_corners_of_the_game() -> None:
    """The fit's rectangle on the screen is the complete logical size, at any scale."""
    fit = Fit((320, 240), (92, 6, 800, 600))
    assert fit.to_logical(92, 6) == (0, 0)
    assert fit.to_logical(892, 606) == (320, 240)
    assert fit.scale == 2.5


def test_bars_lie_outside_of_the_game() -> None:
    """A pointer in the bar at the left has a negative x."""
    assert Fit((320, 240), (100, 0, 640, 480)).to_logical(50, 240) == (-25, 120)


@pytest.mark.parametrize("point", [(0.0, 0.0), (1000.0, 612.0), (91.5, 3.25)])
def test_the_way_back(point: tuple[float, float]) -> None:
    """`to_screen` is the inverse of `to_logical`."""
    fit = Fit((320, 240), (92, 0, 817, 613))
    assert fit.to_screen(*fit.to_logical(*point)) == pytest.approx(point)


def test_a_frame_without_a_fit_counts_in_pixels_of_the_screen() -> None:
    """Without a fit, logical size and screen are equal, and the canvas is the screen."""
    frame = Frame((640, 480))
    assert (frame.logical, frame.canvas_size, frame.to_logical(3, 4)) == ((640, 480), (640, 480), (3, 4))
    frame.fit = Fit((320, 240), (0, 0, 640, 480))
    assert (frame.logical, frame.to_logical(3, 4)) == ((320, 240), (1.5, 2))
