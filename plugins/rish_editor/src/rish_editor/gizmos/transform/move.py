"""The gizmo that moves: a yellow square in the middle moves freely, a blue arrow along x, a red one along y."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...views.group import Group
from .guides import Guides, guides_for

if TYPE_CHECKING:
    from ...views.draw import SceneDraw
    from ...views.handles import Drag

Point = tuple[float, float]
CENTRE, GAP, LENGTH = 6.5, 13.0, 78.0
"""Half the square in the middle, where arrows begin, and where they end; pixels."""


def draw_move(scene: SceneDraw, group: Group) -> None:
    """Draw the handles, and move the group while one is dragged."""
    for name, letter, axis in zip(("x", "y"), ("X", "Y"), group.axes, strict=True):
        base, tip = along(group.pivot, axis, scene.px(GAP)), along(group.pivot, axis, scene.px(LENGTH))
        hot = scene.handles.is_hot(f"move.{name}")
        scene.arrow(base, tip, f"axis_{name}", 4.0 if hot else 3.0, 15.0 if hot else 13.0)
        drag = scene.line_handle(f"move.{name}", [base, tip])
        if hot:
            scene.text(
                along(group.pivot, axis, scene.px(LENGTH + 14)), letter, f"axis_{name}", centred=True, backed=True
            )
        if drag is not None:
            _drag(scene, group, drag, axis)
    drag = scene.handle("move.centre", group.pivot, "axis_center", pixels=CENTRE, priority=1)
    if drag is not None:
        _drag(scene, group, drag, None)


def along(start: Point, axis: Point, length: float) -> Point:
    """Return the point at a distance from another one in a direction."""
    return start[0] + axis[0] * length, start[1] + axis[1] * length


def _drag(scene: SceneDraw, group: Group, drag: Drag, axis: Point | None) -> None:
    if scene.handles.kept is None:
        scene.handles.kept = group, Guides()
    if drag.cancelled:
        scene.cancel(drag)
        return
    start, guides = scene.handles.kept
    way = np.array(drag.delta)
    if axis is not None:
        way = np.array(axis) * (way @ axis)
        scene.line(along(start.pivot, axis, -1e5 * scene.pixel), along(start.pivot, axis, 1e5 * scene.pixel),
                   "axis_x" if axis == start.axes[0] else "axis_y", 1.0, opacity=0.5)  # fmt: skip
    way = _snapped(scene, start, guides, way, axis)
    start.write(scene.editor, drag.key, "Move", position=start.moved(way))
    tell = scene.editor.settings
    digits = 0 if scene.snapping and float(tell.grid).is_integer() else 1
    scene.say(f"Δx {way[0]:+.{digits}f}   Δy {way[1]:+.{digits}f}")


def _snapped(scene: SceneDraw, start: Group, guides: Guides, way: Any, axis: Point | None) -> Any:
    """Return a way that ends at the grid, or, while Alt is held, beside other entities."""
    if scene.editor.ui.alt:
        guides_for(guides, scene, start)
        return guides.snap(scene, start, way, axis)
    step = scene.editor.settings.grid
    if not scene.snapping or step <= 0:
        return way
    if axis is not None and abs(axis[0] * axis[1]) > 1e-6:  # turned axes do not meet the grid
        length = round(float(way @ axis) / step) * step
        return np.array(axis) * length
    end = np.round((np.array(start.pivot) + way) / step) * step
    moved = end - start.pivot
    return moved if axis is None else np.array(axis) * (moved @ axis)
