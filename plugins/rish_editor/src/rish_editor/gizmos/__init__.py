"""The gizmos of the editor for components of the kernel, of rish_render and of rish_space3d."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rish_core import Transform
from rish_render import Camera, CanvasGroup, Line, Shape
from rish_space3d import Transform3D

from .camera import draw_cameras
from .groups import draw_groups
from .points import draw_lines, draw_shapes
from .space import draw_transforms_3d
from .transform import draw_transforms

GIZMOS: Mapping[type, Callable[..., None]] = {
    Camera: draw_cameras,
    CanvasGroup: draw_groups,
    Line: draw_lines,
    Shape: draw_shapes,
    Transform: draw_transforms,
    Transform3D: draw_transforms_3d,
}
