"""Tile maps: read from Tiled or from our own YAML, drawn in blocks, edited and asked while the game runs."""

from __future__ import annotations

from .access import (
    cell_centre,
    cell_of,
    map_objects,
    set_tiles,
    tile_at,
    tile_number,
    tile_properties,
    tiles_in,
)
from .autotile import autotile
from .component import TileMap
from .model import MapObject

__all__ = [
    "MapObject",
    "TileMap",
    "autotile",
    "cell_centre",
    "cell_of",
    "map_objects",
    "set_tiles",
    "tile_at",
    "tile_number",
    "tile_properties",
    "tiles_in",
]
