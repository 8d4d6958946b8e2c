"""Derived values: computed from the World when they are requested, and only if their sources have changed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_ecs import (
    Compared,
    DeclarationError,
    Disabled,
    Entity,
    Inputs,
    Rows,
    UnknownName,
    UsageError,
    Vec2,
    World,
    component,
    derived,
    field,
    resource,
    table,
)

CALLS: list[str] = []


@component
class Wire:
    """A component whose weight depends on its place."""

    density: float = 1.0


@component
class Place:
    """A place with a parent."""

    position: Vec2 = (0, 0)
    parent: Entity = field(0, cascade=True)


@table
class Mark:
    """Rows that are not entities."""

    x: float = 0.0


@resource
class Options:
    """A resource of plain values."""

    factor: float = 1.0
    names: list[str] = []


@resource(derived=True)
class Cache:
    """A resource that counts its changes."""

    version: int = 0


@derived(reads=(Wire, Place, Options))
class Weight:
    """The weight of all wires."""

    total: float = 0.0

    def compute(self, world: World) -> None:
        """Add the weights."""
        CALLS.append("weight")
        wires = world.query(Wire, Place)
        self.total = world[Options].factor * float((wires[Wire.density] * np.abs(wires[Place.position][:, 0])).sum())


@derived(reads=Weight)
class Heavy:
    """Whether the wires are heavy."""

    heavy: bool = False

    def compute(self, world: World) -> None:
        """Compare the weight with a limit."""
        CALLS.append("heavy")
        self.heavy = world[Weight].total > 10


@derived(reads=Heavy)
class Warning:
    """A text about the weight."""

    text: str = ""

    def compute(self, world: World) -> None:
        """Write the text."""
        CALLS.append("warning")
        self.text = "too heavy" if world[Heavy].heavy else "fine"


@derived(reads=Place)
class Columns:
    """The x coordinate of each place, by row."""

    x: np.ndarray = np.zeros(0, np.float32)

    def compute(self, world: World) -> None:
        """Copy all rows."""
        CALLS.append("compute")
        self.x = world[Place].column("position")[:, 0].copy()

    def patch(self, world: World, changes: Any) -> bool:
        """Copy the changed rows."""
        CALLS.append("patch")
        rows, count = changes[Place].rows, len(world[Place])
        if not count:
            return False
        self.x = np.resize(self.x, count) if count != len(self.x) else self.x
        self.x[rows] = world[Place].column("position")[rows, 0]
        return True


@derived(reads=Place.parent)
class Parents:
    """How many places have a parent."""

    count: int = 0

    def compute(self, world: World) -> None:
        """Count them."""
        CALLS.append("parents")
        self.count = int((world[Place].column("parent") != 0).sum())


@pytest.fixture
def world() -> World:
    """Return a World with three wires, and an empty list of calls."""
    world = World([Wire, Place, Mark])
    world.put(Options())
    world.put(Cache())
    world.spawn_many(3, Wire, Place(position=(2, 0)))
    CALLS.clear()
    return world


def taken() -> list[str]:
    """Return the calls since the last time."""
    calls = CALLS[:]
    CALLS.clear()
    return calls


def test_a_value_is_computed_when_it_is_requested_and_stale(world: World) -> None:
    """A value is computed at the first request and after a change of a table or a resource, and at no other time."""
    assert (world[Weight].total, world[Weight].total, taken()) == (6, 6, ["weight"])
    world[Wire].density = 2.0
    assert taken() == []
    assert (world[Weight].total, taken()) == (12, ["weight"])
    world[Options].factor = 0.5
    assert (world[Weight].total, world[Weight].total, taken()) == (6, 6, ["weight"])
    world[Mark].append(2)
    world[Options].factor = 0.5
    assert (world[Weight].total, taken()) == (6, [])
    world.spawn(Wire(), Place(position=(1, 0)))
    assert (world[Weight].total, taken()) == (6.5, ["weight"])


def test_equal_results_stop_further_work(world: World) -> None:
    """A value that is computed again and is equal leaves all values that depend on it as they are."""
    assert (world[Warning].text, taken()) == ("fine", ["weight", "heavy", "warning"])
    first = world[Heavy]
    world[Wire].density = 1.5
    assert (world[Warning].text, taken()) == ("fine", ["weight", "heavy"])
    assert world[Heavy] is first
    world[Wire].density = 5
    assert (world[Warning].text, taken()) == ("too heavy", ["weight", "heavy", "warning"])


def test_a_restore_needs_no_word_from_the_value(world: World) -> None:
    """After a restore, a value is computed again if its sources differ, and is what it was otherwise."""
    snapshot = world.snapshot()
    assert world[Weight].total == 6
    taken()
    world.restore(snapshot)
    assert (world[Weight].total, taken()) == (6, [])
    world[Wire].density = 3
    assert world[Weight].total == 18
    taken()
    world.restore(snapshot)
    assert (world[Weight].total, taken()) == (6, ["weight"])
    assert "Weight" not in str(snapshot.resources)


def test_rows_that_changed_are_patched(world: World) -> None:
    """`patch` is called with the changed rows, and `compute` if all rows may have changed or `patch` returns False."""
    assert (world[Columns].x.tolist(), taken()) == ([2, 2, 2], ["compute"])
    world.get(int(world[Place].entities[1]), Place).position = (5, 0)
    assert (world[Columns].x.tolist(), taken()) == ([2, 5, 2], ["patch"])
    world.despawn(int(world[Place].entities[0]))
    assert (world[Columns].x.tolist(), taken()) == ([2, 5], ["patch"])
    world[Place].position = (4, 0)
    assert (world[Columns].x.tolist(), taken()) == ([4, 4], ["compute"])
    world.despawn(world[Place].entities)
    assert (world[Columns].x.tolist(), taken()) == ([], ["patch", "compute"])


def test_a_field_changes_only_with_its_values(world: World) -> None:
    """A value that reads one field stays when other fields are written, or the field is written with equal values."""
    handles = world[Place].entities.copy()
    assert (world[Parents].count, taken()) == (0, ["parents"])
    world[Place].position = (1, 1)
    world[Place].parent = 0
    assert (world[Parents].count, taken()) == (0, [])
    world.set(int(handles[2]), Place(parent=int(handles[0])))
    assert (world[Parents].count, taken()) == (1, ["parents"])
    world.spawn(Place(parent=int(handles[0])))
    assert (world[Parents].count, taken()) == (2, ["parents"])
    world.despawn(int(handles[0]))
    assert (world[Parents].count, taken()) == (0, ["parents"])


def test_entities_that_are_replaced_are_changes_of_a_field(world: World) -> None:
    """If more entities were replaced than a table stores removals, a field counts as changed in all rows."""
    handles = [world.spawn(Place(parent=0)) for _ in range(300)]
    inputs = Inputs([Place.parent])
    assert inputs.changed(world)
    for handle in handles:
        world.despawn(handle)
    for _ in handles:
        world.spawn(Place(parent=0))
    changes = inputs.take(world)
    assert changes is not None
    assert changes[Place.parent].all


@pytest.mark.parametrize("seed", range(4))
def test_patched_and_computed_values_are_equal(seed: int) -> None:
    """With checks, values that are patched after random operations are equal to computed ones."""
    world, random = World([Wire, Place]), np.random.default_rng(seed)
    world.check_derived()
    snapshots = [world.snapshot()]
    for step in range(120):
        alive = world[Place].entities
        some = random.permutation(alive)[: int(random.integers(0, 4))]
        match step % 5:
            case 0:
                world.spawn_many(int(random.integers(0, 5)), Place(position=(step, 0)))
            case 1:
                world.despawn(some)
            case 2:
                world.set(some, Place(position=(step, 1)))
            case 3 if random.random() < 0.2:
                snapshots.append(world.snapshot())
            case 4 if random.random() < 0.3:
                world.restore(snapshots[int(random.integers(len(snapshots)))])
            case _:
                pass
        assert world[Columns].x.tolist() == world[Place].column("position")[:, 0].tolist()


def test_a_wrong_patch_is_an_error_when_it_is_checked(world: World) -> None:
    """With checks, a patched value that differs from a computed one names the value, the field and both contents."""

    @derived(reads=Wire)
    class Count:
        number: int = 0

        def compute(self, world: World) -> None:
            self.number = len(world[Wire])

        def patch(self, world: World, changes: Any) -> None:
            self.number += 2

    world.check_derived()
    assert world[Count].number == 3
    world.spawn(Wire())
    with pytest.raises(UsageError, match=r"Count.patch and compute give different values of number: 5 and 4"):
        world[Count]


def test_an_undeclared_source_is_an_error_when_it_is_checked(world: World) -> None:
    """With checks, a value that is computed from an undeclared class names it; without, it is computed."""

    @derived(reads=Wire)
    class Sum:
        number: float = 0

        def compute(self, world: World) -> None:
            self.number = float(world.query(Wire, Place, without=Disabled)[Place.position].sum())

    assert world[Sum].number == 6
    world.check_derived()
    world[Wire].mark()
    with pytest.raises(UsageError, match=r"Sum.compute reads Place, which it does not declare"):
        world[Sum]
    assert world[Weight].total == 6


def test_a_value_by_rows_passes_on_which_rows_changed(world: World) -> None:
    """A reader of a value by rows is told the patched rows of all patches since its last look; all after `compute`."""

    @derived(reads=(Wire.density, Options), by=Wire)
    class Doubled:
        values: np.ndarray = np.zeros(0)

        def compute(self, world: World) -> None:
            self.values = 2 * world[Options].factor * world[Wire].density

        def patch(self, world: World, changes: Any) -> None:
            rows, table = changes[Wire.density].rows, world[Wire]
            self.values = np.resize(self.values, len(table))
            self.values[rows] = 2 * world[Options].factor * table.density[rows]

    world.check_derived()
    inputs = Inputs([Doubled])
    assert inputs.take(world) is not None
    handles = world[Wire].entities.copy()
    world.set(handles[[0, 2]], Wire(density=3))
    world[Wire].density = world[Wire].density.copy()
    world[Doubled]
    world.set(handles[[0, 1]], Wire(density=4))
    changes = inputs.take(world)
    assert changes is not None
    assert (changes.by_rows, changes[Doubled].rows.tolist()) == (True, [0, 1, 2])
    world.despawn(int(handles[2]))
    changes = inputs.take(world)
    assert changes is not None
    assert (changes[Doubled].rows.tolist(), changes[Doubled].removed.tolist()) == ([], [int(handles[2])])
    world[Options].factor = 2
    changes = inputs.take(world)
    assert changes is not None
    assert changes[Doubled].all
    for _ in range(100):
        world.set(int(handles[0]), Wire(density=float(world[Wire].density[0]) + 1))
        world[Doubled]
    changes = inputs.take(world)
    assert changes is not None
    assert changes[Doubled].all


@pytest.mark.parametrize("seed", range(4))
def test_compared_rows_are_those_that_differ(seed: int) -> None:
    """After random operations, writes of whole columns among them, a copy patched in the compared rows is right."""
    world, random = World([Wire, Place]), np.random.default_rng(seed)
    inputs, copy, handles = Inputs([Compared(Place)]), np.zeros((0, 2)), np.zeros(0, np.int64)
    snapshots = [world.snapshot()]
    by_rows = 0

    def change(step: int) -> None:
        """Do one random operation."""
        some = random.permutation(world[Place].entities)[: int(random.integers(0, 4))]
        match int(random.integers(0, 7)):
            case 0:
                world.spawn_many(int(random.integers(0, 5)), Place(position=(step, 0)))
            case 1:
                world.despawn(some)
            case 2:
                world.set(some, Place(position=(step, 1)))
            case 3 | 4:
                rows = random.random(len(world[Place])) < 0.1
                world[Place].position[rows] = (step % 3, 2)
                world[Place].mark()
            case 5:
                snapshots.append(world.snapshot())
            case _:
                world.restore(snapshots[int(random.integers(len(snapshots)))])

    for step in range(300):
        for _ in range(int(random.integers(1, 4))):
            change(step)
        changes = inputs.take(world)
        count, known = len(world[Place]), handles
        copy, handles = np.resize(copy, (count, 2)), world[Place].entities.copy()
        if changes is not None:
            rows = changes[Compared(Place)].rows if not changes[Compared(Place)].all else np.arange(count)
            by_rows += not changes[Compared(Place)].all
            copy[rows] = world[Place].position[rows]
        if changes is None or changes.by_rows:
            removed = [] if changes is None else changes[Compared(Place)].removed.tolist()
            assert {*known.tolist()} - {*handles.tolist()} <= {*removed}
        assert np.array_equal(copy, world[Place].position)
    assert by_rows > 100


def test_a_function_is_a_source(world: World) -> None:
    """A function of the World counts as changed when it returns another value; what it reads may be read."""

    def count(world: World) -> list[int]:
        return [len(world[Wire]) // 2]

    @derived(reads=count)
    class Half:
        number: int = 0

        def compute(self, world: World) -> None:
            CALLS.append("half")
            self.number = len(world[Wire]) // 2

    world.check_derived()
    assert (world[Half].number, taken()) == (1, ["half"])
    world.despawn(world[Wire].entities[:1])
    assert (world[Half].number, taken()) == (1, [])
    world.spawn_many(2, Wire)
    assert (world[Half].number, taken()) == (2, ["half"])


def test_what_a_value_changes_itself_is_no_change(world: World) -> None:
    """A value that is computed by loading something into one of its sources is not computed again for that."""

    @derived(reads=(Wire, Cache))
    class Loaded:
        number: int = 0

        def compute(self, world: World) -> None:
            CALLS.append("loaded")
            world[Cache].version += 1
            self.number = len(world[Wire])

    assert (world[Loaded].number, world[Loaded].number, taken()) == (3, 3, ["loaded"])


def test_inputs_can_be_looked_at_without_noting_them(world: World) -> None:
    """`look` returns the same changes again, `take` notes them; `changed` notes all sources."""

    def count(world: World) -> int:
        return len(world[Wire])

    inputs = Inputs((Wire, Place.position, Options, Weight, world[Cache], count))
    assert inputs.look(world) is not None
    assert inputs.changed(world)
    assert inputs.look(world) is None
    world.spawn(Wire(), Place(position=(7, 0)))
    world[Options].factor = 3
    world[Cache].version += 1
    for changes in (inputs.look(world), inputs.look(world), inputs.take(world)):
        assert changes is not None
        assert (changes[Wire].rows.tolist(), changes[Place.position].rows.tolist()) == ([3], [3])
        assert all(changes[source].all for source in (Options, Weight, world[Cache], count))
    assert inputs.take(world) is None
    world[Wire].mark(0)
    world[Options].factor = 4
    assert inputs.changed(world)
    assert not inputs.changed(world)


def test_rows_are_a_source_without_their_values(world: World) -> None:
    """`Rows` changes when rows are added, removed or moved; changes of a table tell whether values were written."""
    rows, table = Inputs([Rows(Wire)]), Inputs([Wire])
    assert rows.changed(world)
    assert table.changed(world)
    world.set(int(world[Wire].entities[0]), Wire(density=4))
    changes = table.take(world)
    assert changes is not None
    assert changes[Wire].written
    assert not rows.changed(world)
    world.despawn(int(world[Wire].entities[0]))
    changes = table.take(world)
    assert changes is not None
    assert not changes[Wire].written
    assert rows.changed(world)


def test_a_derived_resource_without_a_version_need_not_be_declared(world: World) -> None:
    """Such a cache changes only with what it is derived from; one with a version is a source."""

    @resource(derived=True)
    class Found:
        names: dict[str, int] = {}

    @derived(reads=Wire)
    class Sum:
        number: int = 0

        def compute(self, world: World) -> None:
            self.number = len(world[Wire]) + len(world[Found].names)

    world.put(Found())
    world.check_derived()
    assert world[Sum].number == 3
    world[Found].version = 1
    world[Wire].mark()
    with pytest.raises(UsageError, match=r"Sum.compute reads Found, which it does not declare"):
        world[Sum]


def test_an_error_leaves_the_value_stale(world: World) -> None:
    """An exception of `compute` reaches the caller, and the next request computes the value again."""

    @derived(reads=Wire)
    class Fragile:
        number: int = 0

        def compute(self, world: World) -> None:
            if len(world[Wire]) > 3:
                raise ValueError("too many wires")
            self.number = len(world[Wire])

    assert world[Fragile].number == 3
    extra = world.spawn(Wire())
    for _ in range(2):
        with pytest.raises(ValueError, match="too many"):
            world[Fragile]
    world.despawn(extra)
    assert world[Fragile].number == 3


def test_a_value_that_requests_itself_is_an_error(world: World) -> None:
    """A value that requests itself while it is computed raises UsageError instead of recursing without end."""

    @derived(reads=Wire)
    class Loop:
        def compute(self, world: World) -> None:
            world[Loop]

    with pytest.raises(UsageError, match="requested while it is computed"):
        world[Loop]


def test_declarations_are_checked() -> None:
    """A class without `compute`, and a source of a wrong type, are refused with the place."""
    with pytest.raises(DeclarationError, match="has no compute"):

        @derived(reads=Wire)
        class Empty:
            pass

    with pytest.raises(DeclarationError, match="can't read 'Wire'"):

        @derived(reads="Wire")
        class Text:
            def compute(self, world: World) -> None: ...


def test_defaults_are_not_shared() -> None:
    """Each computed instance has its own lists and arrays."""

    @derived(reads=Wire)
    class Names:
        names: list[int] = []

        def compute(self, world: World) -> None:
            self.names.append(len(world[Wire]))

    first, second = World([Wire]), World([Wire])
    second.spawn(Wire())
    assert (first[Names].names, second[Names].names) == ([0], [1])


def test_inputs_tell_each_change_once(world: World) -> None:
    """Inputs report a change of any source once: rows, a version, another instance, and classes declared anew."""
    thing = Cache(version=3)
    inputs = Inputs([Wire, Cache, Weight, thing])
    assert (inputs.changed(world), inputs.changed(world)) == (True, False)
    for change in (
        lambda: world[Wire].mark(0),
        lambda: setattr(world[Cache], "version", 5),
        lambda: world.put(Cache(version=5)),
        lambda: setattr(thing, "version", 4),
        lambda: setattr(world[Options], "factor", 3.0),
        lambda: world.drop(Cache),
        lambda: world.redeclare([Wire, Place, Mark]),
    ):
        change()
        assert (inputs.changed(world), inputs.changed(world)) == (True, False)


def test_a_version_is_requested_once_for_each_look(world: World) -> None:
    """A version that is computed costs one request for each look, whether it has changed or not."""

    class Counted:
        requests = 0

        @property
        def version(self) -> int:
            self.requests += 1
            return self.requests // 2

    @resource(derived=True)
    class Computed(Counted):
        pass

    computed, thing = Computed(), Counted()
    world.put(computed)
    inputs = Inputs([Computed, thing])
    for requests in range(1, 7):
        assert inputs.changed(world) == (requests % 2 == 0 or requests == 1)
        assert (computed.requests, thing.requests) == (requests, requests)


def test_changes_are_asked_for_by_declared_source(world: World) -> None:
    """`changes[source]` of an unchanged source is empty; of an undeclared one it is an error with the choices."""
    inputs = Inputs([Wire, Place.parent])
    assert inputs.take(world) is not None
    world[Wire].mark(1)
    changes = inputs.take(world)
    assert changes is not None
    assert (changes[Wire].rows.tolist(), bool(changes[Place.parent]), changes.by_rows) == ([1], False, True)
    with pytest.raises(UnknownName, match="Place is not a declared source"):
        changes[Place]


def test_a_resource_that_cannot_be_compared_is_an_error(world: World) -> None:
    """A resource with neither a version nor plain values can't be a source, and the message says what to do."""

    @resource(derived=True)
    class Handle:
        thing: Any = object()

    world.put(Handle())
    with pytest.raises(DeclarationError, match="integer `version`"):
        Inputs([Handle]).take(world)


def test_a_class_that_is_absent_never_changes(world: World) -> None:
    """A source that the World does not know counts as unchanged, until it is declared."""
    inputs = Inputs([Wire, Mark])
    other = World([Wire])
    assert (inputs.changed(other), inputs.changed(other)) == (True, False)
    other.redeclare([Wire, Mark])
    assert (inputs.changed(other), inputs.changed(other)) == (True, False)
    other[Mark].append(1)
    assert inputs.changed(other)
