"""2D rendering for Rish: the visible components, the cameras that show them, and the backends that draw them."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from . import tiles
    from .animation import Animation, AnimationFinished, AnimationFrame, SpriteSheet, play, sheet_regions
    from .backends import (
        arcade_in,
        arcade_library,
        backend_in,
        has_display,
        make_arcade,
        make_software,
        open_window,
        window_input,
    )
    from .backends.forwarding import ForwardingBackend
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

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "animation": "Animation AnimationFinished AnimationFrame SpriteSheet play sheet_regions",
        "backends": (
            "arcade_in arcade_library backend_in has_display make_arcade make_software open_window window_input"
        ),
        "backends.forwarding": "ForwardingBackend",
        "components.visible": (
            "Align Aspect Blend Camera CanvasGroup RenderSettings Sampling Shape ShapeForm Sprite Stretch Text"
        ),
        "drawables.drawables": "Drawables",
        "drawables.extraction": "Extraction Seen",
        "drawables.kind": "DrawableKind",
        "drawables.pick_scene": "PickScene",
        "extract.drawn_boxes": "DrawnBoxes drawn_boxes",
        "extract.regions": "region_at",
        "kinds.lines.line": "Line",
        "kinds.panels.nine_patch": "NinePatch",
        "kinds.text.strings": "strings_of",
        "kinds.trails.trail": "Trail",
        "materials.table": "set_uniforms",
        "scene.camera": "View camera_at main_view screen_view to_screen to_world view_of",
        "scene.camera_systems": "shake",
        "scene.tool_view": "ToolView",
        "tiles": (
            "BLOB_SUMS MapObject TileMap autotile cell_center cell_of map_objects set_tiles tile_at tile_number"
            " tile_properties tiles_in"
        ),
    },
    modules=("tiles",),
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
