"""Pictures for Rish: sprites, cameras, shapes and text, and the backends that draw them."""

from __future__ import annotations

from .backends import make_software
from .camera import View, camera_at, main_view, screen_view, to_screen, to_world, view_of
from .camera_systems import shake
from .components import (
    Align,
    Aspect,
    Blend,
    Camera,
    CanvasGroup,
    Sampling,
    Settings,
    Shape,
    ShapeKind,
    Sprite,
    Stretch,
    Text,
)
from .tiles import (
    MapObject,
    TileMap,
    autotile,
    cell_centre,
    cell_of,
    map_objects,
    set_tiles,
    tile_at,
    tile_number,
    tile_properties,
    tiles_in,
)

__all__ = [
    "Align",
    "Aspect",
    "Blend",
    "Camera",
    "CanvasGroup",
    "MapObject",
    "Sampling",
    "Settings",
    "Shape",
    "ShapeKind",
    "Sprite",
    "Stretch",
    "Text",
    "TileMap",
    "View",
    "autotile",
    "camera_at",
    "cell_centre",
    "cell_of",
    "main_view",
    "make_software",
    "map_objects",
    "screen_view",
    "set_tiles",
    "shake",
    "tile_at",
    "tile_number",
    "tile_properties",
    "tiles_in",
    "to_screen",
    "to_world",
    "view_of",
]
