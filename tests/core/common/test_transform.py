"""Transforms: where things are in the world, for the simulation exactly, for the eye between two ticks."""

from __future__ import annotations

import logging
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rish_core.common import poses as module
from rish_core.common import transform_kernels
from rish_core.common.poses import READY
from rish_core.common.transform import (
    Transform,
    WorldMatrices,
    interpolate_poses,
    remember_poses,
    teleport,
    world_matrices,
)
from rish_ecs import Stage, StaleEntity, UnknownName, UsageError, World, component, field


@component
class Tag:
    """Something else than a Transform."""

    number: int = field(0)


@pytest.fixture
def world() -> World:
    """A world with transforms and nothing in it."""
    made = World([Transform, Tag])
    made.put(WorldMatrices())
    return made


def transform_points(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Points (n, 2), or one (2,), by one matrix (6,)."""
    a, b, c, d, tx, ty = matrix
    x, y = points[..., 0], points[..., 1]
    return np.stack([a * x + c * y + tx, b * x + d * y + ty], axis=-1)


def test_fields_that_the_engine_keeps_are_never_offered(world: World) -> None:
    """Neither as the nearest name nor among the choices."""
    for ask in (lambda: world[Transform].last, lambda: Transform.__kind__.field("last_positio")):
        with pytest.raises(UnknownName) as caught:
            ask()
        assert caught.value.choices == ["parent", "position", "rotation", "scale"]


def tick(world: World, **moves: Any) -> None:
    """One tick, in which all Transforms get the given values."""
    remember_poses(world, world.dt)
    for name, value in moves.items():
        setattr(world[Transform], name, value)
    world.end_tick()


def shown(world: World, alpha: float) -> np.ndarray:
    """The matrices that are drawn at `alpha` between the last two ticks."""
    world.alpha = alpha
    interpolate_poses(world, world.dt)
    return world[WorldMatrices].matrix


def local(position: Any, rotation: float, scale: Any) -> np.ndarray:
    """A pose as a 3x3 matrix in float64, from the textbook."""
    c, s = math.cos(rotation), math.sin(rotation)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    size = np.diag([scale[0], scale[1], 1.0])
    move = np.array([[1, 0, position[0]], [0, 1, position[1]], [0, 0, 1.0]])
    return move @ turn @ size


def six(matrix: np.ndarray) -> np.ndarray:
    """A 3x3 matrix as `a b c d tx ty`."""
    return matrix[:2].T.ravel()


def of(world: World, handle: int) -> np.ndarray:
    """The world matrix of an entity."""
    return world_matrices(world)[world[Transform].row_of(handle)]


# Poses as they are


def test_an_empty_world_has_no_matrices(world: World) -> None:
    """Nothing in, nothing out, in the right shape."""
    assert world_matrices(world).shape == shown(world, 0.5).shape == (0, 6)
    assert world_matrices(world).dtype == np.float32


def test_the_default_is_the_identity(world: World) -> None:
    """An entity at the origin, unturned, in its own size."""
    handle = world.spawn(Transform)
    assert of(world, handle).tolist() == [1, 0, 0, 1, 0, 0]


def test_a_quarter_turn_is_counter_clockwise(world: World) -> None:
    """y points up: what points right then points up."""
    handle = world.spawn(Transform(position=(10, 20), rotation=math.pi / 2, scale=(2, 3)))
    assert transform_points(of(world, handle), np.array([1.0, 0.0])) == pytest.approx([10, 22], abs=1e-5)
    assert transform_points(of(world, handle), np.array([[0.0, 1.0]])) == pytest.approx(np.array([[7, 20]]), abs=1e-5)


POSE = st.tuples(
    st.tuples(*[st.floats(-1000, 1000, width=32)] * 2),
    st.floats(-20, 20, width=32),
    st.tuples(*[st.floats(0.125, 4, width=32) | st.floats(-4, -0.125, width=32)] * 2),
)


@settings(max_examples=60, deadline=None)
@given(poses=st.lists(POSE, min_size=1, max_size=6), order=st.randoms(use_true_random=False))
def test_chains_of_parents_are_products_of_matrices(poses: list[Any], order: Any) -> None:
    """However they are ordered in the table: position, rotation and scale compose as 3x3 matrices do."""
    world = World([Transform])
    handles = [world.spawn() for _ in poses]
    expected: list[np.ndarray] = []
    for position, rotation, scale in poses:
        one = local(position, rotation, scale)
        expected.append(expected[-1] @ one if expected else one)
    links = list(range(len(poses)))
    order.shuffle(links)
    for k in links:
        position, rotation, scale = poses[k]
        parent = handles[k - 1] if k else 0
        world.add(handles[k], Transform(position=position, rotation=rotation, scale=scale, parent=parent))
    for handle, matrix in zip(handles, expected, strict=True):
        grown = max(1.0, float(np.abs(matrix[:2]).max()))
        assert of(world, handle) == pytest.approx(six(matrix), abs=2e-5 * grown * len(poses))


# Parents


def test_a_parent_may_stand_anywhere_in_the_table(world: World) -> None:
    """A child that was there before its parent follows it all the same."""
    child = world.spawn(Transform(position=(1, 0)))
    middle = world.spawn(Transform(position=(10, 0)))
    top = world.spawn(Transform(position=(100, 0)))
    world.set(child, Transform(parent=middle))
    world.set(middle, Transform(parent=top))
    assert [float(of(world, e)[4]) for e in (child, middle, top)] == [111, 110, 100]


def test_a_parent_without_a_transform_or_life_counts_as_none(world: World) -> None:
    """The child stands where its own position says."""
    bare, dead = world.spawn(Tag), world.spawn(Transform(position=(7, 7)))
    world.despawn(dead)
    one = world.spawn(Transform(position=(1, 2), parent=bare))
    two = world.spawn(Transform(position=(3, 4), parent=dead))
    world.spawn_many(3, Transform(position=(50, 50)))
    assert of(world, one)[4:].tolist() == [1, 2]
    assert of(world, two)[4:].tolist() == [3, 4]


def test_despawning_a_parent_takes_all_below_it_along(world: World) -> None:
    """Children, and children's children."""
    top, other = world.spawn(Transform), world.spawn(Transform)
    child = world.spawn(Transform(parent=top))
    grandchildren = world.spawn_many(5, Transform(parent=child))
    world.despawn(top)
    assert not world.alive(child)
    assert not world.alive(grandchildren).any()
    assert world.alive(other)


def test_a_deep_chain_is_followed_to_its_end(world: World) -> None:
    """A thousand links."""
    last = 0
    for _ in range(1000):
        last = world.spawn(Transform(position=(1, 0), parent=last))
    assert of(world, last)[4] == 1000


def test_a_ring_of_parents_is_cut_and_reported_once(world: World, caplog: pytest.LogCaptureFixture) -> None:
    """Those in the ring stand alone, those below it follow them, and the log is not flooded."""
    a, b = world.spawn(Transform(position=(1, 0))), world.spawn(Transform(position=(10, 0)))
    below = world.spawn(Transform(position=(100, 0), parent=b))
    world.set(a, Transform(parent=b))
    world.set(b, Transform(parent=a))
    with caplog.at_level(logging.WARNING):
        for _ in range(5):
            matrices = shown(world, 1.0).copy()
            world_matrices(world)
    assert matrices[:, 4].tolist() == [1, 10, 110]
    assert len(caplog.records) == 1
    message = caplog.records[0].getMessage()
    assert str(a) in message
    assert str(b) in message
    assert str(below) not in message


def test_its_own_parent_is_a_ring_too(world: World, caplog: pytest.LogCaptureFixture) -> None:
    """And a ring that was mended and made again is reported again."""
    one = world.spawn(Transform(position=(5, 0)))
    with caplog.at_level(logging.WARNING):
        world.set(one, Transform(parent=one))
        assert of(world, one)[4] == 5
        world.set(one, Transform(parent=0))
        world.spawn(Transform(parent=one))
        assert of(world, one)[4] == 5
        world.set(one, Transform(parent=one))
        assert of(world, one)[4] == 5
    assert len(caplog.records) == 2


def test_a_world_without_matrices_to_draw_can_be_asked(caplog: pytest.LogCaptureFixture) -> None:
    """A server has no WorldMatrices; poses are there, rings and all."""
    world = World([Transform])
    one = world.spawn(Transform(position=(5, 0)))
    world.set(one, Transform(parent=one))
    assert world_matrices(world)[0, 4] == 5


# Between two ticks


def test_drawing_shows_the_world_between_two_ticks(world: World) -> None:
    """alpha 0 is the tick before, 1 the last one, and in between it is as far."""
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
    """Across the seam, and whatever number of whole turns lies between the two."""
    world.spawn(Transform)
    tick(world, rotation=before)
    tick(world, rotation=after)
    drawn = shown(world, 0.5)[0]
    assert drawn[:2] == pytest.approx([math.cos(half), math.sin(half)], abs=2e-4)
    assert shown(world, 1.0)[0, :2] == pytest.approx([math.cos(after), math.sin(after)], abs=1e-4)


def test_a_child_moves_with_what_is_drawn_of_its_parent(world: World) -> None:
    """Both are shown at the same moment."""
    parent = world.spawn(Transform(position=(0, 0)))
    child = world.spawn(Transform(position=(1, 0), parent=parent))
    tick(world)
    remember_poses(world, world.dt)
    world.set(parent, Transform(position=(10, 0)))
    world.set(child, Transform(position=(3, 0)))
    world.end_tick()
    assert shown(world, 0.5)[:, 4].tolist() == [5, 7]


def test_who_was_just_spawned_has_no_past(world: World) -> None:
    """It is shown where it is, not on its way from the origin; one tick later it moves like all others."""
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
    """Swap-remove puts the last entity into the gap; it is not drawn with a dead one's past."""
    handles = [world.spawn(Transform(position=(k * 10, 0))) for k in range(4)]
    tick(world)
    remember_poses(world, world.dt)
    world.set(handles[3], Transform(position=(40, 0)))
    world.despawn(handles[0])
    world.end_tick()
    row = world[Transform].row_of(handles[3])
    assert shown(world, 0.5)[row, 4] == 35


def test_a_restored_world_shows_no_way_from_elsewhere(world: World) -> None:
    """After going back nothing is drawn between here and there."""
    world.spawn(Transform(position=(1, 1)))
    tick(world)
    saved = world.snapshot()
    tick(world, position=(1000, 1))
    world.restore(saved)
    assert shown(world, 0.5)[0, 4:].tolist() == [1, 1]


def test_what_is_remembered_is_not_hashed(world: World) -> None:
    """The past poses are for the eye."""
    world.spawn(Transform(position=(1, 1)))
    before = world.hash()
    world[Transform].last_position[:] = 77
    shown(world, 0.3)
    assert world.hash() == before


def test_the_pose_for_the_simulation_does_not_feel_the_past(world: World) -> None:
    """Not by a bit: minus zero stays minus zero, and an infinite past makes no nan."""
    world.spawn(Transform(position=(-0.0, 3e38), rotation=-0.0))
    table = world[Transform]
    table.last_position[:] = (-5.0, -3e38)
    table.last_rotation[:] = -3e38
    assert world_matrices(world).tobytes() == np.array([1, -0.0, 0.0, 1, -0.0, 3e38], np.float32).tobytes()


# Teleporting


def test_teleporting_leaves_no_trace_of_the_way(world: World) -> None:
    """One entity or many, one place or one each."""
    handles = world.spawn_many(3, Transform)
    tick(world)
    remember_poses(world, world.dt)
    teleport(world, int(handles[0]), (9, 9))
    teleport(world, handles[1:], [(1, 2), (3, 4)])
    world.end_tick()
    assert shown(world, 0.5)[:, 4:].tolist() == [[9, 9], [1, 2], [3, 4]]
    teleport(world, handles, (7, 8))
    assert world[Transform].position.tolist() == [[7, 8]] * 3


def test_teleporting_the_dead_moves_nobody_else(world: World) -> None:
    """A stale handle raises, and so does an entity without a Transform."""
    stays, gone, bare = world.spawn(Transform), world.spawn(Transform), world.spawn(Tag)
    world.despawn(gone)
    with pytest.raises(StaleEntity):
        teleport(world, gone, (9, 9))
    with pytest.raises(UnknownName, match="has no Transform"):
        teleport(world, [stays, bare], (9, 9))
    assert world[Transform].position.tolist() == [[0, 0]]


def test_teleporting_is_not_for_the_frame(world: World) -> None:
    """Only ticks may move things."""
    one = world.spawn(Transform)
    world.stage = Stage.LATE
    with pytest.raises(UsageError, match="LATE"):
        teleport(world, one, (9, 9))


def test_the_newly_spawned_can_be_teleported(world: World) -> None:
    """Its handle is good at once; it appears at the place."""
    world.stage = Stage.UPDATE
    one = world.spawn(Transform(position=(1, 1)))
    teleport(world, one, (9, 9))
    world.flush()
    world.stage = None
    assert world.get(one, Transform).position.tolist() == [9, 9]


# The compiled form


def crowd(count: int) -> World:
    """Many transforms with different presents and pasts."""
    READY.now()
    world = World([Transform], seed=3)
    world.put(WorldMatrices())
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
    """For the eye within rounding, at any alpha; for the simulation to the bit."""
    world = crowd(3000)
    compiled = [shown(world, alpha) for alpha in (0.0, 0.3, 1.0)]
    exact = world_matrices(world)
    monkeypatch.setattr(module, "KERNEL_ROWS", 10**9)
    for alpha, matrix in zip((0.0, 0.3, 1.0), compiled, strict=True):
        np.testing.assert_allclose(matrix, shown(world, alpha), rtol=1e-5, atol=2e-4)
    assert exact.tobytes() == world_matrices(world).tobytes()


def test_poses_have_the_same_bits_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where kernels run as plain Python, what may become state is the same."""
    world = crowd(2500)
    exact = world_matrices(world)
    monkeypatch.setattr(transform_kernels, "local_matrices", transform_kernels.local_matrices.py_func)
    assert world_matrices(world).tobytes() == exact.tobytes()


def test_another_parent_anywhere_is_noticed(world: World) -> None:
    """Among many with one parent, where only that one is looked at, as among others."""
    READY.now()
    roots = world.spawn_many(3, Transform(position=np.array([[0, 0], [100, 0], [200, 0]], np.float32)))
    children = world.spawn_many(1600, Transform(parent=np.where(np.arange(1600) < 1200, roots[0], roots[1])))
    tick(world)
    assert shown(world, 1.0)[1000, 4] == 0
    table = world[Transform]
    changed = [3, 700, 1202, 1203, 1599]
    for row in changed:
        table.parent[row] = roots[2]
        table.version += 1
        assert shown(world, 1.0)[row, 4] == 200
        assert (shown(world, 1.0)[3:, 4] == 200).sum() == changed.index(row) + 1
    assert len(children) == 1600


def test_few_are_remembered_whole_while_they_come_and_go() -> None:
    """A small table is copied as it stands, whoever said what was written; so it is when it has grown out of that."""
    world = World([Transform])
    world.put(WorldMatrices())
    table = world.table(Transform)
    for count in (1, 3, 600, 2):
        while len(table) > count:
            world.despawn(int(table.entities[0]))
        world.spawn_many(count - len(table), Transform())
        table.position[:] = np.arange(2 * count).reshape(-1, 2) + count
        table.rotation[:] = 0.5
        table.version += 1
        remember_poses(world, world.dt)
        np.testing.assert_array_equal(table.last_position, table.position)
        np.testing.assert_array_equal(table.last_rotation, table.rotation)
        table.position[-1] = (7, 8)
        table.mark(len(table) - 1)
        remember_poses(world, world.dt)
        np.testing.assert_array_equal(table.last_position, table.position)


def test_remembering_copies_what_changed_and_keeps_the_rest() -> None:
    """To the bit, whatever the numbers are; the ends of blocks as well."""
    random = np.random.default_rng(4)
    for count in (0, 1, 511, 512, 513, 2000):
        now = random.integers(0, 2**32, count).astype(np.uint32)
        last = now.copy()
        if count:
            last[[0, -1, count // 2]] ^= 1
        transform_kernels.copy_changed(now, last)
        assert last.tolist() == now.tolist()
