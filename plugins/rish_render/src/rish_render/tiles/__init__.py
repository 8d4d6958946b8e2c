"""Tile maps: read from Tiled or from the engine's own YAML, drawn in blocks, edited and queried while the game runs.

Importers of other formats make a `GameMap` of a `Grid`, `Tiles` and `MapLayer`s. A loader that returns one adds a
suffix that `TileMap.map` may name, and `add_map` gives a map a name that is no file.
"""

from __future__ import annotations

from .access import (
    cell_center,
    cell_of,
    map_objects,
    set_tiles,
    tile_at,
    tile_number,
    tile_properties,
    tiles_in,
)
from .autotile import BLOB_SUMS, autotile
from .boards import TileMaps, add_map
from .component import TileMap
from .grid import Grid
from .model import Animation, GameMap, MapLayer, MapObject, PictureLayer, Tiles
from .spawning import spawn_objects

__all__ = [
    "BLOB_SUMS",
    "Animation",
    "GameMap",
    "Grid",
    "MapLayer",
    "MapObject",
    "PictureLayer",
    "TileMap",
    "TileMaps",
    "Tiles",
    "add_map",
    "autotile",
    "cell_center",
    "cell_of",
    "map_objects",
    "set_tiles",
    "spawn_objects",
    "tile_at",
    "tile_number",
    "tile_properties",
    "tiles_in",
]
