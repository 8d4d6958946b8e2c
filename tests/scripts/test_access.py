"""Light views read and write the columns, under the rules of all writes, even after rows have moved."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rish_core import Array, Chars, Color, Entity, Str, Transform, Vec2, Vec3, World, component, field
from rish_ecs import DeclarationError, Stage, StaleEntity, UnknownName, UsageError
from rish_scripts import Scripts, Vector
from rish_scripts.access import annotation_for


class Mood(enum.Enum):
    """The mood of a thing."""

    CALM = 1
    WILD = 2


@component
class Thing:
    """A component with a field of each kind."""

    speed: float = field(1.5, low=0, high=100)
    count: int = field(3, low=0)
    open: bool = False
    who: Entity = 0
    mood: Mood = Mood.CALM
    name: Str = "thing"
    words: Chars = "some words"
    place: Vec2 = field((1, 2))
    pushed: Vec3 = field((1, 2, 3))
    color: Color = field((1, 1, 1, 1), low=0, high=1)
    slots: Array[int, 3] = field((7, 8, 9))
    path: list[Vec2] = field(())
    limits: Vec2 = field((0.5, 0.5), low=0, high=1)
    glow: float = field(0, view=True)


@component
class Other:
    """Another component."""

    value: float = 0


VALUES = {
    "speed": 2.5,
    "count": 9,
    "open": True,
    "who": 1 << 32,
    "mood": Mood.WILD,
    "name": "other",
    "words": "more of them",
    "place": Vector((3.5, -4)),
    "pushed": (4.0, 5.0, 6.0),
    "color": (0.5, 0.25, 0, 1),
    "slots": (1, 2, 3),
    "limits": (0.25, 1.0),
    "glow": 0.5,
}


@pytest.fixture
def world() -> World:
    """A world with some things."""
    made = World([Thing, Other, Transform])
    made.put(Scripts())
    made[Scripts].rebuild(made)
    made.spawn_many(5, Thing(speed=np.arange(5, dtype=np.float32)), Transform())
    return made


def view(world: World, number: int = 0) -> Any:
    """Return the view of one of the things."""
    return world[Scripts].get(int(world[Thing].entities[number]), Thing)


@pytest.mark.parametrize(("name", "value"), VALUES.items())
def test_every_kind_of_field_is_read_and_written(world: World, name: str, value: Any) -> None:
    """An assigned value is in the view and the column, and no other row has changed."""
    before = [getattr(view(world, n), name) for n in range(5)]
    setattr(view(world, 2), name, value)
    got = getattr(view(world, 2), name)
    assert got == value
    assert type(got) is type(Thing.__kind__.fields[name].default) or isinstance(got, (float, int, bool, Vector))  # type: ignore[attr-defined]
    kernel = getattr(world.get(int(world[Thing].entities[2]), Thing), name)
    assert (kernel == value).all() if isinstance(kernel, np.ndarray) else kernel == value
    after = [getattr(view(world, n), name) for n in range(5)]
    assert after[:2] + after[3:] == before[:2] + before[3:]


def test_lists_are_read_as_copies(world: World) -> None:
    """A list field accepts a list and returns an array."""
    thing = view(world)
    thing.path = [(1, 2), (3, 4)]
    assert thing.path.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("speed", -1.0, "below the least value"),
        ("speed", float("nan"), "got NaN"),
        ("speed", 1e300, "finite"),
        ("speed", "fast", "expected a number"),
        ("speed", True, "expected a number"),
        ("count", 2**40, "outside"),
        ("count", -1, "below"),
        ("count", 1.5, "whole number"),
        ("open", 1, "true or false"),
        ("mood", "wilt", "one of calm, wild"),
        ("place", (1, 2, 3), "2 numbers"),
        ("place", (float("inf"), 0.0), "finite"),
        ("place", 7, "2 numbers"),
        ("limits", (0.5, 1.5), "above the greatest"),
        ("name", 3, "expected text"),
    ],
)
def test_wrong_values_are_refused(world: World, name: str, value: Any, says: str) -> None:
    """A wrong value is rejected with the kernel's message, and nothing is written."""
    thing = view(world)
    before = getattr(thing, name)
    with pytest.raises(DeclarationError, match=says):
        setattr(thing, name, value)
    assert getattr(thing, name) == before


@pytest.mark.parametrize("value", [3, np.float32(3), np.float64(3)])
def test_numbers_of_other_types_are_taken(world: World, value: Any) -> None:
    """An int for a float, numpy scalars and pairs of them are accepted."""
    thing = view(world)
    thing.speed = value
    thing.place = (value, 1)
    assert thing.speed == 3
    assert thing.place == (3, 1)


def test_an_unknown_attribute_shows_the_annotation_to_add(world: World) -> None:
    """An unknown attribute raises an error with the annotation to add and the nearest field, if any."""
    thing = view(world)
    with pytest.raises(UsageError, match=r"Thing has no field 'spede'.*did you mean 'speed'.*spede: float = 2\.5"):
        thing.spede = 2.5
    with pytest.raises(UsageError, match="can't be assigned, because it is not a field"):
        thing.entity = 3
    with pytest.raises(AttributeError, match="sped"):
        _ = thing.sped


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (True, "bool = True"),
        (3, "int = 3"),
        (2.5, "float = 2.5"),
        (1 << 33, "Entity"),
        ("hi", "Str = 'hi'"),
        ("x" * 40, "Chars"),
        ((1, 2), "Vec2"),
        (Vector((1, 2, 3)), "Vec3"),
        ([1, 2, 3, 4, 5], "list[int]"),
        ((), "list[float]"),
        (["a"], "list[Str]"),
        (np.zeros(9), "list[float]"),
        (object(), "float, or another"),
    ],
)
def test_annotations_for_values(value: Any, shown: str) -> None:
    """Each kind of value is shown with a suitable annotation."""
    assert annotation_for(value).startswith(shown)


def test_writes_are_marked(world: World) -> None:
    """The rows that a view has written are reported as changed, on the fast and on the slow path."""
    table = world.table(Thing)
    thing, before = view(world, 3), table.version
    _ = thing.speed, thing.place
    assert not table.changes(before)
    thing.speed = 2.0
    thing.mood = "wild"
    view(world, 1).place = (1.0, 2.0)
    assert table.changes(before).rows.tolist() == [1, 3]


def test_views_find_their_rows_again(world: World) -> None:
    """A view keeps its entity after despawns move rows and growth replaces columns."""
    last, first = view(world, 4), view(world, 0)
    world.despawn(int(world[Thing].entities[1]))
    assert (first.speed, last.speed) == (0, 4)
    world.spawn_many(500, Thing(speed=50))
    last.speed = 44.0
    assert (first.speed, last.speed) == (0, 44)
    assert world[Thing].speed[1] == 44


def test_views_of_what_is_gone_raise(world: World) -> None:
    """Views of a dead entity, even with its slot reused, and of a removed component raise an error."""
    dead, bare = view(world, 0), view(world, 1)
    world.despawn(dead.entity)
    world.spawn(Thing(speed=9))
    world.remove(bare.entity, Thing)
    for name in ("speed", "place", "pushed", "words", "mood"):
        with pytest.raises(StaleEntity):
            getattr(dead, name)
        with pytest.raises(UnknownName, match="has no Thing"):
            getattr(bare, name)
    with pytest.raises(StaleEntity):
        dead.speed = 1.0
    with pytest.raises(UnknownName):
        bare.place = (1.0, 2.0)
    assert "gone" in repr(dead)
    world.add(bare.entity, Thing(speed=7))
    assert view(world, len(world[Thing]) - 1).speed == 7
    with pytest.raises(UsageError, match="is outdated: the component was removed"):
        _ = bare.speed


def test_a_restore_moves_views_along(world: World) -> None:
    """After a restore, views show the restored state or raise if their entity is gone."""
    thing = view(world, 2)
    before = world.snapshot()
    thing.speed = 77.0
    born = world[Scripts].get(world.spawn(Thing), Thing)
    world.restore(before)
    assert thing.speed == 2
    with pytest.raises(LookupError):
        _ = born.speed


def test_no_hashed_field_is_written_in_a_frame(world: World) -> None:
    """In a frame stage only view fields can be written; in any stage they can."""
    thing = view(world)
    world.stage = Stage.LATE
    thing.glow = 0.5
    for name, value in (("speed", 2.0), ("place", (1.0, 1.0)), ("open", True), ("name", "x")):
        with pytest.raises(UsageError, match=rf"writing Thing\.{name} in LATE"):
            setattr(thing, name, value)


def test_the_same_view_for_the_same_entity(world: World) -> None:
    """Two requests return the same view object, and views are equal only if they are the same object."""
    scripts: Scripts = world[Scripts]
    first, second = (int(handle) for handle in world[Thing].entities[:2])
    assert scripts.get(first, Thing) is scripts.get(first, Thing)
    assert scripts.get(first, Thing) != scripts.get(second, Thing)
    assert len({scripts.get(first, Thing), scripts.get(second, Thing)}) == 2
    assert "speed=0.0" in repr(scripts.get(first, Thing))


def test_absent_components_are_named(world: World) -> None:
    """An absent component is reported with the components that the entity has."""
    with pytest.raises(UnknownName, match=r"has no Other.*Choices: Thing, Transform"):
        world[Scripts].get(int(world[Thing].entities[0]), Other)


STEPS = st.lists(
    st.tuples(st.sampled_from(["spawn", "despawn", "remove", "read", "write", "restore"]), st.integers(0, 9))
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(STEPS)
def test_views_agree_with_the_kernel_whatever_happens(steps: list[tuple[str, int]]) -> None:
    """Views kept for ever agree with a model: a dict of each entity's value."""
    world = World([Thing, Transform])
    world.put(Scripts())
    world[Scripts].rebuild(world)
    values: dict[int, float] = {}
    views: dict[int, Any] = {}
    kept: tuple[Any, dict[int, float]] = world.snapshot(), {}
    for number, (what, pick) in enumerate(steps):
        chosen = sorted(values)[pick % len(values)] if values else 0
        if what == "spawn":
            handle = world.spawn(Thing(speed=pick))
            values[handle] = float(pick)
            views[handle] = world[Scripts].get(handle, Thing)
        elif what == "restore":
            if pick < 5:
                kept = world.snapshot(), dict(values)
            else:
                world.restore(kept[0])
                values = dict(kept[1])
                views |= {handle: world[Scripts].get(handle, Thing) for handle in values}
        elif chosen and what == "write":
            views[chosen].speed = values[chosen] = float(number % 100)
        elif chosen and what in ("despawn", "remove"):
            world.despawn(chosen) if what == "despawn" else world.remove(chosen, Thing)
            del values[chosen]
        for handle, one in views.items():
            if handle in values:
                assert one.speed == values[handle] == world.get(handle, Thing).speed
            else:
                with pytest.raises((LookupError, UsageError)):
                    _ = one.speed
