"""Views: one entity as an object, which follows it when its rows move."""

from __future__ import annotations

import math
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from rish_ecs.declarations.columns import Array, Chars, Entity, Vec2
from rish_ecs.declarations.component import component, field
from rish_ecs.vector import Vector
from rish_ecs.views import EntityView
from rish_ecs.world import World
from rish_jit.errors import DeclarationError, StaleEntity, UnknownName


@component
class Body:
    """A mass."""

    mass: float = field(1.0, low=0)
    velocity: Vec2 = field((0, 0))
    label: Chars = "b"


@component
class Tag:
    """A component without fields."""


def test_reading_and_writing() -> None:
    """Attributes of a view read and write the row. A vector is a value: it can be replaced but not changed in place."""
    world = World([Body, Tag])
    view = world.get(world.spawn(Body(mass=2)), Body)
    view.mass += 1
    view.velocity += (0, 5)
    view.label = "long text, longer than before"
    assert (view.mass, view.velocity.tolist(), view.label) == (3, [0, 5], "long text, longer than before")
    assert repr(view).startswith("<Body of 0v1: mass=3.0")
    assert isinstance(view.velocity, Vector)
    with pytest.raises(TypeError):
        view.velocity[1] = 7


def test_views_follow_their_entity() -> None:
    """A view finds its row after other entities moved it."""
    world = World([Body, Tag])
    handles = world.spawn_many(100, Body(mass=np.arange(100)))
    view = world.get(int(handles[99]), Body)
    world.despawn(handles[:50])
    assert view.mass == 99
    world.spawn_many(500, Body)
    assert view.mass == 99


def test_dead_and_absent() -> None:
    """A view of a dead entity raises, even if its slot is in use again; so does a missing component or field."""
    world = World([Body, Tag])
    handle = world.spawn(Body)
    view = world.get(handle, Body)
    with pytest.raises(UnknownName, match=r"entity 0v1 has no Tag. Choices: Body"):
        world.get(handle, Tag)
    with pytest.raises(UnknownName, match=r"no field 'mas' \(did you mean 'mass'\?\)"):
        _ = view.mas
    with pytest.raises(UnknownName, match="did you mean"):
        view.velocty = (1, 1)
    with pytest.raises(DeclarationError, match=r"Body.mass: -1 is below the least value"):
        view.mass = -1
    world.despawn(handle)
    world.spawn(Body(mass=7))
    with pytest.raises(StaleEntity):
        _ = view.mass
    with pytest.raises(StaleEntity):
        view.mass = 3


def test_views_have_no_hidden_protocols() -> None:
    """A view has no private or array protocol attributes."""
    world = World([Body])
    view = world.get(world.spawn(Body), Body)
    assert not hasattr(view, "__array__")
    assert not hasattr(view, "_private")


def test_entity_views() -> None:
    """`EntityView` reads, adds, sets and removes components of an entity."""
    world = World([Body, Tag])
    entity = world.entity(world.spawn(Body))
    assert entity.alive
    assert Body in entity
    assert Tag not in entity
    entity.add(Tag)
    entity.set(Body(mass=4))
    assert entity[Body].mass == 4
    assert repr(entity) == "<entity 0v1: Body, Tag>"
    entity.remove(Body)
    assert Body not in entity
    same = EntityView(world, entity.handle)
    assert same == entity
    assert len({same, entity}) == 1
    assert entity != entity.handle
    entity.despawn()
    assert not entity.alive
    assert repr(entity) == "<entity 0v1: gone>"


@component
class Numbers:
    """A component with numbers of all types."""

    ratio: float = field(0.7, low=0.7, high=0.9)
    free: float = 0.0
    count: int = field(3, low=0)
    on: bool = False
    other: Entity = 0
    place: Vec2 = field((0, 0), high=5)
    three: Array[int, 3] = field((0, 0, 0))  # type: ignore[valid-type]


LIMITS = [
    *(0.7, float(np.float32(0.7)), 0.9, float(np.float32(0.9)), math.nextafter(0.7, 0), math.nextafter(0.9, 1)),
    *(float(np.finfo(np.float32).max), 3.5e38, -0.0, 1e-45, math.nan, math.inf, 2**31 - 1, 2**31, -(2**31), 5),
]
NUMBER: Any = st.one_of(
    st.sampled_from(LIMITS), st.floats(), st.integers(-(2**40), 2**40), st.booleans(), st.floats(0.6, 1.0)
)
VALUE: Any = st.one_of(NUMBER, st.tuples(NUMBER, NUMBER), st.lists(st.integers(-5, 9), min_size=2, max_size=4))


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(sorted(Numbers.__kind__.fields)), VALUE, st.sampled_from([tuple, list, Vector]))  # type: ignore[attr-defined]
def test_a_view_writes_the_same_as_an_array(name: str, value: Any, form: Any) -> None:
    """A value written to a view has the bits that it has in an array of rows, and is refused if that is refused."""
    shape = Numbers.__kind__.fields[name].type.shape  # type: ignore[attr-defined]
    value = form(value) if isinstance(value, (tuple, list)) else value
    if np.shape(value) != shape:
        world = World([Numbers])
        with pytest.raises(DeclarationError):
            setattr(world.get(world.spawn(Numbers), Numbers), name, value)
        return
    worlds: list[Any] = []
    for write in (_by_view, _by_rows):
        world = World([Numbers])
        world.spawn(Numbers)
        try:
            write(world, name, value)
            worlds.append(world[Numbers].flat(name).tobytes())
        except DeclarationError:
            worlds.append("refused")
    assert worlds[0] == worlds[1]


def _by_view(world: World, name: str, value: Any) -> None:
    setattr(world.get(int(world[Numbers].entities[0]), Numbers), name, value)


def _by_rows(world: World, name: str, value: Any) -> None:
    world[Numbers].fill_rows(name, slice(0, 1), np.array([value]))


def test_a_write_of_a_view_is_a_change_of_its_row() -> None:
    """Writes of numbers and vectors are seen by `changes`, and the values follow when the table grows."""
    world = World([Numbers])
    handles = world.spawn_many(3, Numbers)
    view, version = world.get(int(handles[1]), Numbers), world[Numbers].version
    view.free = 2
    view.place = (1, 2)
    assert world[Numbers].changes(version).rows.tolist() == [1]
    world.spawn_many(500, Numbers)
    view.count, view.three = 8, [1, 2, 3]
    assert (view.free, view.place, view.count, view.three) == (2, (1, 2), 8, (1, 2, 3))
