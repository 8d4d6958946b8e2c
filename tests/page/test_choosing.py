"""Pictures and the stretch of the film are chosen by what is to be seen."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rish_page.choosing import _LEAST, choose_pictures, choose_stretch, distances, main_picture

SHAPE = (3, 4, 3)


@given(st.integers(1, 9).flatmap(lambda n: arrays(np.float32, (n, *SHAPE), elements=st.floats(0, 1, width=32))))
def test_chosen_pictures_differ_and_the_given_one_is_among_them(thumbs: np.ndarray) -> None:
    """They are in order, each once, no more than asked for, and no two are nearly equal."""
    first = len(thumbs) // 2
    chosen = choose_pictures(thumbs, 4, first)
    assert chosen == sorted(set(chosen))
    assert 1 <= len(chosen) <= 4
    assert first in chosen
    for one in chosen:
        assert all(distances(thumbs[[other]], thumbs[one])[0] >= _LEAST for other in chosen if other != one)


def test_a_play_in_which_nothing_changes_has_one_picture() -> None:
    """The same is not shown twice."""
    assert len(choose_pictures(np.full((20, *SHAPE), 0.4, np.float32), 6, 3)) == 1


def test_the_main_picture_is_no_fade_and_no_menu() -> None:
    """Of a stretch it is neither a dark moment nor one that differs from all others."""
    thumbs = np.zeros((9, *SHAPE), np.float32)
    thumbs[2:] = np.tile(np.float32([0.2, 0.5]), 6).reshape(4, 3)
    thumbs[5] = np.tile(np.float32([1, 0]), 6).reshape(4, 3)
    for number in (3, 4, 6, 7, 8):
        thumbs[number, number % 3, 0] += 0.1
    assert main_picture(thumbs, 9) in (2, 3, 4, 6, 7, 8)


def test_pictures_are_from_the_whole_play() -> None:
    """In a play that changes all the time, pictures are far from each other."""
    thumbs = np.random.default_rng(1).random((60, *SHAPE), np.float32)
    assert min(np.diff(choose_pictures(thumbs, 6, 30))) >= 4


def test_the_film_is_where_most_moves() -> None:
    """A change of scene is no motion."""
    thumbs = np.zeros((30, *SHAPE), np.float32)
    thumbs[10:] = 0.9
    for number in range(18, 24):
        thumbs[number:, number % 3] += (-1) ** number * 0.1
    first = choose_stretch(thumbs, 8)
    assert first <= 17
    assert first + 8 >= 23
    assert choose_stretch(thumbs[:1], 8) == 0
