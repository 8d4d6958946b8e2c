"""Rows of names and values, whose columns are aligned in a whole panel."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from imgui_bundle import imgui

from ...look import icons
from ...look.style import role
from ..shortening import shortened, tip_of
from .base import Base, Tip

SPLIT = 0.4
"""The share of the width for names."""
NARROW = 220.0
"""The width of the panel below which names are above values, units."""


_RIGHT = int(imgui.ButtonFlags_.mouse_button_right)


class Properties(Base):
    """Rows of a name and a value, and headings of components."""

    _heights: dict[int, float]
    _parts: list[tuple[int, float]]

    @contextmanager
    def property(
        self, label: str, name: str, *, tooltip: str = "", override: bool = False, dim: bool = False
    ) -> Generator[None]:  # fmt: skip
        """Draw a row; the block draws the value, whose first widget fills the rest of the line.

        Marks and identifiers of the block are not below `name`; the label's mark is `name:label`. override: shown as a
        value that differs from its prefab.
        """
        self.property_label(label, name, tooltip=tooltip, override=override, dim=dim)
        imgui.set_next_item_width(-1.0)
        yield

    def property_label(
        self, label: str, name: str, *, tooltip: str = "", override: bool = False, dim: bool = False
    ) -> None:  # fmt: skip
        """Draw the name of a row, cut off where the values begin, and move the cursor there. A context menu can be
        added to the name.

        In a narrow panel the name stands above the value.
        """
        room = imgui.get_content_region_avail().x
        left, top = imgui.get_cursor_screen_pos()
        gap, narrow = self.px(10), room < self.px(NARROW)
        height = imgui.get_text_line_height() + self.px(2) if narrow else imgui.get_frame_height()
        width = max(room if narrow else room * SPLIT - gap * 0.5, 1.0)
        imgui.invisible_button(f"###{name}:label", (width, height), _RIGHT)
        with self.fonts.style("strong" if override else "body"):
            shown = shortened(label, width - gap)
        self._used(f"{name}:label", tip_of(tooltip, (label, shown)))
        color = self.theme.packed("override" if override else "text_disabled" if dim else "text_dim")
        draw = imgui.get_window_draw_list()
        at = left + gap, top + (0.0 if narrow else imgui.get_style().frame_padding.y)
        if override:
            draw.add_text((left - self.px(2), at[1]), color, icons.OVERRIDDEN)
            with self.fonts.style("strong"):
                draw.add_text(at, color, shown)
        else:
            draw.add_text(at, color, shown)
        if narrow:
            imgui.set_cursor_screen_pos((left + gap, top + height + self.px(2)))
            return
        imgui.same_line(0.0, 0.0)
        imgui.set_cursor_screen_pos((left + room * SPLIT + gap * 0.5, top))

    def begin_part(self, name: str) -> bool:
        """Begin a part of the panel; return whether to draw it, and call `end_part` after that.

        A part that is scrolled out of view is not drawn; space of its last height is left for it. While a widget is
        active, all parts are drawn.
        """
        key = imgui.get_id(name)
        height = self._heights.get(key)
        if height is not None and not imgui.is_rect_visible((1.0, height)) and not imgui.is_any_item_active():
            imgui.dummy((1.0, max(height - imgui.get_style().item_spacing.y, 0.0)))
            return False
        self._parts.append((key, imgui.get_cursor_pos_y()))
        return True

    def end_part(self) -> None:
        """End the part that was begun last."""
        key, top = self._parts.pop()
        self._heights[key] = imgui.get_cursor_pos_y() - top

    def component_header(
        self, label: str, name: str, *, icon: str, opened: bool, tooltip: Tip = "", override: bool = False,
        dim: bool = False, menu: bool = True,
    ) -> tuple[bool, bool]:  # fmt: skip
        """Draw the heading of a component; return whether it was clicked, and whether its menu was opened.

        The marks are `name:header` and `name:menu`.
        """
        at, height = imgui.get_cursor_screen_pos(), imgui.get_frame_height()
        left, top = at.x, at.y
        width = imgui.get_content_region_avail().x
        imgui.set_next_item_allow_overlap()
        with role(self.theme, "section"):
            clicked = bool(imgui.button(f"###{name}:header", (width, height)))
        narrow = width < self.px(NARROW)
        begin = self.px(30 if narrow else 54)
        with self.fonts.style("strong"):
            shown = shortened(label, width - height - begin)
        self._used(f"{name}:header", tip_of(tooltip, (label, shown)))
        menu_pressed = bool(imgui.is_item_hovered() and imgui.is_mouse_released(1))
        draw, padding = imgui.get_window_draw_list(), imgui.get_style().frame_padding
        down = top + padding.y
        draw.add_text((left + self.px(8), down), self.theme.packed("text_dim"), icons.DOWN if opened else icons.RIGHT)
        color = self.theme.packed("override" if override else "text_dim" if dim else "text")
        if not narrow:
            draw.add_text((left + self.px(30), down), color, icon)
        with self.fonts.style("strong"):
            draw.add_text((left + begin, down), color, shown)
        if not menu:
            return clicked, False
        imgui.set_cursor_screen_pos((left + width - height, top))
        with role(self.theme, "quiet"):
            menu_pressed |= bool(imgui.button(f"{icons.MORE}###{name}:menu", (height, height)))
        self._used(f"{name}:menu")
        return clicked, menu_pressed

    def chip(self, label: str, name: str, *, icon: str = "", tooltip: str = "", first: bool = False) -> bool:
        """Draw a small round button in a row of such that wraps; return whether it was clicked."""
        shown = f"{label} {icon}" if icon and label else icon or label
        with self.fonts.style("small"):
            width = imgui.calc_text_size(shown).x + 2 * self.px(8)
            if not first:
                imgui.same_line(0.0, self.px(4))
                if imgui.get_content_region_avail().x < width:
                    imgui.new_line()
            imgui.push_style_var(imgui.StyleVar_.frame_rounding, self.px(10))
            imgui.push_style_var(imgui.StyleVar_.frame_padding, (self.px(8), self.px(2)))
            clicked = bool(imgui.button(f"{shown}###{name}"))
            imgui.pop_style_var(2)
        self._used(name, tooltip)
        return clicked

    def reference(
        self, label: str, name: str, *, icon: str = "", picture: tuple[int, tuple[int, int]] | None = None,
        dim: bool = False, wrong: bool = False, tooltip: str = "", buttons: int = 0,
    ) -> bool:  # fmt: skip
        """Draw a field that refers to something, which can be clicked; return whether it was. It takes drops.

        picture: texture and size of a preview. buttons: for how many square buttons it leaves room on the right.
        """
        side, padding = imgui.get_frame_height(), imgui.get_style().frame_padding
        at = imgui.get_cursor_screen_pos()
        left, top = at.x, at.y
        width = max(imgui.get_content_region_avail().x - buttons * side - (self.px(2) if buttons else 0), self.px(40))
        for place, token in (
            (imgui.Col_.button, "input"),
            (imgui.Col_.button_hovered, "input_hover"),
            (imgui.Col_.button_active, "input_hover"),
        ):
            imgui.push_style_color(place, self.theme.rgba(token))
        clicked = bool(imgui.button(f"###{name}", (width, side)))
        imgui.pop_style_color(3)
        pictured = side + self.px(2) if picture is not None else padding.x + (self.px(22) if icon else 0.0)
        shown = shortened(label, width - padding.x * 0.5 - pictured)
        self._used(name, tip_of(tooltip, (label, shown)))
        draw = imgui.get_window_draw_list()
        x = left + pictured
        if picture is not None:
            self._preview(picture, (left + self.px(3), top + self.px(3)), side - self.px(6))
        elif icon:
            draw.add_text(
                (left + padding.x, top + padding.y), self.theme.packed("error" if wrong else "text_dim"), icon
            )
        color = "error" if wrong else "mixed" if dim else "text"
        draw.add_text((x, top + padding.y), self.theme.packed(color), shown)
        return clicked

    def _preview(self, picture: tuple[int, tuple[int, int]], at: tuple[float, float], side: float) -> None:
        """Draw a picture in the middle of a square."""
        texture, (width, height) = picture
        unit = side / max(width, height, 1)
        wide, tall = width * unit, height * unit
        corner = at[0] + (side - wide) / 2, at[1] + (side - tall) / 2
        draw = imgui.get_window_draw_list()
        draw.add_image(imgui.ImTextureRef(texture), corner, (corner[0] + wide, corner[1] + tall))

    def file_row(
        self, label: str, name: str, *, picture: tuple[int, tuple[int, int]] | None = None, selected: bool = False,
        side: float = 24.0,
    ) -> bool:  # fmt: skip
        """Draw a row of a list of files with a preview; return whether it was clicked."""
        at, tall = imgui.get_cursor_screen_pos(), self.px(side)
        left, top = at.x, at.y
        clicked, _ = imgui.selectable(f"###{name}", selected, 0, (0.0, tall))
        self._used(name, label)
        draw = imgui.get_window_draw_list()
        if picture is not None:
            self._preview(picture, (left, top), tall)
        else:
            draw.add_text(
                (left + self.px(4), top + (tall - imgui.get_font_size()) / 2), self.theme.packed("text_dim"), icons.FILE
            )
        down = top + (tall - imgui.get_text_line_height()) / 2
        draw.add_text((left + tall + self.px(8), down), self.theme.packed("text"), label)
        return bool(clicked)

    def list_number(self, number: int) -> None:
        """Draw the number of an item of a list, by which it can be dragged."""
        side = imgui.get_frame_height()
        at = imgui.get_cursor_screen_pos()
        left, top = at.x, at.y
        imgui.invisible_button("###number", (self.px(26), side))
        self._used("number")
        over = imgui.is_item_hovered()
        text = icons.DRAG if over else str(number)
        size = imgui.calc_text_size(text)
        place = left + (self.px(26) - size.x) / 2, top + (side - size.y) / 2
        imgui.get_window_draw_list().add_text(place, self.theme.packed("text_dim"), text)

    def fill_but(self, units: float) -> None:
        """Let the next widget fill the line, except for a width on the right."""
        imgui.set_next_item_width(-units)

    def align(self) -> None:
        """Align the next text vertically with the texts of fields."""
        imgui.align_text_to_frame_padding()

    def choice_row(self, label: str, name: str, *, icon: str = "", about: str = "") -> bool:
        """Draw a row with an icon, a name, and a dim sentence, shortened to fit; return whether it was clicked."""
        at, tall = imgui.get_cursor_screen_pos(), imgui.get_text_line_height() + self.px(6)
        left, top = at.x, at.y
        width = imgui.get_content_region_avail().x
        clicked, _ = imgui.selectable(f"###{name}", False, 0, (0.0, tall))
        shown = shortened(label, width - self.px(30))
        self._used(name, tip_of(about, (label, shown)))
        draw, down = imgui.get_window_draw_list(), top + self.px(3)
        draw.add_text((left + self.px(6), down), self.theme.packed("text_dim"), icon)
        draw.add_text((left + self.px(30), down), self.theme.packed("text"), shown)
        begin = self.px(40) + imgui.calc_text_size(shown).x
        if width - begin > self.px(24):
            with self.fonts.style("small"):
                description = shortened(about, width - begin)
                draw.add_text((left + begin, down + self.px(1.5)), self.theme.packed("text_disabled"), description)
        return bool(clicked)
