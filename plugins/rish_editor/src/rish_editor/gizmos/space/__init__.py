"""The gizmos of the tools in space: they move, rotate and scale the selected entities along three axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...views.space.group import group_of
from .move import draw_move
from .rotate import draw_rotate
from .scale import draw_scale

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...views.space.draw import SpaceDraw
    from ...views.space.group import SpaceGroup

TOOLS: dict[str, Callable[[SpaceDraw, SpaceGroup], None]] = {
    "move": draw_move,
    "stretch": draw_scale,
    "scale": draw_scale,
    "rotate": draw_rotate,
}
"""The function that draws the gizmo of each tool."""


def draw_transforms_3d(scene: SpaceDraw, editor: Editor, handles: Any) -> None:
    """Draw the gizmo of the chosen tool for the selected entities."""
    draw = TOOLS.get(editor.view.tool)
    group = group_of(scene) if draw is not None and editor.game is not None else None
    if draw is not None and group is not None:
        draw(scene, group)


draw_transforms_3d.in_space = True  # pyright: ignore[reportFunctionMemberAccess]
