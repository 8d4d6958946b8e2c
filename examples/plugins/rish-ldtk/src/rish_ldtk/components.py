"""The component that marks a level's entity, and the settings."""

from __future__ import annotations

from dataclasses import field as dataclass_field
from typing import Any

from rish_core import component, field, resource
from rish_ecs import Asset, Str


@component
class LdtkLevel:
    """The tiles of a level of LDtk; the plugin adds a `TileMap` with them. The position is its lower left corner."""

    file: Asset = field("", names="ldtk_projects", doc="the project, *.ldtk")
    level: Str = field("", doc="the identifier of the level")


@resource(derived=True)
class LdtkSettings:
    """`settings: ldtk:` and `levels:` of the manifest. They are read once, so they are no state.

    levels: the project, or for scenes by name the projects and levels that they show. solid, one_way: the IntGrid
    values that block, and that block from above; without both, all values are solid. fields: by field of LDtk, or
    `Entity.field`, the field of a component. ignore: entities and fields that are left out.
    """

    levels: Any = None
    solid: list[str] = dataclass_field(default_factory=list[str])
    one_way: list[str] = dataclass_field(default_factory=list[str])
    fields: dict[str, str] = dataclass_field(default_factory=dict[str, str])
    ignore: list[str] = dataclass_field(default_factory=list[str])
    z: float = field(
        -10.0, low=-1e6, high=1e6, doc="of the tiles within their layer; below 0 they are behind the entities"
    )
