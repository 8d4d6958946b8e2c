"""The hooks of rish_scene3d."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rish_core import About
from rish_ecs import add_engine

from ..clips.poses import Poses3D
from ..components.lights import Lamp3D, Sun3D
from ..components.models import Material3D, Model3D
from ..components.views import Camera3D, Sky3D
from . import animating

add_engine("rish_scene3d")


def rish_about() -> About:
    """Describe the plugin; it needs poses in space, and a frame to draw on."""
    return About(requires=["space3d", "frame", "animation"], description="3D models, lights, shadows and animation")


def rish_components() -> list[type]:
    """Return the components of the plugin."""
    return [Model3D, Material3D, Camera3D, Sky3D, Sun3D, Lamp3D, *animating.COMPONENTS]


def rish_resources() -> list[type]:
    """Return the derived tables that systems share."""
    return [Poses3D, *animating.RESOURCES]


def rish_systems() -> list[Callable[..., None]]:
    """Return the systems of the plugin."""
    return [*animating.SYSTEMS]


def rish_names() -> dict[str, Callable[[Any], Iterable[str]]]:
    """Return the lists of clips and joints of the models in use."""
    return {**animating.NAMES}


def rish_manifest(manifest: Any, registry: Any) -> None:
    """Check the clips and joints that the manifest names."""
    from .animation_check import check_animation_3d

    check_animation_3d(manifest)


def rish_warm_up(world: Any) -> dict[str, Callable[[], object]]:
    """Return the kernels for scenes that are large or may grow."""
    return animating.kernels(world)
