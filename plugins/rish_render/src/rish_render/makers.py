"""What makes the drawables of each kind, in one place.

It is imported with the first picture: a listing of plugins, a check or a server must not wait for all of this.
"""

from __future__ import annotations

from .extract_points import extract_pointed
from .extract_shapes import extract_boxes, is_pointed
from .extract_sprites import extract_sprites
from .extract_text import extract_text
from .nine_patch import NinePatch, extract_nine_patches
from .strokes import Line
from .strokes.extract import extract_lines
from .tiles.component import TileMap
from .tiles.extract_tiles import extract_tiles
from .trail import Trail, extract_trails

__all__ = [
    "Line",
    "NinePatch",
    "TileMap",
    "Trail",
    "extract_boxes",
    "extract_lines",
    "extract_nine_patches",
    "extract_pointed",
    "extract_sprites",
    "extract_text",
    "extract_tiles",
    "extract_trails",
    "is_pointed",
]
