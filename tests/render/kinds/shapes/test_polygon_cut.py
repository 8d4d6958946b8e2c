"""Polygons are cut into triangles that cover exactly their area."""

from __future__ import annotations

import numpy as np
import pytest

from rish_render.kinds.shapes.polygon_cut import (
    area_of,
    contour_of,
    cut_polygon,
    fill,
    fill_softly,
    repeat_cells,
    rings_of,
)

SQUARE = [(0, 0), (4, 0), (4, 4), (0, 4)]
ARROW = [(0, 0), (4, 2), (0, 4), (1, 2)]
COMB = [(0, 0), (7, 0), (7, 5), (6, 5), (6, 1), (4, 1), (4, 5), (3, 5), (3, 1), (1, 1), (1, 5), (0, 5)]
DOUBLED = [(0, 0), (0, 0), (2, 0), (4, 0), (4, 4), (4, 4), (0, 4), (0, 2)]
FRAME = [*SQUARE, (1, 1), (3, 1), (3, 3), (1, 3)]
EIGHT = [(0, 0), (4, 4), (4, 0), (0, 4)]
STAR = [(np.cos(a), np.sin(a)) for a in np.arange(5) * 4 * np.pi / 5]


def total(points, triangles):
    """Return the total area of triangles."""
    points = np.asarray(points, float)
    return sum(abs(area_of(points[t])) for t in triangles)


@pytest.mark.parametrize("points", [SQUARE, ARROW, COMB, DOUBLED], ids=["square", "arrow", "comb", "doubled"])
@pytest.mark.parametrize("step", [1, -1], ids=["left", "right"])
def test_the_triangles_have_the_area_of_the_polygon(points, step):
    """The triangles have the area of the polygon: concave or not, in either direction, with redundant points."""
    points = np.array(points[::step], np.float32)
    triangles = cut_polygon(points)
    assert triangles.dtype == np.int32
    assert total(points, triangles) == pytest.approx(abs(area_of(points)))


@pytest.mark.parametrize("points", [[], [(0, 0)], [(0, 0), (1, 1)], [(0, 0), (np.nan, 1), (2, 0)]])
def test_what_is_no_polygon_is_nothing(points):
    """Fewer than three valid points give no triangles and no error."""
    assert cut_polygon(np.array(points, np.float32).reshape(-1, 2)).shape == (0, 3)


@pytest.mark.parametrize("points", [[(0, 0)] * 6, [(0, 0), (1, 1), (2, 2)], EIGHT, STAR])
def test_degenerate_polygons_end(points):
    """Equal, collinear or crossing points end without an endless loop, with indices within the points."""
    triangles = cut_polygon(np.array(points, np.float32))
    assert not len(triangles) or triangles.max() < len(points)


@pytest.mark.parametrize("turned", [1, -1])
def test_holes_are_left_out(turned):
    """Holes are left out, whichever direction they have."""
    points = np.array([*SQUARE, *FRAME[4:][::turned]], float)
    rings = rings_of(points, [4])
    assert [area_of(ring) for ring in rings] == [16, -4]
    assert total(points, cut_polygon(points, [4])) == 12
    assert total(*fill(rings)) == 12


def test_places_of_holes_that_make_no_sense_are_passed_over():
    """Hole indices are ignored if they are before the end of the first ring, beyond the points, or repeated."""
    points = np.array(FRAME, float)
    assert len(rings_of(points, [0, 1, 4, 4, 99])) == 2
    assert total(points, cut_polygon(points, [-3, 4, 8])) == 12


def test_a_contour_leads_around_all_rings():
    """The contour's area is the polygon without its holes, so a rasterizer of contours leaves the holes out."""
    two = [(0, 0), (9, 0), (9, 4), (0, 4), (1, 1), (3, 1), (3, 3), (1, 3), (5, 1), (8, 1), (8, 3), (5, 3)]
    contour = contour_of(rings_of(np.array(two, float), [4, 8]))
    assert area_of(contour) == 36 - 4 - 6


@pytest.mark.parametrize(
    ("rings", "area"),
    [
        ([EIGHT], 8),
        ([STAR], 1.12256994),
        ([[(0, 0), (4, 0), (4, 4), (2, 4), (2, -2), (0, -2)]], 12),
        ([SQUARE, FRAME[4:][::-1]], 12),
    ],
    ids=["eight", "star", "twisted", "hole"],
)
def test_what_crosses_itself_is_covered(rings, area):
    """Every area around which a self-crossing outline winds is covered once."""
    points, triangles = fill([np.array(ring, float) for ring in rings])
    assert total(points, triangles) == pytest.approx(area, rel=1e-5)


def test_random_tangles_are_covered_once():
    """Random self-crossing polygons are covered once, as a count of windings on a grid shows."""
    dice = np.random.default_rng(11)
    y, x = (np.mgrid[:60, :60] + 0.5) / 6
    for _ in range(8):
        ring = dice.uniform(0, 10, (int(dice.integers(5, 12)), 2))
        points, triangles = fill([ring])
        winding = np.zeros(x.shape, int)
        for (ax, ay), (bx, by) in zip(ring, np.roll(ring, -1, axis=0), strict=True):
            across = (ay <= y) != (by <= y)
            with np.errstate(divide="ignore", invalid="ignore"):
                left = ax + (y - ay) * (bx - ax) / (by - ay) < x
            winding += np.where(across & left, np.where(by > ay, 1, -1), 0)
        covered = np.zeros(x.shape, int)
        for a, b, c in points[triangles]:
            sides = [(q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]) for p, q in ((a, b), (b, c), (c, a))]
            covered += np.all(np.array(sides) > 0, axis=0) | np.all(np.array(sides) < 0, axis=0)
        np.testing.assert_array_equal(covered, winding != 0)


def test_a_soft_border_lies_half_inside():
    """A soft border is one pixel wide and half of it is inside, also at holes; corners stay sharp."""
    rings = rings_of(np.array(FRAME, float) * 4, [4])
    points, cover, triangles = fill_softly(rings, 1.0)
    assert points[:, 0].min() == -0.5
    assert set(cover) == {0.0, 1.0}
    solid = triangles[(cover[triangles] == 1).all(axis=1)]
    assert total(points, solid) == pytest.approx(15 * 15 - 9 * 9)
    assert total(points, triangles) == pytest.approx(17 * 17 - 7 * 7)


@pytest.mark.parametrize("scale", [1.0, 0.37, 10.0])
def test_a_repeated_picture_is_cut_at_its_borders(scale):
    """The triangles are cut where the repeated image begins again, and keep their total area."""
    points = np.array(COMB, float)
    uv = points * scale + (0.3, -7.7)
    corners, triangles = repeat_cells(np.column_stack([points, np.ones(12), uv]), cut_polygon(points))
    assert corners[:, 3:].min() > -1e-9
    assert corners[:, 3:].max() < 1 + 1e-9
    assert total(corners[:, :2], triangles) == pytest.approx(area_of(points))
    whole = (corners[:, :2] * scale + (0.3, -7.7)) - corners[:, 3:]
    assert np.abs(whole - np.round(whole)).max() < 1e-6
    assert (np.ptp(np.round(whole)[triangles], axis=1) == 0).all()


def test_a_picture_that_is_too_small_is_shown_once():
    """An image that would repeat millions of times is shown once."""
    points = np.array(SQUARE, float)
    corners, triangles = repeat_cells(np.column_stack([points, np.ones(4), points * 1e6]), cut_polygon(points))
    assert len(triangles) == 2
    assert (corners[:, 3:].min(), corners[:, 3:].max()) == (0, 1)
