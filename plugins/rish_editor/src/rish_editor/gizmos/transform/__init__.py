"""The gizmos of the tools: they move, stretch, scale and rotate the selected entities of a view."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...views.plane.group import group_of
from .move import draw_move
from .resize import draw_stretch
from .rotate import draw_rotate
from .scale import draw_scale

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...views.plane.draw import SceneDraw
    from ...views.plane.group import Group

TOOLS: dict[str, Callable[[SceneDraw, Group], None]] = {
    "move": draw_move,
    "stretch": draw_stretch,
    "scale": draw_scale,
    "rotate": draw_rotate,
}
"""The function that draws the gizmo of each tool."""


def draw_transforms(scene: SceneDraw, editor: Editor, handles: Any) -> None:
    """Draw the gizmo of the chosen tool for the selected entities."""
    draw = TOOLS.get(editor.view.tool)
    if draw is None or editor.game is None or not len(editor.game.selection):
        return
    group = group_of(scene)
    if group is not None:
        draw(scene, group)
