"""The hooks of rish_scene3d."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from rish_core import About, hookimpl
from rish_ecs import add_engine
from rish_frame import Frame
from rish_jit import worth_preparing
from rish_space3d import Bounds3D

from ..clips.clip_library import ClipLibrary3D
from ..clips.skeleton_poses import Poses3D
from ..components.billboards import Billboard3D
from ..components.fly import FlyCamera3D
from ..components.lights import Lamp3D, Sun3D
from ..components.models import Material3D, Model3D
from ..components.settings import Scene3DSettings
from ..components.views import Camera3D, Sky3D
from ..models.store import Models3D
from ..passes.extract import Scene3D, announce, develop, draw
from ..passes.lines import Lines3D, clear_frame_lines, clear_lines
from ..picking.billboards import billboard_bounds, pick_billboards
from ..picking.pick import Picking3D, local_bounds, pick_models
from ..picking.surfaces import surface_at
from ..scene import clusters
from ..scene.drawlist import DrawList
from ..scene.lights import Lights3D
from ..scene.listing import packing
from ..tools.debug import Debug3D, draw_debug, switch_debug
from ..tools.fly import fly
from . import animating
from .preparing import prepare_scene

add_engine("rish_scene3d")


def rish_about() -> About:
    """Describe the plugin; it needs poses in space, and a frame to draw on."""
    return About(requires=["space3d", "frame", "animation"], description="3D models, lights, shadows and animation")


def rish_settings() -> type:
    """Return the class of `settings: scene3d:`."""
    return Scene3DSettings


def rish_components() -> list[type]:
    """Return the components of the plugin."""
    return [Model3D, Material3D, Camera3D, Sky3D, Sun3D, Lamp3D, Billboard3D, FlyCamera3D, *animating.COMPONENTS]


def rish_resources() -> list[type]:
    """Return the derived tables that systems share."""
    return [Poses3D, Models3D, DrawList, Scene3D, Lights3D, Lines3D, Picking3D, Debug3D, *animating.RESOURCES]


def rish_systems() -> list[Callable[..., None]]:
    """Return the systems of the plugin."""
    return [
        clear_lines, switch_debug, fly, clear_frame_lines, announce, *animating.SYSTEMS, draw_debug, draw, develop
    ]  # fmt: skip


def rish_names() -> dict[str, Callable[[Any], Iterable[str]]]:
    """Return the lists of clips and joints."""
    return dict(animating.NAMES)


def rish_drawers() -> Mapping[str, Mapping[str, Callable[[], Any]]]:
    """Return the drawers of 3D scenes for each backend."""
    from .drawers import DRAWERS

    return DRAWERS


def rish_pickers() -> dict[str, Callable[..., Any]]:
    """Return the pickers of models and billboards."""
    return {"models3d": pick_models, "billboards3d": pick_billboards}


def rish_ready(app: Any) -> None:
    """Register the bounds of models for tools and the surfaces with pictures of cameras, and show the parts of the
    debug view that the settings name.
    """
    app.world[Frame].surface_at = surface_at
    app.world[Bounds3D].add("scene3d", local_bounds)
    app.world[Bounds3D].add("scene3d.billboards", billboard_bounds)
    app.world[Debug3D].show(*app.world[Scene3DSettings].debug)


def rish_scene_loaded(world: Any) -> None:
    """Release the models, pictures and clips that the new scene does not use, and load those that it uses.

    So no frame waits for them, and their mistakes are logged at once.
    """
    world[DrawList].clear()
    world[Picking3D].rebuild(world)
    world[Models3D].release(world)
    world[ClipLibrary3D].release(world)
    prepare_scene(world)


def rish_manifest(manifest: Any, registry: Any) -> None:
    """Check the models, clips and joints that the manifest names, and components that need another component."""
    from .animation_check import check_animation_3d
    from .scene_check import check_scene_3d

    check_scene_3d(manifest)
    check_animation_3d(manifest)


@hookimpl(optional=True)
def rish_actions() -> list[Any]:
    """Return the action of rules: `animate_3d`."""
    from .actions import ACTIONS

    return list(ACTIONS)


@hookimpl(optional=True)
def rish_diagnose(manifest: Any) -> list[tuple[str, str, str]]:
    """Return lines about the models of a game."""
    from .diagnosis import diagnose_models

    return list(diagnose_models(manifest))


def rish_warm_up(world: Any) -> dict[str, Callable[[], object]]:
    """Return the kernels for scenes that are large or may grow."""
    drawing = {"drawing": packing.READY.now} if worth_preparing(len(world.table(Model3D))) else {}
    lighting = {"clusters": clusters.READY.now} if len(world.table(Lamp3D)) >= clusters.KERNEL_LAMPS else {}
    return {**drawing, **lighting, **animating.kernels(world)}


def rish_samples(world: Any, backend: Any, frame: Any) -> list[Any]:
    """Return no batches, but draw a triangle in each way, so that nothing compiles while the game is played."""
    from .samples import add_samples

    return add_samples(world, frame)


@hookimpl(optional=True)
def rish_editor_inspectors() -> Mapping[type, Callable[..., None]]:
    """Return the drawers of models, materials, lights, cameras, sky and animators in the editor's inspector."""
    from .editing import INSPECTORS

    return INSPECTORS


@hookimpl(optional=True)
def rish_editor_gizmos() -> Mapping[type, Callable[..., None]]:
    """Return the gizmos of lights, cameras and characters in views of space."""
    from .editing import GIZMOS

    return GIZMOS


@hookimpl(optional=True)
def rish_editor_commands() -> Mapping[str, Mapping[str, Any]]:
    """Return the commands of the debug view."""
    from .editing import COMMANDS

    return COMMANDS


@hookimpl(optional=True)
def rish_editor_texts() -> Path:
    """Return the folder with translations of the texts for the editor."""
    return Path(__file__).parent / "editing" / "texts"


@hookimpl(optional=True)
def rish_editor_references() -> dict[str, dict[str, list[str]]]:
    """Return the readers of references to other files in models."""
    return {".gltf": {"uris": ["images/uri", "buffers/uri"]}}
