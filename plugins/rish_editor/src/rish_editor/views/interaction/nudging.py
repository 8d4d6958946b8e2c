"""Nudging: the arrow keys, Page up and Page down move the selection in small steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from imgui_bundle import imgui

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ..canvas import Canvas

_WAYS = {
    "left_arrow": (-1, 0, 0), "right_arrow": (1, 0, 0), "down_arrow": (0, -1, 0), "up_arrow": (0, 1, 0),
    "page_down": (0, 0, -1), "page_up": (0, 0, 1),
}  # fmt: skip
"""The steps of each key to the right, up, and in height."""


def nudge_with_keys(editor: Editor, scenes: Sequence[Canvas]) -> None:
    """Move the selection by a small step for each pressed key, with Shift by a step of the grid, see `Canvas.nudge`.

    A key that is held repeats. Consecutive ones are one step of the history.
    """
    if editor.ui.typing or editor.game is None:
        return
    pressed = [way for name, way in _WAYS.items() if imgui.is_key_pressed(getattr(imgui.Key, name), True)]
    if not pressed:
        return
    right, up, high = np.sum(pressed, axis=0).tolist()
    for scene in scenes:
        group, way = scene.group(), scene.nudge(right, up, high, coarse=editor.ui.shift)
        if group is not None and way.any():
            key = "nudge", tuple(group.handles.tolist())
            group.write(editor, key, "Move", position=group.moved(way))
