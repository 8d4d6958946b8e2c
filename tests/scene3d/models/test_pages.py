"""Pictures in arrays with mip levels."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rish_scene3d import layout as at
from rish_scene3d.models.model_library import Library
from rish_scene3d.models.pages import mip_levels, put_picture, replace_picture, squared


def noise(high: int, wide: int, seed: int = 0) -> np.ndarray:
    """Return a picture of random bytes."""
    return np.random.default_rng(seed).integers(0, 256, (high, wide, 4), np.uint8)


@given(st.lists(st.sampled_from([1, 2, 4, 8]), max_size=12))
def test_pictures_keep_their_numbers_and_contents(sides: list[int]):
    """However many pictures of several sizes are added, each is found under its number, unchanged."""
    library = Library()
    given_ = [noise(side, side, seed) for seed, side in enumerate(sides)]
    numbers = [put_picture(library, picture, encoded=bool(k % 2)) for k, picture in enumerate(given_)]
    assert len(set(numbers)) == len(numbers)
    for k, (number, picture) in enumerate(zip(numbers, given_, strict=True)):
        page = library.pages[number // at.PAGES]
        np.testing.assert_array_equal(page.levels[0][number % at.PAGES], picture)
        assert page.encoded[number % at.PAGES] == bool(k % 2)
        assert [len(level[0]) for level in page.levels] == [page.side >> j for j in range(len(page.levels))]


def test_levels_are_means_of_four():
    """Each level has the means of 2 times 2 values, rounded half up, down to one texel."""
    levels = mip_levels(noise(8, 8))
    assert [len(level) for level in levels] == [8, 4, 2, 1]
    blocks = levels[0].reshape(4, 2, 4, 2, 4).astype(np.float64).mean(axis=(1, 3))
    np.testing.assert_array_equal(levels[1], np.floor(blocks + 0.5))


def test_pictures_become_squares_of_powers_of_two():
    """A picture is scaled to the next power of two, at most the largest side; a fitting one is not touched."""
    assert squared(noise(3, 5), 64).shape == (8, 8, 4)
    assert squared(noise(100, 20), 32).shape == (32, 32, 4)
    fitting = noise(16, 16)
    np.testing.assert_array_equal(squared(fitting, 64), fitting)


def test_a_picture_is_replaced_in_place():
    """A new picture of the same size keeps the number and raises the versions; another size is refused."""
    library = Library()
    number = put_picture(library, noise(4, 4), encoded=True)
    page, before = library.pages[0], library.version
    assert replace_picture(library, number, noise(4, 4, 1))
    np.testing.assert_array_equal(page.levels[0][0], noise(4, 4, 1))
    assert page.version == 2
    assert library.version > before
    assert not replace_picture(library, number, noise(8, 8))
