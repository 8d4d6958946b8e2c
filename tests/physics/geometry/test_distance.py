"""GJK compared with an exhaustive search; boxes compared with their points."""

from __future__ import annotations

import numpy as np
import pytest

import plain_hulls as reference
from rish_jit import njit
from rish_physics.components.tables import CHAIN
from rish_physics.geometry.aabb import core_count, core_start, hull_box
from rish_physics.geometry.collide.convex import PAIR_SIZE, SECOND, bring_together
from rish_physics.geometry.distance import distance
from rish_physics.geometry.hull import chain_rows, convex_hull, hull_rows

FORMS = {
    "point": np.array([[0.1, 0.2]]),
    "segment": np.array([[-0.5, 0.1], [0.6, -0.2]]),
    "triangle": convex_hull([[-0.5, -0.3], [0.6, -0.2], [0, 0.6]]),
    "box": np.array([[-0.5, -0.3], [0.5, -0.3], [0.5, 0.3], [-0.5, 0.3]]),
    "octagon": convex_hull([[0.6 * np.cos(k * np.pi / 4), 0.5 * np.sin(k * np.pi / 4)] for k in range(8)]),
    "needle": np.array([[-2, -0.01], [2, 0], [-2, 0.01]]),
}


@njit
def _measure(hull, n, m, poses, pair, found):
    for k in range(len(poses) // 4):
        o = 4 * k
        bring_together(pair, hull, 0, n, 32, m, poses[o + 2], poses[o + 3], poses[o], poses[o + 1])
        gap, ax, ay, bx, by = distance(pair, 0, n, pair, SECOND, m)
        row = (gap, ax, ay, bx, by)
        for c in range(5):
            found[5 * k + c] = row[c]


def _found(first: str, second: str, count: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    a, b = FORMS[first], FORMS[second]
    hull = hull_rows_of(a, b)
    angle = random.uniform(0, 2 * np.pi, count)
    poses = np.stack([*random.uniform(-1.5, 1.5, (2, count)), np.cos(angle), np.sin(angle)], 1).astype(np.float32)
    found = np.zeros((count, 5), np.float32)
    _measure(hull.ravel(), len(a), len(b), poses.ravel(), np.zeros(PAIR_SIZE, np.float32), found.ravel())
    exact = hull[:, :16].reshape(2, 8, 2).astype(np.float64)
    fixed = np.broadcast_to(exact[0, : len(a)] - exact[0, 0], (count, len(a), 2))
    moved = reference.placed(exact[1, : len(b)], poses.astype(np.float64)) - exact[0, 0]
    return found.astype(np.float64), np.array(fixed), moved


def hull_rows_of(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the rows of two hulls."""
    return np.concatenate([hull_rows(a[None]), hull_rows(b[None])])


@pytest.mark.slow
@pytest.mark.parametrize("first", FORMS)
@pytest.mark.parametrize("second", FORMS)
def test_gjk_finds_the_distance_and_points_at_it(first: str, second: str) -> None:
    """For 1,000 poses of every pair GJK finds the reference's distance, between points of both hulls."""
    found, a, b = _found(first, second, 1000, 1)
    expected = np.maximum(reference.separation(a, b), 0)
    assert found[:, 0] == pytest.approx(expected, abs=2e-6)
    apart = expected > 0.02
    between = found[apart, 3:5] - found[apart, 1:3]
    assert np.hypot(*between.T) == pytest.approx(expected[apart], abs=2e-6)
    along = reference.along(a[apart], b[apart], between / expected[apart, None])
    assert along == pytest.approx(expected[apart], abs=5e-4)


def test_boxes_hold_all_points_in_kernels_and_in_arrays() -> None:
    """Kernel and array code give the same box, for hulls, circles and segments of chains."""
    hulls = np.concatenate(
        [
            hull_rows(FORMS["octagon"][None]),
            hull_rows(FORMS["point"][None]),
            chain_rows([[9, 0], [0, 0], [1, 0], [9, 9]], loop=False)[1:2],
        ]
    )
    flags = np.array([8, 1, CHAIN | 4], np.int32)
    radius = np.array([0.1, 0.5, 0], np.float32)
    pose = np.array([[3, 4, 0.6, 0.8]] * 3, np.float32)
    made = reference.boxes_of(hulls, flags, radius, pose)
    flat = hulls.ravel()
    for k in range(3):
        box = hull_box(flat, core_start(flags[k], k), core_count(flags[k]), radius[k], *pose[k])
        assert box == pytest.approx(made[k], abs=1e-6)
    assert made[2] == pytest.approx([3, 4, 3.6, 4.8])
