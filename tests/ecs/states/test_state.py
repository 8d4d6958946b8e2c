"""States in memory: any saved state loads into the same World, as the restore of a snapshot does."""

from __future__ import annotations

import dataclasses
import random
from typing import Any

import numpy as np
import pytest

from rish_ecs.declarations.columns import Chars, Entity, Str, Vec2
from rish_ecs.declarations.component import component, event, field, table
from rish_ecs.declarations.resource import resource
from rish_ecs.derivations.declaration import derived
from rish_ecs.snapshots.snapshot import Snapshot
from rish_ecs.world import World
from rish_jit.errors import DeclarationError, SnapshotError


@component
class Place:
    """Numbers, with a transient and a derived one."""

    at: Vec2 = field((1, 2))
    turn: float = 0.0
    push: float = field(0.0, transient=True)
    shown: float = field(0.5, derived=True)


@component
class Sign:
    """Rows of variable length."""

    name: Str = "b"
    note: Chars = "note"
    items: list[int] = field((7,))


@component
class Child:
    """A component with a parent."""

    parent: Entity = field(0, cascade=True)
    small: bool = True


@table
class Trace:
    """Rows that belong to no entity."""

    x: float = 0.0
    text: Chars = ""


@event
class Hit:
    """An event with a text."""

    power: float = 1.0
    what: Chars = ""


@dataclasses.dataclass
class Slot:
    """A dataclass within a resource."""

    count: int = 0
    marks: Any = None


@resource
class Bag:
    """A resource with values of all kinds."""

    number: float = 0.0
    pairs: dict[str, Any] = dataclasses.field(default_factory=dict)
    slots: list[Slot] = dataclasses.field(default_factory=list)
    grid: Any = dataclasses.field(default_factory=lambda: np.zeros(3))


@resource
class Lamp:
    """A resource that is dropped and put again."""

    on: bool = False


@resource(derived=True)
class Cache:
    """A derived resource, rebuilt after a load."""

    rebuilt: int = 0

    def rebuild(self, world: World) -> None:
        """Count the call."""
        self.rebuilt += 1


@derived(reads=Place)
class Turns:
    """A derived value: a number of each entity."""

    by_entity: Any = None

    def compute(self, world: World) -> None:
        """Read all rows."""
        places = world[Place]
        self.by_entity = dict(zip(places.entities.tolist(), places.turn.tolist(), strict=True))


KINDS = (Place, Sign, Child, Trace, Hit)


def _world(seed: int = 1) -> World:
    world = World(KINDS, seed=seed)
    world.put(Bag(pairs={"a": [1, 2.0], "b": {"c": "d"}}, slots=[Slot(1, [2])]))
    world.put(Lamp())
    world.put(Cache())
    return world


def _change(world: World, dice: random.Random) -> None:
    """Change something at random."""
    alive = [int(h) for cls in (Place, Sign, Child) for h in world[cls].entities]
    one = dice.choice(alive) if alive else 0
    what = dice.randrange(14)
    bag: Any = world[Bag]
    if what < 3 or not alive:
        parts = dice.sample([Place(turn=dice.random()), Sign(note="x" * dice.randrange(40)), Child(parent=one)], 2)
        world.spawn_many(dice.randrange(1, 4), *parts)
    elif what == 3:
        world.despawn(one)
    elif what == 4:
        world.add(one, Sign(name=dice.choice("abc"), items=list(range(dice.randrange(5)))))
    elif what == 5:
        world.remove(one, dice.choice((Place, Sign, Child)))
    elif what == 6 and world.has(one, Place):
        world.get(one, Place).at = (dice.random(), 1)
    elif what == 7 and world.has(one, Sign):
        world.get(one, Sign).note = "é" * dice.randrange(30)
    elif what == 8:
        world[Place].turn += dice.random()
        world[Place].push[:] = 3
        world[Place].shown[:] = dice.random()  # without a mark
    elif what == 9:
        world[Trace].append(2, x=dice.random(), text=dice.choice(("", "long text")))
    elif what == 10:
        world[Trace].keep_rows(np.array([dice.random() < 0.5 for _ in range(len(world[Trace]))], bool))
    elif what == 11:
        world.emit(Hit, power=dice.random(), what="w" * dice.randrange(3))
    elif what == 12:
        bag.pairs[dice.choice("abc")] = dice.choice((1, 1.0, True, [dice.random()], {"k": (1, [2])}))
        bag.slots[0].count += 1
        bag.grid[1] += 1
        bag.number = world.random("a").uniform()
    elif Lamp in world:
        world.drop(Lamp)
    else:
        world.put(Lamp(on=True))


def _tick(world: World, seed: int) -> str:
    """Run a tick of changes that depend only on the state and the seed; return the hash."""
    dice = random.Random(seed * 1000 + world.tick)
    for _ in range(4):
        _change(world, dice)
    world.events(Hit)
    world.added(Place)
    world.removed(Sign)
    world.end_tick()
    return world.hash()


@pytest.mark.parametrize("seed", range(3))
def test_a_load_is_equal_to_a_restore(seed: int) -> None:
    """States that are loaded in any order equal the restored snapshots, by hash and by the ticks that follow."""
    world, plain = _world(), _world()
    dice = random.Random(seed)
    states: list[tuple[Any, Snapshot, str, bytes]] = []
    for k in range(6):
        for _ in range(dice.randrange(1, 8)):
            assert _tick(world, seed + k) == _tick(plain, seed + k)
        states.append((world.save_state(), plain.snapshot(), world.hash(), world.snapshot().to_bytes()))
    for _ in range(12):
        state, snapshot, digest, portable = dice.choice(states)
        world.load_state(state)
        plain.restore(snapshot)
        assert world.hashes() == plain.hashes()
        assert world.hash() == digest
        assert state.snapshot().to_bytes() == portable
        assert world[Turns].by_entity == plain[Turns].by_entity
        other = dice.randrange(100)
        for _ in range(dice.choice((0, 1, 3))):
            assert _tick(world, other) == _tick(plain, other)
    for state, snapshot, *_ in states:
        world.load_state(state)
        plain.restore(snapshot)
        assert [_tick(world, 7) for _ in range(20)] == [_tick(plain, 7) for _ in range(20)]


def test_a_state_contains_transient_and_derived_fields() -> None:
    """A load gives back all fields, also those that snapshots do not contain."""
    world = _world()
    world.spawn(Place(push=4.0, shown=2.0))
    state = world.save_state()
    world[Place].push[:] = 0
    world[Place].shown[:] = 0
    world.load_state(state)
    assert (world[Place].push[0], world[Place].shown[0]) == (4.0, 2.0)


def test_a_load_marks_only_rows_that_differ() -> None:
    """Arrays stay the same objects, and the readers of a table see the rows that a load has written."""
    world = _world()
    handles = world.spawn_many(5, Place, Sign)
    state = world.save_state()
    places, version, column = world[Place], world[Place].version, world[Place].turn
    signs = world[Sign].version
    world.get(int(handles[3]), Place).turn = 9.0
    world.load_state(state)
    assert world[Place].turn is column
    assert column[3] == 0
    assert places.changes(version).rows.tolist() == [3]
    world.load_state(state)
    assert places.changes(version).rows.tolist() == [3]
    assert world[Sign].version == signs


def test_a_load_marks_rows_of_variable_length() -> None:
    """Texts that differ are loaded and marked, also if their lengths are equal."""
    world = _world()
    handles = world.spawn_many(3, Sign)
    state, version = world.save_state(), world[Sign].version
    world.get(int(handles[1]), Sign).note = "NOTE"
    marked = world[Sign].version
    world.load_state(state)
    assert world.get(int(handles[1]), Sign).note == "note"
    assert world[Sign].changes(marked).rows.tolist() == [1]
    assert world[Sign].changes(version).rows.tolist() == [1]


def test_resources_keep_their_objects_where_they_are_equal() -> None:
    """A load sets only the values that differ, and gives later changes no access to the state."""
    world = _world()
    bag = world[Bag]
    state, slots = world.save_state(), bag.slots
    bag.pairs["a"].append(3)
    world.load_state(state)
    assert world[Bag] is bag
    assert bag.slots is slots
    assert bag.pairs["a"] == [1, 2.0]
    bag.pairs["a"].append(4)
    world.load_state(state)
    assert bag.pairs["a"] == [1, 2.0]


@pytest.mark.parametrize("other", [1.0, True])
def test_a_value_of_another_type_is_another_value(other: Any) -> None:
    """A number that changed its type only gets its type back, since hashes tell them apart."""
    world = _world()
    bag = world[Bag]
    bag.pairs["n"] = 1
    state = world.save_state()
    bag.pairs["n"] = other
    world.load_state(state)
    assert type(bag.pairs["n"]) is int


def test_unchanged_resources_share_their_copies() -> None:
    """Two states share the copies of resources that have not changed in between."""
    world = _world()
    one = world.save_state()
    world[Bag].number = 2.0
    two = world.save_state()
    assert one.resources[Lamp] is two.resources[Lamp]
    assert one.resources[Bag] is not two.resources[Bag]
    assert one.resources[Bag].values[1] is two.resources[Bag].values[1]


def test_queued_changes_belong_to_a_state() -> None:
    """Changes of structure that wait for the end of a stage are saved and loaded."""
    world = _world()
    handle = world.spawn(Place)
    world.stage = None
    state = world.save_state()
    world.despawn(handle)
    world.load_state(state)
    assert world.alive(handle)
    assert world.pending_operations() == state.pending


def test_derived_resources_recall_what_they_knew() -> None:
    """A derived resource is rebuilt after a load, or recalls what it returned when the state was saved, None if it was
    not there.
    """
    world = _world()
    calls: list[Any] = []

    @resource(derived=True)
    class Follower:
        known: Any = None

        def rebuild(self, world: World) -> None:
            calls.append("rebuild")

        def remember(self, world: World) -> Any:
            return self.known

        def recall(self, world: World, memory: Any) -> None:
            calls.append(memory)

    unknown = world.save_state()
    world.put(Follower(known=5))
    known = world.save_state()
    world[Follower].known = 6
    world.load_state(known)
    world.load_state(unknown)
    world.restore(world.snapshot())
    assert calls == [5, None, "rebuild"]
    assert world[Cache].rebuilt == 3


def test_foreign_and_old_states_are_refused() -> None:
    """A state of another World, or of before a redeclaration, is an error, and nothing changes."""
    world = _world()
    world.spawn(Place)
    state, digest = world.save_state(), world.hash()
    with pytest.raises(SnapshotError, match="saved by another World"):
        _world().load_state(state)
    world.redeclare(KINDS)
    with pytest.raises(SnapshotError, match="before classes were declared again"):
        world.load_state(state)
    with pytest.raises(SnapshotError, match="before classes were declared again"):
        state.snapshot()
    assert world.hash() == digest


def test_values_that_are_not_plain_are_refused() -> None:
    """A resource with a value that is not plain is an error that names the field, each time."""
    world = _world()
    world[Bag].pairs["x"] = object()
    for _ in range(2):
        with pytest.raises(DeclarationError, match=r"Bag\.pairs"):
            world.save_state()
    del world[Bag].pairs["x"]
    state = world.save_state()
    world[Bag].number = 3.0
    world.load_state(state)
    assert world[Bag].number == 0.0
