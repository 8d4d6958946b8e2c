"""The compass in the corner of a view of space: the axes of the world as they are seen; a click looks along one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from imgui_bundle import imgui

if TYPE_CHECKING:
    from .draw import SpaceDraw

_RADIUS, _BALL, _EDGE = 34.0, 8.5, 52.0
"""The length of an axis, the radius of its end, and the distance of the middle from the corner; pixels."""
_ENDS = (
    ("right", (1, 0, 0), "X"), ("left", (-1, 0, 0), ""), ("top", (0, 1, 0), "Y"), ("bottom", (0, -1, 0), ""),
    ("front", (0, 0, 1), "Z"), ("back", (0, 0, -1), ""),
)  # fmt: skip
"""The view, the direction from which it looks, and the letter of each end."""
_COLORS = ("axis_x", "axis_y", "axis_z")


def draw_compass(scene: SpaceDraw, *, hovered: bool) -> str:
    """Draw the axes at the top right; return the name of the view whose end was clicked, or ""."""
    ui, lines = scene.editor.ui, scene.draw_list
    middle = scene.origin[0] + scene.size[0] - ui.px(_EDGE), scene.origin[1] + ui.px(_EDGE)
    places = [(np.array(way, np.float64) @ scene.view.axes.T, name, letter) for name, way, letter in _ENDS]
    chosen, pointer = "", scene.pointer_on_screen
    lines.add_circle_filled(middle, ui.px(_RADIUS + _BALL + 3), scene.color("popup", 0.35))
    for (x, y, z), name, letter in sorted(places, key=lambda each: float(each[0][2])):
        at = middle[0] + x * ui.px(_RADIUS), middle[1] - y * ui.px(_RADIUS)
        color = _COLORS[next(k for k, each in enumerate(_ENDS) if each[0] == name) // 2]
        near, strength = math.dist(at, pointer) <= ui.px(_BALL), 1.0 if z > -0.3 else 0.6
        if letter:
            lines.add_line(middle, at, scene.color(color, strength), ui.px(2))
        lines.add_circle_filled(at, ui.px(_BALL), scene.color(color, strength if letter else 0.35 * strength))
        if near and hovered:
            lines.add_circle(at, ui.px(_BALL), scene.color("outline_hover"), 0, ui.px(1.5))
            chosen = name
        if letter:
            size = imgui.calc_text_size(letter)
            lines.add_text((at[0] - size.x / 2, at[1] - size.y / 2), scene.color((0.05, 0.05, 0.05, 1.0)), letter)
        ui.mark_area(f"compass.{name}", at[0] - 3, at[1] - 3, at[0] + 3, at[1] + 3)
    return chosen if imgui.is_mouse_clicked(imgui.MouseButton_.left) else ""
