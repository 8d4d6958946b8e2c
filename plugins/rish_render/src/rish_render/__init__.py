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

__all__ = [
    "Align",
    "Aspect",
    "Blend",
    "Camera",
    "CanvasGroup",
    "Sampling",
    "Settings",
    "Shape",
    "ShapeKind",
    "Sprite",
    "Stretch",
    "Text",
    "View",
    "camera_at",
    "main_view",
    "make_software",
    "screen_view",
    "shake",
    "to_screen",
    "to_world",
    "view_of",
]
