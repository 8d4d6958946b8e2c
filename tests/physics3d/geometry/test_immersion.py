"""How much of a solid is below a water surface."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from rish_physics3d.geometry import ball_below, capsule_faces, faces_below, hull_of, hull_triangles
from rish_space3d import quaternions

Array = npt.NDArray[Any]
TURN = quaternions.normalized((0.3, -0.5, 0.2, 0.7))


def _sample(points: Array) -> tuple[Array, float]:
    """Return random points in the box of some points, and its volume."""
    low, high = points.min(axis=0), points.max(axis=0)
    return np.random.default_rng(1).uniform(low, high, (40_000, 3)), float(np.prod(high - low))


@pytest.mark.parametrize("level", [-0.9, -0.2, 0.0, 0.35, 2.0])
def test_the_part_of_a_hull_below_the_surface_is_cut_exactly(level: float) -> None:
    """Volume and center of a turned hull agree with a fine sum over a grid, for every level of the water."""
    points = quaternions.turned(TURN, np.random.default_rng(4).normal(size=(16, 3)) * (0.7, 0.4, 0.5))
    hull = hull_of(points)
    corners = hull.points[:, :3].astype(np.float64)[hull_triangles(hull)] - [0, level, 0]
    volume, center = faces_below(corners, np.zeros(len(corners), np.int64), 1)
    sample, size = _sample(hull.points[:, :3])
    wet = (sample @ hull.planes[:, :3].T <= hull.planes[:, 3]).all(axis=1) & (sample[:, 1] <= level)
    assert volume[0] == pytest.approx(wet.mean() * size, rel=0.03, abs=1e-3)
    if wet.sum() > 1000:
        assert center[0] + [0, level, 0] == pytest.approx(sample[wet].mean(axis=0), abs=0.02)


def test_solids_are_independent_of_each_other() -> None:
    """Several solids in one call give what each gives alone, also one that is dry and one that is under."""
    hull = hull_of(np.random.default_rng(2).normal(size=(12, 3)))
    corners = hull.points[:, :3].astype(np.float64)[hull_triangles(hull)]
    many = np.concatenate([np.add(corners, (k, y, 0)) for k, y in enumerate((9.0, 0.1, -9.0))])
    volume, center = faces_below(many, np.repeat(np.arange(3), len(corners)), 3)
    alone = faces_below(np.add(corners, (1, 0.1, 0)), np.zeros(len(corners), np.int64), 1)
    assert volume[0] == 0
    assert np.isnan(center[0]).all()
    assert volume[1] == pytest.approx(alone[0][0])
    assert center[1] == pytest.approx(alone[1][0])
    assert center[2] == pytest.approx([2, -9, 0], abs=1e-5)


def test_caps_of_balls_have_a_formula() -> None:
    """The volume below the surface is 0 above it, half in it and the whole below; centers are those of caps."""
    radius = np.full(4, 0.5)
    volume, height = ball_below(radius, np.array([0.6, 0.0, -0.6, 0.25]))
    whole = 4 / 3 * math.pi * 0.5**3
    assert volume == pytest.approx([0, whole / 2, whole, math.pi * 0.25**2 * (1.5 - 0.25) / 3])
    assert height[1:3] == pytest.approx([-3 / 8 * 0.5, -0.6])


@pytest.mark.parametrize("turn", [(0, 0, 0, 1), TURN])
def test_a_capsule_has_its_volume_and_nearly_its_parts(turn: Any) -> None:
    """The faces of a capsule enclose its volume; its parts agree with balls and a cylinder within 1 % of it."""
    radius, half = 0.4, 0.9
    faces = quaternions.turned(turn, capsule_faces(np.array([radius]), np.array([half]))[0])
    whole = math.pi * radius**2 * (4 / 3 * radius + 2 * half)
    sample, size = _sample(faces.reshape(-1, 3))
    core = quaternions.turned(turn, (0, half, 0))
    along = np.clip(sample @ core / (half * half), -1, 1)
    inside = ((sample - along[:, None] * core) ** 2).sum(axis=1) <= radius**2
    for level in (-0.7, -0.2, 0.0, 0.3, 9.0):
        volume, center = faces_below(faces - [0, level, 0], np.zeros(len(faces), np.int64), 1)
        wet = inside & (sample[:, 1] <= level)
        assert volume[0] == pytest.approx(wet.mean() * size, abs=0.01 * whole)
        assert center[0] + [0, level, 0] == pytest.approx(sample[wet].mean(axis=0), abs=0.02)
    assert volume[0] == pytest.approx(whole)
