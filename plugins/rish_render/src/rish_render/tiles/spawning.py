"""Spawns prefabs for the objects of a map whose class is the name of a prefab, at the objects' positions.

A property `Component.field` of the object overrides the prefab's value, and so do the members of a property of a class
that has the name of a component. The new entities are children of the map, so they move with it and are removed with
it. The map does not draw the tiles of such objects itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rish_core import Name, Prefabs, Transform, spawn_prefab
from rish_ecs import RishError, Stage, UnknownName, did_you_mean, system

from .access import anchor_shift, board_of
from .boards import Board, TileMaps
from .component import TileMap
from .model import GameMap, MapObject

if TYPE_CHECKING:
    from rish_ecs import World

_SHOWN = 3  # objects that a message lists


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
    entities: list[int] = []
    kinds = spawned_kinds(world, board.map)
    _tell_unknown(world, board, kinds)
    for thing in board.map.objects:
        if thing.kind not in kinds:
            continue
        x, y = thing.center
        try:
            parts = _parts(world, thing)
            entities.append(spawn_prefab(world, thing.kind, *parts, at=(x + dx, y + dy), parent=entity))
        except RishError as error:
            where = f"{board.asset}: " + (f"the layer {thing.layer!r}: " if thing.layer else "")
            world[TileMaps].log.error(f"{where}the object {thing.id} {(thing.name or thing.kind)!r}: {error}")
    return entities


def spawned_kinds(world: World, map_: GameMap) -> frozenset[str]:
    """Return the classes of a map's objects that are names of prefabs."""
    plans = world[Prefabs].plans if Prefabs in world else {}
    return frozenset(thing.kind for thing in map_.objects if thing.kind in plans)


def _tell_unknown(world: World, board: Board, kinds: frozenset[str]) -> None:
    """Log the classes for which there is no prefab, each once a layer, with the objects."""
    unknown: dict[tuple[str, str], list[str]] = {}
    for thing in board.map.objects:
        if thing.kind and thing.kind not in kinds:
            name = f"{thing.id} {thing.name!r}" if thing.name else str(thing.id)
            unknown.setdefault((thing.layer, thing.kind), []).append(name)
    plans = list(world[Prefabs].plans) if Prefabs in world else []
    for (layer, kind), names in unknown.items():
        near, rest = did_you_mean(kind, plans), len(names) - _SHOWN
        which = f"the object{'s' if len(names) > 1 else ''} {', '.join(names[:_SHOWN])}"
        which += f" and {rest} more" if rest > 0 else ""
        where = f"the layer {layer!r}: " if layer else ""
        what = f"{board.asset}: {where}no prefab is called {kind!r}{near}, so nothing is spawned for {which}"
        world[TileMaps].log(f"{what}. Add the prefab, or correct the class")


def _parts(world: World, thing: MapObject) -> list[Any]:
    """Return the components of an object's entity, without its position."""
    values: dict[str, dict[str, Any]] = {}
    for name, value in thing.properties.items():
        component, dot, field = name.partition(".")
        if dot:
            values.setdefault(component, {})[field] = value
        elif isinstance(value, dict) and world.kind(name) is not None:
            values.setdefault(name, {}).update(value)
    if thing.rotation:
        values.setdefault("Transform", {}).setdefault("rotation", thing.rotation)
    parts: list[Any] = [Name(value=thing.name)] if thing.name and Name in world else []
    for component, fields in values.items():
        kind = world.kind(component)
        if kind is None:
            raise UnknownName(f"no component is called {component!r}")
        parts.append(kind(**fields))
    return parts
