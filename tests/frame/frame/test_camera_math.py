"""Camera matrices, checked by the places of projected points."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rish_ecs import UsageError
from rish_frame.frame.camera_math import identity, look_at, orthographic, perspective, pixels, project, view_2d


def test_matrices_are_float32_and_row_major() -> None:
    """Matrices are float32 and row-major, since backends upload them unchanged."""
    for matrix in (
        identity(),
        orthographic(0, 1, 0, 1),
        perspective(1, 1, 1, 2),
        look_at((0, 0, 1), (0, 0, 0)),
    ):
        assert matrix.dtype == np.float32
        assert matrix.shape == (4, 4)
        assert matrix.flags.c_contiguous


def test_orthographic_maps_the_box_to_the_target() -> None:
    """The left bottom corner is mapped to pixel 0, 0 and the right top to the far corner."""
    points = project(orthographic(-2, 2, 10, 20), [(-2, 10), (2, 20), (0, 15)], (100, 50))
    assert points[:, :2].ravel() == pytest.approx([0, 0, 100, 50, 50, 25], abs=1e-5)


def test_pixels_makes_a_unit_a_pixel() -> None:
    """A point at (3, 4) is mapped to pixel (3, 4)."""
    assert project(pixels((64, 48)), (3, 4), (64, 48))[0] == pytest.approx([3, 4, 0], abs=1e-5)


def test_perspective_makes_far_things_small() -> None:
    """At twice the distance a thing is half as large; near and far planes have depth -1 and 1."""
    matrix = perspective(math.pi / 2, 1, 1, 10)
    near, far = project(matrix, [(1, 0, -2), (1, 0, -4)], (200, 200))[:, 0] - 100
    assert near == pytest.approx(2 * far)
    assert project(matrix, [(0, 0, -1), (0, 0, -10)], (2, 2))[:, 2] == pytest.approx([-1, 1], abs=1e-5)


def test_a_point_behind_the_camera_falls_nowhere() -> None:
    """A point behind the camera gives NaN, not a mirrored place."""
    assert np.isnan(project(perspective(1, 1, 1, 10), (0, 0, 5), (10, 10))).all()


def test_look_at_puts_the_target_into_the_middle() -> None:
    """`look_at` centers the target from any place, and up stays up."""
    camera = perspective(1, 1, 0.1, 100) @ look_at((3, 4, 5), (1, 1, 1))
    middle, above = project(camera, [(1, 1, 1), (1, 1.5, 1)], (100, 100))
    assert middle[:2] == pytest.approx([50, 50], abs=1e-3)
    assert above[1] > 51


def test_view_2d_centers_turns_and_magnifies() -> None:
    """A camera rotated counter-clockwise shows the world rotated clockwise."""
    camera = orthographic(-50, 50, -50, 50) @ view_2d(10, 20, math.pi / 2, 2)
    points = project(camera, [(10, 20), (11, 20)], (100, 100))
    assert points[0, :2] == pytest.approx([50, 50], abs=1e-3)
    assert points[1, :2] == pytest.approx([50, 48], abs=1e-3)


@pytest.mark.parametrize(
    "make",
    [
        lambda: orthographic(1, 1, 0, 1),
        lambda: perspective(0, 1, 1, 2),
        lambda: perspective(1, 1, 2, 1),
        lambda: look_at((1, 1, 1), (1, 1, 1)),
        lambda: look_at((0, 5, 0), (0, 0, 0), (0, 1, 0)),
    ],
)
def test_impossible_cameras_are_refused(make) -> None:
    """Impossible cameras raise an error with a message instead of a division by zero."""
    with pytest.raises(UsageError, match="needs"):
        make()
