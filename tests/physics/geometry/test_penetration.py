"""The way out of an overlap is the shortest of ten thousand directions."""

from __future__ import annotations

import numpy as np
import pytest

from rish_physics.geometry.hull import convex_hull
from rish_physics.geometry.penetration import way_out

ANGLES = np.linspace(0, 2 * np.pi, 10_000, endpoint=False)
OUT = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])


def _form(random: np.random.Generator, count: int) -> np.ndarray:
    points = random.uniform(-1, 1, (count, 2))
    return np.asarray(convex_hull(points), np.float64) if count > 2 else points


@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_shortest(seed: int) -> None:
    """The depth is the least over all directions of the distance that the form must move.

    This holds for points, segments and rounded polygons that overlap, touch or are apart.
    """
    random = np.random.default_rng(seed)
    for _ in range(60):
        form = _form(random, int(random.integers(1, 8))) + random.uniform(-1.5, 1.5, 2)
        hull = _form(random, int(random.integers(1, 8)))
        radius, other = random.uniform(0, 0.5, 2)
        depth, normal = way_out(form, float(radius), hull, float(other))
        ways = (hull @ OUT.T).max(axis=0) - (form @ OUT.T).min(axis=0) + radius + other
        assert np.hypot(*normal) == pytest.approx(1)
        assert ways.min() - 1e-3 < depth <= ways.min() + 1e-9
        along = (hull @ normal).max() - (form @ normal).min() + radius + other
        assert depth == pytest.approx(along, abs=1e-6)


def test_two_points_in_one_spot_part_upwards() -> None:
    """Two equal points have no shortest way out; the upward one is chosen."""
    depth, normal = way_out(np.zeros((1, 2)), 1.0, np.zeros((1, 2)), 0.5)
    assert depth == 1.5
    assert normal.tolist() == [0, 1]


def test_a_segment_of_a_chain_is_left_to_its_right() -> None:
    """A chain segment is left to its right, if the middle is on that side; other places give no way out."""
    edge = np.array([[1.0, 0.0], [-1.0, 0.0]])
    box = np.array([[-0.5, -0.2], [0.5, -0.2], [0.5, 0.8], [-0.5, 0.8]])
    depth, normal = way_out(box, 0.0, edge, 0.0, one_sided=True)
    assert depth == pytest.approx(0.2)
    assert normal.tolist() == [0, 1]
    assert way_out(box - np.array([0, 0.5]), 0.0, edge, 0.0, one_sided=True)[0] < 0
    assert way_out(box + np.array([3, 0]), 0.0, edge, 0.0, one_sided=True)[0] < 0
