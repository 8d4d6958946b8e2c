"""Pictures for Rish: sprites, cameras, shapes and text, and the backends that draw them."""

from __future__ import annotations

from .camera import View, main_view, screen_view, to_world
from .components import Align, Blend, Camera, Sampling, Settings, Shape, ShapeKind, Sprite, Text

__all__ = [
    "Align",
    "Blend",
    "Camera",
    "Sampling",
    "Settings",
    "Shape",
    "ShapeKind",
    "Sprite",
    "Text",
    "View",
    "main_view",
    "screen_view",
    "to_world",
]
