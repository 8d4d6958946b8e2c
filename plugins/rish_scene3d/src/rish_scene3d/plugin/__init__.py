"""The hooks of rish_scene3d."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rish_core import About, Assets
from rish_ecs import add_engine

from ..clips.poses import Poses3D
from ..components.fly import FlyCamera3D
from ..components.lights import Lamp3D, Sun3D
from ..components.models import Material3D, Model3D
from ..components.settings import Scene3DSettings
from ..components.views import Camera3D, Sky3D
from ..models.loading import SUFFIXES, load_model
from ..models.shapes import SHAPES
from ..models.store import Models3D
from ..passes.extract import Scene3D, announce, develop, draw
from ..passes.lines import Lines3D, clear_frame_lines, clear_lines
from ..scene.drawlist import DrawList
from ..scene.lights import Lights3D
from ..tools.fly import fly
from . import animating

add_engine("rish_scene3d")


def rish_about() -> About:
    """Describe the plugin; it needs poses in space, and a frame to draw on."""
    return About(requires=["space3d", "frame", "animation"], description="3D models, lights, shadows and animation")


def rish_settings() -> type:
    """Return the class of `settings: scene3d:`."""
    return Scene3DSettings


def rish_components() -> list[type]:
    """Return the components of the plugin."""
    return [Model3D, Material3D, Camera3D, Sky3D, Sun3D, Lamp3D, FlyCamera3D, *animating.COMPONENTS]


def rish_resources() -> list[type]:
    """Return the derived tables that systems share."""
    return [Poses3D, Models3D, DrawList, Scene3D, Lights3D, Lines3D, *animating.RESOURCES]


def rish_systems() -> list[Callable[..., None]]:
    """Return the systems of the plugin."""
    return [clear_lines, fly, clear_frame_lines, announce, *animating.SYSTEMS, draw, develop]


def rish_loaders() -> dict[str, Callable[..., Any]]:
    """Return the loaders of glTF files."""
    return dict.fromkeys(SUFFIXES, load_model)


def rish_names() -> dict[str, Callable[[Any], Iterable[str]]]:
    """Return the list of models (the shapes, then the files of the game), and those of clips and joints."""
    return {"models": lambda world: [*SHAPES, *world[Assets].files(*SUFFIXES)], **animating.NAMES}


def rish_drawers() -> Mapping[str, Mapping[str, Callable[[], Any]]]:
    """Return the drawers of 3D scenes for each backend."""
    from .drawers import MAKERS

    return MAKERS


def rish_manifest(manifest: Any, registry: Any) -> None:
    """Check the clips and joints that the manifest names."""
    from .animation_check import check_animation_3d

    check_animation_3d(manifest)


def rish_warm_up(world: Any) -> dict[str, Callable[[], object]]:
    """Return the kernels for scenes that are large or may grow."""
    return animating.kernels(world)
