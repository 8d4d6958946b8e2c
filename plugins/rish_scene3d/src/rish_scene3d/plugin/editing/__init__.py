"""The plugin's part of the editor: gizmos and inspectors of models, lights and cameras, commands and texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...components.animation import Animator3D
from ...components.lights import Lamp3D, Sun3D
from ...components.models import Material3D, Model3D
from ...components.views import Camera3D, Sky3D
from .commands import COMMANDS
from .gizmos import draw_cameras, draw_lamps, draw_models, draw_skies, draw_suns
from .inspectors import draw_animator, draw_camera, draw_lamp, draw_material, draw_model, draw_sky, draw_sun

__all__ = ["COMMANDS", "GIZMOS", "INSPECTORS"]

INSPECTORS: Mapping[type, Callable[..., None]] = {
    Animator3D: draw_animator,
    Camera3D: draw_camera,
    Lamp3D: draw_lamp,
    Material3D: draw_material,
    Model3D: draw_model,
    Sky3D: draw_sky,
    Sun3D: draw_sun,
}
GIZMOS: Mapping[type, Callable[..., None]] = {
    Camera3D: draw_cameras,
    Lamp3D: draw_lamps,
    Model3D: draw_models,
    Sky3D: draw_skies,
    Sun3D: draw_suns,
}
