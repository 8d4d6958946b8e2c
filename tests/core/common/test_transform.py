"""Transforms: the exact pose of each entity in the world, through all its parents."""

from __future__ import annotations

import logging
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rish_core.common import matrices as module
from rish_core.common.hierarchy import HierarchyCache
from rish_core.common.matrices import READY, local_matrices, plain_local_matrices, world_matrices
from rish_core.common.transform import Transform, teleport
from rish_ecs import Stage, StaleEntity, UnknownName, UsageError, World, component, field


@component
class Tag:
    """A component other than Transform."""

    number: int = field(0)


@pytest.fixture
def world() -> World:
    """Return an empty world with transforms."""
    made = World([Transform, Tag])
    made.put(HierarchyCache())
    return made


def transform_points(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Transform points (n, 2), or one (2,), by one matrix (6,)."""
    a, b, c, d, tx, ty = matrix
    x, y = points[..., 0], points[..., 1]
    return np.stack([a * x + c * y + tx, b * x + d * y + ty], axis=-1)


def test_fields_that_the_engine_keeps_are_never_offered(world: World) -> None:
    """Internal fields are offered neither as the nearest name nor among the choices."""
    for ask in (lambda: world[Transform].last, lambda: Transform.__kind__.field("last_positio")):
        with pytest.raises(UnknownName) as caught:
            ask()
        assert caught.value.choices == ["parent", "position", "rotation", "scale"]


def local(position: Any, rotation: float, scale: Any) -> np.ndarray:
    """Return a pose as a 3x3 matrix in float64, by the textbook formula."""
    c, s = math.cos(rotation), math.sin(rotation)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    size = np.diag([scale[0], scale[1], 1.0])
    move = np.array([[1, 0, position[0]], [0, 1, position[1]], [0, 0, 1.0]])
    return move @ turn @ size


def six(matrix: np.ndarray) -> np.ndarray:
    """Return a 3x3 matrix as `a b c d tx ty`."""
    return matrix[:2].T.ravel()


def of(world: World, handle: int) -> np.ndarray:
    """Return the world matrix of an entity."""
    return world_matrices(world)[world[Transform].row_of(handle)]


# Poses without parents


def test_an_empty_world_has_no_matrices(world: World) -> None:
    """An empty world gives an empty float32 array (0, 6)."""
    assert world_matrices(world).shape == (0, 6)
    assert world_matrices(world).dtype == np.float32


def test_the_default_is_the_identity(world: World) -> None:
    """The default Transform is the identity matrix."""
    handle = world.spawn(Transform)
    assert of(world, handle).tolist() == [1, 0, 0, 1, 0, 0]


def test_a_quarter_turn_is_counter_clockwise(world: World) -> None:
    """A quarter turn is counter-clockwise: y points up, and a vector to the right is turned upwards."""
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
    """In any order of rows, the poses of a chain of parents compose like 3x3 matrices."""
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
    """A child follows its parent even if its row comes before the parent's."""
    child = world.spawn(Transform(position=(1, 0)))
    middle = world.spawn(Transform(position=(10, 0)))
    top = world.spawn(Transform(position=(100, 0)))
    world.set(child, Transform(parent=middle))
    world.set(middle, Transform(parent=top))
    assert [float(of(world, e)[4]) for e in (child, middle, top)] == [111, 110, 100]


def test_a_parent_without_a_transform_or_life_counts_as_none(world: World) -> None:
    """A parent that is dead or has no Transform counts as none, and the child keeps its own position."""
    bare, dead = world.spawn(Tag), world.spawn(Transform(position=(7, 7)))
    world.despawn(dead)
    one = world.spawn(Transform(position=(1, 2), parent=bare))
    two = world.spawn(Transform(position=(3, 4), parent=dead))
    world.spawn_many(3, Transform(position=(50, 50)))
    assert of(world, one)[4:].tolist() == [1, 2]
    assert of(world, two)[4:].tolist() == [3, 4]


def test_despawning_a_parent_takes_all_below_it_along(world: World) -> None:
    """Despawning a parent despawns its children and their children."""
    top, other = world.spawn(Transform), world.spawn(Transform)
    child = world.spawn(Transform(parent=top))
    grandchildren = world.spawn_many(5, Transform(parent=child))
    world.despawn(top)
    assert not world.alive(child)
    assert not world.alive(grandchildren).any()
    assert world.alive(other)


def test_a_deep_chain_is_followed_to_its_end(world: World) -> None:
    """A chain of a thousand parents is followed to its end."""
    last = 0
    for _ in range(1000):
        last = world.spawn(Transform(position=(1, 0), parent=last))
    assert of(world, last)[4] == 1000


def test_a_ring_of_parents_is_cut_and_reported_once(world: World, caplog: pytest.LogCaptureFixture) -> None:
    """A cycle of parents is cut and reported once; entities below it follow it."""
    a, b = world.spawn(Transform(position=(1, 0))), world.spawn(Transform(position=(10, 0)))
    below = world.spawn(Transform(position=(100, 0), parent=b))
    world.set(a, Transform(parent=b))
    world.set(b, Transform(parent=a))
    with caplog.at_level(logging.WARNING):
        for _ in range(5):
            matrices = world_matrices(world)
    assert matrices[:, 4].tolist() == [1, 10, 110]
    assert len(caplog.records) == 1
    message = caplog.records[0].getMessage()
    assert str(a) in message
    assert str(b) in message
    assert str(below) not in message


def test_its_own_parent_is_a_ring_too(world: World, caplog: pytest.LogCaptureFixture) -> None:
    """An entity that is its own parent is a cycle; a cycle that is repaired and made again is reported again."""
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


def test_a_world_without_the_cache_can_be_asked() -> None:
    """World matrices can be computed in a world without HierarchyCache, even with a cycle."""
    world = World([Transform])
    one = world.spawn(Transform(position=(5, 0)))
    world.set(one, Transform(parent=one))
    assert world_matrices(world)[0, 4] == 5


def test_the_pose_for_the_simulation_does_not_feel_the_past(world: World) -> None:
    """The pose of the simulation ignores the last pose to the bit: minus zero stays, and infinity makes no NaN."""
    world.spawn(Transform(position=(-0.0, 3e38), rotation=-0.0))
    table = world[Transform]
    table.last_position[:] = (-5.0, -3e38)
    table.last_rotation[:] = -3e38
    assert world_matrices(world).tobytes() == np.array([1, -0.0, 0.0, 1, -0.0, 3e38], np.float32).tobytes()


@settings(max_examples=60, deadline=None)
@given(poses=st.lists(POSE, min_size=1, max_size=6))
def test_the_kernel_writes_the_bits_of_its_plain_form(poses: list[Any]) -> None:
    """The kernel, compiled and as plain Python, gives the same bits as the numpy form."""
    position, rotation, scale = (np.array([pose[k] for pose in poses], np.float32) for k in range(3))
    expected = np.empty((len(poses), 6), np.float32)
    plain_local_matrices(position, rotation, scale, expected)
    for kernel in (local_matrices, local_matrices.py_func):
        out = np.empty_like(expected)
        kernel(position, rotation, scale, out)
        assert out.tobytes() == expected.tobytes()


def test_a_large_world_uses_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a large world the kernel is used, with the same result."""
    READY.now()
    world = World([Transform])
    angles = np.linspace(-30, 30, module.KERNEL_ROWS + 5)
    world.spawn_many(len(angles), Transform(rotation=angles, position=(3, 4)))
    compiled = world_matrices(world)
    monkeypatch.setattr(module, "local_matrices", plain_local_matrices)
    assert compiled.tobytes() == world_matrices(world).tobytes()


# Teleporting


def test_teleporting_the_dead_moves_no_other_entity(world: World) -> None:
    """`teleport` raises for stale handles and entities without a Transform, and moves nothing then."""
    stays, gone, bare = world.spawn(Transform), world.spawn(Transform), world.spawn(Tag)
    world.despawn(gone)
    with pytest.raises(StaleEntity):
        teleport(world, gone, (9, 9))
    with pytest.raises(UnknownName, match="has no Transform"):
        teleport(world, [stays, bare], (9, 9))
    assert world[Transform].position.tolist() == [[0, 0]]


def test_teleporting_is_not_for_the_frame(world: World) -> None:
    """`teleport` is refused in stages outside of ticks."""
    one = world.spawn(Transform)
    world.stage = Stage.LATE
    with pytest.raises(UsageError, match="LATE"):
        teleport(world, one, (9, 9))


def test_the_newly_spawned_can_be_teleported(world: World) -> None:
    """An entity that was just spawned in a stage can be teleported."""
    world.stage = Stage.UPDATE
    one = world.spawn(Transform(position=(1, 1)))
    teleport(world, one, (9, 9))
    world.flush()
    world.stage = None
    assert world.get(one, Transform).position.tolist() == [9, 9]


@pytest.mark.parametrize("seed", range(20))
def test_matrices_of_some_rows_are_those_of_all(seed: int) -> None:
    """For any rows of random trees, with repetitions and removed parents, the matrices are the same, bit for bit."""
    random, world = np.random.default_rng(seed), World([Transform])
    world.put(HierarchyCache())
    handles: list[int] = []
    for _ in range(int(random.integers(1, 120))):
        parent = int(random.choice(handles)) if handles and random.random() < (0.3, 0.9)[seed % 2] else 0
        x, y, rotation, wide, high = random.normal(size=5).tolist()
        handles.append(world.spawn(Transform(position=(x, y), rotation=rotation, scale=(wide, high), parent=parent)))
    world.despawn(np.array(handles[:: max(len(handles) // 2, 1)]))
    table = world[Transform]
    for count in (0, 1, 1, 3, 10, 50) if len(table) else ():
        rows = random.integers(0, len(table), count)
        assert world_matrices(world, rows).tobytes() == world_matrices(world)[rows].tobytes()


def test_a_child_beside_many_computes_only_its_parents(monkeypatch: Any) -> None:
    """The matrix of one child is computed from those above it, however many others there are."""
    world = World([Transform])
    world.put(HierarchyCache())
    root = world.spawn(Transform(position=(1, 2)))
    child = world.spawn(Transform(position=(3, 4), parent=root))
    world.spawn_many(5000, Transform)
    computed: list[int] = []
    plain = module.plain_local_matrices
    monkeypatch.setattr(module, "plain_local_matrices", lambda *given: (computed.append(len(given[0])), plain(*given)))
    row = np.array([world[Transform].row_of(child)])
    assert world_matrices(world, row)[0, 4:].tolist() == [4, 6]
    assert computed == [2]
