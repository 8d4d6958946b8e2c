"""Views of space as plain numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rish_core import UsageError
from rish_space3d import SpaceView, camera_rays, quaternions


def _shown(view: SpaceView, point: tuple[float, float, float], size: tuple[int, int] = (200, 100)) -> np.ndarray:
    x, y, z, w = view.pixels(size) @ [*point, 1.0]
    return np.array([x / w, y / w, z / w])


def test_the_point_ahead_is_in_the_middle() -> None:
    """What lies on the axis of a view is in the middle of its picture, at any distance."""
    view = SpaceView((1, 2, 3), tuple(quaternions.from_axis((0, 1, 0), math.pi / 2)))
    for distance in (0.5, 3.0, 80.0):
        assert _shown(view, (1 - distance, 2, 3))[:2] == pytest.approx([100, 50])


@pytest.mark.parametrize("height", [0.0, 4.0])
def test_near_and_far_are_the_ends_of_the_depth(height: float) -> None:
    """Depth is -1 at `near` and 1 at `far`, in perspective and without."""
    view = SpaceView(height=height, near=0.5, far=20.0)
    assert _shown(view, (0, 0, -0.5))[2] == pytest.approx(-1)
    assert _shown(view, (0, 0, -20))[2] == pytest.approx(1)


def test_angle_and_height_give_the_top_edge() -> None:
    """A point at half the angle of view, or half the height, is at the top edge."""
    assert _shown(SpaceView(fov=math.pi / 2), (0, 3, -3))[1] == pytest.approx(100)
    assert _shown(SpaceView(height=6.0), (0, 3, -9))[1] == pytest.approx(100)


def test_a_matrix_of_pixels_gives_rays() -> None:
    """A ray through the pixel of a point meets the point."""
    view = SpaceView((4, 2, 5), tuple(quaternions.look_rotation((-4, -2, -5))))
    point = np.array([0.3, -0.4, 0.9])
    at = _shown(view, tuple(point))[:2]
    origins, ways = camera_rays(view.projection(2.0) @ view.view, [at], (200, 100))
    way = point - origins[0]
    assert np.allclose(way / np.linalg.norm(way), ways[0], atol=1e-5)


@pytest.mark.parametrize("wrong", [{"near": 2.0, "far": 1.0}, {"fov": 4.0}, {"height": -1.0}, {"fov": math.nan}])
def test_views_that_show_nothing_are_refused(wrong: dict[str, float]) -> None:
    """A view without a picture is an error."""
    with pytest.raises(UsageError, match="view of space"):
        SpaceView(**wrong)
