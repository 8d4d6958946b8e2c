"""Lines of simple forms in space."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rish_space3d import outlines


@pytest.mark.parametrize("angle", [0.4, 2.0, math.tau])
def test_cones_stay_within_their_length_and_angle(angle: float) -> None:
    """All points of a cone are at most its length from the apex, and at most half its angle from the axis."""
    axis = np.array([1.0, 2.0, -1.0])
    points = outlines.cone_lines((1, 2, 3), axis, 5.0, angle).reshape(-1, 3) - (1, 2, 3)
    length = np.linalg.norm(points, axis=1)
    assert length.max() == pytest.approx(5.0)
    cosine = (points @ axis) / np.where(length > 1e-9, length, 1) / np.linalg.norm(axis)
    assert (np.arccos(np.clip(cosine[length > 1e-9], -1, 1)) <= angle / 2 + 1e-6).all()


def test_edges_of_boxes_and_balls() -> None:
    """A box has twelve edges of its own lengths; circles of a ball have its radius."""
    sides = np.abs(np.diff(outlines.box_lines((1, 1, 1), (2, 3, 4)), axis=1)).reshape(-1, 3).sum(axis=1)
    assert sorted(sides.tolist()) == [1.0] * 4 + [2.0] * 4 + [3.0] * 4
    points = outlines.sphere_lines((1, 0, 0), 2.5).reshape(-1, 3) - (1, 0, 0)
    assert np.allclose(np.linalg.norm(points, axis=1), 2.5)
    assert len(outlines.arrow_lines((0, 0, 0), (0, 0, 0))) == 0


def test_an_arc_goes_from_one_angle_to_another() -> None:
    """An arc starts and ends at its angles, keeps its distance, and is as fine as a circle."""
    arc = outlines.arc_lines((1, 0, 0), (0, 0, 3), (2, 0, 0), 0.0, math.pi / 2)
    assert arc[0, 0] == pytest.approx([3, 0, 0])
    assert arc[-1, 1] == pytest.approx([1, 2, 0])
    assert np.linalg.norm(arc.reshape(-1, 3) - (1, 0, 0), axis=1) == pytest.approx(2.0)
    assert len(arc) == 12


def test_a_capsule_is_as_far_from_its_core_everywhere() -> None:
    """Each point of the outline is the radius away from the segment, and both ends are reached."""
    points = outlines.capsule_lines(0.5, 1.0).reshape(-1, 3)
    core = np.clip(points[:, 1], -1, 1)[:, None] * [0, 1, 0]
    assert np.linalg.norm(points - core, axis=1) == pytest.approx(0.5)
    assert (points[:, 1].min(), points[:, 1].max()) == pytest.approx((-1.5, 1.5))
