"""Paths are cleaned up for drawing, and cut into dashes."""

from __future__ import annotations

import numpy as np
import pytest

from rish_render.kinds.strokes.path import MAX_DASHES, dashed, make_path, with_points_at


def path(points, widths=(2.0, 2.0), closed=False, minimum=0.01):
    """Return a path through points."""
    return make_path(np.array(points, np.float32).reshape(-1, 2), widths, closed, minimum)


def parts(found):
    """Return the pieces of a path as (from, to), distances along it."""
    return [
        (round(float(found.along[a]), 4), round(float(found.along[b - 1]), 4))
        for a, b in zip(found.starts[:-1], found.starts[1:], strict=True)
    ]


def test_hostile_points_are_dropped():
    """Points that are NaN, infinite, too far away, or equal to the previous one are dropped."""
    found = path([(0, 0), (np.nan, 1), (0, 0), (0.001, 0), (3, 4), (np.inf, 0), (1e20, 0), (3, 4)])
    np.testing.assert_array_equal(found.points, [[0, 0], [3, 4]])
    np.testing.assert_array_equal(found.along, [0, 5])


def test_many_small_steps_are_no_standstill():
    """Points nearer than the minimum are merged, not all dropped."""
    found = path([(0.004 * k, 0) for k in range(1000)])
    assert found.length == pytest.approx(4, abs=0.02)
    assert np.diff(found.along).min() > 0.01


@pytest.mark.parametrize("points", [[], [(1, 1)], [(1, 1), (1, 1)], [(np.nan, 0)]])
def test_less_than_two_places_have_no_length(points):
    """Fewer than two different points give a path of length 0 with at most one point."""
    found = path(points, closed=True)
    assert len(found.points) <= 1
    assert found.length == 0
    assert not found.closed


def test_a_closed_path_leads_back():
    """A closed path repeats its first point at the end, unless it is there already."""
    for points in ([(0, 0), (3, 0), (0, 4)], [(0, 0), (3, 0), (0, 4), (0, 0)]):
        found = path(points, closed=True)
        assert found.closed
        assert found.length == 12
        np.testing.assert_array_equal(found.points[0], found.points[-1])


def test_the_width_goes_evenly_from_one_to_the_other():
    """The width changes evenly with the distance, not with the number of points."""
    np.testing.assert_allclose(path([(0, 0), (1, 0), (4, 0)], (2, 10)).half, [1, 2, 5])


def test_points_are_added_at_distances():
    """Points are inserted at distances along the path, except where one exists or beyond the ends."""
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
    """Dashes and gaps alternate; an odd pattern is repeated, the offset shifts it, and a dash of length 0 is a dot."""
    assert parts(dashed(path([(0, 0), (10, 0)]), np.array(pattern, float), offset)) == expected


def test_dashes_go_round_corners():
    """A dash around a corner contains all points of the path within it."""
    found = dashed(path([(0, 0), (2, 0), (2, 2), (4, 2)]), np.array([5.0, 1.0]), 0)
    np.testing.assert_allclose(found.points, [[0, 0], [2, 0], [2, 2], [3, 2], [4, 2], [4, 2]][: len(found.points)])


@pytest.mark.parametrize("pattern", [[], [0, 0], [-1, 2], [np.nan, 1], [1e-9, 1e-9]])
def test_a_pattern_that_makes_no_sense_is_left_out(pattern):
    """An invalid dash pattern is ignored and the line is solid."""
    found = dashed(path([(0, 0), (10, 0)]), np.array(pattern, float), 0)
    assert parts(found) == [(0, 10)]
    assert len(found.starts) < MAX_DASHES
