"""Snapshots: going back, in this world or another, also after the classes have changed."""

from __future__ import annotations

import dataclasses
from enum import Enum
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rish_core.ecs.columns import Array, Asset, Chars, Entity, Str, Vec2, Vec3
from rish_core.ecs.component import Each, component, event, field, table
from rish_core.ecs.resource import resource
from rish_core.ecs.snapshot import Snapshot
from rish_core.ecs.world import World
from rish_core.errors import SnapshotError


class Mode(Enum):
    """How it moves."""

    WALK = 1
    RUN = 2
    FLY = 3


@component
class Body:
    """A bit of everything."""

    mass: float = 1.0
    at: Vec2 = field((0, 0))
    mode: Mode = Mode.RUN
    name: Str = "x"
    image: Asset = "i.png"
    note: Chars = "n"
    path: list[Vec2] = field()
    words: list[Str] = field()
    target: Entity = field(0, cascade=True)
    grid: Array[int, 3] = field((1, 2, 3))
    shown: float = field(0.0, view=True)
    force: float = field(2.0, transient=True)


@component
class Tag:
    """A mark."""


@event
class Hit:
    """Two things met."""

    name: Str = ""
    label: Chars = ""


@table
class Contacts:
    """Rows that are no entities."""

    depth: float = 0.0
    who: Str = ""


@dataclasses.dataclass
class Slot:
    """A part of a resource."""

    mode: Mode
    counts: Any


@resource
class Bag:
    """A resource with everything in it."""

    slots: list[Slot] = dataclasses.field(default_factory=list)
    by_mode: dict[Mode, Slot] = dataclasses.field(default_factory=dict)
    pairs: dict[tuple[int, str], bytes] = dataclasses.field(default_factory=dict)
    seen: Any = None
    flag: bool = False


@resource(view=True)
class Shake:
    """For the eye only."""

    strength: float = 0.0


KINDS = (Body, Tag, Hit, Contacts)


def _world(seed: int = 0) -> World:
    world = World(KINDS, seed=seed)
    world.put(Bag())
    world.put(Shake())
    return world


def _stranger() -> World:
    """A world whose text numbers, tables and resources are all different."""
    world = World(reversed(KINDS), seed=99)
    for text in ("other", "zz", "n", "x"):
        world.intern(text)
    world.put(Bag(flag=True, seen=[1]))
    world.put(Shake(strength=3))
    world.spawn_many(17, Body(mass=5, note="long ago", words=["p"]), Tag)
    world.emit(Hit, name="old")
    world[Contacts].append(5, who="them")
    world.end_tick()
    world.running = "somebody"
    world.added(Body)
    world.removed(Body)
    world.running = ""
    return world


_STEPS = st.lists(
    st.tuples(
        st.sampled_from(["spawn", "many", "despawn", "add", "remove", "set", "emit", "rows", "bag", "read", "tick"]),
        st.integers(0, 50),
    ),
    max_size=25,
)


def _run(world: World, steps: list[tuple[str, int]]) -> None:
    """Any steps, each of which depends on nothing but the state and its number."""
    for what, number in steps:
        living = world.query(Body, optional=Tag).entities
        chosen = int(living[number % len(living)]) if len(living) else 0
        word = f"w{number % 7}"
        if what == "spawn":
            world.spawn(Body(mass=number, name=word, note=word * (number % 3), path=[(number, 1)] * (number % 4)))
        elif what == "many":
            count = number % 5
            world.spawn_many(count, Tag, Body(words=Each([[word] * k for k in range(count)]), target=chosen))
        elif what == "emit":
            world.emit(Hit, name=word, label=Each([word] * (number % 3)))
        elif what == "rows":
            world[Contacts].append(number % 3, who=word, depth=number)
        elif what == "bag":
            bag = world[Bag]
            slot = Slot(list(Mode)[number % 3], np.arange(number % 4))
            bag.slots.append(slot)
            bag.by_mode[slot.mode] = Slot(Mode.FLY, float(number))
            bag.pairs[number, word] = word.encode()
            bag.seen, bag.flag = (number, [None, {"a": np.float32(number)}]), number % 2 == 0
        elif what == "read":
            world.running = word
            world.events(Hit)
            world.added(Body)
            world.removed(Tag)
            world.running = ""
        elif what == "tick":
            world.random(word).uniform(size=number)
            world.end_tick()
        elif chosen and what == "despawn":
            world.despawn(chosen)
        elif chosen and what in ("add", "remove"):
            getattr(world, what)(chosen, Tag)
        elif chosen:
            world.set(chosen, Body(at=(number, 0), mode=number % 3, image=word, note=word * 3, shown=number))


@settings(max_examples=50, deadline=None)
@given(_STEPS, _STEPS)
def test_going_back(before: list[tuple[str, int]], after: list[tuple[str, int]]) -> None:
    """After a restore, here or elsewhere, from memory or from bytes, all is as it was and goes on as it went."""
    world = _world()
    _run(world, before)
    saved, at_save = world.snapshot(), world.hashes()
    data = saved.to_bytes()
    _run(world, after)
    at_end = world.hashes()
    for other in (world, _stranger(), _world(seed=5)):
        for snapshot in (saved, Snapshot.from_bytes(data)):
            other.restore(snapshot)
            assert other.hashes() == at_save
            _run(other, after)
            assert other.hashes() == at_end
    assert world.hash() == _replayed(data, after)


def _replayed(data: bytes, steps: list[tuple[str, int]]) -> str:
    world = _stranger()
    world.restore(Snapshot.from_bytes(data))
    _run(world, steps)
    return world.hash()


def test_a_snapshot_is_a_copy() -> None:
    """Neither going on nor a restored world changes a snapshot."""
    world = _world()
    _run(world, [("spawn", 9), ("bag", 3), ("emit", 2)])
    saved = world.snapshot()
    data = saved.to_bytes()
    _run(world, [("set", 8), ("bag", 3), ("emit", 2)])
    world.restore(saved)
    _run(world, [("set", 8), ("bag", 3), ("emit", 2)])
    world[Bag].slots[0].counts[:] = 9
    assert saved.to_bytes() == data
    assert saved.nbytes > 0


def test_resources_keep_their_identity() -> None:
    """A restore writes into the resource that is there; one that came later goes, one that went comes back."""
    world = _world()
    bag = world[Bag]
    bag.seen = [1]
    saved = world.snapshot()
    bag.seen = [2]
    world.restore(saved)
    assert world[Bag] is bag
    assert bag.seen == [1]
    world.drop(Bag)
    world.restore(saved)
    assert world[Bag].seen == [1]
    world.drop(Bag)
    without = world.snapshot()
    world.put(Bag())
    world.restore(without)
    assert Bag not in world


def test_view_and_transient_fields() -> None:
    """Fields for the eye are saved; transient ones come back as their defaults, but for a snapshot within a tick."""
    world = _world()
    handle = world.spawn(Body(shown=5, force=7))
    saved, within = world.snapshot(), world.snapshot(transient=True)
    world.set(handle, Body(shown=1, force=1))
    world.restore(saved)
    assert (world.get(handle, Body).shown, world.get(handle, Body).force) == (5, 2)
    world.restore(within)
    assert world.get(handle, Body).force == 7


def test_entities_of_the_other_future_are_unknown() -> None:
    """A handle from a time that was undone is refused, until the same handle is given again."""
    world = _world()
    saved = world.snapshot()
    undone = world.spawn(Body(mass=5))
    world.restore(saved)
    assert not world.alive(undone)
    assert world.spawn(Tag) == undone


# Migration


def _saved(kind: type, *parts: Any) -> bytes:
    world = World([kind])
    for part in parts:
        world.spawn(part)
    return world.snapshot().to_bytes()


def _loaded(kind: type, data: bytes) -> Any:
    world = World([kind])
    world.restore(Snapshot.from_bytes(data))
    return world[kind]


def _kind(annotations: dict[str, Any], **defaults: Any) -> Any:
    return component(type("Thing", (), {"__annotations__": annotations, **defaults}))


def test_added_removed_and_renamed_fields() -> None:
    """New fields take their defaults, old ones are left out, renamed ones are found by their former name."""
    old = _kind({"mass": float, "speed": Vec2, "gone": int, "note": Chars})
    data = _saved(old, old(mass=2, speed=(1, 2), gone=7, note="a"), old(mass=3, note="bb"))
    new = _kind(
        {"weight": float, "velocity": Vec2, "fresh": Str, "note": Chars, "list": list[int]},
        weight=field(1.0, was="mass"), velocity=field((0, 0), was=("v", "speed")), fresh="new", list=field((4, 5)),
    )  # fmt: skip
    found = _loaded(new, data)
    assert found.weight.tolist() == [2, 3]
    assert found.velocity.tolist() == [[1, 2], [0, 0]]
    assert list(found.note) == ["a", "bb"]
    assert [found.read_row("fresh", row) for row in (0, 1)] == ["new", "new"]
    assert found.list[1].tolist() == [4, 5]


@pytest.mark.parametrize(
    ("before", "after", "values", "expected"),
    [
        (int, float, [3, -4], [3, -4]),
        (float, int, [2.75, -2.75], [2, -2]),
        (float, int, [1e30, -1e30], [2**31 - 1, -(2**31)]),
        (float, bool, [0.0, 2.0], [False, True]),
        (bool, int, [True, False], [1, 0]),
        (float, Vec2, [1.0, 2.0], [[0, 0], [0, 0]]),
        (Vec2, Vec3, [(1, 2), (3, 4)], [[0, 0, 0], [0, 0, 0]]),
        (Array[float, 2], Array[float, 3], [(1, 2), (3, 4)], [[0, 0, 0], [0, 0, 0]]),
        (Str, float, ["a", "b"], [0, 0]),
        (float, Chars, [1.0, 2.0], ["", ""]),
        (Chars, Str, ["a", "b"], ["", ""]),
        (list[float], list[int], [[1.0], []], [[], []]),
        (Str, Asset, ["a", "b"], ["a", "b"]),
        (Asset, Str, ["a", "b"], ["a", "b"]),
    ],
)
def test_retyped_fields(before: Any, after: Any, values: list[Any], expected: list[Any]) -> None:
    """Numbers are cast, within bounds; what can't be cast takes the default."""
    old, new = _kind({"x": before}), _kind({"x": after})
    found = _loaded(new, _saved(old, *[old(x=value) for value in values]))
    read = [found.read_row("x", row) for row in range(2)]
    assert [value.tolist() if isinstance(value, np.ndarray) else value for value in read] == expected


def test_enum_members_are_found_by_name() -> None:
    """Members may be added, reordered and removed."""
    first, second = Enum("Mode", ["IDLE", "RUN", "SWIM"]), Enum("Mode", ["FLY", "RUN", "IDLE", "HOP"])
    old, new = _kind({"x": first}), _kind({"x": second}, x=field("hop"))
    found = _loaded(new, _saved(old, *[old(x=name) for name in ("idle", "run", "swim")]))
    assert [found.read_row("x", row).name for row in range(3)] == ["IDLE", "RUN", "HOP"]


def test_nan_survives_in_the_same_type_and_becomes_0_in_another() -> None:
    """What a kernel wrote comes back as it was; as an integer NaN is 0."""
    old, new = _kind({"x": float}), _kind({"x": int})
    world = World([old])
    world.spawn(old)
    world[old].x[0] = np.nan
    data = world.snapshot().to_bytes()
    assert np.isnan(_loaded(old, data).x[0])
    assert _loaded(new, data).x.tolist() == [0]


def test_new_fields_of_a_resource_take_their_defaults() -> None:
    """A field that the snapshot lacks becomes its default, whatever the world held; a removed one is left out."""

    def made(**defaults: Any) -> Any:
        annotations = {name: type(value) for name, value in defaults.items()}
        return resource(type("Rules", (), {"__annotations__": annotations, **defaults}))

    old, new = made(a=1, gone=2), made(a=1, b=5, c=[1, 2])
    first = World()
    first.put(old(a=9))
    second = World()
    second.put(new(a=0, b=0, c=[9]))
    second.restore(Snapshot.from_bytes(first.snapshot().to_bytes()))
    found = second[new]
    assert (found.a, found.b, found.c) == (9, 5, [1, 2])


# Refusals


def _untouched(world: World, snapshot: Snapshot, message: str) -> None:
    before = world.hash()
    with pytest.raises(SnapshotError, match=message):
        world.restore(snapshot)
    assert world.hash() == before


@component
class Wind:
    """A component of a plugin."""

    x: float = 0.0


@resource
class Weather:
    """A resource of a plugin."""

    rain: float = 0.0


@event
class Gust:
    """An event of a plugin."""


def test_unknown_parts_are_refused() -> None:
    """What this world doesn't know is refused by name, with the plugin to add, and nothing is changed."""
    world = _world()
    _run(world, [("spawn", 5), ("bag", 2)])
    Wind.__kind__.owner = "wind"  # pyright: ignore[reportAttributeAccessIssue]
    windy = World([Wind, Gust])
    windy.spawn(Wind)
    _untouched(
        world, windy.snapshot(), r"the component wind.Wind, which this world does not know.*Name the plugin 'wind'"
    )
    Wind.__kind__.owner = ""  # pyright: ignore[reportAttributeAccessIssue]
    windy = World([Gust])
    windy.emit(Gust)
    _untouched(world, windy.snapshot(), "the event Gust")
    windy = World()
    windy.put(Weather())
    _untouched(world, windy.snapshot(), "the resource Weather")
    rows = World([table(type("Rows", (), {"__annotations__": {"x": float}}))])
    rows[next(iter(rows.columns))].append(1)
    _untouched(world, rows.snapshot(), "the table Rows")


def test_unknown_classes_within_a_resource_are_refused() -> None:
    """A class that no field of the resource declares is refused before anything changes."""
    world = _world()
    world[Bag].slots.append(Slot(Mode.RUN, 1))
    saved = Snapshot.from_bytes(world.snapshot().to_bytes())
    text = repr(saved.resources["Bag"]["slots"])
    assert "Slot" in text
    saved.resources["Bag"]["slots"][0].name = "Popen"
    _untouched(world, saved, "holds a Popen, which no field declares. Choices: .*Mode, Slot")
    saved.resources["Bag"]["slots"][0].name = "Mode"
    _untouched(world, saved, "holds a Mode that is none")


def test_times_many() -> None:
    """Going back again and again neither grows nor changes anything."""
    world = _world()
    _run(world, [("many", 4), ("spawn", 7), ("emit", 2), ("bag", 1), ("rows", 2)])
    saved, expected = world.snapshot(), world.hash()
    for _ in range(50):
        _run(world, [("spawn", 3), ("despawn", 1), ("tick", 1)])
        world.restore(saved)
    assert world.hash() == expected
    assert world.tables[Body].room == 64
