"""The functions that make the drawables of each kind, imported on first use.

A kind's module is imported when the first thing of that kind is drawn. So listing plugins, checking a project or
running a server does not load them, and the first frame loads only the kinds that it draws.
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ..strokes import Line
from ..strokes.trail import Trail
from ..tiles.component import TileMap
from .nine_patch import NinePatch

if TYPE_CHECKING:
    from ..strokes.extract import extract_lines
    from ..strokes.trail import extract_trails
    from ..text.extract import extract_text
    from ..tiles.extract_tiles import extract_tiles
    from .nine_patch import extract_nine_patches
    from .points import extract_pointed
    from .shapes import extract_boxes, is_pointed
    from .sprites import extract_sprites, sprites_follow

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
    "sprites_follow",
]

_PLACES = {
    "extract_boxes": ".shapes",
    "extract_lines": "..strokes.extract",
    "extract_nine_patches": ".nine_patch",
    "extract_pointed": ".points",
    "extract_sprites": ".sprites",
    "extract_text": "..text.extract",
    "extract_tiles": "..tiles.extract_tiles",
    "extract_trails": "..strokes.trail",
    "is_pointed": ".shapes",
    "sprites_follow": ".sprites",
}


def __getattr__(name: str) -> Any:
    """Import and return the function with this name, and store it in this module."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(importlib.import_module(_PLACES[name], __package__), name)
    globals()[name] = found
    return found
