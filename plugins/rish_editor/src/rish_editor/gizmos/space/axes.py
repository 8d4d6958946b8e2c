"""What the gizmos in space share: colors and directions of the axes, and the state of a drag."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array

if TYPE_CHECKING:
    from ...views.canvas import Color
    from ...views.interaction.handles import Drag
    from ...views.space.draw import SpaceDraw
    from ...views.space.group import SpaceGroup

NAMES = "xyz"
COLORS: tuple[Color, ...] = ("axis_x", "axis_y", "axis_z")
"""The colors of the axes x, y and z."""
LENGTH = 92.0
"""The length of an axis, pixels."""
STEEP = 0.985
"""An axis whose direction is that of the view up to this cosine can't be dragged."""


def away(scene: SpaceDraw, group: SpaceGroup) -> Array:
    """Return the direction from the pivot of a group to the eye, length 1."""
    if scene.view.height:
        return scene.view.axes[2]
    way = np.array(scene.view.position) - group.pivot
    return way / max(float(np.linalg.norm(way)), 1e-12)


def began(scene: SpaceDraw, drag: Drag, state: Any) -> Any:
    """Return the state that was stored when a drag began, or None if it was cancelled; its edits are undone then."""
    if scene.handles.kept is None:
        scene.handles.kept = state
    if drag.cancelled:
        scene.cancel(drag)
        return None
    return scene.handles.kept
