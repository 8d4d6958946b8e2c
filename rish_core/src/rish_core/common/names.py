"""Names, tags and groups, by which scripts and users find entities.

A name belongs to one entity, a tag to any number of entities. An entity may have many tags but is in at most one group.
All are interned text, so a search compares numbers, not strings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_ecs import Str, UnknownName, component, field
from rish_ecs.declarations import Column, distinct

if TYPE_CHECKING:
    from rish_ecs import World


@component
class Name:
    """The name of an entity, by which scenes and scripts refer to it."""

    value: Str = field("", doc="unique within a scene, by custom")


@component
class Tags:
    """Any number of words that describe an entity."""

    values: list[Str] = field(names="tags", doc="words such as enemy, solid, collectable")


@component
class Group:
    """The group that an entity belongs to, such as a wave of enemies or a team."""

    value: Str = field("", names="groups", doc="the group's name")


@component
class Persistent:
    """An entity that stays when the scene changes."""


def _matching(world: World, cls: type, text: str) -> Column:
    number = world.texts.find(text)
    table = world.table(cls)
    return table.entities[table.column("value") == number] if number >= 0 else table.entities[:0]


def find(world: World, name: str) -> int | None:
    """Return the handle of the first entity with that name, or None."""
    entities = _matching(world, Name, name)
    return int(entities[0]) if len(entities) else None


def named(world: World, name: str) -> int:
    """Return the handle of the first entity with that name. Raises UnknownName if there is none."""
    entity = find(world, name)
    if entity is None:
        table = world.table(Name)
        choices = [world.text(number) for number in table.column("value").tolist()]
        raise UnknownName(f"no entity is called {name!r}", given=name, choices=choices)
    return entity


def tagged(world: World, tag: str) -> Column:
    """Return int64: the handles of all entities with that tag."""
    table = world.table(Tags)
    number = world.texts.find(tag)
    if number < 0 or not len(table):
        return table.entities[:0].copy()
    spans = table.column("values")
    items = table.pool_of("values").gather(spans)
    owner = np.repeat(np.arange(len(table)), spans[:, 1])
    return table.entities[distinct(owner[items == number])]


def members(world: World, group: str) -> Column:
    """Return int64: the handles of all entities of a group."""
    return _matching(world, Group, group).copy()
