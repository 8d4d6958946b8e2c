"""Fields for curves and gradients: points are dragged, added with a double click and removed with a right click."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from imgui_bundle import imgui

from ..widgets.base import Color
from ..widgets.popups import Popups

Point = tuple[float, float]
Stop = tuple[float, Color]
Gesture = Literal["", "move", "add", "remove"]
_REACH = 9.0
"""How near the pointer must be to a point, units."""


class Curves(Popups):
    """Fields for curves and gradients over 0 to 1."""

    _held: tuple[str, int] | None

    def curve(
        self, name: str, points: Sequence[Point], *, low: float = 0.0, high: float = 1.0, height: float = 96.0,
        tooltip: str = "", color: str = "accent",
    ) -> list[Point] | None:  # fmt: skip
        """Edit a line through points; return the new points, or None without a change.

        points: (x, y) with x from 0 to 1, ascending. low, high: the range of y. height: of the field, units. color: a
        color of the theme. The marks are `name`, and `name.0`, `name.1`… for the points.
        """
        curve_points = [(float(x), float(y)) for x, y in points]
        (left, top), size = self._field(name, height, tooltip)
        span = max(high - low, 1e-9)
        placed = [(left + x * size[0], top + (1 - (y - low) / span) * size[1]) for x, y in curve_points]
        self._grid((left, top), size)
        draw, packed = imgui.get_window_draw_list(), self.theme.packed(color)
        if placed:
            for start, end in pairwise([(left, placed[0][1]), *placed, (left + size[0], placed[-1][1])]):
                draw.add_line(start, end, packed, self.px(2))
        what, number = self._gesture(name, placed)
        for k, at in enumerate(placed):
            half = self.px(5.5 if k == number else 4.5)
            draw.add_circle_filled(at, half, self.theme.packed("text" if k == number else color))
            draw.add_circle(at, half, self.theme.packed("input"))
            self.mark_area(f"{name}.{k}", at[0] - 4, at[1] - 4, at[0] + 4, at[1] + 4)
        if number >= 0:
            imgui.set_tooltip(f"{curve_points[number][0]:.2f}, {curve_points[number][1]:.3g}")
        mouse = imgui.get_mouse_pos()
        x = _short(min(max((mouse.x - left) / size[0], 0.0), 1.0), 1.0, size[0])
        y = min(max(_short(low + (1 - (mouse.y - top) / size[1]) * span, span, size[1]), low), high)
        if what == "add":
            return sorted([*curve_points, (x, y)], key=lambda point: point[0])
        if what == "remove":
            return [*curve_points[:number], *curve_points[number + 1 :]]
        if what == "move":
            moved = _between([point[0] for point in curve_points], number, x), y
            return (
                [*curve_points[:number], moved, *curve_points[number + 1 :]] if moved != curve_points[number] else None
            )
        return None

    def gradient(
        self, name: str, stops: Sequence[tuple[float, Sequence[float]]], *, height: float = 24.0, tooltip: str = ""
    ) -> list[Stop] | None:  # fmt: skip
        """Edit colors along a line; return the new stops, or None without a change.

        stops: (x, (r, g, b, a)) with x from 0 to 1, ascending. A click on the mark of a stop opens its color. The
        marks are `name`, and `name.0`, `name.1`… for the stops.
        """
        gradient_stops = [(float(x), _color(color)) for x, color in stops]
        handle = self.px(12)
        (left, top), size = self._field(name, height + 12.0, tooltip)
        bar = top + size[1] - handle
        self._bar(gradient_stops, (left, top), (size[0], bar - top))
        placed = [(left + x * size[0], bar + handle / 2) for x, _ in gradient_stops]
        what, number = self._gesture(name, placed)
        picked = self._stop_color(name, gradient_stops, number)
        draw, half = imgui.get_window_draw_list(), self.px(5)
        for k, at in enumerate(placed):
            low, high = (at[0] - half, at[1] - half), (at[0] + half, at[1] + half)
            draw.add_rect_filled(
                low, high, imgui.get_color_u32(imgui.ImVec4(*gradient_stops[k][1][:3], 1.0)), self.px(2)
            )
            draw.add_rect(low, high, self.theme.packed("text" if k == number else "border_strong"), self.px(2))
            self.mark_area(f"{name}.{k}", *low, *high)
        if picked is not None:
            return picked
        x = _short(min(max((imgui.get_mouse_pos().x - left) / size[0], 0.0), 1.0), 1.0, size[0])
        if what == "add":
            return sorted([*gradient_stops, (x, _mixed_at(gradient_stops, x))], key=lambda stop: stop[0])
        if what == "remove":
            return [*gradient_stops[:number], *gradient_stops[number + 1 :]]
        if what == "move":
            moved = _between([stop[0] for stop in gradient_stops], number, x), gradient_stops[number][1]
            return (
                [*gradient_stops[:number], moved, *gradient_stops[number + 1 :]]
                if moved != gradient_stops[number]
                else None
            )
        return None

    def _bar(self, stops: list[Stop], at: Point, size: Point) -> None:
        """Draw the colors of a gradient."""
        draw, end = imgui.get_window_draw_list(), at[1] + size[1]
        draw.add_rect_filled(at, (at[0] + size[0], end), self.theme.packed("text_disabled"))
        line: list[Stop] = [(0.0, stops[0][1]), *stops, (1.0, stops[-1][1])] if stops else []
        for (x0, first), (x1, second) in pairwise(line):
            a, b = imgui.get_color_u32(imgui.ImVec4(*first)), imgui.get_color_u32(imgui.ImVec4(*second))
            low, high = (at[0] + x0 * size[0], at[1]), (at[0] + x1 * size[0], end)
            draw.add_rect_filled_multi_color(low, high, a, b, b, a)

    def _stop_color(self, name: str, stops: list[Stop], number: int) -> list[Stop] | None:
        """Open the picker of a stop that was clicked, and draw it; return the stops with another color, or None."""
        delta = imgui.get_mouse_drag_delta(0, 0.0)
        clicked = imgui.is_mouse_released(0) and abs(delta.x) + abs(delta.y) < 3
        if number >= 0 and clicked and imgui.is_item_hovered():
            self.open_popup(f"{name}:stop{number}")
        changed_stops = None
        for k, (x, color) in enumerate(stops):
            with self.popup(f"{name}:stop{k}") as opened:
                if not opened:
                    continue
                imgui.set_next_item_width(self.px(220))
                flags = imgui.ColorEditFlags_
                options = flags.alpha_bar | flags.no_side_preview | flags.float
                edited, new = imgui.color_picker4(f"###{name}:color", list(color), options)
                self._used(f"{name}:color")
                if edited:
                    changed_stops = [*stops[:k], (x, _color(new)), *stops[k + 1 :]]
        return changed_stops

    # What both share

    def _field(self, name: str, height: float, tooltip: str) -> tuple[Point, Point]:
        """Draw the empty field; return the corner and the size of its inside."""
        at = imgui.get_cursor_screen_pos()
        left, top = at.x, at.y
        size = max(imgui.get_content_region_avail().x, self.px(60)), self.px(height)
        buttons = imgui.ButtonFlags_.mouse_button_left | imgui.ButtonFlags_.mouse_button_right
        imgui.invisible_button(f"###{name}", size, buttons)
        self._used(name, tooltip)
        inset, rounding = self.px(6), imgui.get_style().frame_rounding
        end = left + size[0], top + size[1]
        imgui.get_window_draw_list().add_rect_filled((left, top), end, self.theme.packed("input"), rounding)
        return (left + inset, top + inset), (size[0] - 2 * inset, size[1] - 2 * inset)

    def _grid(self, at: Point, size: Point) -> None:
        draw, color = imgui.get_window_draw_list(), self.theme.packed("grid")
        for k in range(5):
            x, y = at[0] + size[0] * k / 4, at[1] + size[1] * k / 4
            draw.add_line((x, at[1]), (x, at[1] + size[1]), color)
            draw.add_line((at[0], y), (at[0] + size[0], y), color)

    def _gesture(self, name: str, placed: list[Point]) -> tuple[Gesture, int]:
        """Return the action of the pointer on the points of the last item, such as `move`, and the index of the point,
        -1 for none."""
        if self._held is not None and self._held[0] == name:
            number = self._held[1]
            if imgui.is_item_active() and number < len(placed):
                return "move" if imgui.is_mouse_dragging(0, 1.0) else "", number
            self._held = None
        if not imgui.is_item_hovered():
            return "", -1
        mouse = imgui.get_mouse_pos()
        near = [(abs(mouse.x - x) + abs(mouse.y - y), k) for k, (x, y) in enumerate(placed)]
        distance, number = min(near, default=(float("inf"), -1))
        if distance > self.px(_REACH):
            return "add" if imgui.is_mouse_double_clicked(0) else "", -1
        if imgui.is_item_activated() and imgui.is_mouse_down(0):
            self._held = name, number
        return "remove" if len(placed) > 1 and imgui.is_mouse_clicked(1) else "", number


def _short(value: float, length: float, pixels: float) -> float:
    """Round a value to digits that a pixel can show. length: the range of values that the field shows."""
    return round(value, max(math.ceil(math.log10(max(pixels, 1.0) / length)), 0))


def _between(xs: list[float], number: int, x: float) -> float:
    """Return x clamped between the neighbors of a dragged point."""
    low = xs[number - 1] if number else 0.0
    high = xs[number + 1] if number + 1 < len(xs) else 1.0
    return min(max(x, low), high)


def _color(parts: Sequence[float]) -> Color:
    red, green, blue, alpha = (float(part) for part in parts)
    return red, green, blue, alpha


def _mixed_at(stops: list[Stop], x: float) -> Color:
    """Return the color of a gradient at a place."""
    if not stops:
        return 1.0, 1.0, 1.0, 1.0
    x0, first = ([stop for stop in stops if stop[0] <= x] or stops[:1])[-1]
    x1, second = ([stop for stop in stops if stop[0] > x] or stops[-1:])[0]
    part = (x - x0) / (x1 - x0) if x1 > x0 else 0.0
    return _color([a + (b - a) * part for a, b in zip(first, second, strict=True)])
