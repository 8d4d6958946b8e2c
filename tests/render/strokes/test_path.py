"""Paths are made fit for drawing, and cut into dashes."""

from __future__ import annotations

import numpy as np
import pytest

from rish_render.strokes.path import MAX_DASHES, dashed, make_path, with_points_at


def path(points, widths=(2.0, 2.0), closed=False, minimum=0.01):
    """A path through points."""
    return make_path(np.array(points, np.float32).reshape(-1, 2), widths, closed, minimum)


def parts(found):
    """The pieces of a path as (from, to), distances along it."""
    return [
        (round(float(found.along[a]), 4), round(float(found.along[b - 1]), 4))
        for a, b in zip(found.starts[:-1], found.starts[1:], strict=True)
    ]


def test_hostile_points_are_dropped():
    """What is no number, too far off, or where the last one was."""
    found = path([(0, 0), (np.nan, 1), (0, 0), (0.001, 0), (3, 4), (np.inf, 0), (1e20, 0), (3, 4)])
    np.testing.assert_array_equal(found.points, [[0, 0], [3, 4]])
    np.testing.assert_array_equal(found.along, [0, 5])


def test_many_small_steps_are_no_standstill():
    """Points nearer than the least are taken together, not all of them dropped."""
    found = path([(0.004 * k, 0) for k in range(1000)])
    assert found.length == pytest.approx(4, abs=0.02)
    assert np.diff(found.along).min() > 0.01


@pytest.mark.parametrize("points", [[], [(1, 1)], [(1, 1), (1, 1)], [(np.nan, 0)]])
def test_less_than_two_places_have_no_length(points):
    """One point at most is left."""
    found = path(points, closed=True)
    assert len(found.points) <= 1
    assert found.length == 0
    assert not found.closed


def test_a_closed_path_leads_back():
    """The first point comes again at its end; one that is there already is not doubled."""
    for points in ([(0, 0), (3, 0), (0, 4)], [(0, 0), (3, 0), (0, 4), (0, 0)]):
        found = path(points, closed=True)
        assert found.closed
        assert found.length == 12
        np.testing.assert_array_equal(found.points[0], found.points[-1])


def test_the_width_goes_evenly_from_one_to_the_other():
    """By the distance, not by the number of points."""
    np.testing.assert_allclose(path([(0, 0), (1, 0), (4, 0)], (2, 10)).half, [1, 2, 5])


def test_points_are_added_at_distances():
    """Not where there is one, not beyond the ends."""
    found = with_points_at(path([(0, 0), (4, 0), (4, 4)]), [0, 2, 4, 5, 8, 9])
    np.testing.assert_allclose(found.along, [0, 2, 4, 5, 8])
    np.testing.assert_allclose(found.points[3], [4, 1])


@pytest.mark.parametrize(
    ("pattern", "offset", "expected"),
    [
        ([3, 2], 0, [(0, 3), (5, 8)]),
        ([3, 2], 1, [(0, 2), (4, 7), (9, 10)]),
        ([3, 2], -1, [(1, 4), (6, 9)]),
        ([4], 0, [(0, 4), (8, 10)]),
        ([1, 2, 3], 0, [(0, 1), (3, 6), (7, 9)]),
        ([0, 5], 0, [(0, 0), (5, 5), (10, 10)]),
        ([100, 1], 0, [(0, 10)]),
        ([5, 5], np.inf, [(0, 5)]),
    ],
)
def test_dashes(pattern, offset, expected):
    """Of dash and gap in turn; odd rows are taken twice; the offset moves them; a dash of 0 is a dot."""
    assert parts(dashed(path([(0, 0), (10, 0)]), np.array(pattern, float), offset)) == expected


def test_dashes_go_round_corners():
    """With all points of the path that lie within."""
    found = dashed(path([(0, 0), (2, 0), (2, 2), (4, 2)]), np.array([5.0, 1.0]), 0)
    np.testing.assert_allclose(found.points, [[0, 0], [2, 0], [2, 2], [3, 2], [4, 2], [4, 2]][: len(found.points)])


@pytest.mark.parametrize("pattern", [[], [0, 0], [-1, 2], [np.nan, 1], [1e-9, 1e-9]])
def test_a_pattern_that_makes_no_sense_is_left_out(pattern):
    """The line is drawn through."""
    found = dashed(path([(0, 0), (10, 0)]), np.array(pattern, float), 0)
    assert parts(found) == [(0, 10)]
    assert len(found.starts) < MAX_DASHES
