"""Spawns prefabs for the objects of a map whose class is the name of a prefab, at the objects' positions.

A property `Component.field` of the object overrides the prefab's value. The new entities are children of the map, so
they move with it and are removed with it.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from rish_core import Name, Prefabs, Transform, spawn_prefab
from rish_ecs import RishError, Stage, UnknownName, system

from .access import anchor_shift, board_of
from .boards import TileMaps
from .component import TileMap
from .model import MapObject

if TYPE_CHECKING:
    from rish_ecs import World

_log = logging.getLogger("rish.tiles")


def _waiting(world: World) -> bool:
    """Return True if a map has objects that are still to be spawned."""
    table = world.table(TileMap)
    if not len(table):  # this runs in every tick of every game
        return False
    spawn = table.column("spawn")
    return bool(spawn.any()) and bool((spawn & ~table.column("spawned")).any())


@system(Stage.PRE, writes=TileMap, before="render.publish_map_edges", run_if=_waiting)
def spawn_map_objects(world: World, dt: float) -> None:
    """Spawn the objects of new maps, once for each map."""
    table = world.table(TileMap)
    waiting = table.column("spawn") & ~table.column("spawned")
    for entity in world.query(TileMap, Transform).entities.tolist():
        if waiting[table.row_of(entity)]:
            world.set(entity, TileMap(spawned=True))
            spawn_objects(world, entity)


def spawn_objects(world: World, entity: int) -> list[int]:
    """Spawn the objects of a map whose class is a prefab, as its children, and return their entities.

    An object with a property that fits no component is reported and left out.
    """
    board = board_of(world, entity)
    dx, dy = anchor_shift(world, entity)
    found: list[int] = []
    for thing in board.map.objects:
        if Prefabs not in world or thing.kind not in world[Prefabs].plans:
            continue
        x, y = thing.centre
        try:
            parts = _parts(world, thing)
            found.append(spawn_prefab(world, thing.kind, *parts, at=(x + dx, y + dy), parent=entity))
        except RishError as error:
            told = f"{board.asset}: the object {thing.id} {(thing.name or thing.kind)!r}: {error}"
            if told not in world[TileMaps].told:
                world[TileMaps].told.add(told)
                _log.error("%s", told)
    return found


def _parts(world: World, thing: MapObject) -> list[Any]:
    """Return the components of an object's entity, without its position."""
    values: dict[str, dict[str, Any]] = {}
    for name, value in thing.properties.items():
        component, dot, field = name.partition(".")
        if dot:
            values.setdefault(component, {})[field] = value
    if thing.rotation:
        values.setdefault("Transform", {}).setdefault("rotation", thing.rotation)
    parts: list[Any] = [Name(value=thing.name)] if thing.name and Name in world else []
    for component, fields in values.items():
        kind = world.kind(component)
        if kind is None:
            raise UnknownName(f"no component is called {component!r}")
        parts.append(kind(**fields))
    return parts
