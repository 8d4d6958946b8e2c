"""Pictures in other sizes."""

from __future__ import annotations

import numpy as np

from rish_gym.pictures import least_size, reduced


def test_a_pixel_is_the_mean_of_those_that_it_covers() -> None:
    """Sizes that do not divide each other give means of unequal areas, as slow Python computes them."""
    picture = np.random.default_rng(1).integers(0, 256, (7, 5, 3), np.uint8)
    small = reduced(picture, (2, 3))
    for y, (top, bottom) in enumerate(((0, 2), (2, 4), (4, 7))):
        for x, (left, right) in enumerate(((0, 2), (2, 5))):
            mean = picture[top:bottom, left:right].reshape(-1, 3).astype(np.float64).mean(axis=0)
            assert np.abs(small[y, x] - mean).max() <= 0.51


def test_a_larger_size_repeats_pixels() -> None:
    """Each pixel of a larger picture is one of the old ones; gray has one channel."""
    picture = np.array([[[0, 0, 0], [255, 255, 255]]], np.uint8)
    assert reduced(picture, (4, 2), gray=True)[..., 0].tolist() == [[0, 0, 255, 255]] * 2


def test_pictures_are_drawn_as_small_as_possible() -> None:
    """The size has the form of the game, at least the size of each picture, and at most that of the game."""
    assert least_size((960, 540), [(84, 84)]) == (149, 84)
    assert least_size((960, 540), [(84, 84), (480, 10)]) == (480, 270)
    assert least_size((960, 540), [(84, 1000)]) == (960, 540)
