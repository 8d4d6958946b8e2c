"""The grid and the rulers of a view of the plane; the distance of their lines depends on the zoom."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from imgui_bundle import imgui

if TYPE_CHECKING:
    from .draw import SceneDraw

Point = tuple[float, float]
Ticks = list[tuple[float, int]]
"""Places in the window, and numbers of steps."""
RULER_HEIGHT = 22.0
"""The height of the ruler at the top, pixels."""
MIN_RULER_WIDTH = 36.0
"""The least width of the ruler at the left, whose numbers are written across; longer ones make it wider, pixels."""
_MIN_DISTANCE, _FULL_DISTANCE = 9.0, 28.0
"""The distance of grid lines at which they begin to be visible, and at which they are opaque, pixels."""
_TENS = (1.0, 2.0, 5.0)
_MIN_LABEL_DISTANCE = 64.0
"""The least distance of numbers on a ruler, pixels."""


def draw_grid(scene: SceneDraw, unit: float) -> None:
    """Draw lines at multiples of a length in units; where they would be too dense, every fifth of them, and so on."""
    if unit <= 0:
        return
    step = unit
    while step / scene.pixel < _MIN_DISTANCE:
        step *= 5.0
    fade = min(max((step / scene.pixel - _MIN_DISTANCE) / (_FULL_DISTANCE - _MIN_DISTANCE), 0.0), 1.0)
    lines, (left, top), (width, height) = scene.draw_list, scene.origin, scene.size
    minor, major = scene.color("grid", fade), scene.color("grid_major")
    x, y = scene.ticks(step)
    for at, index in x:
        lines.add_line((at, top), (at, top + height), minor if index % 5 else major, 1.0)
    for at, index in y:
        lines.add_line((left, at), (left + width, at), minor if index % 5 else major, 1.0)


def draw_axes(scene: SceneDraw) -> None:
    """Draw the lines through the origin of the world."""
    lines, (left, top), (width, height) = scene.draw_list, scene.origin, scene.size
    x, y = (round(v) + 0.5 for v in scene.to_screen((0.0, 0.0)))
    if left <= x <= left + width:
        lines.add_line((x, top), (x, top + height), scene.color("axis_y", 0.55), 1.0)
    if top <= y <= top + height:
        lines.add_line((left, y), (left + width, y), scene.color("axis_x", 0.55), 1.0)


def draw_rulers(scene: SceneDraw, extent: tuple[float, float, float, float] | None) -> float:
    """Draw the rulers at the top and left edges, with the pointer's place, and the extent of the selection in units.

    Return the width of the left one, units of the window.
    """
    ui, lines = scene.editor.ui, scene.draw_list
    wide = ui.px(RULER_HEIGHT)
    (left, top), (width, height) = scene.origin, scene.size
    right, bottom = left + width, top + height
    step = _step_for(_MIN_LABEL_DISTANCE * ui.scale * scene.pixel)
    digits = max(0, -math.floor(math.log10(step)))
    x, y = scene.ticks(step / 5)
    with ui.fonts.style("small"):
        labels = [_number(index * step / 5, digits) for _, index in y if index % 5 == 0]
        longest = max((imgui.calc_text_size(text).x for text in labels), default=0.0)
    beside = max(ui.px(MIN_RULER_WIDTH), math.ceil(longest) + ui.px(8))
    back, line = ui.theme.packed("header"), ui.theme.packed("border_strong")
    lines.add_rect_filled((left, top), (right, top + wide), back)
    lines.add_rect_filled((left, top + wide), (left + beside, bottom), back)
    if extent is not None:
        (x0, y1), (x1, y0) = scene.to_screen((extent[0], extent[1])), scene.to_screen((extent[2], extent[3]))
        mark, thick = ui.theme.packed("outline"), ui.px(3)
        lines.add_rect_filled((max(x0, left + beside), top + wide - thick), (max(x1, left + beside), top + wide), mark)
        lines.add_rect_filled((left + beside - thick, max(y0, top + wide)), (left + beside, max(y1, top + wide)), mark)
    with ui.fonts.style("small"):
        _number_lines(scene, (wide, beside), (x, y), lambda index: _number(index * step / 5, digits))
    px, py = scene.pointer_on_screen
    mark = ui.theme.packed("accent")
    if left + beside <= px <= right and top + wide <= py <= bottom:
        lines.add_line((px, top), (px, top + wide), mark, 1.0)
        lines.add_line((left, py), (left + beside, py), mark, 1.0)
    lines.add_line((left, top + wide), (right, top + wide), line, 1.0)
    lines.add_line((left + beside, top), (left + beside, bottom), line, 1.0)
    lines.add_rect_filled((left, top), (left + beside, top + wide), back)
    return beside


def _number_lines(scene: SceneDraw, sizes: Point, ticks: tuple[Ticks, Ticks], number: Callable[[int], str]) -> None:
    """Draw the lines of both rulers, every fifth with its number. sizes: height of the upper, width of the left one."""
    ui, lines, (left, top), (wide, beside) = scene.editor.ui, scene.draw_list, scene.origin, sizes
    dim, line, part = ui.theme.packed("text_dim"), ui.theme.packed("border_strong"), wide * 0.3
    for at, index in ticks[0]:
        if at >= left + beside:
            lines.add_line((at, top + wide - (part if index % 5 else wide)), (at, top + wide), line, 1.0)
            if index % 5 == 0:
                lines.add_text((at + ui.px(3), top + ui.px(1)), dim, number(index))
    for at, index in ticks[1]:
        if at >= top + wide:
            lines.add_line((left + beside - (part if index % 5 else beside), at), (left + beside, at), line, 1.0)
            if index % 5 == 0:
                lines.add_text((left + ui.px(3), at + ui.px(1)), dim, number(index))


def _step_for(least: float) -> float:
    """Return the least of 1, 2, 5, 10, 20, ... that is at least a length."""
    tens = 10.0 ** math.floor(math.log10(least))
    return next((tens * part for part in _TENS if tens * part >= least), tens * 10.0)


def _number(value: float, digits: int) -> str:
    return f"{value:.{digits}f}" if abs(value) < 1e5 else f"{value:.3g}"
