"""The part of rish_physics3d in the editor: gizmos, inspectors, commands and texts. Only an editor imports it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...components.bodies import Body3D, Collider3D
from ...components.joints import READERS
from ..debug import DebugView3D
from .attaching import attach_selected, selected_joint
from .bodies import draw_bodies
from .colliders import OPTION, draw_colliders
from .dropping import can_drop, drop_selected
from .fitting import FITS, fit_all, has_model
from .inspectors import body_drawer, collider_drawer, joint_drawer
from .joints import joints_drawer

__all__ = ["COMMANDS", "GIZMOS", "INSPECTORS"]


DEBUG_TITLES = {
    "shapes": "Show Colliders", "contacts": "Show Contact Points", "normals": "Show Contact Normals",
    "impulses": "Show Contact Impulses", "joints": "Show Joints", "islands": "Show Sleeping Islands",
    "boxes": "Show Boxes of the Broad Phase", "centers": "Show Centers of Mass", "axes": "Show Axes of Bodies",
}  # fmt: skip
"""The titles of the commands that show parts of the debug view."""


def _switch_colliders(editor: Any) -> None:
    options = editor.settings.options
    options[OPTION] = not options.get(OPTION, False)


def _has_debug(editor: Any) -> bool:
    return editor.game is not None and DebugView3D in editor.game.world


def _debug_command(part: str, title: str) -> dict[str, Any]:
    """Return the command that shows or hides one part of the debug view."""

    def run(editor: Any) -> None:
        view = editor.game.world[DebugView3D]
        setattr(view, part, not getattr(view, part))

    return {
        "title": title, "icon": "outline", "menu": "View/Debug 3D#physics", "run": run, "when": _has_debug,
        "checked": lambda editor: _has_debug(editor) and bool(getattr(editor.game.world[DebugView3D], part)),
    }  # fmt: skip


def _fittable(editor: Any) -> list[int]:
    """Return the selected entities with a collider and a model."""
    game = editor.game
    if game is None:
        return []
    return [
        handle for handle in game.selection.handles
        if game.world.has(handle, Collider3D) and has_model(game.world, handle)
    ]  # fmt: skip


def _fit_command(kind: str) -> dict[str, Any]:
    """Return the command that fits the selected colliders to their models. kind: of `FITS`."""
    return {
        "title": f"Fit {FITS[kind]} to Model",
        "icon": "frame",
        "menu": "Entity/Fit Collider to Model#shapes",
        "run": lambda editor: fit_all(editor, _fittable(editor), kind),
        "when": lambda editor: bool(_fittable(editor)),
        "tooltip": "Make the shape as large as the model of the entity",
    }


INSPECTORS: Mapping[type, Callable[..., None]] = {
    Body3D: body_drawer, Collider3D: collider_drawer, **dict.fromkeys(READERS, joint_drawer)
}  # fmt: skip
GIZMOS: Mapping[type, Callable[..., None]] = {
    Collider3D: draw_colliders, Body3D: draw_bodies, **{cls: joints_drawer(cls) for cls in READERS}
}  # fmt: skip
COMMANDS: Mapping[str, Mapping[str, Any]] = {
    "physics3d.show_colliders": {
        "title": "3D Colliders and Joints of All Bodies",
        "icon": "collider",
        "menu": "View#scene",
        "run": _switch_colliders,
        "checked": lambda editor: bool(editor.settings.options.get(OPTION, False)),
        "when": lambda editor: editor.game is not None,
    },
    "physics3d.attach": {
        "title": "Attach 3D Joint to Bodies",
        "icon": "joint",
        "menu": "Entity#physics",
        "run": attach_selected,
        "when": lambda editor: editor.game is not None and selected_joint(editor.game) is not None,
        "tooltip": "Select one joint and two bodies",
    },
    "physics3d.drop": {
        "title": "Drop to Floor",
        "icon": "down",
        "menu": "Entity#physics",
        "shortcut": "End",
        "run": drop_selected,
        "when": can_drop,
        "tooltip": "Let the selected bodies fall along gravity until they touch something",
    },
    **{f"physics3d.fit.{kind}": _fit_command(kind) for kind in FITS},
    **{f"physics3d.debug.{part}": _debug_command(part, title) for part, title in DEBUG_TITLES.items()},
}
