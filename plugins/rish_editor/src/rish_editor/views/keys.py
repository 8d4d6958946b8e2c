"""Keys of a view: the arrow keys move the selection."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from .group import group_of, write

if TYPE_CHECKING:
    from ..session.editor import Editor
    from .draw import SceneDraw

_ARROWS = {"left_arrow": (-1.0, 0.0), "right_arrow": (1.0, 0.0), "up_arrow": (0.0, 1.0), "down_arrow": (0.0, -1.0)}


def nudge_with_keys(editor: Editor, scenes: Sequence[SceneDraw]) -> None:
    """Move the selection by one unit for each pressed arrow key, with Shift by a step of the grid.

    A key that is held repeats. Consecutive ones are one step.
    """
    if editor.ui.typing or editor.game is None:
        return
    way = [0.0, 0.0]
    for name, (x, y) in _ARROWS.items():
        if imgui.is_key_pressed(getattr(imgui.Key, name), True):
            way[0] += x
            way[1] += y
    if not any(way):
        return
    step = editor.settings.grid if editor.ui.shift else 1.0
    for scene in scenes:
        group = group_of(scene)
        if group is not None:
            key = "nudge", tuple(group.handles.tolist())
            write(editor, group, "Move", key, position=group.moved((way[0] * step, way[1] * step)))
