"""Boxes, spheres and capsules that are fitted to points."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_core import UsageError
from rish_physics3d.geometry.fitting import aligned_box, bounding_capsule, bounding_sphere, oriented_box
from rish_space3d import quaternions

CUBE = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
SPHERE = quaternions.normalized(np.random.default_rng(0).normal(size=(200, 3)))


def drawn(seed: int) -> np.ndarray:
    """Return a few random points, stretched and far from the origin."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(int(rng.integers(4, 10)), 3)) * [1, 4, 0.5] * 10 ** rng.uniform(-3, 3) + [1, -20, 3]


def rotation(seed: int) -> np.ndarray:
    """Return a random rotation."""
    return quaternions.normalized(np.random.default_rng(seed).normal(size=4))


@given(st.integers(0, 10**6))
def test_all_shapes_contain_the_points(seed: int) -> None:
    """No point is outside of a fitted shape, and an oriented box is never larger than the box along the axes."""
    points = drawn(seed)
    rounding = 1e-9 * np.abs(points).max()
    boxes = [aligned_box(points), oriented_box(points)]
    for box in boxes:
        local = quaternions.turned(quaternions.inverse(box.rotation), points - box.center)
        assert (np.abs(local) <= box.half_extents + rounding).all()
    assert boxes[1].volume <= boxes[0].volume
    capsule = bounding_capsule(points)
    axis = capsule.end - capsule.start
    share = np.clip((points - capsule.start) @ axis / max(axis @ axis, 1e-300), 0, 1)
    away = points - capsule.start - share[:, None] * axis
    assert np.sqrt((away**2).sum(1)).max() <= capsule.radius + rounding


@given(st.integers(0, 10**6))
def test_no_smaller_sphere_contains_the_points(seed: int) -> None:
    """The points on the sphere surround its center, so in no direction can the center move towards all of them."""
    points = drawn(seed) * [1, 0.25, 2]
    sphere = bounding_sphere(points)
    offsets = (points - sphere.center) / sphere.radius
    distances = np.sqrt((offsets**2).sum(1))
    assert distances.max() == pytest.approx(1, abs=1e-12)
    carriers = offsets[distances > 1 - 1e-7]
    assert (carriers @ SPHERE.T).max(0).min() > -1e-6


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_box_of_a_turned_box_is_that_box(seed: int) -> None:
    """A box of any rotation has its sides again, with the smallest rotation to its axes."""
    rng = np.random.default_rng(seed)
    inner = rng.uniform(-1, 1, (50, 3))
    points = quaternions.turned(rotation(seed), np.concatenate([CUBE, inner]) * [1, 2, 3]) + np.array([5, 6, 7])
    box = oriented_box(points)
    assert sorted(box.half_extents.tolist()) == pytest.approx([1, 2, 3], abs=2e-5)
    np.testing.assert_allclose(box.center, [5, 6, 7], atol=1e-5)
    assert box.rotation[3] >= np.cos(np.radians(62.8 / 2))


def test_the_box_of_an_upright_box_is_not_turned() -> None:
    """If no box is smaller, the one along the coordinate axes is returned."""
    box = oriented_box(CUBE * [1, 2, 3])
    assert (box.rotation.tolist(), box.half_extents.tolist()) == ([0, 0, 0, 1], [1, 2, 3])


def test_the_box_of_a_tetrahedron_is_a_cube() -> None:
    """The smallest box of a regular tetrahedron has its edges as diagonals, though no side is parallel to a face."""
    points = quaternions.turned(rotation(3), CUBE[[0, 3, 5, 6]])
    assert oriented_box(points).half_extents == pytest.approx([1, 1, 1], abs=2e-5)


def test_few_points_have_the_sphere_through_them() -> None:
    """A point has a sphere of radius 0, two points the one between them, a cube and a tetrahedron the one around."""
    assert (bounding_sphere([[1, 2, 3]]).center.tolist(), bounding_sphere([[1, 2, 3]]).radius) == ([1, 2, 3], 0)
    pair = bounding_sphere([[1, 0, 0], [3, 0, 0], [3, 0, 0]])
    assert (pair.center.tolist(), pair.radius) == ([2, 0, 0], 1)
    for points in (CUBE, CUBE[[0, 3, 5, 6]]):
        assert bounding_sphere(points).radius == pytest.approx(np.sqrt(3))


def test_the_capsule_of_a_capsule_is_that_capsule() -> None:
    """Points on a capsule in any direction have nearly its length and radius again."""
    upright = np.concatenate([SPHERE * 0.5 + [0, 1, 0], -SPHERE * 0.5 - [0, 1, 0]])
    capsule = bounding_capsule(quaternions.turned(rotation(5), upright))
    assert capsule.radius == pytest.approx(0.5, rel=0.02)
    assert np.sqrt(((capsule.end - capsule.start) ** 2).sum()) == pytest.approx(2, rel=0.02)
    axis = quaternions.turned(rotation(5), [0, 1, 0])
    assert abs((capsule.end - capsule.start) @ axis) == pytest.approx(2, rel=0.02)


def test_the_capsule_of_a_cube_is_a_sphere() -> None:
    """If a sphere is the smallest capsule, its ends are equal."""
    capsule = bounding_capsule(CUBE)
    np.testing.assert_allclose(capsule.start, capsule.end, atol=1e-3)
    assert capsule.radius == pytest.approx(np.sqrt(3))


def test_flat_points_have_a_flat_box_but_no_oriented_one() -> None:
    """Points in a plane have a box along the axes with a side of 0; the fits that need a volume refuse them."""
    flat = CUBE * [1, 0, 1]
    assert aligned_box(flat).half_extents.tolist() == [1, 0, 1]
    for fit in (oriented_box, bounding_capsule):
        with pytest.raises(UsageError, match="in one plane"):
            fit(flat)
    for fit in (aligned_box, bounding_sphere):
        with pytest.raises(UsageError, match="not finite"):
            fit(flat * np.nan)
