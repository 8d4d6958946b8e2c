"""Canvas: an area of a panel that is drawn freely, such as bars, curves and previews."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from .base import Base

if TYPE_CHECKING:
    from ...look.theme import Theme

Point = tuple[float, float]
Color = tuple[float, float, float, float] | str | int


class Canvas:
    """An area of a panel. Coordinates are units of the window from its left top corner, y down.

    size: width and height. hovered: whether the pointer is over it. held: whether the button was pressed on it and is
    still down. pressed, double_clicked: whether that happened in this frame. pointer: where the pointer is.
    """

    def __init__(self, theme: Theme, origin: Point, size: Point, *, hovered: bool, held: bool, pressed: bool) -> None:
        self.theme = theme
        self.origin = origin
        self.size = size
        self.hovered = hovered
        self.held = held
        self.pressed = pressed
        self.double_clicked = hovered and bool(imgui.is_mouse_double_clicked(imgui.MouseButton_.left))
        mouse = imgui.get_mouse_pos()
        self.pointer = mouse.x - origin[0], mouse.y - origin[1]
        self._list = imgui.get_window_draw_list()

    def packed(self, color: Color, opacity: float = 1.0) -> int:
        """Return a color, or one of the theme by its name, as the number that Dear ImGui draws with."""
        if isinstance(color, str):
            return self.theme.packed(color, opacity)
        if isinstance(color, int):
            return color
        red, green, blue, alpha = (round(min(max(part, 0.0), 1.0) * 255) for part in color)
        return round(alpha * opacity) << 24 | blue << 16 | green << 8 | red

    @contextmanager
    def clipped(self) -> Generator[None]:
        """Clip what the block draws at the edge of the area."""
        self._list.push_clip_rect(self.origin, self._at(*self.size), True)
        try:
            yield
        finally:
            self._list.pop_clip_rect()

    def _at(self, x: float, y: float) -> Point:
        return self.origin[0] + x, self.origin[1] + y

    def rect(self, x: float, y: float, width: float, height: float, color: Color, *, opacity: float = 1.0,
             rounding: float = 0.0) -> None:  # fmt: skip
        """Fill a rectangle."""
        self._list.add_rect_filled(
            self._at(x, y), self._at(x + width, y + height), self.packed(color, opacity), rounding
        )

    def line(self, start: Point, end: Point, color: Color, width: float = 1.0, *, opacity: float = 1.0) -> None:
        """Draw a line."""
        self._list.add_line(self._at(*start), self._at(*end), self.packed(color, opacity), width)

    def polyline(self, points: Sequence[Point], color: Color, width: float = 1.5, *, opacity: float = 1.0) -> None:
        """Draw lines from point to point."""
        if len(points) > 1:
            self._list.add_polyline([self._at(x, y) for x, y in points], self.packed(color, opacity), width, 0)

    def disc(self, center: Point, radius: float, color: Color, *, opacity: float = 1.0) -> None:
        """Fill a circle."""
        self._list.add_circle_filled(self._at(*center), radius, self.packed(color, opacity))

    def discs(self, centers: Sequence[Point], radii: Sequence[float], colors: Sequence[int]) -> None:
        """Fill many circles. colors: as of `packed`."""
        left, top = self.origin
        add = self._list.add_circle_filled
        for (x, y), radius, color in zip(centers, radii, colors, strict=True):
            add((left + x, top + y), radius, color)

    def text(self, at: Point, text: str, color: Color = "text", *, right: bool = False) -> Point:
        """Write a text; return its width and height. right: `at` is its right end."""
        size = imgui.calc_text_size(text)
        x = at[0] - size.x if right else at[0]
        self._list.add_text(self._at(x, at[1]), self.packed(color), text)
        return size.x, size.y


class Canvases(Base):
    """Areas that are drawn freely."""

    def canvas(
        self, name: str, height: float, *, width: float = 0.0, background: str = "input", tooltip: str = ""
    ) -> Canvas:
        """Make an area to draw on. width, height: units; width 0 fills. background: a color of the theme, or ""."""
        corner = imgui.get_cursor_screen_pos()
        wide = self.px(width) if width else max(imgui.get_content_region_avail().x, 1.0)
        size = wide, max(self.px(height), 1.0)
        imgui.invisible_button(f"###{name}", size)
        pressed = bool(imgui.is_item_activated())
        held, hovered = bool(imgui.is_item_active()), bool(imgui.is_item_hovered())
        self._used(name, tooltip)
        area = Canvas(self.theme, (corner.x, corner.y), size, hovered=hovered, held=held, pressed=pressed)
        if background:
            area.rect(0, 0, *size, background, rounding=imgui.get_style().frame_rounding)
        return area
