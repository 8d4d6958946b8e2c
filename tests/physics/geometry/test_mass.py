"""Area, centroid and inertia of rounded hulls."""

from __future__ import annotations

import numpy as np
import pytest

from plain_hulls import area_inertia
from rish_physics.geometry.hull import convex_hull
from rish_physics.geometry.mass import mass_of

TRIANGLE = convex_hull([[-0.5, -0.3], [0.6, -0.2], [0, 0.6]])


def test_a_box_has_the_inertia_of_the_textbook() -> None:
    """The inertia of a box is m (w² + h²) / 12."""
    area, centroid, inertia = mass_of(np.array([[[1, 2], [4, 2], [4, 3], [1, 3]]]))
    assert area[0] == pytest.approx(3, rel=1e-15)
    assert centroid[0] == pytest.approx([2.5, 2.5], rel=1e-15)
    assert inertia[0] == pytest.approx(3 * (9 + 1) / 12, rel=1e-14)


def test_a_circle_has_the_inertia_of_the_textbook() -> None:
    """The inertia of a circle is m r² / 2."""
    area, centroid, inertia = mass_of(np.array([[[1.0, -2.0]]]), 0.5)
    assert area[0] == pytest.approx(np.pi / 4, rel=1e-14)
    assert centroid[0].tolist() == [1, -2]
    assert inertia[0] == pytest.approx(np.pi / 4 * 0.125, rel=1e-14)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("points", "radius"),
    [
        (np.array([[-0.4, 0.1], [0.5, -0.2]]), 0.2),
        (TRIANGLE, 0.0),
        (TRIANGLE, 0.25),
        (np.array([[0, 0], [3, 0], [3, 0.5], [0, 0.5]]), 0.1),
        (convex_hull([[np.cos(k), 0.5 * np.sin(k)] for k in range(7)]), 0.05),
    ],
)
def test_every_form_agrees_with_counting_cells(points: np.ndarray, radius: float) -> None:
    """Every form agrees with a numerical integration over a grid of 160,000 cells."""
    area, centroid, inertia = (part[0] for part in mass_of(points[None], radius))
    cells, middle, about = area_inertia(points, radius)
    assert area == pytest.approx(cells, rel=2e-3)
    assert centroid == pytest.approx(middle, abs=2e-3)
    assert inertia == pytest.approx(about, rel=4e-3)


def test_a_segment_has_no_mass() -> None:
    """A segment without radius has no area and no inertia."""
    area, centroid, inertia = mass_of(np.array([[[0, 0], [2, 2]]]))
    assert (area[0], inertia[0]) == (0, 0)
    assert centroid[0].tolist() == [1, 1]
