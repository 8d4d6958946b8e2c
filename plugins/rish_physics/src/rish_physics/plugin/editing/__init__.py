"""The part of rish_physics in the editor: gizmos, inspectors, commands and texts. Only an editor imports it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...components.bodies import Body, Collider
from ...components.joints import READERS
from .bodies import draw_bodies
from .colliders import OPTION, draw_colliders
from .inspectors import attach_selected, body_drawer, collider_drawer, joint_drawer, selected_joint
from .joints import joints_drawer

__all__ = ["COMMANDS", "GIZMOS", "INSPECTORS"]


def _switch_colliders(editor: Any) -> None:
    options = editor.settings.options
    options[OPTION] = not options.get(OPTION, False)


INSPECTORS: Mapping[type, Callable[..., None]] = {
    Body: body_drawer, Collider: collider_drawer, **dict.fromkeys(READERS, joint_drawer)
}  # fmt: skip
GIZMOS: Mapping[type, Callable[..., None]] = {
    Collider: draw_colliders, Body: draw_bodies, **{cls: joints_drawer(cls) for cls in READERS}
}  # fmt: skip
COMMANDS: Mapping[str, Mapping[str, Any]] = {
    "physics.show_colliders": {
        "title": "Colliders and Joints of All Bodies",
        "icon": "collider",
        "menu": "View#scene",
        "run": _switch_colliders,
        "checked": lambda editor: bool(editor.settings.options.get(OPTION, False)),
        "when": lambda editor: editor.game is not None,
    },
    "physics.attach": {
        "title": "Attach Joint to Bodies",
        "icon": "joint",
        "menu": "Entity#physics",
        "run": attach_selected,
        "when": lambda editor: editor.game is not None and selected_joint(editor.game) is not None,
        "tooltip": "Select one joint and two bodies",
    },
}
