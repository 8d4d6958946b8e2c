"""The gizmo that rotates: a ring, dragged by the angle between where the drag began and where the pointer is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...views.plane.group import Group
from ...views.rounding import ANGLE, on_step
from .move import along

if TYPE_CHECKING:
    from ...views.interaction.handles import Drag
    from ...views.plane.draw import SceneDraw

RADIUS = 66.0
"""The radius of the ring, pixels."""
_ANGLES = np.linspace(-math.pi, math.pi, 65)
_ROUND = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)


@dataclass
class _Turn:
    """The state of a rotation. last: the angle of the pointer in the last frame. total: the angle of the rotation,
    radians."""

    group: Group
    first: float
    last: float
    total: float = 0.0


def draw_rotate(scene: SceneDraw, group: Group) -> None:
    """Draw the ring, and rotate the group while it is dragged."""
    radius = scene.px(RADIUS)
    hot = scene.handles.is_hot("rotate")
    ring = np.array(group.pivot) + _ROUND * radius
    scene.polyline(ring, "axis_center", 4.0 if hot else 2.5, edged=True)
    scene.disc(group.pivot, 3.0, "axis_center")
    drag = scene.line_handle("rotate", ring)
    if drag is not None:
        _drag(scene, group, drag, radius)
    else:
        x, y = group.axes
        scene.line(group.pivot, along(group.pivot, x, radius), "axis_x", 1.5, edged=True)
        scene.line(group.pivot, along(group.pivot, y, radius), "axis_y", 1.5, edged=True)


def _drag(scene: SceneDraw, group: Group, drag: Drag, radius: float) -> None:
    if scene.handles.kept is None:
        first = _angle(group, drag.start)
        scene.handles.kept = _Turn(group, first, first)
    if drag.cancelled:
        scene.cancel(drag)
        return
    turn: _Turn = scene.handles.kept
    now = _angle(turn.group, drag.now)
    turn.total += math.remainder(now - turn.last, math.tau)
    turn.last = now
    angle, step = turn.total, math.radians(scene.editor.settings.snap_angle)
    if (scene.snapping or scene.editor.ui.shift) and step > 0:
        angle = round(angle / step) * step
    start = turn.group
    if scene.fine > 0 and not scene.editor.ui.shift:
        own = math.degrees(start.rotation[-1]) if len(start) == 1 else 0.0
        angle = math.radians(float(on_step(own + math.degrees(angle), ANGLE)) - own) if angle else 0.0
    cos, sin = math.cos(angle), math.sin(angle)
    ways = start.around(np.array([[cos, -sin], [sin, cos]]))
    mirrored = np.sign(start.parent[:, 0] * start.parent[:, 3] - start.parent[:, 1] * start.parent[:, 2])
    turned = start.rotation + angle * mirrored
    start.write(scene.editor, drag.key, "Rotate", scene.fine / 10, position=start.moved(ways), rotation=turned)
    scene.sector(start.pivot, radius, turn.first, turn.first + angle, "axis_center")
    scene.say(f"{math.degrees(angle):+.1f}°")


def _angle(group: Group, point: tuple[float, float]) -> float:
    return math.atan2(point[1] - group.pivot[1], point[0] - group.pivot[0])
