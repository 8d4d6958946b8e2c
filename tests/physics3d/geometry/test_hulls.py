"""Hulls have the arrays that the kernels expect."""

from __future__ import annotations

import hashlib
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_core import UsageError
from rish_physics3d.geometry.hulls import MAX_POINTS, Hull, box_hull, hull_mass, hull_of, hull_triangles

ARRAYS = ("points", "planes", "first", "loops", "edges")


def check(hull: Hull) -> None:
    """Assert that the arrays of a hull are consistent, in canonical order, and describe a closed convex polyhedron."""
    for name in ARRAYS:
        array = getattr(hull, name)
        assert array.flags.c_contiguous
        assert array.dtype == (np.float32 if name in ("points", "planes") else np.int32)
    points, planes = hull.points.astype(float), hull.planes.astype(float)
    loops = [hull.loops[a:b].tolist() for a, b in itertools.pairwise(hull.first)]
    assert len(loops) == len(planes)
    assert hull.first[-1] == len(hull.loops)
    assert not points[:, 3].any()
    assert points.tolist() == sorted(points.tolist())
    assert loops == sorted(loops)
    assert len(points) - len(hull.edges) + len(loops) == 2
    left = {edge: k for k, loop in enumerate(loops) for edge in zip(loop, loop[1:] + loop[:1], strict=True)}
    assert len(left) == 2 * len(hull.edges)
    assert hull.edges.tolist() == [[a, b, left[a, b], left[b, a]] for a, b in sorted(left) if a < b]
    depth = planes[:, 3] - points[:, :3] @ planes[:, :3].T
    rounding = 5e-7 * hull.radius
    assert depth.min() >= -rounding
    assert all(depth[loop, k].max() <= 3e-5 * hull.radius for k, loop in enumerate(loops))
    assert hull.radius == pytest.approx(np.sqrt((points**2).sum(1)).max())
    assert hull.inner == planes[:, 3].min() > 0


def clouds(count: int) -> st.SearchStrategy[np.ndarray]:
    """Draw clouds of up to `count` points, some of which are stretched."""
    seeds = st.tuples(st.integers(0, 10**6), st.integers(6, count), st.sampled_from([1, 0.03]))
    return seeds.map(lambda drawn: np.random.default_rng(drawn[0]).uniform(-1, 1, (drawn[1], 3)) * [1, drawn[2], 2])


@given(clouds(60))
def test_the_arrays_of_a_hull_are_consistent(points: np.ndarray) -> None:
    """Points, planes, loops and edges agree with each other, and there are at most 64 points."""
    hull = hull_of(points)
    check(hull)
    assert len(hull.points) <= MAX_POINTS


@given(clouds(14), st.randoms(use_true_random=False))
def test_the_order_of_the_points_does_not_matter(points: np.ndarray, random: object) -> None:
    """The same set of points in any order, with some of them repeated, gives the same arrays."""
    rows = [*points.tolist(), *points[:3].tolist()]
    random.shuffle(rows)  # pyright: ignore[reportAttributeAccessIssue]
    first, second = hull_of(points), hull_of(rows)
    for name in (*ARRAYS, "center"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))


@given(clouds(12))
def test_a_hull_is_relative_to_its_center_of_mass(points: np.ndarray) -> None:
    """The center of mass is the origin of the hull, and `center` where the points were given."""
    away = np.array([100, -20, 3])
    hull, moved = hull_of(points), hull_of(points + away)
    assert np.abs(hull_mass(hull).center).max() < 1e-6
    np.testing.assert_allclose(moved.center, hull.center + away, atol=2e-6)
    low, high = hull.points.min(0)[:3] + hull.center, hull.points.max(0)[:3] + hull.center
    np.testing.assert_allclose([low, high], [points.min(0), points.max(0)], atol=2e-6)


def test_a_box_is_the_hull_of_its_corners() -> None:
    """A box has the arrays of the hull of its corners, without computing that hull."""
    halves = [0.5, 1.25, 4.0]
    box = box_hull(halves)
    corners = np.array(list(itertools.product((-1, 1), repeat=3))) * halves
    hull = hull_of(corners)
    check(box)
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(box, name), getattr(hull, name))
    assert (box.inner, box.center.tolist()) == (0.5, [0, 0, 0])


def test_the_triangles_of_a_hull_cover_its_faces() -> None:
    """A face of n points has n - 2 triangles, which face outwards."""
    triangles = hull_triangles(box_hull([1, 2, 3]))
    assert (triangles.shape, triangles.dtype) == ((12, 3), np.int32)
    assert hull_mass(box_hull([1, 2, 3])).mass == pytest.approx(48)


@pytest.mark.parametrize("halves", [[1, 0, 1], [1, -1, 1], [1, float("nan"), 1], [1, 1], [1, 1, 1e12]])
def test_a_box_without_volume_is_refused(halves: list[float]) -> None:
    """The half extents of a box are three finite numbers above 0."""
    with pytest.raises(UsageError, match="half extents of a box"):
        box_hull(halves)


def test_a_hull_has_the_same_bits_everywhere() -> None:
    """The arrays of the hull of 150 points are equal to the bit on every machine."""
    state, numbers = 1, list[float]()
    for _ in range(450):
        state = state * 16807 % 2147483647
        numbers.append(state / 2147483647 - 0.5)
    hull = hull_of(np.array(numbers).reshape(-1, 3))
    digest = hashlib.sha256(b"".join(getattr(hull, name).tobytes() for name in ARRAYS)).hexdigest()
    assert digest[:16] == "4d9688f6d74c9a61"
