"""The gizmo that scales in space: a square at the end of each axis, and one in the middle for all axes together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rish_space3d import quaternions

from ...views.rounding import FACTOR, on_step
from .axes import COLORS, LENGTH, NAMES, STEEP, away, began

if TYPE_CHECKING:
    from ...views.interaction.handles import Drag
    from ...views.space.draw import SpaceDraw
    from ...views.space.group import SpaceGroup

_WHOLE = 100.0
"""The pixels to the right that double the size by the square in the middle."""


def draw_scale(scene: SpaceDraw, group: SpaceGroup) -> None:
    """Draw the handles, and scale the group while one is dragged. The axes are those of the primary entity."""
    turn = quaternions.product(group.turns[-1], group.rotation[-1])
    group = replace(group, axes=quaternions.to_matrix(turn).T)
    pixel, eye = scene.px(1.0, group.pivot), away(scene, group)
    for k, name in enumerate(NAMES):
        axis = group.axes[k]
        if abs(float(axis @ eye)) > STEEP:
            continue
        end = group.pivot + axis * (LENGTH * pixel)
        scene.line(group.pivot, end, COLORS[k], 2.5, edged=True)
        drag = scene.handle(f"scale.{name}", end, COLORS[k], pixels=6.0)
        if drag is not None:
            _drag(scene, group, drag, k, LENGTH * pixel)
    drag = scene.handle("scale.center", group.pivot, "axis_center", pixels=7.0, priority=1)
    if drag is not None:
        _drag(scene, group, drag, None, 1.0)


def _drag(scene: SpaceDraw, group: SpaceGroup, drag: Drag, k: int | None, length: float) -> None:
    """Scale along the axis k by the drag of its end; None: along all axes, by the drag to the right."""
    state = began(scene, drag, (group, length))
    if state is None:
        return
    start, length = state
    if k is None:
        factor = 2.0 ** ((drag.now[0] - drag.start[0]) / _WHOLE)
    else:
        ends = [scene.along(point, start.pivot, start.axes[k]) for point in (drag.start, drag.now)]
        factor = 1.0 + (ends[1] - ends[0]) / length
    step = scene.editor.settings.snap_scale
    if scene.snapping and step > 0:
        factor = round(factor / step) * step
    elif scene.fine > 0:
        factor = float(on_step(factor, FACTOR))
    factor = factor if abs(factor) > 1e-3 else 1e-3
    factors = np.full(3, factor) if k is None else np.where(np.arange(3) == k, factor, 1.0)
    if drag.now != drag.start:
        start.write(scene.editor, drag.key, "Scale", scene.fine / 10, **start.scaled(factors))
    scene.say(f"× {factor:.2f}")
