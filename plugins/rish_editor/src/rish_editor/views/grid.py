"""The grid and the rulers of a view: lines and numbers whose distance follows the zoom."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from imgui_bundle import imgui

if TYPE_CHECKING:
    from .draw import SceneDraw

RULER = 22.0
"""The width of a ruler, pixels."""
_NEAREST, _FULL = 9.0, 28.0
"""The distance of lines in pixels at which they begin to be seen, and at which they are fully seen."""
_TENS = (1.0, 2.0, 5.0)
_LABEL = 64.0
"""The least distance of numbers on a ruler, pixels."""


def draw_grid(scene: SceneDraw, unit: float) -> None:
    """Draw lines at multiples of a length in units; where they would be too dense, every fifth of them, and so on."""
    if unit <= 0:
        return
    step = unit
    while step / scene.pixel < _NEAREST:
        step *= 5.0
    fade = min(max((step / scene.pixel - _NEAREST) / (_FULL - _NEAREST), 0.0), 1.0)
    lines, (left, top), (width, height) = scene.draw_list, scene.origin, scene.size
    minor, major = scene.colour("grid", fade), scene.colour("grid_major")
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
        lines.add_line((x, top), (x, top + height), scene.colour("axis_y", 0.55), 1.0)
    if top <= y <= top + height:
        lines.add_line((left, y), (left + width, y), scene.colour("axis_x", 0.55), 1.0)


def draw_rulers(scene: SceneDraw, extent: tuple[float, float, float, float] | None) -> None:
    """Draw the rulers at the top and left edges, with the pointer's place, and the extent of the selection in units."""
    ui, lines = scene.editor.ui, scene.draw_list
    wide = ui.px(RULER)
    (left, top), (width, height) = scene.origin, scene.size
    right, bottom = left + width, top + height
    back, dim, line = (ui.theme.packed(name) for name in ("header", "text_dim", "border_strong"))
    lines.add_rect_filled((left, top), (right, top + wide), back)
    lines.add_rect_filled((left, top + wide), (left + wide, bottom), back)
    if extent is not None:
        (x0, y1), (x1, y0) = scene.to_screen((extent[0], extent[1])), scene.to_screen((extent[2], extent[3]))
        mark, thick = ui.theme.packed("outline"), ui.px(3)
        lines.add_rect_filled((max(x0, left + wide), top + wide - thick), (max(x1, left + wide), top + wide), mark)
        lines.add_rect_filled((left + wide - thick, max(y0, top + wide)), (left + wide, max(y1, top + wide)), mark)
    step = _step_for(_LABEL * ui.scale * scene.pixel)
    digits = max(0, -math.floor(math.log10(step)))
    part = wide * 0.3
    with ui.fonts.style("small"):
        size, gaps = imgui.get_font_size() * 0.86, (ui.px(1), ui.px(2), ui.px(3))
        font = ui.fonts.regular
        x, y = scene.ticks(step / 5)
        for at, index in x:
            if at < left + wide:
                continue
            lines.add_line((at, top + wide - (part if index % 5 else wide)), (at, top + wide), line, 1.0)
            if index % 5 == 0:
                lines.add_text(font, size, (at + gaps[2], top + gaps[0]), dim, _number(index * step / 5, digits))
        for at, index in y:
            if at < top + wide:
                continue
            lines.add_line((left + wide - (part if index % 5 else wide), at), (left + wide, at), line, 1.0)
            if index % 5 == 0:
                _upright(lines, font, size, (left + gaps[1], at + gaps[1]), dim, _number(index * step / 5, digits))
    px, py = scene.pointer_on_screen
    mark = ui.theme.packed("accent")
    if left + wide <= px <= right and top + wide <= py <= bottom:
        lines.add_line((px, top), (px, top + wide), mark, 1.0)
        lines.add_line((left, py), (left + wide, py), mark, 1.0)
    lines.add_line((left, top + wide), (right, top + wide), line, 1.0)
    lines.add_line((left + wide, top), (left + wide, bottom), line, 1.0)
    lines.add_rect_filled((left, top), (left + wide, top + wide), back)


def _upright(lines: Any, font: Any, size: float, at: tuple[float, float], colour: int, text: str) -> None:
    """Write a number below a line of the vertical ruler, one character below the other."""
    x, y = at
    for character in text:
        lines.add_text(font, size, (x + (size * 0.1 if character in "-." else 0.0), y), colour, character)
        y += size * (0.5 if character in "-." else 0.8)


def _step_for(least: float) -> float:
    """Return the least of 1, 2, 5, 10, 20, ... that is at least a length."""
    tens = 10.0 ** math.floor(math.log10(least))
    return next((tens * part for part in _TENS if tens * part >= least), tens * 10.0)


def _number(value: float, digits: int) -> str:
    return f"{value:.{digits}f}" if abs(value) < 1e5 else f"{value:.3g}"
