"""Restoring: a world converts a snapshot of changed classes, and refuses unknown classes."""

from __future__ import annotations

import dataclasses
from enum import Enum
from typing import Any

import numpy as np
import pytest

from rish_ecs.declarations.columns import Array, Asset, Chars, Color, Str, Vec2, Vec3
from rish_ecs.declarations.component import component, event, field, table
from rish_ecs.declarations.resource import resource, resource_spec
from rish_ecs.snapshots.snapshot import Snapshot
from rish_ecs.world import World
from rish_jit.errors import SnapshotError


class Mode(Enum):
    """The kind of movement."""

    WALK = 1
    RUN = 2


@dataclasses.dataclass
class Slot:
    """A dataclass within a resource."""

    mode: Mode
    counts: Any


@resource
class Bag:
    """A resource with a list of dataclasses."""

    slots: list[Slot] = dataclasses.field(default_factory=list)


@component
class Body:
    """A component with one number."""

    mass: float = 1.0


def _world() -> World:
    world = World([Body])
    world.put(Bag())
    world.spawn_many(3, Body)
    world.random("a").uniform()
    return world


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
    """New fields get defaults, removed ones are dropped, and renamed ones are found by their former name."""
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
        (Vec2, Vec3, [(1, 2), (3, 4)], [[1, 2, 0], [3, 4, 0]]),
        (Color, Vec3, [(1, 2, 3, 4), (5, 6, 7, 8)], [[1, 2, 3], [5, 6, 7]]),
        (Array[float, 2], Array[float, 3], [(1, 2), (3, 4)], [[0, 0, 0], [0, 0, 0]]),
        (Str, float, ["a", "b"], [0, 0]),
        (float, Chars, [1.0, 2.0], ["", ""]),
        (Chars, Str, ["a", "ü"], ["a", "ü"]),
        (Str, Chars, ["", "ü"], ["", "ü"]),
        (list[float], list[int], [[1.75], []], [[1], []]),
        (Str, Asset, ["a", "b"], ["a", "b"]),
        (Asset, Str, ["a", "b"], ["a", "b"]),
    ],
)
def test_retyped_fields(before: Any, after: Any, values: list[Any], expected: list[Any]) -> None:
    """Numbers are cast, vectors keep common parts, texts are converted, and other types get the default."""
    old, new = _kind({"x": before}), _kind({"x": after})
    found = _loaded(new, _saved(old, *[old(x=value) for value in values]))
    read = [found.read_row("x", row) for row in range(2)]
    assert [value.tolist() if isinstance(value, np.ndarray) else value for value in read] == expected


def test_enum_members_are_found_by_name() -> None:
    """Enum members are matched by name, so they can be added, reordered and removed."""
    first, second = Enum("Mode", ["IDLE", "RUN", "SWIM"]), Enum("Mode", ["FLY", "RUN", "IDLE", "HOP"])
    old, new = _kind({"x": first}), _kind({"x": second}, x=field("hop"))
    found = _loaded(new, _saved(old, *[old(x=name) for name in ("idle", "run", "swim")]))
    assert [found.read_row("x", row).name for row in range(3)] == ["IDLE", "RUN", "HOP"]


def test_nan_survives_in_the_same_type_and_becomes_0_in_another() -> None:
    """NaN is kept in a field of the same type, and becomes 0 in an integer field."""
    old, new = _kind({"x": float}), _kind({"x": int})
    world = World([old])
    world.spawn(old)
    world[old].x[0] = np.nan
    data = world.snapshot().to_bytes()
    assert np.isnan(_loaded(old, data).x[0])
    assert _loaded(new, data).x.tolist() == [0]


def test_new_fields_of_a_resource_take_their_defaults() -> None:
    """A field that the snapshot lacks gets its default, and a removed one is dropped."""

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


@pytest.mark.parametrize(
    ("annotation", "default", "value", "kept"),
    [
        (int, 0, 3, 3),
        (float, 0.5, 3, 3.0),
        (int, 7, 2.9, 2),
        (int, 7, float("nan"), 7),
        (Str, "none", 4, "none"),
        (Vec2, (1, 2), 4, [1, 2]),
    ],
)
def test_a_resources_fields_are_found_by_former_names_and_types(
    annotation: Any, default: Any, value: Any, kept: Any
) -> None:
    """A resource's fields are matched by former name, and converted if the new type can hold the value."""

    def made(name: str, annotation: Any, default: Any) -> Any:
        return resource(type("Rules", (), {"__annotations__": {name: annotation}, name: default}))

    old, new = made("points", Any, value), made("total", annotation, field(default, was="points"))
    first, second = World(), World()
    first.put(old())
    second.put(new())
    second.restore(Snapshot.from_bytes(first.snapshot().to_bytes()))
    found = second[new].total
    assert (found.tolist() if isinstance(found, np.ndarray) else found) == kept
    assert type(found) is type(new().total)


def test_unknown_parts_are_refused() -> None:
    """Unknown components, events, resources and tables are refused by name, and nothing is changed."""
    world = _world()
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
    """A class that no field of the resource declares is refused, and nothing is changed."""
    world = _world()
    world[Bag].slots.append(Slot(Mode.RUN, 1))
    saved = Snapshot.from_bytes(world.snapshot().to_bytes())
    text = repr(saved.resources["Bag"]["slots"])
    assert "Slot" in text
    saved.resources["Bag"]["slots"][0].name = "Popen"
    _untouched(world, saved, "holds a Popen, which no field declares. Choices: Bag, Mode, Slot")
    saved.resources["Bag"]["slots"][0].name = "Mode"
    _untouched(world, saved, "contains an invalid Mode")


def test_a_resource_is_notified_of_a_restore() -> None:
    """A restore calls a resource's `__setattr__`, so that a resource can count changes."""

    @resource
    class Watched:
        """A resource that counts changes of its fields."""

        speed: float = 1.0

        def __setattr__(self, name: str, value: object) -> None:
            """Count the change."""
            object.__setattr__(self, name, value)
            self.__dict__["changes"] = self.__dict__.get("changes", 0) + 1

    world = World([])
    world.put(Watched())
    snapshot = world.snapshot()
    world[Watched].speed = 2.0
    before = world[Watched].changes
    world.restore(snapshot)
    assert world[Watched].speed == 1.0
    assert world[Watched].changes > before


@component(view=True)
class Glow:
    """A component for drawing only."""

    strength: float = 1.0


@event(view=True)
class Flashed:
    """An event for drawing only."""

    strength: float = 1.0


@resource(view=True)
class Shake:
    """A resource for drawing only."""

    strength: float = 0.0


def test_parts_for_drawing_are_no_reason_to_refuse() -> None:
    """A world that does not know parts for drawing restores the rest, and keeps none of their readers."""
    first = World([Wind, Glow, Flashed])
    first.put(Shake(3))
    handle = first.spawn(Wind, Glow)
    first.spawn(Glow)
    first.emit(Flashed)
    first.running = "reader"
    first.removed(Glow)
    first.events(Flashed)
    second = World([Wind])
    second.restore(Snapshot.from_bytes(first.snapshot().to_bytes()))
    assert second[Wind].entities.tolist() == [handle]
    assert second.hash() == first.hash()
    assert (second.changes.tick.cursors, second.changes.tick.logs) == ({}, {})


def test_a_snapshot_without_them_keeps_resources_for_drawing_of_plugins() -> None:
    """A declared resource for drawing that a snapshot does not contain stays; others are dropped."""
    world = World([Wind, Glow])
    snapshot = World([Wind]).snapshot()
    spec = resource_spec(Shake)
    assert spec is not None
    for owner in ("", "sound"):
        spec.owner = owner
        world.put(Shake(3))
        world.spawn(Glow)
        world.restore(snapshot)
        assert (Shake in world) == bool(owner)
        assert not len(world[Glow])
    spec.owner = ""
