"""The gizmos of the editor for components of the kernel and of rish_render."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rish_core import Transform
from rish_render import Camera, CanvasGroup, Line, Shape

from .camera import draw_cameras
from .groups import draw_groups
from .points import draw_lines, draw_shapes
from .transform import draw_transforms

GIZMOS: Mapping[type, Callable[..., None]] = {
    Camera: draw_cameras,
    CanvasGroup: draw_groups,
    Line: draw_lines,
    Shape: draw_shapes,
    Transform: draw_transforms,
}
