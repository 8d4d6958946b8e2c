"""Outlines of images: closed, solid on the left, with no more corners than needed."""

from __future__ import annotations

import numpy as np

from rish_lighting.walls.outlines import outlines_of


def area(loop):
    """Return the area within a closed line, negative if it runs clockwise."""
    x, y = loop.T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2)


def test_a_box_has_four_corners_counter_clockwise():
    """A box of three texels by two, offset by one in both axes, has four corners counter-clockwise."""
    mask = np.zeros((6, 8), np.uint8)
    mask[3:5, 1:4] = 255
    (loop,) = outlines_of(mask)
    assert len(loop) == 4
    assert area(loop) == 6
    assert (loop.min(axis=0).tolist(), loop.max(axis=0).tolist()) == ([1, 1], [4, 3])


def test_a_hole_runs_the_other_way():
    """A frame has its border counter-clockwise and its hole clockwise; their areas add up to the solid area."""
    mask = np.full((10, 10), 255, np.uint8)
    mask[3:7, 3:7] = 0
    loops = outlines_of(mask)
    assert sorted(area(loop) for loop in loops) == [-16, 100]


def test_stairs_become_a_slope():
    """A large disc has far fewer corners than texels on its border, and loses little area."""
    y, x = np.mgrid[0:64, 0:64]
    mask = ((x - 31.5) ** 2 + (y - 31.5) ** 2 < 30**2) * np.uint8(255)
    (loop,) = outlines_of(mask)
    assert len(loop) < 70
    assert abs(area(loop) - (mask > 0).sum()) < 0.04 * (mask > 0).sum()


def test_parts_that_touch_at_a_corner_stay_apart():
    """Two texels that touch at a corner are two squares."""
    mask = np.zeros((4, 4), np.uint8)
    mask[1, 1] = mask[2, 2] = 255
    assert [area(loop) for loop in outlines_of(mask)] == [1, 1]


def test_an_empty_image_has_no_outline():
    """An empty image has no outline, a full one its border; texels below the threshold do not count."""
    assert outlines_of(np.zeros((5, 5), np.uint8)) == []
    assert [area(loop) for loop in outlines_of(np.full((5, 7), 255, np.uint8))] == [35]
    assert outlines_of(np.full((5, 7), 100, np.uint8), 128) == []
