"""Poses in the world: the kernel has the bits of the computation in numpy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rish_physics3d import world_poses
from rish_physics3d.bodies.poses import poses_at
from rish_space3d import Transform3D


def test_some_poses_are_those_of_all(yard: Callable[..., Any]) -> None:
    """`poses_at` has the bits of `world_poses` in trees of any depth, also where scales or rotations are 0."""
    world = yard().world
    rng = np.random.default_rng(3)
    handles = [0]
    for k in range(200):
        turn = rng.normal(size=4) * 10.0 ** rng.integers(-30, 15) if k % 9 else np.zeros(4)
        scale = rng.uniform(-2, 2, 3) if k % 7 else np.zeros(3)
        place = {"position": rng.normal(size=3) * 100, "rotation": turn, "scale": scale}
        handles.append(world.spawn(Transform3D(parent=handles[int(rng.integers(len(handles)))], **place)))
    rows = np.random.default_rng(4).permutation(200).astype(np.int32)
    for found, expected in zip(poses_at(world, rows), world_poses(world), strict=True):
        assert np.array_equal(found, expected[rows])
    assert len(poses_at(world, rows[:0])[0]) == 0
