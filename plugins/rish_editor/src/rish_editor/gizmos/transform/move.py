"""The gizmo that moves: a yellow square in the middle moves freely, a red arrow along x, a green one along y."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...views.plane.group import Group
from ...views.rounding import digits_of
from .guides import Guides, guides_for

if TYPE_CHECKING:
    from ...views.interaction.handles import Drag
    from ...views.plane.draw import SceneDraw

Point = tuple[float, float]
CENTER, GAP, LENGTH = 6.5, 13.0, 78.0
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
                along(group.pivot, axis, scene.px(LENGTH + 14)), letter, f"axis_{name}", centered=True, backed=True
            )
        if drag is not None:
            _drag(scene, group, drag, axis)
    drag = scene.handle("move.center", group.pivot, "axis_center", pixels=CENTER, priority=1)
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
    start.write(scene.editor, drag.key, "Move", scene.fine, position=start.moved(way))
    digits = min(digits_of(scene.fine or scene.editor.settings.grid), 3)
    scene.say(f"Δx {way[0]:+.{digits}f}   Δy {way[1]:+.{digits}f}")


def _snapped(scene: SceneDraw, start: Group, guides: Guides, way: Any, axis: Point | None) -> Any:
    """Return a displacement that ends on the grid, while Alt is held at the guides, or otherwise rounded to about a
    pixel."""
    if scene.editor.ui.alt:
        guides_for(guides, scene, start)
        return guides.snap(scene, start, way, axis)
    step, origin = scene.editor.settings.grid, np.array(start.pivot)
    if scene.fine > 0:
        step, origin = scene.fine, start.matrix[-1, 4:]
    if step <= 0:
        return way
    if axis is not None and abs(axis[0] * axis[1]) > 1e-6:  # turned axes do not meet the grid
        length = round(float(way @ axis) / step) * step
        return np.array(axis) * length
    moved = np.round((origin + way) / step) * step - origin
    if scene.fine > 0:
        moved = np.where(way == 0, 0.0, moved)
    return moved if axis is None else np.array(axis) * (moved @ axis)
