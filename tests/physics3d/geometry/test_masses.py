"""Volume, center of mass and inertia of solid shapes, and their principal axes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_core import UsageError
from rish_physics3d.geometry.hulls import box_hull, hull_mass, hull_of, hull_triangles
from rish_physics3d.geometry.masses import (
    MassData,
    box_mass,
    capsule_mass,
    combine_masses,
    mesh_mass,
    move_mass,
    principal_axes,
    scale_mass,
    solid_mass,
    sphere_mass,
)
from rish_space3d import quaternions

BOX = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
BOX_TRIANGLES = hull_triangles(box_hull([1, 1, 1]))
TETRAHEDRON = np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
TETRAHEDRON_TRIANGLES = np.array([[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]])


def agree(first: MassData, second: MassData, rel: float = 1e-12) -> None:
    """Assert that mass data agree, relative to the size of the body."""
    assert first.mass == pytest.approx(second.mass, rel=rel)
    size = np.sqrt(np.trace(second.inertia) / second.mass)
    np.testing.assert_allclose(first.center, second.center, rtol=rel, atol=rel * size)
    np.testing.assert_allclose(first.inertia, second.inertia, atol=rel * np.trace(second.inertia))


def tessellated(length: float, radius: float, count: int) -> MassData:
    """Return the mass data of a capsule along y around the origin, as a mesh of twice `count` segments and rings."""
    n = 2 * count
    turn = np.arange(n) * (2 * np.pi / n)
    rings = np.concatenate([np.linspace(-np.pi / 2, 0, count + 1)[1:], np.linspace(0, np.pi / 2, count + 1)[:-1]])
    height = np.sin(rings) * radius + np.repeat([-length / 2, length / 2], count)
    side = np.cos(rings) * radius
    grid = [side[:, None] * np.cos(turn), np.broadcast_to(height[:, None], (n, n)), side[:, None] * np.sin(turn)]
    poles = np.array([[0, -length / 2 - radius, 0], [0, length / 2 + radius, 0]])
    i = np.arange(n)
    k = (i + 1) % n
    bottom = np.stack([np.full(n, n * n), i, k], 1)
    top = np.stack([np.full(n, n * n + 1), n * n - n + k, n * n - n + i], 1)
    low, high = ((n * np.arange(n - 1)[:, None] + column).ravel() for column in (i, k))
    sides = np.concatenate([np.stack([low, low + n, high], 1), np.stack([high, low + n, high + n], 1)])
    return mesh_mass(np.concatenate([np.stack(grid, -1).reshape(-1, 3), poles]), np.concatenate([bottom, top, sides]))


def test_a_box_has_the_inertia_of_the_textbook() -> None:
    """The inertia of a box is m / 12 times the sum of the squares of the other two sides."""
    data = box_mass([1, 1.5, 2])
    assert data.mass == 24
    np.testing.assert_allclose(data.inertia, np.diag([9 + 16, 4 + 16, 4 + 9]) * 24 / 12, rtol=1e-15)
    agree(mesh_mass(BOX * [1, 1.5, 2], BOX_TRIANGLES), data)
    agree(hull_mass(box_hull([1, 1.5, 2])), data)


@pytest.mark.parametrize(("length", "radius"), [(0.0, 1.5), (2.0, 0.5), (0.1, 1.0)])
def test_spheres_and_capsules_agree_with_fine_meshes(length: float, radius: float) -> None:
    """Mass and inertia of a sphere and of capsules are those of meshes, extrapolated from two sizes of triangles."""
    data = capsule_mass([0, -length / 2, 0], [0, length / 2, 0], radius)
    coarse, fine = tessellated(length, radius, 8), tessellated(length, radius, 16)
    # The error is proportional to the squared size of the triangles.
    mass, inertia = (4 * fine.mass - coarse.mass) / 3, (4 * fine.inertia - coarse.inertia) / 3
    agree(MassData(mass, fine.center, inertia), data, rel=2e-4)
    if length == 0:
        agree(data, sphere_mass(radius))


def test_a_capsule_may_have_any_direction() -> None:
    """The capsule between two points is the capsule along y, turned and moved."""
    start, end = np.array([1.0, 2, 3]), np.array([2.0, 0, 5])
    turn = quaternions.from_axis(np.cross([0, 1, 0], end - start), np.arccos((end - start)[1] / 3))
    upright = capsule_mass([0, -1.5, 0], [0, 1.5, 0], 0.4)
    agree(capsule_mass(start, end, 0.4), move_mass(upright, (start + end) / 2, turn))


def test_a_regular_tetrahedron_has_the_inertia_of_the_textbook() -> None:
    """The inertia of a regular tetrahedron of side s is m s² / 20 about every axis."""
    data = mesh_mass(TETRAHEDRON + np.array([5, 0, 0]), TETRAHEDRON_TRIANGLES)
    agree(data, MassData(8 / 3, np.array([5.0, 0, 0]), np.eye(3) * (8 / 3 * 8 / 20)))


def test_a_hull_agrees_with_counting_random_points() -> None:
    """Volume, center and inertia of a hull are those of 100,000 random points in the box around it that are inside."""
    rng = np.random.default_rng(4)
    hull = hull_of(rng.normal(size=(30, 3)))
    points, planes = hull.points[:, :3].astype(float), hull.planes.astype(float)
    low, high = points.min(0), points.max(0)
    drawn = rng.uniform(low, high, (100_000, 3))
    inside = drawn[(drawn @ planes[:, :3].T <= planes[:, 3]).all(1)]
    mass = np.prod(high - low) * len(inside) / len(drawn)
    moments = np.cov(inside.T) * mass
    agree(hull_mass(hull), MassData(mass, inside.mean(0), np.eye(3) * np.trace(moments) - moments), rel=0.02)


@given(st.integers(0, 10**6), st.sampled_from([1e-3, 1, 1e3]))
def test_the_mass_of_a_moved_mesh_is_the_moved_mass(seed: int, scale: float) -> None:
    """To turn and move the points of a mesh gives the same mass data as to turn and move its mass data."""
    rng = np.random.default_rng(seed)
    points, position = rng.normal(size=(4, 3)) * scale, rng.normal(size=3) * 10 * scale
    rotation = quaternions.normalized(rng.normal(size=4))
    data = solid_mass(points, TETRAHEDRON_TRIANGLES)
    if data.mass < 0:
        points, data = -points, solid_mass(-points, TETRAHEDRON_TRIANGLES)
    moved = solid_mass(quaternions.turned(rotation, points) + position, TETRAHEDRON_TRIANGLES)
    agree(moved, move_mass(data, position, rotation), rel=1e-8)
    np.testing.assert_array_equal(moved.inertia, moved.inertia.T)


def test_parts_combine_to_the_whole() -> None:
    """Two parts of a box, one of them turned, have the mass data of the box together, and so have they if denser."""
    quarter = quaternions.from_axis([0, 0, 1], np.pi / 2)
    left = move_mass(box_mass([1, 1, 2]), [-1, 0, 0])
    right = move_mass(box_mass([1, 3, 2]), [3, 0, 0], quarter)
    whole = combine_masses([left, move_mass(box_mass([3, 1, 2]), [3, 0, 0])])
    agree(combine_masses([left, right]), whole)
    agree(whole, move_mass(box_mass([4, 1, 2]), [2, 0, 0]))
    agree(combine_masses([scale_mass(left, 7), scale_mass(right, 7)]), scale_mass(whole, 7))


def test_a_dumbbell_of_two_densities_follows_the_parallel_axis_theorem() -> None:
    """The inertia of two spheres is their own plus the reduced mass times the squared distance."""
    parts = [scale_mass(move_mass(sphere_mass(1), [x, 0, 0]), density) for x, density in ((0, 1), (10, 3))]
    both = combine_masses(parts)
    assert both.center == pytest.approx([7.5, 0, 0])
    own = parts[0].inertia[0, 0] + parts[1].inertia[0, 0]
    far = own + 100 * parts[0].mass * parts[1].mass / both.mass
    np.testing.assert_allclose(both.inertia, np.diag([own, far, far]), atol=1e-12 * far)


def test_parts_without_mass_are_refused() -> None:
    """Parts whose masses are all 0 have no center."""
    with pytest.raises(UsageError, match="2 parts have a mass of 0"):
        combine_masses([scale_mass(sphere_mass(1), 0)] * 2)


@given(
    st.lists(st.floats(1e-3, 1e3), min_size=3, max_size=3),
    st.integers(0, 10**6),
    st.sampled_from([1e-12, 1, 1e12]),
)
def test_the_principal_axes_of_a_turned_tensor_are_its_axes(moments: list[float], seed: int, scale: float) -> None:
    """Moments and axes give the tensor again, with the smallest of the rotations that do."""
    turn = quaternions.to_matrix(quaternions.normalized(np.random.default_rng(seed).normal(size=4)))
    tensor = turn @ np.diag(moments) @ turn.T * scale
    found, axes = principal_axes(tensor)
    matrix = quaternions.to_matrix(axes)
    np.testing.assert_allclose(matrix @ np.diag(found) @ matrix.T, tensor, atol=1e-13 * scale * max(moments))
    np.testing.assert_allclose(np.sort(found), np.sort(moments) * scale, atol=1e-12 * scale * max(moments))
    columns = [matrix[:, order] * signs for order in itertools.permutations(range(3)) for signs in BOX]
    assert 4 * axes[3] ** 2 - 1 == pytest.approx(max(np.trace(each) for each in columns if np.linalg.det(each) > 0))


def test_a_diagonal_tensor_keeps_its_order() -> None:
    """The axes of a diagonal tensor are the coordinate axes, also if moments are equal."""
    for diagonal in ([3.0, 1, 2], [2.0, 2, 2], [1.0, 5, 1], [0.0, 0, 0]):
        moments, axes = principal_axes(np.diag(diagonal))
        assert (moments.tolist(), axes.tolist()) == (diagonal, [0, 0, 0, 1])


def test_a_mesh_may_repeat_points_and_have_a_cavity() -> None:
    """Each triangle may have points of its own, and a shell that faces inwards within another one is a cavity."""
    corners = BOX[BOX_TRIANGLES].reshape(-1, 3)
    triangles = np.arange(36).reshape(-1, 3)
    agree(mesh_mass(corners, triangles), box_mass([1, 1, 1]))
    inner = np.concatenate([triangles, triangles[:, ::-1] + 36])
    assert mesh_mass(np.concatenate([corners, corners / 2]), inner).mass == pytest.approx(7)


FLIPPED = np.concatenate([BOX_TRIANGLES[:1, ::-1], BOX_TRIANGLES[1:]])


@pytest.mark.parametrize(
    ("points", "triangles", "says"),
    [
        (BOX, BOX_TRIANGLES[1:], "open at 3 edges"),
        (BOX, FLIPPED, "face opposite sides"),
        (BOX, BOX_TRIANGLES[:, ::-1], "inside out"),
        (BOX[:3], [[0, 1, 2], [0, 2, 1]], "encloses no volume"),
        (BOX, [[0, 1, 8]], "triangle 0 of the mesh"),
        (BOX, [[0, 1, -1]], "triangle 0 of the mesh"),
        (BOX, [[0.5, 1, 2]], "list of triangles"),
        (BOX, [], "list of triangles"),
        (BOX, [[0, 1, 2], [0, 1]], "list of triangles"),
        (BOX * [1, np.nan, 1], BOX_TRIANGLES, "point 0 of the shape"),
    ],
)
def test_a_mesh_that_is_no_body_is_refused_with_the_next_step(points: np.ndarray, triangles: object, says: str) -> None:
    """Meshes that are open, inconsistent, inside out or empty are refused with problem and hint."""
    with pytest.raises(UsageError, match=says) as caught:
        mesh_mass(points, triangles)  # pyright: ignore[reportArgumentType]
    assert caught.value.hint
