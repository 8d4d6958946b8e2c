"""Tile maps: read from Tiled or from the engine's own YAML, drawn in blocks, edited and queried while the game runs."""

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
from .component import TileMap
from .model import MapObject

__all__ = [
    "BLOB_SUMS",
    "MapObject",
    "TileMap",
    "autotile",
    "cell_center",
    "cell_of",
    "map_objects",
    "set_tiles",
    "tile_at",
    "tile_number",
    "tile_properties",
    "tiles_in",
]
