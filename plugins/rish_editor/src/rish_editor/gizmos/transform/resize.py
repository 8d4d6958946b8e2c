"""The gizmo that stretches: eight handles on a box change the position and the size of what is in it.

A single entity has a box along its own axes; several have one box around all of them. The opposite side stays where it
is. Shift keeps the aspect, Alt the center.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rish_jit import Array

from ...views.plane.entity_poses import into
from ...views.plane.group import Group
from .sizes import Sizes, sizes_of

if TYPE_CHECKING:
    from ...views.interaction.handles import Drag
    from ...views.plane.draw import SceneDraw

MIN_FACTOR = 1e-3
"""The least factor."""
SIDES = {
    "left": (-1, 0), "right": (1, 0), "bottom": (0, -1), "top": (0, 1),
    "bottom_left": (-1, -1), "bottom_right": (1, -1), "top_left": (-1, 1), "top_right": (1, 1),
}  # fmt: skip
"""The handles, by name: the side of the box that each moves along x and y, -1, 0 or 1."""


@dataclass
class Box:
    """A box in a space. matrix: (6,), from that space to the world. low, high: its corners there."""

    matrix: Array
    low: Array
    high: Array

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the point of the world at fractions of the box."""
        p = self.low + (self.high - self.low) * (x, y)
        a, b, c, d, tx, ty = self.matrix.tolist()
        return float(a * p[0] + c * p[1] + tx), float(b * p[0] + d * p[1] + ty)


@dataclass
class _Stretch:
    """The state at the begin of a drag."""

    group: Group
    box: Box
    sizes: Sizes


def draw_stretch(scene: SceneDraw, group: Group) -> None:
    """Draw the box and its handles, and stretch the group while one is dragged."""
    box = _box_of(group)
    if box is None:
        text = scene.editor.tr("Nothing is drawn that could be stretched")
        scene.text(group.pivot, text, "text_dim", offset=(14, -8), backed=True)
        return
    corners = [box.at(0, 0), box.at(1, 0), box.at(1, 1), box.at(0, 1)]
    scene.polyline(corners, "axis_center", 1.5, closed=True, edged=True)
    for name, (x, y) in SIDES.items():
        at = box.at((x + 1) / 2, (y + 1) / 2)
        corner = bool(x and y)
        drag = scene.handle(f"stretch.{name}", at, "axis_center" if corner else "axis_x" if x else "axis_y",
                            mark="square" if corner else "dot", pixels=5.5, priority=corner)  # fmt: skip
        if drag is not None:
            _drag(scene, group, box, drag, (x, y))


def _box_of(group: Group) -> Box | None:
    """Return the box of a group; None if nothing of it is drawn."""
    is_drawn = group.boxes.drawn
    if not is_drawn.any():
        return None
    if len(group) == 1:
        local = group.boxes.local[0]
        return Box(group.boxes.matrix[0], local[:2], local[2:])
    (ux, uy), (vx, vy) = group.axes
    matrix = np.array([ux, uy, vx, vy, 0.0, 0.0])
    turned = group.boxes.corners[is_drawn].reshape(-1, 2) @ np.array([[ux, vx], [uy, vy]])
    return Box(matrix, turned.min(axis=0), turned.max(axis=0))


def _drag(scene: SceneDraw, group: Group, box: Box, drag: Drag, side: tuple[int, int]) -> None:
    if scene.handles.kept is None:
        scene.handles.kept = _Stretch(group, box, sizes_of(scene.world, group))
    if drag.cancelled:
        scene.cancel(drag)
        return
    stretch: _Stretch = scene.handles.kept
    start, first = stretch.group, stretch.box
    size = first.high - first.low
    factors, centered = _factors(scene, stretch, drag, side)
    fixed = (first.low + first.high) / 2 if centered else np.where(np.array(side) > 0, first.low, first.high)
    fixed = np.where(np.array(side) == 0, (first.low + first.high) / 2, fixed)
    name, game = start.title(scene.editor, "Stretch"), scene.editor.game
    assert game is not None
    if len(start) == 1:
        each = factors[None]
        position = start.moved_within((fixed * (1 - factors))[None])
    else:
        linear = _linear(first.matrix, factors)
        pivot = np.array(first.at(*((fixed - first.low) / np.where(size > 0, size, 1.0))))
        arm = start.boxes.matrix[:, 4:] - pivot
        each, position = start.stretched(linear), start.moved(arm @ linear.T - arm)
        even = stretch.sizes.even
        each[even] = np.sqrt(np.abs(each[even, :1] * each[even, 1:]))
    with game.edit(name, merge=drag.key):
        start.write(scene.editor, drag.key, "Stretch", scene.fine, position=position)
        stretch.sizes.write(scene, start, each, name, drag.key)
    width, height = np.abs(size * factors) * np.hypot(*first.matrix[:4].reshape(2, 2).T)
    scene.say(f"{width:.1f} × {height:.1f}")


def _linear(matrix: Array, factors: Array) -> Array:
    """Return the matrix (2, 2) of the world that stretches along the axes of a space."""
    turn = matrix[:4].reshape(2, 2).T
    return turn @ np.diag(factors) @ turn.T


def _factors(scene: SceneDraw, stretch: _Stretch, drag: Drag, side: tuple[int, int]) -> tuple[Array, bool]:
    """Return the factors of the box along its axes, and whether its center stays."""
    box = stretch.box
    size = np.maximum(box.high - box.low, 1e-9)
    centered = scene.editor.ui.alt
    moved = _edge(scene, box, drag, side)
    factors = 1.0 + np.array(side) * moved * (2 if centered else 1) / size
    even = bool(stretch.sizes.even.any()) if len(stretch.group) == 1 else False
    if even or scene.editor.ui.shift:
        axis = 0 if not side[1] else 1 if not side[0] else int(np.abs(factors - 1).argmax())
        factors = np.full(2, factors[axis])
    return np.maximum(factors, MIN_FACTOR), centered


def _edge(scene: SceneDraw, box: Box, drag: Drag, side: tuple[int, int]) -> Array:
    """Return the displacement of the dragged sides in the space of the box: snapped to steps or to the grid, or rounded
    to about a pixel."""
    delta = np.array(drag.delta)
    step = scene.fine or scene.editor.settings.grid
    a, b, c, d = box.matrix[:4].tolist()
    if step > 0:
        if abs(b) < 1e-6 and abs(c) < 1e-6:
            at = np.array(box.at((side[0] + 1) / 2, (side[1] + 1) / 2))
            delta = np.round((at + delta) / step) * step - at
        else:
            unit = step / np.maximum(np.hypot((a, c), (b, d)), 1e-9)
            return np.round(into(box.matrix[None], delta[None])[0] / unit) * unit * np.abs(side)
    return into(box.matrix[None], delta[None])[0] * np.abs(side)
