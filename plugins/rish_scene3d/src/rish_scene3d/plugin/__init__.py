"""The hooks of rish_scene3d."""

from __future__ import annotations

from collections.abc import Callable

from rish_core import About
from rish_ecs import add_engine

from ..clips.poses import Poses3D
from ..components.fly import FlyCamera3D
from ..components.lights import Lamp3D, Sun3D
from ..components.models import Material3D, Model3D
from ..components.views import Camera3D, Sky3D
from ..passes.lines import Lines3D, clear_frame_lines, clear_lines
from ..tools.fly import fly

add_engine("rish_scene3d")


def rish_about() -> About:
    """Describe the plugin; it needs poses in space, and a frame to draw on."""
    return About(requires=["space3d", "frame", "animation"], description="3D models, lights, shadows and animation")


def rish_components() -> list[type]:
    """Return the components of the plugin."""
    return [Model3D, Material3D, Camera3D, Sky3D, Sun3D, Lamp3D, FlyCamera3D]


def rish_resources() -> list[type]:
    """Return the derived tables that systems share."""
    return [Poses3D, Lines3D]


def rish_systems() -> list[Callable[..., None]]:
    """Return the systems of the plugin."""
    return [clear_lines, fly, clear_frame_lines]
