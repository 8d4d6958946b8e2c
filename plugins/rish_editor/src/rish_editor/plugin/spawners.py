"""What a run spawns from files because of components of rish_render: the objects of tile maps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from rish_render import TileMap
from rish_render.tiles import spawn_objects

if TYPE_CHECKING:
    from rish_core import World


def spawn_of_map(world: World, entity: int) -> list[int]:
    """Spawn the objects of a map that the first tick of a run would spawn; return their entities."""
    table, row = world.locate(entity, TileMap)
    if not table.column("spawn")[row] or table.column("spawned")[row]:
        return []
    return spawn_objects(world, entity)


SPAWNERS: Mapping[type, tuple[str, Callable[..., list[int]]]] = {TileMap: ("map", spawn_of_map)}
"""By component: the field that names the file, and the function that spawns what is in it."""
