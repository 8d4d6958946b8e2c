"""Views: one entity as an object, which follows it when its rows move."""

from __future__ import annotations

import numpy as np
import pytest

from rish_ecs.declarations.columns import Chars, Vec2
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
