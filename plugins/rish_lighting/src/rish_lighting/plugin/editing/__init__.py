"""The part of rish_lighting in the editor: gizmos and inspectors of lights and occluders, and texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...components.light import Ambient, Light, Occluder
from .gizmos import draw_lights, draw_occluders
from .inspectors import draw_ambient, draw_light, draw_occluder

__all__ = ["GIZMOS", "INSPECTORS"]

INSPECTORS: Mapping[type, Callable[..., None]] = {Light: draw_light, Ambient: draw_ambient, Occluder: draw_occluder}
GIZMOS: Mapping[type, Callable[..., None]] = {Light: draw_lights, Occluder: draw_occluders}
