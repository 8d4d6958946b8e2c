"""Poses in the world: the kernel has the bits of the computation in numpy."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import World
from rish_space3d import Transform3D, local_poses, poses_at, quaternions, unit_quaternions, world_poses


def plain_pose(world: World, entity: int) -> tuple[Any, Any, Any]:
    """Return the position, rotation and scale of an entity in the world by the functions of `quaternions`."""
    place = world.get(entity, Transform3D)
    position, scale = (np.asarray(each, np.float64) for each in (place.position, place.scale))
    rotation = unit_quaternions(np.asarray(place.rotation)[None])[0]
    if not place.parent:
        return position, rotation, scale
    above, turn, factor = plain_pose(world, place.parent)
    return above + quaternions.turned(turn, position * factor), quaternions.product(turn, rotation), scale * factor


def test_poses_are_those_of_plain_quaternions(world: World) -> None:
    """`world_poses` and `poses_at` have the bits of products of quaternions, in trees of any depth, also where scales
    or rotations are 0; `local_poses` leads back.
    """
    rng = np.random.default_rng(3)
    handles = [0]
    for k in range(120):
        turn = rng.normal(size=4) * 10.0 ** rng.integers(-30, 15) if k % 9 else np.zeros(4)
        scale = rng.uniform(0.5, 2, 3) if k % 7 else np.zeros(3)
        place = {"position": rng.normal(size=3) * 9, "rotation": turn, "scale": scale}
        handles.append(world.spawn(Transform3D(parent=handles[int(rng.integers(len(handles)))], **place)))
    poses = world_poses(world)
    for row, entity in enumerate(world.table(Transform3D).entities.tolist()):
        for found, expected in zip(poses, plain_pose(world, entity), strict=True):
            assert np.array_equal(found[row], expected)
    rows = rng.permutation(120)
    for some, all_poses in zip(poses_at(world, rows), poses, strict=True):
        assert np.array_equal(some, all_poses[rows])
    assert len(poses_at(world, rows[:0])[0]) == 0
    sound = np.flatnonzero(poses[2].all(axis=1)).astype(np.int32)
    position, _ = local_poses(world, sound, poses[0][sound], poses[1][sound])
    assert np.abs(position - world.table(Transform3D).position[sound]).max() < 1e-3
