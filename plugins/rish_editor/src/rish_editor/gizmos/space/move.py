"""The gizmo that moves in space: three arrows, three squares between them, and a square in the middle.

An arrow moves along its axis, a square in its plane, the middle in the plane of the picture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array

from ...views.rounding import digits_of
from .axes import COLORS, LENGTH, NAMES, STEEP, away, began

if TYPE_CHECKING:
    from ...views.interaction.handles import Drag
    from ...views.space.draw import SpaceDraw
    from ...views.space.group import SpaceGroup

GAP, SQUARE = 13.0, (24.0, 42.0)
"""Where arrows begin, and where the squares are; pixels."""
_FAR = 1e4
"""Half the line that shows the axis while it is dragged, meters."""


def draw_move(scene: SpaceDraw, group: SpaceGroup) -> None:
    """Draw the handles, and move the group while one is dragged."""
    pixel, eye = scene.px(1.0, group.pivot), away(scene, group)
    for k, name in enumerate(NAMES):
        normal, (u, v) = group.axes[k], (group.axes[(k + 1) % 3], group.axes[(k + 2) % 3])
        if abs(float(normal @ eye)) > 0.2:
            _square(scene, group, k, u * pixel, v * pixel)
        axis = group.axes[k]
        if abs(float(axis @ eye)) < STEEP:
            _arrow(scene, group, k, name, axis, pixel)
    drag = scene.handle("move.center", group.pivot, "axis_center", pixels=6.0, priority=1)
    if drag is not None:
        _drag(scene, group, drag, None, eye)


def _arrow(scene: SpaceDraw, group: SpaceGroup, k: int, name: str, axis: Array, pixel: float) -> None:
    ends = group.pivot + np.array([[GAP], [LENGTH]]) * pixel * axis
    hot = scene.handles.is_hot(f"move.{name}")
    scene.arrow(ends[0], ends[1], COLORS[k], 4.5 if hot else 3.0, 16.0 if hot else 13.0)
    if hot:
        scene.text(group.pivot + (LENGTH + 14) * pixel * axis, name.upper(), COLORS[k], centered=True, backed=True)
    drag = scene.line_handle(f"move.{name}", ends)
    if drag is not None:
        _drag(scene, group, drag, axis, None, COLORS[k])


def _square(scene: SpaceDraw, group: SpaceGroup, k: int, u: Array, v: Array) -> None:
    """Draw the square across an axis, and move in its plane while it is dragged."""
    low, high = SQUARE
    corners = group.pivot + np.array([u * low + v * low, u * high + v * low, u * high + v * high, u * low + v * high])
    name = f"move.{NAMES[(k + 1) % 3]}{NAMES[(k + 2) % 3]}"
    hot = scene.handles.is_hot(name)
    scene.polygon(corners, COLORS[k], opacity=0.75 if hot else 0.35)
    scene.path(corners, COLORS[k], 1.5, closed=True)
    drag = scene.area_handle(name, corners)
    if drag is not None:
        _drag(scene, group, drag, None, group.axes[k])


def _drag(
    scene: SpaceDraw, group: SpaceGroup, drag: Drag, axis: Array | None, normal: Array | None, color: Any = None
) -> None:
    state = began(scene, drag, (group, axis, normal))
    if state is None:
        return
    start, axis, normal = state
    way = _way(scene, start, drag, axis, normal)
    if axis is not None:
        scene.lines([[start.pivot - axis * _FAR, start.pivot + axis * _FAR]], color, 1.0, opacity=0.6)
    way = _snapped(scene, start, way, axis)
    if drag.now != drag.start:
        start.write(scene.editor, drag.key, "Move", scene.fine, position=start.moved(way))
    (x, y, z), digits = way.tolist(), min(max(digits_of(scene.fine), 2), 4)
    scene.say(f"Δx {x:+.{digits}f}   Δy {y:+.{digits}f}   Δz {z:+.{digits}f} m")


def _way(scene: SpaceDraw, start: SpaceGroup, drag: Drag, axis: Array | None, normal: Array | None) -> Array:
    """Return the displacement of the pointer in space since the drag began."""
    if axis is not None:
        return axis * (scene.along(drag.now, start.pivot, axis) - scene.along(drag.start, start.pivot, axis))
    before, now = (scene.on_plane(point, start.pivot, normal) for point in (drag.start, drag.now))
    return now - before if before is not None and now is not None else np.zeros(3)


def _snapped(scene: SpaceDraw, start: SpaceGroup, way: Array, axis: Array | None) -> Array:
    """Return a displacement snapped to steps along the axes of the gizmo. Along the axes of the world, its end is on
    the grid, or without snapping rounded to about a pixel."""
    step, origin = scene.editor.settings.grid_3d, start.pivot
    if scene.fine > 0:
        step, origin = scene.fine, start.matrix[-1, :, 3]
    if step <= 0:
        return way
    if axis is not None:
        length = float(way @ axis)
        at = float(origin @ axis) if np.count_nonzero(axis) == 1 else 0.0
        return axis * (round((length + at) / step) * step - at)
    own = start.axes @ way
    moving = np.abs(own) > 1e-9
    straight = np.array_equal(start.axes, np.eye(3))
    at = origin if straight else np.zeros(3)
    return start.axes.T @ np.where(moving, np.round((own + at) / step) * step - at, 0.0)
