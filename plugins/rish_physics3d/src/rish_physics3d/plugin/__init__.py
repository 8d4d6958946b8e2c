"""The hooks of rish_physics3d."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rish_core import About, hookimpl
from rish_ecs import add_engine

from ..bodies.models import ColliderModels3D
from ..components.contract import NAMESPACE, PHYSICS3D_COMPONENTS, PHYSICS3D_EVENTS, provides, warn_of_unsupported
from ..components.filters import layer_names
from ..components.layers_check import check_layers
from ..components.notices import Notices3D
from ..components.settings import Physics3DSettings
from ..components.tables import Bodies3D, Contacts3D, Joints3D, Solved3D
from ..forces.character import correct_characters, move_characters
from ..queries.index import ShapeIndex
from ..step.memory import Stepper
from ..step.system import step_physics3d
from .debug import DebugView3D, draw_debug
from .manifest_check import check_bodies

_log = logging.getLogger("rish.physics3d")
add_engine("rish_physics3d")

CAPABILITIES = (
    "areas",
    "capsules",
    "character",
    "cone",
    "continuous",
    "joints",
    "layers",
    "sensors",
    "sleep",
    "queries",
    "surfaces",
    "targets",
)
"""The capabilities of `rigid3d` that this provider has."""


def rish_about() -> About:
    """Describe the plugin: it provides the contract `rigid3d`, and needs the transforms of space3d."""
    return About(
        provides=[provides(*CAPABILITIES)], namespace=NAMESPACE, requires=["space3d"],
        description="rigid bodies in three dimensions",
    )  # fmt: skip


def rish_settings() -> type:
    """Return the class of `settings: physics3d:` in a manifest."""
    return Physics3DSettings


def rish_ready(app: Any) -> None:
    """Show the parts of the debug view that the settings name; warn if no plugin draws them, and of settings that need
    another provider.
    """
    warn_of_unsupported(app.world, CAPABILITIES, "physics3d")
    parts = app.world[Physics3DSettings].debug
    app.world[DebugView3D].show(*parts)
    if parts and "scene3d" not in app.plugins:
        _log.warning("settings.physics3d.debug has no effect: the game has no plugin scene3d, which draws it")


def rish_components() -> list[type]:
    """Return the components of the plugin."""
    return list(PHYSICS3D_COMPONENTS)


def rish_names() -> dict[str, Callable[[Any], list[str]]]:
    """Return the list of collision layers."""
    return {"collision_layers_3d": layer_names}


def rish_manifest(manifest: Any) -> None:
    """Report mistakes in collision layers, bodies, colliders and joints with their line."""
    check_layers(manifest)
    check_bodies(manifest)


def rish_resources() -> list[type]:
    """Return contacts and joints, models, the memory of the solver and of queries, what was logged, and the
    debug view.
    """
    return [Bodies3D, Contacts3D, Joints3D, Solved3D, ColliderModels3D, Stepper, ShapeIndex, Notices3D, DebugView3D]


def rish_events() -> list[type]:
    """Return the events of a step."""
    return list(PHYSICS3D_EVENTS)


def rish_systems() -> list[Callable[..., None]]:
    """Return the systems: characters walk, physics advances, characters are corrected, and the debug view is drawn."""
    return [move_characters, step_physics3d, correct_characters, draw_debug]


@hookimpl(optional=True)
def rish_editor_inspectors() -> Mapping[type, Callable[..., None]]:
    """Return how the editor's inspector shows bodies, colliders and joints."""
    from .editing import INSPECTORS

    return INSPECTORS


@hookimpl(optional=True)
def rish_editor_gizmos() -> Mapping[type, Callable[..., None]]:
    """Return what views of space draw over bodies, colliders and joints."""
    from .editing import GIZMOS

    return GIZMOS


@hookimpl(optional=True)
def rish_editor_commands() -> Mapping[str, Mapping[str, Any]]:
    """Return the commands that show colliders, attach joints, fit colliders to models and drop bodies."""
    from .editing import COMMANDS

    return COMMANDS


@hookimpl(optional=True)
def rish_editor_texts() -> Path:
    """Return the folder with translations of the texts for the editor."""
    return Path(__file__).parent / "editing" / "texts"
