"""The gizmo that scales: a handle on each axis, whose drag is projected on the axis, and one in the middle for both."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ...views.plane.group import Group
from ...views.rounding import FACTOR, on_step
from .move import CENTER, GAP, LENGTH, along

if TYPE_CHECKING:
    from ...views.interaction.handles import Drag
    from ...views.plane.draw import SceneDraw

Point = tuple[float, float]
MIN_FACTOR = 1e-3
"""The least factor; after 0, a scale could not be increased again."""


def draw_scale(scene: SceneDraw, group: Group) -> None:
    """Draw the handles, and scale the group while one is dragged."""
    if len(group) == 1:  # another direction would shear it
        group.angle = math.atan2(group.matrix[0, 1], group.matrix[0, 0])
    start_group: Group | None = scene.handles.kept if (scene.handles.active or "").startswith("scale.") else None
    axes = (start_group or group).axes
    for k, (name, letter) in enumerate((("x", "X"), ("y", "Y"))):
        base, tip = along(group.pivot, axes[k], scene.px(GAP)), along(group.pivot, axes[k], scene.px(LENGTH))
        hot = scene.handles.is_hot(f"scale.{name}")
        scene.line(base, tip, f"axis_{name}", 4.0 if hot else 3.0, edged=True)
        if hot:
            scene.text(
                along(group.pivot, axes[k], scene.px(LENGTH + 18)), letter, f"axis_{name}", centered=True, backed=True
            )
        line = scene.line_handle(f"scale.{name}.line", [base, tip])
        drag = scene.handle(f"scale.{name}", tip, f"axis_{name}", pixels=6.5, priority=1) or line
        if drag is not None:
            _drag(scene, group, drag, k)
    drag = scene.handle("scale.center", group.pivot, "axis_center", pixels=CENTER, priority=1)
    if drag is not None:
        _drag(scene, group, drag, None)


def _drag(scene: SceneDraw, group: Group, drag: Drag, axis: int | None) -> None:
    if scene.handles.kept is None:
        scene.handles.kept = group
    if drag.cancelled:
        scene.cancel(drag)
        return
    start: Group = scene.handles.kept
    if axis is None:
        factor = 1.0 + (drag.delta[0] + drag.delta[1]) / 2 / scene.px(LENGTH / 2)
    else:
        factor = _projected(start, drag.now, axis) / (_projected(start, drag.start, axis) or 1.0)
    step = scene.editor.settings.snap_scale
    if scene.snapping and step > 0:
        factor = round(factor / step) * step
    elif scene.fine > 0:
        factor = float(on_step(factor, FACTOR))
    if axis is None or len(start) > 1:
        factor = max(factor, MIN_FACTOR)  # several entities can't be mirrored together
    elif abs(factor) < MIN_FACTOR:
        factor = math.copysign(MIN_FACTOR, factor)
    factors = np.array([factor if axis in (None, k) else 1.0 for k in range(2)])
    turn = np.array(start.axes).T
    linear = turn @ np.diag(factors) @ turn.T
    each = factors if len(start) == 1 else start.stretched(linear)
    start.write(
        scene.editor,
        drag.key,
        "Scale",
        scene.fine,
        position=start.moved(start.around(linear)),
        scale=start.scale * each,
    )
    shown = f"× {factor:.2f}" if axis is None else f"{'XY'[axis]} × {factor:.2f}"
    scene.say(shown)


def _projected(group: Group, point: Point, axis: int) -> float:
    """Return the distance of a point from the pivot along an axis."""
    x, y = group.axes[axis]
    return (point[0] - group.pivot[0]) * x + (point[1] - group.pivot[1]) * y
