"""Pictures of files with a pointer: to choose a region of a picture, and to drag lines over it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from imgui_bundle import imgui

from .base import Base

Box = tuple[float, float, float, float]
Spot = tuple[float, float]


@dataclass(frozen=True)
class Picture:
    """A picture that is shown in this frame. Its coordinates are pixels of the file from the top left.

    corner: of the whole picture in the window. unit: units of the window per pixel. pointer: where the pointer is, None
    if it is elsewhere. pressed, held, released: the left button, over the picture. start: where it was pressed.
    """

    name: str
    size: tuple[int, int]
    corner: Spot
    unit: float
    pointer: Spot | None
    pressed: bool
    held: bool
    released: bool
    start: Spot | None

    def at(self, x: float, y: float) -> Spot:
        """Return where a pixel is in the window."""
        return self.corner[0] + x * self.unit, self.corner[1] + y * self.unit


class Pictures(Base):
    """Widgets that show a file's picture."""

    _pressed_at: tuple[str, Spot] | None
    _dragged_line: str

    def picture(
        self, name: str, shown: tuple[int, tuple[int, int]], *, region: Box | None = None, height: float = 150.0,
        tooltip: str = "",
    ) -> Picture:  # fmt: skip
        """Show a picture as large as the line allows, on a checkerboard.

        shown: number of the texture and size of the file's picture, as thumbnails give them. region: the only part that
        is shown, x y w h. height: the greatest, units.
        """
        texture, size = shown
        x, y, wide, tall = region or (0.0, 0.0, float(size[0]), float(size[1]))
        room = imgui.get_content_region_avail().x
        unit = min(room / max(wide, 1), self.px(height) / max(tall, 1))
        unit = math.floor(unit) if unit >= 2 else unit
        area = max(wide * unit, 1.0), max(tall * unit, 1.0)
        start = imgui.get_cursor_screen_pos()
        left, top = start.x + (room - area[0]) / 2, start.y
        imgui.set_cursor_screen_pos((left, top))
        imgui.invisible_button(f"###{name}", area)
        self._used(name, tooltip)
        draw = imgui.get_window_draw_list()
        self._checkers((left, top), area)
        low, high = (x / size[0], y / size[1]), ((x + wide) / size[0], (y + tall) / size[1])
        draw.add_image(imgui.ImTextureRef(texture), (left, top), (left + area[0], top + area[1]), low, high)
        corner = left - x * unit, top - y * unit
        mouse = imgui.get_mouse_pos()
        here = (mouse.x - corner[0]) / unit, (mouse.y - corner[1]) / unit
        active = bool(imgui.is_item_active())
        hovered = bool(imgui.is_item_hovered())
        pressed = bool(imgui.is_item_activated())
        if pressed:
            self._pressed_at = name, here
        is_own_press = self._pressed_at is not None and self._pressed_at[0] == name
        return Picture(
            name, size, corner, unit, here if hovered or active else None, pressed, active,
            bool(imgui.is_item_deactivated()), self._pressed_at[1] if is_own_press and self._pressed_at else None,
        )  # fmt: skip

    def _checkers(self, at: Spot, size: Spot) -> None:
        """Draw a checkerboard, which shows through where a picture is transparent."""
        draw, side = imgui.get_window_draw_list(), self.px(8)
        end = at[0] + size[0], at[1] + size[1]
        draw.add_rect_filled(at, end, self.theme.packed("input"))
        draw.push_clip_rect(at, end, True)
        color = self.theme.packed("hover")
        for row in range(math.ceil(size[1] / side)):
            for column in range(row % 2, math.ceil(size[0] / side), 2):
                x, y = at[0] + column * side, at[1] + row * side
                draw.add_rect_filled((x, y), (x + side, y + side), color)
        draw.pop_clip_rect()

    def picture_box(self, picture: Picture, box: Box, color: str = "outline", *, filled: bool = False) -> None:
        """Draw a rectangle over a picture. box: x y w h, pixels of the file."""
        x, y, wide, tall = box
        low, high = picture.at(x, y), picture.at(x + wide, y + tall)
        draw = imgui.get_window_draw_list()
        if filled:
            draw.add_rect_filled(low, high, self.theme.packed(color, 0.25))
        draw.add_rect(low, high, self.theme.packed("scene", 0.7), 0.0, self.px(3))
        draw.add_rect(low, high, self.theme.packed(color), 0.0, self.px(1.5))

    def picture_line(
        self, picture: Picture, name: str, place: float, span: tuple[float, float], *, upright: bool
    ) -> float | None:  # fmt: skip
        """Draw a line that can be dragged across a picture; return its new place in whole pixels, or None.

        place: x of a vertical line, y of a horizontal one. span: its begin and end along the other axis. The mark is
        `name`.
        """
        start, end = (place, span[0]), (place, span[1])
        if not upright:
            start, end = (span[0], place), (span[1], place)
        first, second = picture.at(*start), picture.at(*end)
        axis = 0 if upright else 1
        near = picture.pointer is not None and abs(picture.pointer[axis] - place) * picture.unit < self.px(5)
        if near and picture.pressed and not self._dragged_line:
            self._dragged_line = name
        dragged = self._dragged_line == name
        if dragged and not picture.held:
            self._dragged_line = ""
        color = self.theme.packed("text" if dragged or (near and not self._dragged_line) else "outline")
        draw = imgui.get_window_draw_list()
        draw.add_line(first, second, self.theme.packed("scene", 0.7), self.px(3))
        draw.add_line(first, second, color, self.px(1.5))
        half = self.px(3)
        middle = (first[0] + second[0]) / 2, (first[1] + second[1]) / 2
        self.mark_area(name, middle[0] - half, middle[1] - half, middle[0] + half, middle[1] + half)
        if near or dragged:
            imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew if upright else imgui.MouseCursor_.resize_ns)
        if not dragged or picture.pointer is None:
            return None
        new = float(round(picture.pointer[axis]))
        return new if new != place else None
