"""Poses between two ticks: what is interpolated, and which rows are computed again."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from rish_core import World
from rish_space3d import (
    Flat,
    Transform3D,
    WorldMatrices3D,
    matrices_of,
    quaternions,
    teleport_3d,
    world_matrices_3d,
)
from rish_space3d.interpolation import interpolate_poses_3d, remember_poses_3d


def tick(world: World, **moves: Any) -> None:
    """Run one tick in which all Transforms get the given values."""
    remember_poses_3d(world, world.dt)
    for name, value in moves.items():
        setattr(world[Transform3D], name, value)
    world.end_tick()


def look(world: World, alpha: float) -> np.ndarray:
    """Return the matrices of a frame."""
    world.alpha = alpha
    interpolate_poses_3d(world, world.dt)
    return world[WorldMatrices3D].matrix


def test_a_pose_lies_between_two_ticks(world) -> None:
    """Positions and scales are mixed evenly, and rotations on the short way."""
    world.spawn(Transform3D(position=(0, 0, 0)))
    tick(world)
    turn = -quaternions.from_axis([0, 1, 0], math.pi / 2)
    tick(world, position=(4, 8, 0), rotation=turn, scale=(3, 1, 1))
    [found] = look(world, 0.5)
    assert found[:, 3].tolist() == [2, 4, 0]
    half = math.sqrt(0.5)
    np.testing.assert_allclose(found[:, 0], [2 * half, 0, -2 * half], atol=1e-6)
    np.testing.assert_allclose(look(world, 1.0)[0, :, 0], [0, 0, -3], atol=1e-6)


def test_children_follow_between_ticks(world) -> None:
    """A child at rest moves with its parent, and only what moved and what hangs on it is reported."""
    carrier = world.spawn(Transform3D(position=(0, 0, 0)))
    world.spawn(Transform3D(position=(1, 0, 0), parent=carrier))
    world.spawn(Transform3D(position=(9, 0, 0)))
    tick(world)
    look(world, 1.0)
    version = world[WorldMatrices3D].version
    remember_poses_3d(world, world.dt)
    world.set(carrier, Transform3D(position=(0, 2, 0)))
    world.end_tick()
    found = look(world, 0.5)
    assert found[:, :, 3].tolist() == [[0, 1, 0], [1, 1, 0], [9, 0, 0]]
    assert world[WorldMatrices3D].changes(version).rows.tolist() == [0, 1]
    tick(world)
    assert look(world, 0.5)[:, :, 3].tolist() == [[0, 2, 0], [1, 2, 0], [9, 0, 0]]
    still = world[WorldMatrices3D].version
    tick(world)
    look(world, 0.25)
    assert world[WorldMatrices3D].version == still
    assert not world[WorldMatrices3D].changes(still)
    assert world[WorldMatrices3D].changes(-500).all


def test_new_entities_and_teleports_are_not_mixed(world) -> None:
    """An entity that was added in the tick, or teleported, is drawn at its place."""
    first = world.spawn(Transform3D(position=(1, 1, 1)))
    tick(world)
    remember_poses_3d(world, world.dt)
    world.spawn(Transform3D(position=(5, 5, 5)))
    teleport_3d(world, first, (7, 7, 7), (0, 1, 0, 0))
    world.end_tick()
    found = look(world, 0.25)
    assert found[:, :, 3].tolist() == [[7, 7, 7], [5, 5, 5]]
    assert found[0, 0, 0] == pytest.approx(-1)
    assert world[WorldMatrices3D].knows(np.array([0, 1]))
    assert not world[WorldMatrices3D].knows(np.array([2]))


def test_changed_parents_and_removed_entities_are_seen(world) -> None:
    """Matrices are right after a new parent, a removed entity and a restored snapshot."""
    handles = [world.spawn(Transform3D(position=(k, 0, 0))) for k in range(3)]
    tick(world)
    assert look(world, 1.0)[:, 0, 3].tolist() == [0, 1, 2]
    saved = world.snapshot()
    world.set(handles[2], Transform3D(parent=handles[1]))
    assert look(world, 1.0)[:, 0, 3].tolist() == [0, 1, 3]
    world.despawn(handles[1])
    assert look(world, 1.0)[:, 0, 3].tolist() == [0]
    world.restore(saved)
    assert look(world, 1.0)[:, 0, 3].tolist() == [0, 1, 2]


@pytest.mark.parametrize("rows", [0, 3000])
def test_any_number_of_rows_works(world, rows: int) -> None:
    """No rows and thousands of rows, with parents, are interpolated alike."""
    if rows:
        handles = world.spawn_many(rows, Transform3D)
        world.set(handles[1::2], Transform3D(parent=handles[0::2]))
    tick(world)
    tick(world, position=(2, 0, 0))
    found = look(world, 0.5)
    assert found.shape == (rows, 3, 4)
    assert (found[0::2, 0, 3] == 1).all()
    assert (found[1::2, 0, 3] == 2).all()


def test_the_matrices_of_a_component_change_with_its_entities_alone(world) -> None:
    """The source of matrices changes when an entity with the component moves, and not when another one does."""
    seen, other = (world.spawn(Transform3D(position=(k, 0, 0))) for k in range(2))
    world.add(seen, Flat())
    source = matrices_of(Flat)
    tick(world)
    look(world, 1.0)
    before = source(world)
    world.set(other, Transform3D(position=(5, 0, 0)))
    look(world, 1.0)
    assert source(world) == before
    world.set(seen, Transform3D(position=(5, 0, 0)))
    look(world, 1.0)
    moved = source(world)
    assert moved != before
    world.remove(seen, Transform3D)
    look(world, 1.0)
    assert source(world) != moved


def test_matrices_stay_when_entities_come_and_go(world) -> None:
    """After random entities came, went and moved, the matrices equal those of a World that has just been filled."""
    random = np.random.default_rng(3)
    for _ in range(60):
        handles = world[Transform3D].entities
        world.spawn_many(int(random.integers(0, 9)), Transform3D(position=tuple(random.uniform(-9, 9, 3))))
        world.despawn(random.permutation(handles)[: int(random.integers(0, 9))])
        rest = world[Transform3D].entities
        world.set(rest[: int(random.integers(0, 3))], Transform3D(position=tuple(random.uniform(-9, 9, 3))))
        tick(world)
        found = look(world, 1.0).copy()
        np.testing.assert_array_equal(found, world_matrices_3d(world))
