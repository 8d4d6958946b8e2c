"""Fingerprints: a change of any part is detected, although most parts are only compared by a summary."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field as dataclass_field
from enum import Enum
from typing import Any

import numpy as np
import pytest

from rish_core import Chars, World, component, field, resource
from rish_core.manifest import read_yaml
from rish_devtools.strict.fingerprint import STATE, VIEW, Cache, changed, fingerprint


class Mood(Enum):
    """A type that marshal does not support."""

    CALM = 1
    WILD = 2


@component
class Dot:
    """A point with a view field."""

    x: float = 0.0
    glow: float = field(0.0, view=True)


@resource
class Chest:
    """Values of every kind."""

    number: float = 0.0
    names: list[str] = dataclass_field(default_factory=lambda: ["a"])
    table: dict[str, Any] = dataclass_field(default_factory=lambda: {"b": [1, 2]})
    grid: Any = dataclass_field(default_factory=lambda: np.zeros((2, 3), np.float32))
    nested: dict[str, Any] = dataclass_field(default_factory=lambda: {"c": np.zeros(4, np.int32)})


@resource
class Weather:
    """A resource whose content has to be examined every time."""

    mood: Mood = Mood.CALM


def _set(name: str, value: Any) -> Callable[[World], object]:
    return lambda world: setattr(world[Chest], name, value)


CHANGES: dict[str, tuple[Callable[[World], object], tuple[type, str]]] = {
    "a number": (_set("number", 1.0), (Chest, STATE)),
    "minus nothing": (_set("number", -0.0), (Chest, STATE)),
    "a list": (lambda world: world[Chest].names.append("z"), (Chest, STATE)),
    "deep in a dict": (lambda world: world[Chest].table["b"].append(3), (Chest, STATE)),
    "a number of an array": (lambda world: world[Chest].grid.__setitem__((1, 2), 5), (Chest, STATE)),
    "the shape of an array": (_set("grid", np.zeros((3, 2), np.float32)), (Chest, STATE)),
    "the type of an array": (_set("grid", np.zeros((2, 3), np.int32)), (Chest, STATE)),
    "the shape of an array within": (_set("nested", {"c": np.zeros((2, 2), np.int32)}), (Chest, STATE)),
    "an enum": (lambda world: setattr(world[Weather], "mood", Mood.WILD), (Weather, STATE)),
    "a column": (lambda world: world[Dot].x.__setitem__(0, 7), (Dot, STATE)),
    "a column for the eye": (lambda world: world[Dot].glow.__setitem__(0, 7), (Dot, VIEW)),
    "a row": (lambda world: world.spawn(Dot()), (Dot, STATE)),
}


@pytest.fixture
def world() -> World:
    """A world with a dot, a chest and weather."""
    made = World([Dot])
    made.put(Chest())
    made.put(Weather())
    made.spawn(Dot(x=1.0))
    return made


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_shows_in_its_part_and_in_no_other(world: World, what: str) -> None:
    """A change is detected in its part and in no other class, with and without remembered data."""
    change, part = CHANGES[what]
    cache: Cache = {}
    before = fingerprint(world, cache)
    assert changed(before, fingerprint(world, cache)) == []
    change(world)
    after = fingerprint(world, cache)
    assert part in changed(before, after)
    assert {cls for cls, _ in changed(before, after)} == {part[0]}
    assert after == fingerprint(world, {})


def test_equal_values_count_as_equal(world: World) -> None:
    """The order of a dict and numpy scalars make no difference, since a restore may change both."""
    cache: Cache = {}
    world[Chest].table = {"b": 1, "d": 2.0}
    before = fingerprint(world, cache)
    world[Chest].table = {"d": np.float64(2.0), "b": np.int64(1)}
    assert fingerprint(world, cache) == before


@component
class Label:
    """A text in a pool."""

    text: Chars = ""
    notes: list[float] = field(())


def test_texts_count_by_their_content() -> None:
    """A text that changes in its pool is seen; one that is written again, or moves in the pool, counts as the same."""
    world = World([Label])
    one, two = world.spawn(Label(text="abc", notes=(1, 2))), world.spawn(Label(text="xyz"))
    cache: Cache = {}
    before = fingerprint(world, cache)
    world.set(one, Label(text="abcd"))
    assert changed(before, fingerprint(world, cache)) == [(Label, STATE)]
    world.set(one, Label(text="abc"))
    world.set(two, Label(text="xyz"))
    assert changed(before, fingerprint(world, cache)) == []
    pool = world.table(Label).pool_of("notes")
    pool.items[: pool.used] += 1
    assert changed(before, fingerprint(world, cache)) == [(Label, STATE)]


def test_data_of_a_manifest_counts_without_its_place() -> None:
    """Mappings and lists that were read from a text are compared by their content."""
    world = World()
    world.put(Chest(table=read_yaml("a: [1, {b: 2}]", "one").data))
    cache: Cache = {}
    before = fingerprint(world, cache)
    world[Chest].table = read_yaml("\n\na: [1, {b: 2}]", "two").data
    assert changed(before, fingerprint(world, cache)) == []
    world[Chest].table["a"][1]["b"] = 3
    assert changed(before, fingerprint(world, cache)) == [(Chest, STATE)]
