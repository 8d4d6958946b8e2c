"""Points in space become closed convex polyhedra, or are refused with a sentence."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_core import UsageError
from rish_physics3d.geometry.quickhull import TOLERANCE, Polyhedron, quickhull
from rish_space3d import quaternions

CUBE = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))


def turned(points: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return points turned by a random rotation."""
    return quaternions.turned(quaternions.normalized(rng.normal(size=4)), points)


def prism(sides: int) -> np.ndarray:
    """Return the corners of a regular prism of height 2 and radius 1."""
    angle = np.arange(sides) * (2 * np.pi / sides)
    return np.concatenate([np.stack([np.cos(angle), np.full(sides, y), np.sin(angle)], 1) for y in (-1, 1)])


def cloud(kind: str, rng: np.random.Generator) -> np.ndarray:
    """Return random points of a kind."""
    count = int(rng.integers(5, 50))
    points = rng.normal(size=(count, 3))
    sphere = points / np.sqrt((points**2).sum(1))[:, None]
    grid = np.array(list(itertools.product(np.linspace(-1, 1, 4), repeat=3)))
    shapes = {
        "cloud": points,
        "sphere": sphere,
        "disc": sphere * [1, 1e-3, 1],
        "needle": sphere * [1e-2, 1, 1e-3],
        "grid": turned(grid, rng),
        "noisy grid": turned(grid, rng) + rng.normal(size=grid.shape) * 1e-5,
        "prism": turned(prism(count), rng),
        "pairs": np.concatenate([points, points + rng.normal(size=points.shape) * 1e-5]),
    }
    return shapes[kind]


KINDS = ["cloud", "sphere", "disc", "needle", "grid", "noisy grid", "prism", "pairs"]


def check(shape: Polyhedron) -> None:
    """Assert that a polyhedron is closed and convex, and that its faces are flat and its points apart."""
    points, loops, planes = shape.points, shape.loops, shape.planes
    near = 1.01 * TOLERANCE * np.ptp(points, axis=0).max()
    edges = [edge for loop in loops for edge in zip(loop, loop[1:] + loop[:1], strict=True)]
    assert len(set(edges)) == len(edges)
    assert {(b, a) for a, b in edges} == set(edges)
    assert len(points) - len(edges) / 2 + len(loops) == 2
    assert (np.bincount([a for a, _ in edges], minlength=len(points)) >= 3).all()
    assert list(loops) == sorted(loops)
    assert points.tolist() == sorted(points.tolist())
    np.testing.assert_allclose((planes[:, :3] ** 2).sum(1), 1, rtol=1e-12)
    depth = planes[:, 3] - points @ planes[:, :3].T
    assert depth.min() >= -1e-9 * near - 1e-15 * np.abs(points).max()
    for k, loop in enumerate(loops):
        assert loop[0] == min(loop)
        assert depth[list(loop), k].max() <= near
        corners = points[list(loop)]
        before, after = corners - np.roll(corners, 1, 0), np.roll(corners, -1, 0) - corners
        turn = np.cross(before, after) @ planes[k, :3]
        assert (turn >= -near * np.sqrt(((before + after) ** 2).sum(1))).all()
    distances = np.sqrt(((points[:, None] - points) ** 2).sum(2))
    assert distances[~np.eye(len(points), dtype=bool)].min() > 0.98 * near


@given(st.sampled_from(KINDS), st.integers(0, 10**6), st.sampled_from([1e-3, 1, 1e3]), st.sampled_from([0, 1e5]))
def test_the_hull_is_closed_and_convex_and_contains_all_points(kind: str, seed: int, scale: float, far: float) -> None:
    """The hull of points of any kind, size and place is closed and convex, and no point is outside beyond rounding."""
    points = cloud(kind, np.random.default_rng(seed)) * scale + far * scale
    shape = quickhull(points)
    check(shape)
    outside = (points @ shape.planes[:, :3].T - shape.planes[:, 3]).max()
    assert outside <= 3 * TOLERANCE * np.ptp(points, axis=0).max()


def reference(points: list[tuple[int, int, int]]) -> set[tuple[int, ...]]:
    """Return the planes of the hull of whole numbers: those through three points with all points on one side."""
    rows = np.array(points)
    planes: set[tuple[int, ...]] = set()
    for a, b, c in itertools.combinations(rows, 3):
        normal = np.cross(b - a, c - a)
        heights = (rows - a) @ normal
        if normal.any() and (heights <= 0).all() != (heights >= 0).all():
            outward = normal if heights.max() <= 0 else -normal
            outward = outward // np.gcd.reduce(outward)
            planes.add((*outward.tolist(), int(outward @ a)))
    return planes


WHOLE = st.integers(-3, 3)


@given(st.lists(st.tuples(WHOLE, WHOLE, WHOLE), min_size=4, max_size=12, unique=True))
def test_the_faces_are_those_that_a_search_of_all_planes_finds(points: list[tuple[int, int, int]]) -> None:
    """The planes of the hull are exactly those through three points that have all other points on one side."""
    expected = reference(points)
    if len(expected) < 4:
        with pytest.raises(UsageError, match="enclose no volume"):
            quickhull(points)
        return
    shape = quickhull(points)
    check(shape)
    planes = np.array(sorted(expected), float)
    planes /= np.sqrt((planes[:, :3] ** 2).sum(1))[:, None]
    away = np.abs(planes[:, None] - shape.planes).max(2)
    assert len(shape.planes) == len(planes)
    assert away.min(0).max() < 1e-4
    assert away.min(1).max() < 1e-4


@pytest.mark.parametrize("sides", [3, 7, 24])
def test_the_faces_of_a_turned_prism_are_whole(sides: int) -> None:
    """Points that are in one plane but for rounding have one face, and points on faces and edges are left out."""
    rng = np.random.default_rng(sides)
    corners = prism(sides)
    inner = (corners[rng.integers(0, 2 * sides, 60)] + corners[rng.integers(0, 2 * sides, 60)]) / 2
    points = turned(np.concatenate([inner, corners]), rng) + rng.uniform(-1e-6, 1e-6, (60 + 2 * sides, 3))
    shape = quickhull(points)
    check(shape)
    assert sorted(map(len, shape.loops)) == sorted([sides, sides, *[4] * sides])


def test_points_that_nearly_coincide_are_merged() -> None:
    """Corners that are doubled within the tolerance count once."""
    shape = quickhull(np.concatenate([CUBE, CUBE * (1 - 4e-6)]))
    assert (len(shape.points), len(shape.loops)) == (8, 6)


def test_the_corners_of_a_box_are_exact() -> None:
    """The hull of a box has its corners to the last digits, and its planes."""
    shape = quickhull(CUBE * [0.1, 3.3, 7])
    np.testing.assert_allclose(shape.points, CUBE * [0.1, 3.3, 7], rtol=1e-14)
    assert sorted(np.abs(shape.planes[:, 3]).round(14).tolist()) == [0.1, 0.1, 3.3, 3.3, 7, 7]


def test_a_hull_of_few_points_keeps_those_that_matter() -> None:
    """With a limit the hull has that many of the points, and those left out are not far outside."""
    points = cloud("sphere", np.random.default_rng(1))
    points = np.concatenate([points, -points, points[:, ::-1]])
    shape = quickhull(points, 32)
    check(shape)
    assert len(shape.points) == 32
    assert np.abs(shape.points[:, None] - points).max(2).min(1).max() < 2e-6
    assert (points @ shape.planes[:, :3].T - shape.planes[:, 3]).max() < 0.12


def test_a_spike_is_not_lost_to_a_limit() -> None:
    """The farthest point is among few points, whatever the others are."""
    points = np.concatenate([cloud("sphere", np.random.default_rng(2)), [[0, 5, 0]]])
    assert quickhull(points, 4).points[:, 1].max() == pytest.approx(5)


@pytest.mark.parametrize(
    ("points", "says"),
    [
        (CUBE[:3], "3 points are in one plane"),
        ([[1, 2, 3]] * 5, "5 points coincide"),
        ([[0, 0, 0], [1, 1, 1], [2, 2, 2], [5, 5, 5]], "on one line"),
        (CUBE * [1, 1e-6, 1], "in one plane"),
        (turned(CUBE * [1, 0, 1], np.random.default_rng(0)), "in one plane"),
        ([*CUBE.tolist(), [0, float("nan"), 0]], "point 8 of the shape"),
        ([*CUBE.tolist(), [0, 0, float("inf")]], "not finite or too large"),
        ([*CUBE.tolist(), [-1e12, 0, 0]], "not finite or too large"),
        ([[1, 2], [3, 4]], "list of points, each with x, y and z"),
        ([], "list of points"),
        ("crate", "list of points"),
    ],
)
def test_what_is_no_body_is_refused_with_the_next_step(points: object, says: str) -> None:
    """Points that enclose no volume or are not finite are refused with problem and hint."""
    with pytest.raises(UsageError, match=says) as caught:
        quickhull(points)  # pyright: ignore[reportArgumentType]
    assert caught.value.hint


def test_a_limit_below_four_points_is_refused() -> None:
    """Three points enclose nothing, so they are no limit."""
    with pytest.raises(UsageError, match="at most 3 points"):
        quickhull(CUBE, 3)
