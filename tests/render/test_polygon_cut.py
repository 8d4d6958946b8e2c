"""Polygons are cut into triangles that cover exactly them."""

from __future__ import annotations

import numpy as np
import pytest

from rish_render.polygon_cut import cut_polygon

SQUARE = [(0, 0), (4, 0), (4, 4), (0, 4)]
ARROW = [(0, 0), (4, 2), (0, 4), (1, 2)]
COMB = [(0, 0), (7, 0), (7, 5), (6, 5), (6, 1), (4, 1), (4, 5), (3, 5), (3, 1), (1, 1), (1, 5), (0, 5)]


def area(points):
    """Of a polygon, signed."""
    x, y = np.array(points, float).T
    return (x * np.roll(y, -1) - y * np.roll(x, -1)).sum() / 2


@pytest.mark.parametrize("points", [SQUARE, ARROW, COMB], ids=["square", "arrow", "comb"])
@pytest.mark.parametrize("step", [1, -1], ids=["left", "right"])
def test_the_triangles_have_the_area_of_the_polygon(points, step):
    """Concave or not, in either direction, without overlap."""
    points = np.array(points[::step], np.float32)
    triangles = cut_polygon(points)
    assert triangles.shape == (len(points) - 2, 3)
    assert sum(abs(area(points[t])) for t in triangles) == pytest.approx(abs(area(points)))


@pytest.mark.parametrize("points", [[], [(0, 0)], [(0, 0), (1, 1)]])
def test_less_than_three_points_are_nothing(points):
    """No triangle, no failure."""
    assert cut_polygon(np.array(points, np.float32).reshape(-1, 2)).shape == (0, 3)


def test_degenerate_polygons_end():
    """All points in one place, or crossing lines: some triangles, no endless loop."""
    assert len(cut_polygon(np.zeros((6, 2), np.float32))) == 4
    assert len(cut_polygon(np.array([(0, 0), (4, 4), (4, 0), (0, 4)], np.float32))) == 2
