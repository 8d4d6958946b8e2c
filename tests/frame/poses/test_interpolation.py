"""Poses between two ticks: any rows of them, the rows that moved, and the same bits compiled and not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rish_jit
from rish_core import Transform
from rish_core.common import HierarchyCache
from rish_ecs import World
from rish_frame import WorldMatrices
from rish_frame.poses import interpolation as module
from rish_frame.poses import plain_bases
from rish_frame.poses.interpolation import READY
from rish_frame.poses.matrices import interpolate_poses, remember_poses


def crowd(count: int, seed: int = 3) -> World:
    """Return many transforms between two ticks, in chains of three: a root, its child, and the child's child."""
    world = World([Transform], seed=seed)
    world.put(WorldMatrices())
    world.put(HierarchyCache())
    stream = world.random("crowd")
    handles = world.spawn_many(count, Transform)
    world[Transform].parent[1::3] = handles[: len(handles[1::3]) * 3 : 3]
    world[Transform].parent[2::3] = handles[1 : 1 + len(handles[2::3]) * 3 : 3]
    for _ in range(2):
        remember_poses(world, world.dt)
        table = world[Transform]
        table.position = stream.uniform(-500, 500, (count, 2))
        table.rotation = stream.uniform(-30, 30, count)
        table.scale = stream.uniform(-3, 3, (count, 2))
        world.end_tick()
    return world


def drawn(world: World, alpha: float = 0.3) -> Any:
    """Return the matrices between the ticks."""
    world.alpha = alpha
    interpolate_poses(world, world.dt)
    return world[WorldMatrices]


@pytest.mark.skipif(not rish_jit.available(), reason="kernels run as plain Python here")
def test_a_kernel_gets_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled and plain code give the same bits for matrices, bases and selected rows."""
    assert READY.now()
    world = crowd(module.KERNEL_ROWS + 500)
    matrices = drawn(world)
    compiled = matrices.matrix.copy(), matrices.bases.copy()
    monkeypatch.setattr(module, "KERNEL_ROWS", 10**9)
    other = crowd(len(world[Transform]))
    plain = drawn(other)
    assert plain.matrix.tobytes() == compiled[0].tobytes()
    assert plain.bases.tobytes() == compiled[1].tobytes()


def test_some_rows_are_as_all_of_them() -> None:
    """Selected rows equal those of the complete array, before and after that is computed, also as plain numbers."""
    world = crowd(40)
    matrices = drawn(world)
    rows = np.array([5, 39, 0, 5])
    some = matrices.rows(rows)
    one = matrices.one(7)
    assert some.tobytes() == matrices.matrix[rows].tobytes() == matrices.rows(rows).tobytes()
    assert one == pytest.approx(matrices.matrix[7].tolist(), abs=2e-2)
    assert matrices.one(7) == tuple(matrices.matrix[7].tolist())
    assert matrices.one(40) is None


def test_before_the_first_picture_nothing_is_known() -> None:
    """Before the first frame there are no rows and no version."""
    matrices = WorldMatrices()
    assert matrices.matrix.shape == (0, 6)
    assert matrices.one(0) is None
    assert matrices.version == 0


def test_bases_tell_turn_and_size() -> None:
    """Rotation and scale are read from a rotated and scaled, a mirrored and a sheared base."""
    turn = np.float32(0.5)
    cos, sin = np.cos(turn), np.sin(turn)
    matrices = np.array(
        [
            [2 * cos, 2 * sin, -2 * sin, 2 * cos, 3, 4],
            [-2 * cos, -2 * sin, -2 * sin, 2 * cos, 0, 0],
            [1, 0, 0, 2, 0, 0],
        ],
        np.float32,
    )
    bases = plain_bases(matrices)
    assert bases[0, :6] == pytest.approx([3, 4, 2 * cos, 2 * sin, 0.5, 2])
    assert bases[1, 4:6] == pytest.approx([0.5, -2])
    assert np.isinf(bases[2, 5])


class Watched:
    """A world of ten entities whose movements are observed."""

    def __init__(self) -> None:
        self.world = World([Transform])
        self.world.put(WorldMatrices())
        self.world.put(HierarchyCache())
        self.handles = self.world.spawn_many(10, Transform)
        self.seen = 0
        self.tick()
        self.look()

    def tick(self, change: Any = None) -> None:
        """Run one tick, with an optional change."""
        remember_poses(self.world, self.world.dt)
        if change is not None:
            change(self.world[Transform])
        self.world.end_tick()

    def look(self, alpha: float = 0.5) -> list[int] | None:
        """Return the rows that moved since the last call; None if any may have moved."""
        matrices = drawn(self.world, alpha)
        moved = matrices.moved_since(self.seen)
        self.seen = matrices.version
        return None if moved is None else moved.tolist()


def test_where_nothing_is_written_nothing_moves() -> None:
    """Without writes no row moves, from tick to tick and between two ticks."""
    watched = Watched()
    watched.tick()
    for alpha in (0.1, 0.9, 0.4):
        assert watched.look(alpha) == []
    watched.tick()
    assert watched.look() == []


def test_a_marked_row_moves_alone_and_comes_to_rest() -> None:
    """A marked row moves between the ticks of its change, and once more when it reaches its place."""
    watched = Watched()

    def push(table: Any) -> None:
        table.position[4] += 8
        table.mark(4)

    watched.tick(push)
    assert watched.look(0.25) == [4]
    assert watched.world[WorldMatrices].matrix[4, 4] == 2
    assert watched.look(0.75) == [4]
    assert watched.world[WorldMatrices].matrix[4, 4] == 6
    watched.tick()
    assert watched.look(0.25) == [4]
    assert watched.world[WorldMatrices].matrix[4, 4] == 8
    assert watched.look(0.75) == []


def test_ticks_without_a_picture_are_not_forgotten() -> None:
    """A row that moved in the first of three ticks without a frame is reported."""
    watched = Watched()
    watched.tick(lambda table: table.write_row("position", 2, (5, 5)))
    watched.tick(lambda table: table.write_row("position", 7, (5, 5)))
    watched.tick()
    assert watched.look() == [2, 7]
    assert watched.world[WorldMatrices].matrix[[2, 7], 4].tolist() == [5, 5]


def test_a_column_that_is_written_moves_everything() -> None:
    """A write of a column moves all rows, which are at rest afterwards."""
    watched = Watched()
    watched.tick(lambda table: setattr(table, "rotation", 1.0))
    assert watched.look() is None
    watched.tick()
    assert watched.look() is None
    assert watched.look() == []


def test_a_row_that_carries_others_moves_them() -> None:
    """A moved parent reports the rows below it as moved."""
    watched = Watched()
    watched.world.set(int(watched.handles[3]), Transform(parent=int(watched.handles[0])))
    watched.tick()
    watched.look()
    watched.tick(lambda table: table.write_row("position", 0, (5, 5)))
    assert watched.look(1.0) == [0, 3]
    assert watched.world[WorldMatrices].matrix[3, 4] == 5


def test_a_new_parent_is_noticed() -> None:
    """A new parent is noticed, also if only that row is marked."""
    watched = Watched()
    watched.tick(lambda table: table.write_row("position", 0, (5, 5)))
    watched.look(1.0)
    watched.tick(lambda table: table.write_row("parent", 3, int(watched.handles[0])))
    watched.look(1.0)
    assert watched.world[WorldMatrices].matrix[3, 4] == 5


def test_who_comes_and_goes_moves_the_rows() -> None:
    """Of spawned and despawned entities, the new rows are reported, and those that another row was moved into."""
    watched = Watched()
    watched.world.despawn(int(watched.handles[2]))
    assert watched.look() == [2]
    watched.tick()
    watched.look()
    count = len(watched.world.table(Transform))
    watched.world.spawn(Transform(position=(3, 4)))
    assert watched.look() == [count]
    assert watched.world[WorldMatrices].matrix[count].tolist() == [1, 0, 0, 1, 3, 4]
    watched.world.despawn(watched.handles[5:])
    watched.look()
    assert len(watched.world[WorldMatrices].matrix) == len(watched.world.table(Transform))
