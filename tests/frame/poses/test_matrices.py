"""World matrices for drawing: poses between the last two ticks, remembered poses, and compiled code."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from long_runs import long
from rish_core import Transform, World, teleport
from rish_core.common import HierarchyCache, hierarchy_of
from rish_frame import WorldMatrices
from rish_frame.poses import interpolation as module
from rish_frame.poses.interpolation import READY, plain_matrices, poses_of
from rish_frame.poses.matrices import interpolate_poses, remember_poses


@pytest.fixture
def world() -> World:
    """A world with the component Transform and no entities."""
    made = World([Transform])
    made.put(WorldMatrices())
    made.put(HierarchyCache())
    return made


def tick(world: World, **moves: Any) -> None:
    """Run one tick in which all Transforms get the given values."""
    remember_poses(world, world.dt)
    for name, value in moves.items():
        setattr(world[Transform], name, value)
    world.end_tick()


def shown(world: World, alpha: float) -> np.ndarray:
    """Return the matrices that are drawn at `alpha` between the last two ticks."""
    world.alpha = alpha
    interpolate_poses(world, world.dt)
    return world[WorldMatrices].matrix


def test_an_empty_world_has_no_matrices(world: World) -> None:
    """An empty world gives an empty array of the right shape."""
    assert shown(world, 0.5).shape == (0, 6)


def test_drawing_shows_the_world_between_two_ticks(world: World) -> None:
    """alpha 0 shows the previous tick, 1 the last one, and values between interpolate linearly."""
    world.spawn(Transform(position=(0, 0), scale=(1, 1)))
    tick(world)
    tick(world, position=(8, -4), scale=(3, 1))
    for alpha, x, y, a in ((0, 0, 0, 1), (0.25, 2, -1, 1.5), (0.5, 4, -2, 2), (1, 8, -4, 3)):
        assert shown(world, alpha)[0] == pytest.approx([a, 0, 0, 1, x, y])


@pytest.mark.parametrize(
    ("before", "after", "half"),
    [
        (0.0, 1.0, 0.5),
        (3.0, -3.0, math.pi),
        (-3.0, 3.0, math.pi),
        (0.1, 2 * math.pi - 0.1, 0.0),
        (0.0, 20 * math.pi + 0.5, 0.25),
        (100.0, 100.5, 100.25),
    ],
)
def test_angles_go_the_short_way_round(world: World, before: float, after: float, half: float) -> None:
    """Angles are interpolated along the shorter arc, for any number of complete turns between them."""
    world.spawn(Transform)
    tick(world, rotation=before)
    tick(world, rotation=after)
    drawn = shown(world, 0.5)[0]
    assert drawn[:2] == pytest.approx([math.cos(half), math.sin(half)], abs=2e-4)
    assert shown(world, 1.0)[0, :2] == pytest.approx([math.cos(after), math.sin(after)], abs=1e-4)


def test_a_child_moves_with_what_is_drawn_of_its_parent(world: World) -> None:
    """A child is drawn relative to the interpolated pose of its parent."""
    parent = world.spawn(Transform(position=(0, 0)))
    child = world.spawn(Transform(position=(1, 0), parent=parent))
    tick(world)
    remember_poses(world, world.dt)
    world.set(parent, Transform(position=(10, 0)))
    world.set(child, Transform(position=(3, 0)))
    world.end_tick()
    assert shown(world, 0.5)[:, 4].tolist() == [5, 7]


def test_who_was_just_spawned_has_no_past(world: World) -> None:
    """A new entity is drawn at its place, and interpolated from the next tick on."""
    world.spawn(Transform(position=(5, 5)))
    tick(world)
    remember_poses(world, world.dt)
    world.spawn(Transform(position=(100, 50), rotation=1.0, scale=(2, 2)))
    world.end_tick()
    assert shown(world, 0.25)[1, 4:].tolist() == [100, 50]
    assert shown(world, 0.0)[1, 4:].tolist() == [100, 50]
    tick(world, position=[200, 50])
    assert shown(world, 0.5)[1, 4:].tolist() == [150, 50]


def test_rows_that_move_in_the_table_keep_their_past(world: World) -> None:
    """After a swap-remove, the moved entity is drawn with its own previous pose."""
    handles = [world.spawn(Transform(position=(k * 10, 0))) for k in range(4)]
    tick(world)
    remember_poses(world, world.dt)
    world.set(handles[3], Transform(position=(40, 0)))
    world.despawn(handles[0])
    world.end_tick()
    row = world[Transform].row_of(handles[3])
    assert shown(world, 0.5)[row, 4] == 35


def test_a_restored_world_shows_no_way_from_elsewhere(world: World) -> None:
    """After a restore no interpolation from the former state is drawn."""
    world.spawn(Transform(position=(1, 1)))
    tick(world)
    saved = world.snapshot()
    tick(world, position=(1000, 1))
    world.restore(saved)
    assert shown(world, 0.5)[0, 4:].tolist() == [1, 1]


def test_what_is_remembered_is_not_hashed(world: World) -> None:
    """Remembered poses are not hashed."""
    world.spawn(Transform(position=(1, 1)))
    before = world.hash()
    world[Transform].last_position[:] = 77
    shown(world, 0.3)
    assert world.hash() == before


def test_teleporting_leaves_no_trace_of_the_way(world: World) -> None:
    """Teleported entities are not interpolated: one or many, to one place or one each."""
    handles = world.spawn_many(3, Transform)
    tick(world)
    remember_poses(world, world.dt)
    teleport(world, int(handles[0]), (9, 9))
    teleport(world, handles[1:], [(1, 2), (3, 4)])
    world.end_tick()
    assert shown(world, 0.5)[:, 4:].tolist() == [[9, 9], [1, 2], [3, 4]]
    teleport(world, handles, (7, 8))
    assert world[Transform].position.tolist() == [[7, 8]] * 3


# The compiled form


def crowd(count: int) -> World:
    """Return a world of many transforms with different current and previous poses."""
    READY.now()
    world = World([Transform], seed=3)
    world.put(WorldMatrices())
    world.put(HierarchyCache())
    stream = world.random("crowd")
    for _ in range(2):
        if world.tick:
            remember_poses(world, world.dt)
        else:
            world.spawn_many(count, Transform)
        table = world[Transform]
        table.position = stream.uniform(-500, 500, (count, 2))
        table.rotation = stream.uniform(-30, 30, count)
        table.scale = stream.uniform(-3, 3, (count, 2))
        world.end_tick()
    return world


def test_the_compiled_form_equals_the_plain_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiled and the plain form agree within rounding, at any alpha."""
    world = crowd(3000)
    compiled = [shown(world, alpha) for alpha in (0.0, 0.3, 1.0)]
    monkeypatch.setattr(module, "KERNEL_ROWS", 10**9)
    for alpha, matrix in zip((0.0, 0.3, 1.0), compiled, strict=True):
        np.testing.assert_allclose(matrix, shown(world, alpha), rtol=1e-5, atol=2e-4)


def test_another_parent_anywhere_is_noticed(world: World) -> None:
    """A changed parent of any row is noticed, both in a run of rows with one parent and elsewhere."""
    READY.now()
    roots = world.spawn_many(3, Transform(position=np.array([[0, 0], [100, 0], [200, 0]], np.float32)))
    children = world.spawn_many(1600, Transform(parent=np.where(np.arange(1600) < 1200, roots[0], roots[1])))
    tick(world)
    assert shown(world, 1.0)[1000, 4] == 0
    table = world[Transform]
    changed = [3, 700, 1202, 1203, 1599]
    for row in changed:
        table.parent[row] = roots[2]
        table.mark()
        assert shown(world, 1.0)[row, 4] == 200
        assert (shown(world, 1.0)[3:, 4] == 200).sum() == changed.index(row) + 1
    assert len(children) == 1600


def test_the_version_increases_when_the_last_entity_is_removed(world: World) -> None:
    """Removing an entity increases the version, also if no other row is moved; a tick without changes does not."""
    first, last = (world.spawn(Transform()) for _ in range(2))
    for _ in range(3):
        tick(world)
        shown(world, 1.0)
    version = world[WorldMatrices].version
    tick(world)
    shown(world, 1.0)
    assert world[WorldMatrices].version == version
    world.despawn(last)
    shown(world, 1.0)
    assert world[WorldMatrices].version > version
    assert world.alive(first)


def test_few_are_remembered_whole_while_they_come_and_go() -> None:
    """A small table is copied completely; so is a table that has just become larger than small."""
    world = World([Transform])
    world.put(WorldMatrices())
    world.put(HierarchyCache())
    table = world.table(Transform)
    for count in (1, 3, 600, 2):
        while len(table) > count:
            world.despawn(int(table.entities[0]))
        world.spawn_many(count - len(table), Transform())
        table.position[:] = np.arange(2 * count).reshape(-1, 2) + count
        table.rotation[:] = 0.5
        table.mark()
        remember_poses(world, world.dt)
        np.testing.assert_array_equal(table.last_position, table.position)
        np.testing.assert_array_equal(table.last_rotation, table.rotation)
        table.position[-1] = (7, 8)
        table.mark(len(table) - 1)
        remember_poses(world, world.dt)
        np.testing.assert_array_equal(table.last_position, table.position)


def test_many_poses_are_remembered_to_the_bit() -> None:
    """The poses of a large table are copied with all their bits, those of NaN included."""
    world = World([Transform])
    world.put(WorldMatrices())
    world.spawn_many(2000, Transform)
    table = world[Transform]
    table.position[:] = np.random.default_rng(4).integers(0, 2**32, (2000, 2)).astype(np.uint32).view(np.float32)
    table.mark()
    remember_poses(world, world.dt)
    assert table.last_position.tobytes() == table.position.tobytes()


@pytest.mark.parametrize("seed", range(long(40, 6)))
def test_matrices_after_changes_are_those_of_a_world_seen_for_the_first_time(seed: int, world: World) -> None:
    """After random moves of parents and children, spawns, despawns and other parents, the matrices are the same bits as
    those that are computed without former data, and rows that are not among the moved ones stay as they were.
    """
    random = np.random.default_rng(seed)
    handles = [int(each) for each in world.spawn_many(30, Transform)]
    for handle in handles[5:]:
        world.set(handle, Transform(parent=int(random.choice(handles[: handles.index(handle)]))))
    drawn, version = shown(world, 0.5).copy(), world[WorldMatrices].version
    for _ in range(40):
        if random.random() < 0.6:
            remember_poses(world, world.dt)
        some = int(random.choice(handles))
        match int(random.integers(0, 8)):
            case 0:
                handles.append(world.spawn(Transform(position=tuple(random.uniform(0, 9, 2)), parent=some)))
            case 1 if len(handles) > 5:
                world.despawn(some)
                handles = [each for each in handles if world.alive(each)]
            case 2:
                world.set(some, Transform(parent=int(random.choice([0, handles[0]])) if some != handles[0] else 0))
            case _:
                world.set(some, Transform(position=tuple(random.uniform(0, 9, 2)), rotation=float(random.random())))
        world.end_tick()
        now = shown(world, float(random.choice([0.5, 0.5, 1.0]))).copy()
        moved = world[WorldMatrices].moved_since(version)
        columns = poses_of(world.table(Transform), hierarchy_of(world), np.float32(world[WorldMatrices].moves.back))
        assert now.tobytes() == plain_matrices(columns, np.arange(len(now))).tobytes()
        if moved is not None:
            still = np.setdiff1d(np.arange(min(len(now), len(drawn))), moved)
            assert now[still].tobytes() == drawn[still].tobytes()
        drawn, version = now, world[WorldMatrices].version
