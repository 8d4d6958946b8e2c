"""The gizmo that rotates in space: a ring around each axis, and a large one around the direction of the view."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array
from rish_space3d import quaternions

from ...views.rounding import ANGLE, on_step
from .axes import COLORS, NAMES, away, began

if TYPE_CHECKING:
    from ...views.canvas import Color
    from ...views.interaction.handles import Drag
    from ...views.space.draw import SpaceDraw
    from ...views.space.group import SpaceGroup

RADIUS, OUTER = 74.0, 92.0
"""The radius of the rings around the axes, and that of the large one, pixels."""
_ROUND = np.linspace(0.0, math.tau, 65)
_BEHIND = -0.25
"""How far a point of a ring may be behind its middle, in radii, so that it can be dragged."""
_FLAT = 0.12
"""The cosine between an axis and the view up to which its ring is dragged along its tangent, as it is seen edge on."""


@dataclass
class _Turn:
    """The state of a rotation.

    axis: (3,). arms: two directions in its plane. first, last: the angles of the pointer at the beginning and in the
    last frame. total: of the rotation, radians. tangent: pixels of the window for each radian if the ring is seen edge
    on.
    """

    group: SpaceGroup
    axis: Array
    arms: tuple[Array, Array]
    first: float
    last: float
    tangent: Array | None
    total: float = 0.0


def draw_rotate(scene: SpaceDraw, group: SpaceGroup) -> None:
    """Draw the rings, and rotate the group while one is dragged."""
    pixel, eye = scene.px(1.0, group.pivot), away(scene, group)
    for k, name in enumerate(NAMES):
        _ring(scene, group, f"rotate.{name}", group.axes[k], RADIUS * pixel, COLORS[k], eye, front=True)
    _ring(scene, group, "rotate.view", eye, OUTER * pixel, "axis_center", eye, front=False)


def _ring(
    scene: SpaceDraw, group: SpaceGroup, name: str, axis: Array, radius: float, color: Color, eye: Array, *,
    front: bool,
) -> None:  # fmt: skip
    """Draw a ring; of one around an axis only the front half can be dragged, so that rings do not hide each other."""
    right, up = _across(axis)
    ways = np.cos(_ROUND)[:, None] * right + np.sin(_ROUND)[:, None] * up
    points, hot = group.pivot + radius * ways, scene.handles.is_hot(name)
    near = ways @ eye > _BEHIND if front else np.ones(len(ways), np.bool_)
    ends = np.stack([points[:-1], points[1:]], axis=1)
    scene.lines(ends[~near[:-1]], color, 1.5, opacity=0.25)
    scene.lines(ends[near[:-1]], color, 4.5 if hot else 3.0, edged=True)
    visible = points if near.all() else _front(points, near)
    drag = scene.line_handle(name, visible, closed=bool(near.all()))
    if drag is not None:
        _drag(scene, group, drag, axis, (right, up), eye)


def _front(points: Array, near: Array) -> Array:
    """Return the points of the front half of a ring in order."""
    ring, mask = points[:-1], near[:-1]
    begin = int(np.flatnonzero(mask & ~np.roll(mask, 1))[0]) if mask.any() and not mask.all() else 0
    return np.roll(ring, -begin, axis=0)[: max(int(mask.sum()), 2)]


def _drag(scene: SpaceDraw, group: SpaceGroup, drag: Drag, axis: Array, arms: tuple[Array, Array], eye: Array) -> None:
    state = began(scene, drag, None) if scene.handles.kept is not None or drag.cancelled else _begin(
        scene, group, drag, axis, arms, eye
    )  # fmt: skip
    if state is None:
        return
    turn: _Turn = state
    if turn.tangent is not None:
        turn.total = float(np.subtract(drag.now, drag.start) @ turn.tangent) / float(turn.tangent @ turn.tangent)
    else:
        now = _angle(scene, turn.group, drag.now, turn.axis, turn.arms)
        if now is not None:
            turn.total += math.remainder(now - turn.last, math.tau)
            turn.last = now
    angle, step = turn.total, math.radians(scene.editor.settings.snap_angle)
    if (scene.snapping or scene.editor.ui.shift) and step > 0:
        angle = round(angle / step) * step
    elif scene.fine > 0:
        angle = math.radians(float(on_step(math.degrees(angle), ANGLE)))
    if drag.now != drag.start:
        turned = turn.group.turned(quaternions.from_axis(turn.axis, angle))
        turn.group.write(scene.editor, drag.key, "Rotate", scene.fine / 10, **turned)
    _sector(scene, turn, angle)
    scene.say(f"{math.degrees(angle):+.1f}°")


def _begin(
    scene: SpaceDraw, group: SpaceGroup, drag: Drag, axis: Array, arms: tuple[Array, Array], eye: Array
) -> _Turn:
    """Store the state at the begin of a rotation."""
    tangent = None
    if abs(float(axis @ eye)) < _FLAT:
        arm = eye - axis * float(axis @ eye)
        ends = scene.to_screen(group.pivot + np.array([np.zeros(3), np.cross(axis, arm) * scene.px(1.0, group.pivot)]))
        tangent = (ends[1] - ends[0]) * RADIUS
    first = _angle(scene, group, drag.start, axis, arms) or 0.0
    scene.handles.kept = _Turn(group, axis, arms, first, first, tangent)
    return scene.handles.kept


def _angle(scene: SpaceDraw, group: SpaceGroup, point: Any, axis: Array, arms: tuple[Array, Array]) -> float | None:
    """Return the angle of a point of the window in the plane of a ring, radians; None if the ray does not meet the
    plane."""
    met = scene.on_plane(point, group.pivot, axis)
    if met is None:
        return None
    arm = met - group.pivot
    return math.atan2(float(arm @ arms[1]), float(arm @ arms[0]))


def _sector(scene: SpaceDraw, turn: _Turn, angle: float) -> None:
    """Fill the part of the ring that was turned."""
    radius = scene.px(RADIUS, turn.group.pivot)
    turned = min(max(angle, -math.tau), math.tau)
    angles = (turn.first + np.linspace(0.0, turned, max(2, math.ceil(abs(turned) / 0.1)) + 1))[:, None]
    rim = turn.group.pivot + radius * (np.cos(angles) * turn.arms[0] + np.sin(angles) * turn.arms[1])
    half = len(rim) // 2 + 1
    for part in (rim[:half], rim[half - 1 :]):  # each is convex
        scene.polygon(np.concatenate([turn.group.pivot[None], part]), "axis_center", opacity=0.25)


def _across(axis: Array) -> tuple[Array, Array]:
    """Return two directions at right angles to an axis, so that a turn around it goes from the first to the second."""
    spare = np.array([0.0, 1.0, 0.0]) if abs(axis[1]) < 0.9 else np.array([0.0, 0.0, 1.0])
    right = np.cross(spare, axis)
    right = right / np.linalg.norm(right)
    return right, np.cross(axis, right)
