"""Which rows of a table changed since a version."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_ecs import RowChanges, Table, World, component, field, kind_of, table
from rish_ecs.declarations.columns import Chars, Entity, Vec2
from rish_ecs.declarations.component import Each
from rish_ecs.snapshots import Mirror


@component
class Ball:
    """A component with numbers and a field that is reset in each tick."""

    at: Vec2 = field((1, 2))
    speed: float = 0.5
    hit: bool = field(False, transient=True)


@component
class Note:
    """A component with a text of any length, whose entity dies with its parent."""

    text: Chars = "note"
    parent: Entity = field(0, cascade=True)


@table
class Mark:
    """Rows that are not entities."""

    x: float = 0.0


class Copy:
    """A copy of a table that is updated from its changes alone."""

    def __init__(self, world: World, cls: type) -> None:
        self.table: Any = world[cls]
        self.fields = [spec.name for spec in kind_of(cls).fields.values() if spec.saved]
        self.version = -1
        self.entities: list[int] = []
        self.values: list[tuple[Any, ...]] = []

    def _row(self, row: int) -> tuple[Any, ...]:
        values = [self.table.read_row(name, row) for name in self.fields]
        return tuple(value.tobytes() if isinstance(value, np.ndarray) else value for value in values)

    def update(self) -> RowChanges:
        """Apply the changes since the last call, and compare the result with the table."""
        entities = self.table.entities.tolist() if isinstance(self.table, Table) else [0] * len(self.table)
        changes = self.table.changes(self.version)
        before, self.version = self.entities, self.table.version
        count = len(self.table)
        self.entities = (before + [-1] * count)[:count]
        self.values = (self.values + [()] * count)[:count]
        for row in changes.rows.tolist():
            self.entities[row], self.values[row] = entities[row], self._row(row)
        assert self.entities == entities
        assert self.values == [self._row(row) for row in range(count)]
        if not changes.all:
            assert {*before} - {*entities, -1} <= {*changes.removed.tolist()} or not isinstance(self.table, Table)
        return changes


def _change(world: World, random: np.random.Generator, snapshots: list[Any], mirror: Mirror) -> None:
    """Do one random change of the World."""
    some = random.permutation(world.query(Ball).entities)[: int(random.integers(1, 4))]
    numbers = random.integers(0, 3, len(some)).astype(np.float32)
    match int(random.integers(0, 13)):
        case 0:
            world.spawn(Ball(speed=float(random.random())), Note(text="a" * int(random.integers(0, 4))))
        case 1:
            parent = int(some[0]) if len(some) else 0
            world.spawn_many(int(random.integers(0, 90)), Ball, Note(parent=parent))
        case 2 if len(some):
            world.despawn(some)
        case 3 if len(some):
            world.despawn(int(some[0]))
        case 4 if len(some):
            world.set(some, Ball(speed=numbers))
        case 5 if len(some):
            world.get(int(some[0]), Ball).at = (float(numbers[0]), 7)
        case 6 if len(some):
            world.remove(some, Note)
        case 7 if len(some):
            world.add(some, Note(text=Each(["x" * int(number) for number in numbers])))
        case 8:
            world[Ball].speed += 1 if random.random() < 0.2 else 0
        case 9:
            snapshots.append(world.snapshot())
        case 10 if snapshots:
            world.restore(snapshots[int(random.integers(len(snapshots)))])
        case 11:
            rows = world[Mark].append(int(random.integers(0, 3)), x=1.0)
            world[Mark].keep_rows(np.arange(rows.stop) % 7 != 3)
        case _:
            mirror.apply(mirror.difference(), forward=False)
            world.end_tick()


@pytest.mark.parametrize("seed", range(6))
def test_a_copy_that_follows_the_changes_stays_equal(seed: int) -> None:
    """After any operations and restores, a copy that is updated in the changed rows alone is equal to the table."""
    random, world = np.random.default_rng(seed), World([Ball, Note, Mark])
    copies = [[Copy(world, cls) for cls in (Ball, Note, Mark)] for _ in range(2)]
    mirror, snapshots = Mirror(world), []
    for step in range(300):
        _change(world, random, snapshots, mirror)
        for copy in copies[0] if step % 3 else ():
            copy.update()
        for copy in copies[1] if step % 11 == 0 else ():
            copy.update()


def _balls(count: int) -> tuple[World, Any, Any]:
    world = World([Ball, Note])
    handles = world.spawn_many(count, Ball)
    return world, world.table(Ball), handles


def test_each_kind_of_write_names_its_rows() -> None:
    """Marks, `set`, views, new rows and rows that fill a hole are changes of exactly these rows."""
    world, balls, handles = _balls(6)
    for change, rows in (
        (lambda: balls.mark(3), [3]),
        (lambda: balls.mark(np.array([4, 0])), [0, 4]),
        (lambda: world.set(handles[1:3], Ball(speed=2.0)), [1, 2]),
        (lambda: setattr(world.get(int(handles[5]), Ball), "speed", 1.0), [5]),
        (lambda: world.spawn(Ball()), [6]),
        (lambda: world.spawn_many(2, Ball), [7, 8]),
        (lambda: world.despawn(int(handles[2])), [2]),
    ):
        before = balls.version
        change()
        changes = balls.changes(before)
        assert (changes.all, changes.rows.tolist()) == (False, rows)


def test_removed_entities_are_named_in_order() -> None:
    """The handles of removed rows are listed in the order of their removal, until a reader has seen them."""
    world, balls, handles = _balls(6)
    before = balls.version
    world.despawn(int(handles[4]))
    world.remove(handles[:2], Ball)
    assert balls.changes(before).removed.tolist() == [int(handles[4]), *handles[:2].tolist()]
    assert not balls.changes(balls.version)


def test_a_write_without_rows_changes_all() -> None:
    """A write of a whole column, an unknown version, and too many removals count as a change of all rows."""
    world, balls, _ = _balls(6)
    before = balls.version
    balls.mark(1)
    balls.speed = 2.0
    balls.mark(2)
    assert balls.changes(before).all
    assert balls.changes(before).rows.tolist() == [0, 1, 2, 3, 4, 5]
    assert balls.changes(balls.version - 1).rows.tolist() == [2]
    assert balls.changes(-1).all
    assert balls.changes(balls.version + 1).all
    before = balls.version
    for _ in range(300):
        world.despawn(world.spawn(Ball()))
    assert balls.changes(before).all


def test_a_restore_marks_only_the_rows_that_differ() -> None:
    """After a restore, rows with the bits of before have not changed; without a difference, nothing has."""
    world, balls, handles = _balls(50)
    world.add(handles, Note(text="same"))
    snapshot, before, notes = world.snapshot(), balls.version, world.table(Note).version
    world.restore(snapshot)
    assert (balls.version, world.table(Note).version) == (before, notes)
    world.set(handles[[4, 9]], Ball(speed=-0.0))
    world.set(handles[7], Note(text="other"))
    seen = balls.version, world.table(Note).version
    world.restore(snapshot)
    assert balls.changes(seen[0]).rows.tolist() == [4, 9]
    assert world.table(Note).changes(seen[1]).rows.tolist() != []
    world.despawn(handles[20])
    world.spawn(Ball())
    seen = balls.version, 0
    world.restore(snapshot)
    assert balls.changes(seen[0]).rows.tolist() == [20, 49]
    assert len(balls.changes(seen[0]).removed) == 1


def test_changes_can_be_repeated() -> None:
    """Changes that a reader did not see look the same to it when they are repeated later, with the removed entities."""
    world, balls, handles = _balls(9)
    for change in (
        lambda: world.set(handles[[2, 4]], Ball(speed=3.0)),
        lambda: world.despawn(handles[1]),
        lambda: balls.mark(),
        lambda: (balls.mark(), world.despawn(handles[3])),
    ):
        version, membership = balls.version, balls.membership
        change()
        before, moved = balls.changes(version), balls.membership != membership
        version, membership = balls.version, balls.membership
        balls.repeat_changes(before, moved=moved)
        again = balls.changes(version)
        assert (again.all, again.rows.tolist()) == (before.all, before.rows.tolist())
        assert again.removed.tolist() == before.removed.tolist()
        assert (balls.membership != membership) == moved


def test_rows_store_the_end_of_long_versions() -> None:
    """After more than 2^32 changes, the rows that changed since a version are still known."""
    _, balls, _ = _balls(4)
    balls.__dict__["version"] = balls.__dict__["_all_changed"] = 2**32 - 10
    for step in range(30):
        before = balls.version
        balls.mark(step % 4)
        assert balls.changes(before).rows.tolist() == [step % 4]
    assert balls.changes(before - 1).rows.tolist() == [28 % 4, 29 % 4]
    assert not balls.changes(balls.version)
