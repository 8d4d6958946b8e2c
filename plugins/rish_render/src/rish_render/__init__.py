"""2D rendering for Rish: the visible components, the cameras that show them, and the backends that draw them."""

from __future__ import annotations

from . import tiles
from .animation import Animation, AnimationFinished, AnimationFrame, SpriteSheet, play, sheet_regions
from .backends import (
    ForwardingBackend,
    arcade_in,
    arcade_library,
    has_display,
    make_arcade,
    make_software,
    open_window,
    window_input,
)
from .components.visible import (
    Align,
    Aspect,
    Blend,
    Camera,
    CanvasGroup,
    RenderSettings,
    Sampling,
    Shape,
    ShapeForm,
    Sprite,
    Stretch,
    Text,
)
from .drawables.drawables import Drawables
from .drawables.extraction import Extraction, Seen
from .drawables.kind import DrawableKind
from .drawables.pick_scene import PickScene
from .extract.drawn_boxes import DrawnBoxes, drawn_boxes
from .extract.regions import region_at
from .kinds.lines.line import Line
from .kinds.panels.nine_patch import NinePatch
from .kinds.text.strings import strings_of
from .kinds.trails.trail import Trail
from .materials.table import set_uniforms
from .scene.camera import View, camera_at, main_view, screen_view, to_screen, to_world, view_of
from .scene.camera_systems import shake
from .scene.tool_view import ToolView
from .tiles import (
    BLOB_SUMS,
    MapObject,
    TileMap,
    autotile,
    cell_center,
    cell_of,
    map_objects,
    set_tiles,
    tile_at,
    tile_number,
    tile_properties,
    tiles_in,
)

__all__ = [
    "BLOB_SUMS",
    "Align",
    "Animation",
    "AnimationFinished",
    "AnimationFrame",
    "Aspect",
    "Blend",
    "Camera",
    "CanvasGroup",
    "DrawableKind",
    "Drawables",
    "DrawnBoxes",
    "Extraction",
    "ForwardingBackend",
    "Line",
    "MapObject",
    "NinePatch",
    "PickScene",
    "RenderSettings",
    "Sampling",
    "Seen",
    "Shape",
    "ShapeForm",
    "Sprite",
    "SpriteSheet",
    "Stretch",
    "Text",
    "TileMap",
    "ToolView",
    "Trail",
    "View",
    "arcade_in",
    "arcade_library",
    "autotile",
    "camera_at",
    "cell_center",
    "cell_of",
    "drawn_boxes",
    "has_display",
    "main_view",
    "make_arcade",
    "make_software",
    "map_objects",
    "open_window",
    "play",
    "region_at",
    "screen_view",
    "set_tiles",
    "set_uniforms",
    "shake",
    "sheet_regions",
    "strings_of",
    "tile_at",
    "tile_number",
    "tile_properties",
    "tiles",
    "tiles_in",
    "to_screen",
    "to_world",
    "view_of",
    "window_input",
]
