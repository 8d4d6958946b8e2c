"""Changes of structure: immediate outside of stages, in call order at the end of a stage, and always complete."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rish_ecs.declarations.columns import Asset, Chars, Entity, Quat, Str, Vec2, Vec3
from rish_ecs.declarations.component import Each, component, event, field
from rish_ecs.declarations.resource import resource
from rish_ecs.declarations.system import Stage
from rish_ecs.world import World
from rish_jit.errors import DeclarationError, StaleEntity, UnknownName, UsageError


@component
class Place:
    """A position and a parent."""

    at: Vec2 = field((0, 0))
    parent: Entity = field(0, cascade=True)


@component
class Body:
    """A component with many types of fields."""

    mass: float = field(1.0, low=0)
    label: Chars = "body"
    kind: Str = "thing"
    image: Asset = ""
    seen: int = field(0, view=True)


@component
class Owner:
    """A component that refers to an owner and is despawned with it."""

    who: Entity = field(0, cascade=True)


@component
class Unknown:
    """A component that is unknown to the worlds of these tests."""


@event
class Ping:
    """An event without fields."""


@resource
class Score:
    """A resource with points."""

    points: int = 0


def _world() -> World:
    return World([Place, Body, Owner, Ping])


def _end(world: World) -> None:
    world.flush()
    world.stage = None


# Outside of stages


def test_spawn() -> None:
    """An entity has the given components, with values and defaults."""
    world = _world()
    handle = world.spawn(Place(at=(1, 2)), Body)
    assert world.components_of(handle) == [Place, Body]
    assert world.get(handle, Place).at.tolist() == [1, 2]
    assert (world.get(handle, Body).mass, world.get(handle, Body).label) == (1.0, "body")
    assert world.components_of(world.spawn()) == []


def test_spawn_many() -> None:
    """Arrays and `Each` give every entity its own value, and the tables stay aligned."""
    world = _world()
    at = np.arange(10, dtype=np.float64).reshape(5, 2)
    handles = world.spawn_many(5, Place(at=at), Body(label=Each("abcde"), mass=np.arange(5), kind="x"))
    assert world[Place].at.tolist() == at.tolist()
    assert [world.get(int(handle), Body).label for handle in handles] == list("abcde")
    assert world.query(Place, Body).aligned
    assert world.spawn_many(0, Place).tolist() == []
    assert world.spawn_many(np.int64(2)).dtype == np.int64


WRONG = [
    ((Place, Body(mass=np.ones(7))), UsageError, "Body.mass: 7 values for"),
    ((Place, Body(label=Each(["a"] * 7))), UsageError, "Body.label: 7 values for"),
    ((Place, Body(image=np.array([999] * 3))), UsageError, "Body.image: 3 values for|999 is not the number of a text"),
    ((Place, Body(image=999)), UsageError, "999 is not the number of a text"),
    ((Place, Unknown), UnknownName, "this world knows no component Unknown"),
    ((Place, Score()), DeclarationError, r"Score\(points=0\) is no component"),
    ((Place, 5), DeclarationError, r"5 is no component. Give instances of component classes, like Body\(mass=2\)"),
    ((Place, Ping), UnknownName, "Ping is an event"),
    ((Place, Place(at=(1, 1))), UsageError, "Place is given twice"),
]


@pytest.mark.parametrize("stage", [None, Stage.UPDATE])
@pytest.mark.parametrize(("parts", "error", "message"), WRONG)
def test_a_wrong_part_leaves_nothing(
    parts: tuple[Any, ...], error: type[Exception], message: str, stage: Stage | None
) -> None:
    """If one part is wrong, nothing is spawned or added, outside of stages and within."""
    world = _world()
    old = world.spawn_many(2, Owner)
    before = world.hash()
    world.stage = stage
    with pytest.raises(error, match=message):
        world.spawn(*parts)
    with pytest.raises(error, match=message):
        world.spawn_many(4, *parts)
    with pytest.raises(error, match=message):
        world.add(old, *parts)
    assert not world.pending
    _end(world)
    assert world.hash() == before
    assert len(world[Place]) == 0


@pytest.mark.parametrize("count", [-1, 2**31, 1.5, "3", None])
def test_wrong_counts(count: Any) -> None:
    """A count must be a whole number of at least 0."""
    with pytest.raises(UsageError, match=r"can't spawn .* entities. Give a whole number from 0 up"):
        _world().spawn_many(count)


def test_set_is_all_or_nothing() -> None:
    """`set` writes the given fields, or nothing if an entity lacks a component."""
    world = _world()
    both, one = world.spawn(Place, Body), world.spawn(Place)
    world.set(both, Body(mass=5), Place(at=(1, 1)))
    assert (world.get(both, Body).mass, world.get(both, Body).label) == (5, "body")
    with pytest.raises(UnknownName, match=r"entity 1v1 has no Body. Give it one with world.add"):
        world.set([both, one], Place(at=(9, 9)), Body(mass=9))
    assert world.get(both, Place).at.tolist() == [1, 1]
    world.set([one, both], Place(at=np.array([[3, 3], [4, 4]])))
    assert world[Place].at.tolist() == [[4, 4], [3, 3]]
    with pytest.raises(UsageError, match=r"Place.at: 3 values for 2 rows"):
        world.set([one, both], Place(at=np.zeros((3, 2))))


def test_add_and_remove() -> None:
    """`add` adds components or replaces them with all defaults; `remove` ignores missing ones."""
    world = _world()
    handles = world.spawn_many(3, Place(at=(5, 5)))
    world.add(handles[1:], Body(mass=np.array([2, 3]), label=Each(["x", "y"])))
    world.add(handles, Body(label="z"))
    assert [world.get(int(handle), Body).mass for handle in handles] == [1, 1, 1]
    assert [world.get(int(handle), Body).label for handle in handles] == ["z", "z", "z"]
    world.remove(handles[:2], Body, Owner)
    assert [world.has(int(handle), Body) for handle in handles] == [False, False, True]
    with pytest.raises(UnknownName, match="no component Unknown"):
        world.remove(handles, Unknown)


def test_repeated_handles() -> None:
    """A handle that is given twice is added, removed or despawned once; of two values the last wins."""
    world = _world()
    handle, other = world.spawn(), world.spawn()
    world.add([handle, other, handle], Body(mass=np.array([1, 2, 3])))
    assert len(world[Body]) == 2
    assert (world.get(handle, Body).mass, world.get(other, Body).mass) == (3, 2)
    world.remove([handle, handle], Body)
    assert (len(world[Body]), world.has(other, Body)) == (1, True)
    world.despawn([handle, other, handle])
    assert len(world.entities) == 0


@pytest.mark.parametrize("use", ["despawn", "add", "set", "remove", "get", "has", "locate", "components_of", "many"])
def test_stale_handles_always_raise(use: str) -> None:
    """Every function raises for a stale handle, and does not touch the entity that has its slot now."""
    world = _world()
    stale = world.spawn(Body(mass=3))
    world.despawn(stale)
    heir = world.spawn(Body(mass=7))
    assert heir & 0xFFFFFFFF == stale & 0xFFFFFFFF
    before = world.hash()
    arguments: dict[str, tuple[Any, ...]] = {"add": (Body,), "set": (Body(mass=1),), "remove": (Body,)}
    arguments |= dict.fromkeys(("get", "has", "locate"), (Body,))
    called = world.despawn if use == "many" else getattr(world, use)
    with pytest.raises(StaleEntity, match="entity 0v1 is gone; its slot now holds 0v2"):
        called([heir, stale] if use == "many" else stale, *arguments.get(use, ()))
    assert world.hash() == before
    assert not world.alive(stale)
    assert world.alive([stale, heir, 0]).tolist() == [False, True, False]


@pytest.mark.parametrize("handle", [0, -5, 10**30])
def test_handles_that_were_never_given(handle: int) -> None:
    """0, negative and huge handles raise StaleEntity."""
    world = _world()
    world.spawn(Body)
    assert not world.alive(handle)
    for use in (lambda: world.get(handle, Body), lambda: world.despawn(handle)):
        with pytest.raises(StaleEntity, match=r"no entity|never given"):
            use()


# Children


def test_children_go_along() -> None:
    """`despawn` removes everything that refers to the entity through a cascading field, also in cycles."""
    world = _world()
    root = world.spawn(Place)
    child = world.spawn(Place(parent=root), Body)
    grandchild = world.spawn(Place(parent=child))
    pet = world.spawn(Owner(who=grandchild))
    loop = world.spawn(Place(parent=pet))
    world.set(root, Place(parent=loop))
    stranger = world.spawn(Place(parent=world.spawn(Place)))
    world.despawn(child)
    assert world.alive([root, child, grandchild, pet, loop]).tolist() == [False] * 5
    assert world.alive(stranger)
    assert len(world.entities) == 2


def test_many_families() -> None:
    """Despawning half of the parents removes exactly their children."""
    world = _world()
    parents = world.spawn_many(100, Place)
    children = world.spawn_many(300, Place(parent=np.repeat(parents, 3)), Body)
    world.despawn(parents[::2])
    assert world.alive(children).tolist() == [bool(k // 3 % 2) for k in range(300)]
    assert len(world[Body]) == 150


# Removal callbacks


def _watched(world: World) -> list[tuple[str, list[int]]]:
    """Return the log of removals of two tables; the entities must still be complete when it is written."""
    told: list[tuple[str, list[int]]] = []

    def note(name: str, cls: type) -> None:
        def callback(handles: Any) -> None:
            assert all(world.has(handle, cls) for handle in handles.tolist())
            told.append((name, handles.tolist()))

        world.table(cls).on_remove.append(callback)

    note("place", Place)
    note("body", Body)
    return told


def test_on_remove_is_called_while_all_is_still_there() -> None:
    """`on_remove` is called by `remove` and `despawn`, with children, before any row is removed."""
    world = _world()
    told = _watched(world)
    parent = world.spawn(Place, Body(mass=3))
    child = world.spawn(Place(parent=parent))
    masses: list[float] = []
    world.table(Place).on_remove.append(lambda handles: masses.append(world.get(parent, Body).mass))
    world.remove([parent, child], Body)
    assert told == [("body", [parent])]
    world.add(parent, Body(mass=4))
    world.despawn(parent)
    assert told[1:] == [("place", [parent, child]), ("body", [parent])]
    assert masses == [4.0]


def test_a_restore_calls_no_observer() -> None:
    """A restore does not call `on_remove`."""
    world = _world()
    empty = world.snapshot()
    world.spawn(Place)
    told = _watched(world)
    world.restore(empty)
    assert told == []


@pytest.mark.parametrize("stage", [None, Stage.UPDATE])
def test_changes_by_an_observer_wait(stage: Stage | None) -> None:
    """Changes of structure in an `on_remove` callback are queued, also outside of stages."""
    world = _world()
    doomed, other = world.spawn(Place, Body), world.spawn(Body(mass=2))
    made: list[int] = []

    def callback(handles: Any) -> None:
        if not made:
            made.append(world.spawn(Body(mass=9)))
            world.despawn([doomed, other])
            world.set(doomed, Body(mass=7))

    world.table(Body).on_remove.append(callback)
    world.stage = stage
    world.despawn(doomed)
    world.flush() if stage is not None else None
    world.stage = None
    assert not world.alive(doomed)
    assert world.alive(other)
    assert world.pending
    world.flush()
    assert not world.alive(other)
    assert world.table(Body).mass.tolist() == [9.0]
    assert world.alive(made[0])


def test_an_observer_that_raises_keeps_the_entity() -> None:
    """If an `on_remove` callback raises, nothing is removed."""
    world = _world()
    handle = world.spawn(Place, Body)

    def callback(handles: Any) -> None:
        raise UsageError("not now")

    world.table(Place).on_remove.append(callback)
    with pytest.raises(UsageError):
        world.despawn(handle)
    assert world.components_of(handle) == [Place, Body]
    world.table(Place).on_remove.clear()
    world.despawn(handle)
    assert not world.alive(handle)


@pytest.mark.parametrize("stage", [None, Stage.UPDATE])
def test_what_get_returns_cannot_be_set(stage: Stage | None) -> None:
    """`set` refuses the view that `get` returns, and other things, and says what to give."""
    world = _world()
    owner = world.spawn(Place())
    world.stage = stage
    for wrong in (world.get(owner, Place), 5):
        with pytest.raises(DeclarationError, match=r"is no component\. Give instances of component classes"):
            world.set(owner, wrong)


@component
class Everything:
    """A component with fields of all types of columns."""

    ratio: float = 0.5
    on: bool = True
    place: Vec3 = field((1, 2, 3))
    turn: Quat = field((0, 0, 0, 1))
    name: Str = "name"
    note: Chars = "note"
    items: list[int] = field((4, 5))
    target: Entity = 7


GIVEN = st.fixed_dictionaries(
    {},
    optional={
        "ratio": st.floats(width=32, allow_nan=False, allow_infinity=False),
        "on": st.booleans(),
        "place": st.tuples(*[st.floats(-9, 9, width=32)] * 3),
        "name": st.text(max_size=3),
        "note": st.text(max_size=3),
        "items": st.lists(st.integers(0, 9), max_size=3),
        "target": st.integers(0, 2**40),
    },
)


@settings(max_examples=80, deadline=None)
@given(st.lists(GIVEN, min_size=1, max_size=90), st.lists(st.integers(0, 89), max_size=20), st.booleans())
def test_single_rows_hold_what_their_entities_were_given(
    values: list[dict[str, Any]], gone: list[int], queued: bool
) -> None:
    """Entities that are spawned and despawned one by one have their values and defaults, in the order of rows."""
    world = World([Everything])
    world.stage = Stage.UPDATE if queued else None
    parts = [Everything(**given) for given in values]
    handles = [world.spawn(part) for part in parts]
    world.flush()
    rows = list(range(len(parts)))
    for index in gone:
        if index in rows:
            world.despawn(handles[index])
            rows[rows.index(index)] = rows[-1]  # the last row moves
            rows.pop()
    world.flush()
    table: Any = world[Everything]
    assert table.entities.tolist() == [handles[index] for index in rows]
    for row, index in enumerate(rows):
        for name in Everything.__kind__.fields:  # type: ignore[attr-defined]
            assert np.array_equal(table.read_value(name, row), getattr(parts[index], name)), name
