"""The plugin hooks of rish_physics; importing this does not load numba."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rish_core import About, hookimpl

from ..components.links import Links
from ..components.notices import Notices
from ..components.scratch import Scratch
from ..components.settings import PhysicsSettings, SolvedSettings
from ..components.tables import Bodies, Contacts, Ended, Free, Joints, Shapes, Woken
from ..components.timings import Timings
from ..forces.character import correct_characters, move_characters
from ..sync.system import step_physics
from .contract import CAPABILITIES, NAMESPACE, PHYSICS_COMPONENTS, PHYSICS_EVENTS, check_physics, layer_names, provides
from .debug import DebugView, draw_debug

_log = logging.getLogger("rish.physics")


def rish_about() -> About:
    """Describe the plugin: it provides the contract `physics2d` with all capabilities, and needs only the kernel."""
    return About(
        provides=[provides(*CAPABILITIES)], namespace=NAMESPACE, description="rigid bodies, joints, queries and events"
    )


def rish_settings() -> type:
    """Return the class of `settings: physics:` in a manifest."""
    return PhysicsSettings


def rish_components() -> list[type]:
    """Return the components of physics."""
    return list(PHYSICS_COMPONENTS)


def rish_names() -> dict[str, Callable[[Any], list[str]]]:
    """Return the list of collision layers."""
    return {"collision_layers": layer_names}


def rish_manifest(manifest: Any) -> None:
    """Check outlines, layers, joints and Transforms in the manifest, and report mistakes with their line."""
    check_physics(manifest, CAPABILITIES, "physics")


def rish_ready(app: Any) -> None:
    """Show the debug layers that the settings name; warn if no plugin draws."""
    world = app.world
    world[DebugView].show(*world[PhysicsSettings].debug)
    if world[PhysicsSettings].debug and "frame" not in app.plugins:
        _log.warning("settings.physics.debug has no effect: the game has no plugin that renders")


def rish_resources() -> list[type]:
    """Return the tables of the solver and the resources derived from them."""
    tables = [Bodies, Shapes, Contacts, Joints, Free, Ended, Woken]
    return [*tables, SolvedSettings, Links, Scratch, Timings, Notices, DebugView]


def rish_warm_up(world: Any) -> dict[str, Callable[[], object]]:
    """Return the samples that call the kernels which the scene needs."""
    from .warm_up import warm_up

    return warm_up(world)


def rish_events() -> list[type]:
    """Return the events of a step."""
    return list(PHYSICS_EVENTS)


def rish_systems() -> list[Callable[..., None]]:
    """Return the systems: characters are moved, the simulation steps, characters are corrected, and the last one draws
    the debug view.
    """
    return [move_characters, step_physics, correct_characters, draw_debug]


@hookimpl(optional=True)
def rish_editor_inspectors() -> Mapping[type, Callable[..., None]]:
    """Return how the editor's inspector shows bodies, colliders and joints."""
    from .editing import INSPECTORS

    return INSPECTORS


@hookimpl(optional=True)
def rish_editor_gizmos() -> Mapping[type, Callable[..., None]]:
    """Return what scene views draw over bodies, colliders and joints."""
    from .editing import GIZMOS

    return GIZMOS


@hookimpl(optional=True)
def rish_editor_commands() -> Mapping[str, Mapping[str, Any]]:
    """Return the commands that show all colliders and attach joints."""
    from .editing import COMMANDS

    return COMMANDS


@hookimpl(optional=True)
def rish_editor_texts() -> Path:
    """Return the folder with translations of the texts for the editor."""
    return Path(__file__).parent / "editing" / "texts"
