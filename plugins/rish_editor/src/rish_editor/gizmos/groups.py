"""The rectangle that a canvas group shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_render import CanvasGroup

from ..views.plane.entity_poses import world_poses
from .rects import draw_rect

if TYPE_CHECKING:
    from ..session.editor import Editor
    from ..views.plane.draw import SceneDraw


def draw_groups(scene: SceneDraw, editor: Editor, handles: Any) -> None:
    """Draw the rectangles of the selected groups, with handles; a group that shows everything has none."""
    game = editor.game
    assert game is not None
    for handle in game.selection.handles[:32]:
        if not game.world.has(handle, CanvasGroup):
            continue
        x, y, w, h = game.read(handle, CanvasGroup, "clip").tolist()
        if w <= 0:
            continue
        dragged = draw_rect(
            scene, f"clip.{handle}", (x, y, w, h), world_poses(scene.world, np.array([handle]))[0], "outline"
        )
        if dragged is None:
            continue
        rect, drag = dragged
        if drag.cancelled:
            scene.cancel(drag)
        else:
            name = editor.tr("Set the rectangle of {name}", name=game.name_of(handle))
            rect = scene.rounded(handle, CanvasGroup, "clip", rect)
            game.set([handle], CanvasGroup, "clip", rect, name=name, merge=drag.key)
