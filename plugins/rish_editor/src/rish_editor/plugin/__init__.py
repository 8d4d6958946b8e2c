"""The hooks of rish_editor: its own panels, inspectors, gizmos and commands use the same hooks as those of others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from rish_core import About

from . import hooks


def rish_about() -> About:
    """Describe the plugin."""
    return About(requires=["frame", "render"], description="the editor, with `rish edit`", view=True)


def rish_hookspecs() -> ModuleType:
    """Add the hooks of the editor, see the module `hooks`."""
    return hooks


def rish_resources() -> list[type]:
    """Return what runs in an editor need to know."""
    from ..session.game.play import Runs

    return [Runs]


def rish_scene_unloading(world: Any, scene: str) -> None:
    """Give a scene that begins in a run of the editor the unsaved edits."""
    from ..session.game.play import Runs

    before = world[Runs].before_scene
    if before is not None:
        before()


def rish_editor_panels() -> list[type]:
    """Return the panels of the editor."""
    from ..panels import PANELS

    return list(PANELS)


def rish_editor_inspectors() -> Mapping[type, Callable[..., None]]:
    """Return how the inspector shows components of the kernel and of rish_render."""
    from ..inspectors import INSPECTORS

    return INSPECTORS


def rish_editor_gizmos() -> Mapping[type, Callable[..., None]]:
    """Return what scene views draw over components of the kernel and of rish_render."""
    from ..gizmos import GIZMOS

    return GIZMOS


def rish_editor_commands() -> Mapping[str, Mapping[str, Any]]:
    """Return the commands of the editor."""
    from ..commands import COMMANDS

    return COMMANDS


def rish_editor_spawners() -> Mapping[type, tuple[str, Callable[..., list[int]]]]:
    """Return what the objects of tile maps spawn."""
    from .spawners import SPAWNERS

    return SPAWNERS


def rish_editor_templates() -> Mapping[str, Mapping[str, Any]]:
    """Return the kinds of new assets that need no plugin: scenes, prefabs, components, systems and folders."""
    from ..commands import TEMPLATES

    return TEMPLATES


def rish_editor_texts() -> Mapping[str, Mapping[str, str]]:
    """Return no translations; those of the editor itself are read without a game."""
    return {}
