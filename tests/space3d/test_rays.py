"""Rays and planes of cameras."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rish_core import UsageError
from rish_frame.frame.camera_math import look_at, perspective, project
from rish_space3d import Bvh, camera_rays, frustum_planes

EYE = (3.0, 4.0, 5.0)
CAMERA = perspective(math.radians(60), 16 / 9, 0.1, 100) @ look_at(EYE, (0, 0, 0))


def test_a_ray_passes_through_its_pixel() -> None:
    """Each point of a ray is seen at the pixel of the ray."""
    pixels = np.array([[0, 0], [160.5, 90.5], [320, 17]])
    origins, ways = camera_rays(CAMERA, pixels, (320, 180))
    np.testing.assert_allclose(np.linalg.norm(ways, axis=1), 1, rtol=1e-6)
    for distance in (1, 20):
        np.testing.assert_allclose(project(CAMERA, origins + distance * ways, (320, 180))[:, :2], pixels, atol=0.05)


def test_the_middle_looks_at_the_target() -> None:
    """The ray of the picture's middle leads from the eye to what the camera looks at."""
    [origin], [way] = camera_rays(CAMERA, [160, 90], (320, 180))
    np.testing.assert_allclose(way, -np.array(EYE) / np.linalg.norm(EYE), atol=1e-5)
    assert np.linalg.norm(origin - EYE) == pytest.approx(0.1, rel=1e-3)


def test_a_camera_may_see_to_infinity() -> None:
    """A projection without a far plane has rays, and planes that cut nothing off in the distance."""
    endless = perspective(math.radians(60), 1, 0.5, 1e6).astype(np.float64)
    endless[2] = [0, 0, -1, -1]
    _, [way] = camera_rays(endless, [5, 5], (10, 10))
    np.testing.assert_allclose(way, [0, 0, -1], atol=1e-6)
    tree = Bvh([[-1, -1, -1e6, 1, 1, -9e5], [-1, -1, 0, 1, 1, 1]])
    assert tree.inside(frustum_planes(endless)).tolist() == [0]


def test_planes_bound_what_is_visible() -> None:
    """A point is inside of all planes exactly if the camera sees it."""
    points = np.random.default_rng(2).uniform(-8, 8, (500, 3))
    seen = project(CAMERA, points, (2, 2)) - [1, 1, 0]
    visible = (np.abs(seen) <= 1).all(axis=1)
    planes = frustum_planes(CAMERA)
    inside = ((planes[:, :3] @ points.T + planes[:, 3:]) >= 0).all(axis=0)
    assert (inside == visible).all()
    assert 0 < visible.sum() < 500
    found = Bvh(np.concatenate([points, points], axis=1)).inside(planes)
    assert set(found.tolist()) == set(np.flatnonzero(visible).tolist())
    assert Bvh(np.zeros((1, 6))).inside(np.full((6, 4), np.nan)).tolist() == []


def test_cameras_without_rays_are_refused() -> None:
    """A matrix without an inverse and an empty picture raise an error."""
    with pytest.raises(UsageError, match="without an inverse"):
        camera_rays(np.zeros((4, 4)), [0, 0], (10, 10))
    with pytest.raises(UsageError, match="no pixels"):
        camera_rays(np.eye(4), [0, 0], (0, 10))
