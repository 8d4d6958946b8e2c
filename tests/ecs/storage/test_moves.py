"""Which poses of a table move, and what is kept of the poses of the last tick."""

from __future__ import annotations

import numpy as np
import pytest

from rish_core import Transform
from rish_ecs import World
from rish_ecs.storage import PoseMoves, joined_rows


def crowd(count: int) -> tuple[World, PoseMoves]:
    """Return a world of entities at rest, and its moves after a tick and a look."""
    world, moves = World([Transform]), PoseMoves()
    world.spawn_many(count, Transform)
    moves.remember(world, world.table(Transform))
    moves.look(world, world.table(Transform), 1.0)
    moves.note(moves.moved)
    return world, moves


@pytest.mark.parametrize("count", [40, 2000])
def test_written_rows_move_until_they_arrive(count: int) -> None:
    """A written row is found at each look of its tick and at the first one of the next tick, in tables of any size."""
    world, moves = crowd(count)
    table = world.table(Transform)
    table.write_row("position", 30, (4, 0))
    for alpha in (0.25, 0.75):
        assert moves.look(world, table, alpha)
        assert (moves.moved.tolist(), moves.back) == ([30], 1 - alpha)
    moves.remember(world, table)
    assert table.last_position[30].tolist() == [4, 0]
    assert moves.look(world, table, 0.25)
    assert (moves.moved.tolist(), moves.back) == ([30], 0)
    assert not moves.look(world, table, 0.75)


def test_many_written_rows_are_all_remembered() -> None:
    """The last poses of a large table are right after a few rows, many rows and a whole column were written."""
    world, moves = crowd(3000)
    table, random = world.table(Transform), np.random.default_rng(5)
    for rows in (range(3), range(100), None):
        some = slice(None) if rows is None else list(rows)
        table.column("rotation")[some] = random.random(3000 if rows is None else len(rows))
        table.mark(None if rows is None else np.array(rows))
        moves.remember(world, table)
        assert (table.last_rotation == table.rotation).all()


def test_notes_tell_what_moved_since_a_version() -> None:
    """Rows of several notes are returned once; for a version too old, of the future or before `any`, it is None."""
    moves = PoseMoves()
    for rows in ([3, 1], [1, 2], []):
        moves.note(np.array(rows, np.int64))
    assert moves.version == 2
    assert moves.since(0).tolist() == [1, 2, 3]
    assert moves.since(1).tolist() == [1, 2]
    assert moves.since(2).tolist() == []
    assert moves.since(3) is None
    moves.note(None)
    assert moves.since(1) is None
    for row in range(100):
        moves.note(np.array([row]))
    assert moves.since(moves.version - 64).tolist() == list(range(36, 100))
    assert moves.since(moves.version - 65) is None


def test_forgetting_keeps_the_version() -> None:
    """After a restore everything may have moved, and versions of readers stay valid numbers."""
    world, moves = crowd(3)
    before = moves.version
    moves.forget()
    assert moves.look(world, world.table(Transform), 1.0)
    assert moves.moved is None
    moves.note(moves.moved)
    assert moves.version == before + 1
    assert moves.since(before) is None


def test_joined_rows_are_distinct_and_sorted() -> None:
    """A few rows and many rows are joined alike; a part that may be any row makes it any row."""
    few, many = np.array([5, 2]), np.arange(40, 0, -1)
    assert joined_rows(few, few[:0]) is few
    assert joined_rows(few, np.array([2, 9])).tolist() == [2, 5, 9]
    assert joined_rows(few, many).tolist() == list(range(1, 41))
    assert joined_rows(few, None) is None
    assert joined_rows().tolist() == []
