"""Fields for curves and gradients: points that are dragged, added with a double click and removed with a right click."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import imgui

from ..base import Base

Point = tuple[float, float]
Stop = tuple[float, tuple[float, float, float, float]]
_REACH = 9.0


class Curves(Base):
    """Fields for curves over 0 to 1."""

    _held: tuple[str, int] | None

    def curve(
        self, name: str, points: Sequence[Point], *, low: float = 0.0, high: float = 1.0, height: float = 96.0,
        tooltip: str = "", color: str = "accent",
    ) -> list[Point] | None:  # fmt: skip
        """Edit a line through points; return the new points, or None without a change.

        points: (x, y) with x from 0 to 1, ascending. low, high: the range of y. height: of the field, units. color: a
        colour of the theme. The marks are `name`, and `name.0`, `name.1`… for the points.
        """
        made = [(float(x), float(y)) for x, y in points]
        (left, top), size = self._field(name, height, tooltip)
        span = max(high - low, 1e-9)

        def place(point: Point) -> Point:
            return left + point[0] * size[0], top + (1 - (point[1] - low) / span) * size[1]

        def value(at: Point) -> Point:
            x, y = (at[0] - left) / size[0], low + (1 - (at[1] - top) / size[1]) * span
            return min(max(x, 0.0), 1.0), min(max(y, low), high)

        self._grid((left, top), size)
        placed = [place(point) for point in made]
        draw, colour = imgui.get_window_draw_list(), self.theme.packed(color)
        if placed:
            line = [(left, placed[0][1]), *placed, (left + size[0], placed[-1][1])]
            for start, end in zip(line, line[1:], strict=False):
                draw.add_line(start, end, colour, self.px(2))
        number = self._point(name, placed, (0.0, 0.0))
        changed = self._change(name, made, number, value, lambda point: point, lambda at: at)
        for k, at in enumerate(placed):
            hot = k == number
            draw.add_circle_filled(at, self.px(5.5 if hot else 4.5), self.theme.packed("text" if hot else color))
            draw.add_circle(at, self.px(5.5 if hot else 4.5), self.theme.packed("input"))
            self.mark_area(f"{name}.{k}", at[0] - 4, at[1] - 4, at[0] + 4, at[1] + 4)
        if number >= 0 and number < len(made):
            imgui.set_tooltip(f"{made[number][0]:.2f}, {made[number][1]:.3g}")
        return changed

    def gradient(
        self, name: str, stops: Sequence[Stop], *, height: float = 24.0, tooltip: str = ""
    ) -> list[Stop] | None:  # fmt: skip
        """Edit colours along a line; return the new stops, or None without a change.

        stops: (x, (r, g, b, a)) with x from 0 to 1, ascending. A click on the mark of a stop opens its colour.
        """
        made: list[Stop] = [(float(x), tuple(float(part) for part in colour)) for x, colour in stops]  # pyright: ignore[reportAssignmentType]
        handle = self.px(12)
        (left, top), size = self._field(name, height + 12.0, tooltip)
        bar = top + size[1] - handle
        draw = imgui.get_window_draw_list()
        draw.add_rect_filled((left, top), (left + size[0], bar), self.theme.packed("text_disabled"))
        line = [(0.0, made[0][1]), *made, (1.0, made[-1][1])] if made else []
        for (x0, first), (x1, second) in zip(line, line[1:], strict=False):
            a, b = imgui.get_color_u32(imgui.ImVec4(*first)), imgui.get_color_u32(imgui.ImVec4(*second))
            draw.add_rect_filled_multi_color((left + x0 * size[0], top), (left + x1 * size[0], bar), a, b, b, a)
        placed = [(left + x * size[0], bar + handle / 2) for x, _ in made]
        number = self._point(name, placed, (0.0, 0.0))

        def at_pointer(at: Point) -> Point:
            return min(max((at[0] - left) / size[0], 0.0), 1.0), 0.0

        changed = self._change(name, made, number, at_pointer, lambda stop: (stop[0], 0.0), lambda at: (at[0], _at(made, at[0])),
                               keep=lambda stop, at: (at[0], stop[1]))  # fmt: skip
        half = self.px(5)
        for k, at in enumerate(placed):
            colour = imgui.get_color_u32(imgui.ImVec4(*made[k][1][:3], 1.0))
            draw.add_rect_filled((at[0] - half, at[1] - half), (at[0] + half, at[1] + half), colour, self.px(2))
            edge = self.theme.packed("text" if k == number else "border_strong")
            draw.add_rect((at[0] - half, at[1] - half), (at[0] + half, at[1] + half), edge, self.px(2))
            self.mark_area(f"{name}.{k}", at[0] - half, at[1] - half, at[0] + half, at[1] + half)
        picked = self._stop_colour(name, made, number)
        return picked if picked is not None else changed

    def _stop_colour(self, name: str, made: list[Stop], number: int) -> list[Stop] | None:
        """Open the picker of a stop that was clicked, and draw it."""
        delta = imgui.get_mouse_drag_delta(0, 0.0)
        if number >= 0 and imgui.is_mouse_released(0) and abs(delta.x) + abs(delta.y) < 3 and imgui.is_item_hovered():
            imgui.open_popup(f"{name}:stop{number}")
        found = None
        for k, (x, colour) in enumerate(made):
            if imgui.begin_popup(f"{name}:stop{k}"):
                imgui.set_next_item_width(self.px(220))
                flags = imgui.ColorEditFlags_.alpha_bar | imgui.ColorEditFlags_.no_side_preview | imgui.ColorEditFlags_.float
                edited, new = imgui.color_picker4(f"###{name}:colour", list(colour), flags)
                self._used(f"{name}:colour")
                if edited:
                    red, green, blue, alpha = (float(part) for part in new)
                    found = [*made[:k], (x, (red, green, blue, alpha)), *made[k + 1 :]]
                imgui.end_popup()
        return found

    # What both share

    def _field(self, name: str, height: float, tooltip: str) -> tuple[Point, Point]:
        """Draw the empty field; return its corner and size."""
        at = imgui.get_cursor_screen_pos()
        left, top = at.x, at.y
        size = max(imgui.get_content_region_avail().x, self.px(60)), self.px(height)
        buttons = imgui.ButtonFlags_.mouse_button_left | imgui.ButtonFlags_.mouse_button_right
        imgui.invisible_button(f"###{name}", size, buttons)
        self._used(name, tooltip)
        inset = self.px(6)
        imgui.get_window_draw_list().add_rect_filled(
            (left, top), (left + size[0], top + size[1]), self.theme.packed("input"), imgui.get_style().frame_rounding
        )
        return (left + inset, top + inset), (size[0] - 2 * inset, size[1] - 2 * inset)

    def _grid(self, at: Point, size: Point) -> None:
        draw, colour = imgui.get_window_draw_list(), self.theme.packed("grid")
        for k in range(5):
            x, y = at[0] + size[0] * k / 4, at[1] + size[1] * k / 4
            draw.add_line((x, at[1]), (x, at[1] + size[1]), colour)
            draw.add_line((at[0], y), (at[0] + size[0], y), colour)

    def _point(self, name: str, placed: list[Point], offset: Point) -> int:
        """Return the number of the point that is dragged or under the pointer, -1 for none."""
        if self._held is not None and self._held[0] == name:
            if imgui.is_item_active():
                return min(self._held[1], len(placed) - 1)
            self._held = None
        if not imgui.is_item_hovered():
            return -1
        mouse = imgui.get_mouse_pos()
        near = [(abs(mouse.x - x) + abs(mouse.y - y), k) for k, (x, y) in enumerate(placed)]
        distance, number = min(near, default=(1e9, -1))
        number = number if distance <= self.px(_REACH) else -1
        if number >= 0 and imgui.is_item_activated() and imgui.is_mouse_down(0):
            self._held = name, number
        return number

    def _change(self, name: str, made: list, number: int, value, key, new, keep=lambda point, at: at) -> list | None:  # noqa: ANN001  # pyright: ignore
        """Return the points after what the pointer does in this frame, or None."""
        mouse = imgui.get_mouse_pos()
        at = value((mouse.x, mouse.y))
        if self._held is not None and self._held[0] == name and number >= 0 and imgui.is_mouse_dragging(0, 1.0):
            low = key(made[number - 1])[0] if number else 0.0
            high = key(made[number + 1])[0] if number + 1 < len(made) else 1.0
            moved = keep(made[number], (min(max(at[0], low), high), at[1]))
            return [*made[:number], moved, *made[number + 1 :]] if moved != made[number] else None
        if not imgui.is_item_hovered():
            return None
        if number < 0 and imgui.is_mouse_double_clicked(0):
            return sorted([*made, new(at)], key=lambda point: point[0])
        if number >= 0 and len(made) > 1 and imgui.is_mouse_clicked(1):
            return [*made[:number], *made[number + 1 :]]
        return None


def _at(stops: list[Stop], x: float) -> tuple[float, float, float, float]:
    """Return the colour of a gradient at a place."""
    if not stops:
        return 1.0, 1.0, 1.0, 1.0
    before = [stop for stop in stops if stop[0] <= x] or stops[:1]
    after = [stop for stop in stops if stop[0] > x] or stops[-1:]
    (x0, first), (x1, second) = before[-1], after[0]
    part = (x - x0) / (x1 - x0) if x1 > x0 else 0.0
    red, green, blue, alpha = (a + (b - a) * part for a, b in zip(first, second, strict=True))
    return red, green, blue, alpha
