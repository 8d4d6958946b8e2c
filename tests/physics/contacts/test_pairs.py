"""The broad phase: its pairs, their order, and its use of memory."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from plain_boxes import brute_force
from rish_core import World
from rish_jit import Array
from rish_physics.broad import index as index_module
from rish_physics.components import tables as t
from rish_physics.components.scratch import Scratch
from rish_physics.contacts import pairs
from rish_physics.contacts import rows as contacts
from rish_physics.contacts.state import State

ON = t.USED | t.ENABLED


class Field:
    """Boxes for the broad phase only: each shape has a fat box, a filter and a body."""

    def __init__(self, rig: ModuleType, seed: int = 0, *, spread: float = 10.0) -> None:
        self.random = np.random.default_rng(seed)
        self.world: World = rig.empty_world()
        self.spread = spread

    @property
    def state(self) -> State:
        """The state of the World."""
        return State.of(self.world)

    def add(self, count: int, *, kind: int | None = None, size: float = 1.0, bodies: int | None = None) -> Array:
        """Add shapes of new bodies at random places; return their slots."""
        random, shapes = self.random, self.world[t.Shapes]
        bodies = count if bodies is None else bodies
        kinds = random.integers(0, 3, bodies) if kind is None else np.full(bodies, kind)
        first = len(self.world[t.Bodies])
        self.world[t.Bodies].append(bodies, flags=(kinds | ON).astype(np.int32))
        rows = shapes.append(count, body=(first + np.arange(count) % bodies).astype(np.int32))
        slots = np.arange(rows.start, rows.stop, dtype=np.int32)
        shapes.flags[slots] = t.SHAPE_USED | t.SHAPE_ENABLED
        shapes.filter[slots] = (1, -1, 0)
        self.place(slots, size)
        return slots

    def place(self, slots: Array, size: float = 1.0) -> None:
        """Give shapes new boxes."""
        low = self.random.uniform(-self.spread, self.spread, (len(slots), 2))
        extent = size * np.exp(self.random.normal(0, 0.7, (len(slots), 2)))
        self.world[t.Shapes].fat[slots] = np.concatenate([low, low + extent], 1)
        self.move(slots)

    def move(self, slots: Array) -> None:
        """Flag shapes as moved."""
        self.world[t.Shapes].flags[slots] |= t.MOVED
        self.state.moved = np.union1d(self.state.moved, slots).astype(np.int32)

    def update(self) -> Array:
        """Find pairs and remove contacts whose boxes have parted; return the new pairs in their order, int (k, 2)."""
        state = self.state
        rows = self.world[t.Contacts].pair
        fat = self.world[t.Shapes].fat
        a, b = fat[rows[:, 0]], fat[rows[:, 1]]
        contacts.remove(state, np.flatnonzero(~((a[:, :2] <= b[:, 2:]) & (b[:, :2] <= a[:, 2:])).all(axis=1)))
        before = len(self.world[t.Contacts])
        pairs.update(state)
        state.moved = np.zeros(0, np.int32)
        return self.world[t.Contacts].pair[before:, :2].copy()

    def found(self) -> set[tuple[int, int]]:
        """Return all pairs of contacts; assert that none exists twice."""
        rows = [(int(a), int(b)) for a, b in self.world[t.Contacts].pair[:, :2]]
        assert len(set(rows)) == len(rows)
        return set(rows)

    def expected(self) -> set[tuple[int, int]]:
        """Return all pairs that should be contacts, by comparing each with each."""
        return {(int(a), int(b)) for a, b in brute_force(self.world[t.Shapes].fat) if self.may_meet(int(a), int(b))}

    def may_meet(self, i: int, j: int) -> bool:
        """Apply the collision rules one after the other."""
        shapes, bodies, joints = self.world[t.Shapes], self.world[t.Bodies], self.world[t.Joints]
        a, b = int(shapes.body[i]), int(shapes.body[j])
        on = t.SHAPE_USED | t.SHAPE_ENABLED
        if a == b or any(int(shapes.flags[s]) & on != on for s in (i, j)):
            return False
        if any(int(bodies.flags[s]) & (ON | t.QUARANTINED) != ON for s in (a, b)):
            return False
        kinds = [int(bodies.flags[s]) & t.TYPE for s in (a, b)]
        sensors = [bool(shapes.flags[s] & t.SENSOR) for s in (i, j)]
        meets = t.DYNAMIC in kinds or (any(sensors) and t.KINEMATIC in kinds)
        (c, m, g), (d, n, h) = shapes.filter[i].tolist(), shapes.filter[j].tolist()
        filtered = g > 0 if g == h != 0 else bool(c & n and d & m)
        apart = any(
            {int(p), int(q)} == {a, b} and f & t.JOINT_USED and not f & t.COLLIDE_CONNECTED
            for (p, q), f in zip(joints.pair, joints.flags.tolist(), strict=True)
        )
        return meets and filtered and (any(sensors) or not apart)


@pytest.fixture
def field(rig: ModuleType) -> Any:
    """Provide a function that makes a `Field`."""
    return lambda *args, **options: Field(rig, *args, **options)


@pytest.mark.slow
@settings(max_examples=long(40, 10), deadline=None)
@given(seed=st.integers(0, 10**6), count=st.integers(0, 60), spread=st.sampled_from([1.0, 12.0, 400.0, 1e6]))
def test_pairs_are_those_of_brute_force(rig: ModuleType, seed: int, count: int, spread: float) -> None:
    """The pairs equal those of brute force while shapes move, are added and removed, with filters of all kinds."""
    field = Field(rig, seed, spread=spread)
    random = field.random
    shapes, bodies = field.world[t.Shapes], field.world[t.Bodies]
    field.add(count, bodies=max(1, count // 2) if count else 0)
    for _ in range(6):
        n = len(shapes)
        some = np.flatnonzero(random.random(n) < random.choice([0.03, 0.5, 1.0])).astype(np.int32)
        alive = some[(shapes.flags[some] & t.SHAPE_USED) != 0]
        field.place(alive, size=random.choice([0.2, 1.0, 20.0]))
        chosen = alive[random.random(len(alive)) < 0.3]
        contacts.remove_of_shapes(field.state, chosen)
        shapes.filter[chosen] = random.integers((1, 0, -1), (8, 8, 2), (len(chosen), 3))
        shapes.flags[chosen] ^= t.SENSOR
        gone = chosen[:2]
        contacts.remove_of_shapes(field.state, gone)
        shapes.flags[gone] = 0
        if n and random.random() < 0.5:
            body = int(random.integers(1, len(bodies)))
            its = np.flatnonzero((shapes.body == body) & ((shapes.flags & t.SHAPE_USED) != 0)).astype(np.int32)
            contacts.remove_of_shapes(field.state, its)
            bodies.flags[body] = int(random.integers(0, 3)) | int(random.choice([ON, ON, t.USED, ON | t.QUARANTINED]))
            field.move(its)
        field.add(int(random.integers(0, 6)))
        field.update()
        assert field.found() == field.expected()
        assert not (shapes.flags & t.MOVED).any()


@pytest.mark.parametrize("few", [0, 64])
def test_it_does_not_matter_where_shapes_are_kept(field: Any, monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    """Large, static and recently moved shapes are found like all others, wherever the index stores them."""
    monkeypatch.setattr(index_module, "_MAX_LOOSE", few)
    world = field(5, spread=30.0)
    world.add(300, kind=t.DYNAMIC)
    world.add(300, kind=t.STATIC)
    world.add(5, kind=t.DYNAMIC, size=25.0)
    world.add(5, kind=t.STATIC, size=25.0)
    world.add(20, kind=t.KINEMATIC)
    world.update()
    assert world.found() == world.expected()
    index = world.state.index
    assert index.tree.nodes > 50
    assert index.grid.count > 250
    assert index.grid.bigs >= 5
    for _ in range(5):
        world.place(world.random.choice(630, 30, replace=False).astype(np.int32))
        world.update()
        assert world.found() == world.expected()


def test_what_moves_leaves_the_tree_of_what_stays_alone(field: Any) -> None:
    """Moving shapes do not rebuild the tree of static ones; changed static shapes do."""
    world = field(6)
    movers, stays = world.add(200, kind=t.DYNAMIC), world.add(200, kind=t.STATIC)
    world.update()
    items = world.state.index.tree.items
    for _ in range(3):
        world.place(movers)
        world.update()
    assert world.state.index.tree.items is items
    world.place(stays)
    world.update()
    assert world.state.index.tree.items is not items


def test_new_pairs_come_in_ascending_order(field: Any) -> None:
    """New pairs are sorted by the lower slot, then by the higher."""
    world = field(7, spread=6.0)
    slots = world.add(200, kind=t.DYNAMIC)
    for _ in range(3):
        new = world.update()
        assert len(new) > 20
        assert np.array_equal(new, new[np.lexsort((new[:, 1], new[:, 0]))])
        assert (new[:, 0] < new[:, 1]).all()
        world.place(slots[::2])


def test_a_restored_world_goes_on_with_the_same_rows(field: Any) -> None:
    """After the index is rebuilt from the tables it gives the same pairs in the same order."""
    world, other = field(8, spread=8.0), field(8, spread=8.0)
    for each in (world, other):
        each.add(250)
    for k in range(8):
        for each in (world, other):
            each.place(np.flatnonzero(each.random.random(250) < 0.2).astype(np.int32))
        if k % 2:
            other.world[Scratch].rebuild(other.world)
        for each in (world, other):
            each.update()
        first, second = (each.world[t.Contacts].pair for each in (world, other))
        assert np.array_equal(first, second)


def test_a_thousand_shapes_in_one_place_are_half_a_million_pairs(field: Any) -> None:
    """A thousand shapes in one place give half a million pairs: the kernel requests more room and drops none."""
    world = field(9)
    slots = world.add(1000, kind=t.DYNAMIC)
    world.world[t.Shapes].fat[slots] = (3, 3, 4, 4)
    assert len(world.update()) == 1000 * 999 // 2
    world.move(slots)
    assert len(world.update()) == 0


def test_one_shape_far_away_makes_no_cells(field: Any) -> None:
    """A shape far away changes neither the memory nor the cell size of the grid."""
    near, far = field(10), field(10)
    for world in (near, far):
        world.add(500, kind=t.DYNAMIC)
    far.world[t.Shapes].fat[0] = (1e6, 1e6, 1e6 + 1, 1e6 + 1)
    for world in (near, far):
        world.update()
    one, other = near.state.index.grid, far.state.index.grid
    assert len(one.starts) == len(other.starts) <= 4 * 500 + 2
    assert one.inverse == pytest.approx(other.inverse, rel=0.1)
    assert other.bigs == one.bigs


def test_boxes_that_are_none_meet_nothing(field: Any) -> None:
    """Boxes with NaN or infinity give no pairs and hide no others."""
    world = field(11, spread=4.0)
    slots = world.add(150, kind=t.DYNAMIC)
    fat = world.world[t.Shapes].fat
    fat[3] = np.nan
    fat[5, 2] = np.inf
    fat[7] = (-np.inf, -np.inf, np.inf, np.inf)
    fat[9] = 1e30
    world.update()
    bad = {3, 5, 7}
    assert world.found() == {pair for pair in world.expected() if not bad & set(pair)}
    world.place(slots)
    world.update()
    assert world.found() == world.expected()


def test_joined_bodies_collide_only_if_the_joint_says_so(field: Any) -> None:
    """Jointed bodies collide only if the joint allows it, and again when the joint is removed."""
    world = field(12)
    slots = world.add(3, kind=t.DYNAMIC)
    world.world[t.Shapes].fat[slots] = (0, 0, 1, 1)
    world.world[t.Bodies].flags[1:] |= t.HAS_JOINT
    pair = np.array([(2, 1), (2, 3)], np.int32)
    flags = np.array([t.JOINT_USED, t.JOINT_USED | t.COLLIDE_CONNECTED], np.int32)
    world.world[t.Joints].append(2, pair=pair, flags=flags)
    world.state.stale()
    assert world.update().tolist() == [[0, 2], [1, 2]]
    world.world[t.Joints].flags[0] = 0
    world.state.stale()
    world.move(slots)
    assert world.update().tolist() == [[0, 1]]


def test_nothing_moved_nothing_done(field: Any) -> None:
    """Without moved shapes nothing is updated."""
    world = field(13)
    world.add(100)
    world.update()
    changes = world.state.index.changes
    assert len(world.update()) == 0
    assert world.state.index.changes == changes


def test_shapes_that_can_meet_no_other_are_not_sorted(field: Any) -> None:
    """Shapes whose filter excludes all others are not sorted; when the filter changes they find their pairs."""
    world = field(14)
    slots = world.add(300, kind=t.DYNAMIC)
    world.update()
    index, filters = world.state.index, world.world[t.Shapes].filter
    filters[slots, 1] = 0
    for _ in range(3):
        world.place(slots)
        assert len(world.update()) == 0
        assert index.loose.tolist() == [0, 0]
    filters[slots, 1] = -1
    world.place(slots)
    world.update()
    assert world.found() == world.expected()


def test_the_floor_of_a_plain_filter() -> None:
    """An equal group other than 0 decides before the masks; different groups do not."""
    filters = np.array([(1, 2, 0), (2, 1, 0), (2, 4, 0), (1, 0, 5), (1, 0, 5), (1, -1, -3), (1, -1, -3), (1, -1, 4)])
    verdict = {
        (i, j): pairs.pass_filter(filters.ravel(), np.uint64(i), np.uint64(j)) for i in range(8) for j in range(8)
    }
    assert verdict[0, 1]
    assert not verdict[0, 2]
    assert verdict[3, 4]
    assert not verdict[5, 6]
    assert verdict[5, 7]
