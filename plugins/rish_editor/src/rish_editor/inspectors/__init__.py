"""The inspectors of components of the kernel and of rish_render that show more than fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rish_core import Transform
from rish_render import Animation, Camera, Line, NinePatch, Shape, Sprite, SpriteSheet, Text, TileMap

from .animation import draw_animation
from .camera import draw_camera
from .sprite import draw_nine_patch, draw_sheet, draw_sprite
from .transform import draw_transform
from .visible import draw_line, draw_shape, draw_text, draw_tile_map

INSPECTORS: Mapping[type, Callable[..., None]] = {
    Transform: draw_transform,
    Sprite: draw_sprite,
    SpriteSheet: draw_sheet,
    Animation: draw_animation,
    NinePatch: draw_nine_patch,
    Camera: draw_camera,
    Shape: draw_shape,
    Line: draw_line,
    Text: draw_text,
    TileMap: draw_tile_map,
}
