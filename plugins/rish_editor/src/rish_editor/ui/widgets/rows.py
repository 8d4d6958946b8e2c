"""Rows of long lists and trees: as wide as the panel, with arrow, icon, text, note and small buttons on them."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from imgui_bundle import imgui

from rish_frame.paint.writing import typed_text

from ..shortening import shortened, tip_of
from .base import Base

Where = Literal["before", "into", "after"]
_INDENT, _ARROW, _ICON, _BUTTON, _EDGE = 14.0, 16.0, 21.0, 22.0, 6.0
_BETWEEN = 0.28
"""The share of a row's height, at its top and bottom, where a drop goes between rows."""


class RowButton(NamedTuple):
    """A small button at the right end of a row. always: shown even while the pointer is elsewhere."""

    name: str
    icon: str
    tooltip: str = ""
    always: bool = False


@dataclass(slots=True)
class RowUse:
    """The input of a row in this frame. button: the name of the clicked button. text: where its text begins, units."""

    clicked: bool = False
    double: bool = False
    context: bool = False
    hovered: bool = False
    arrow: bool = False
    button: str = ""
    text: tuple[float, float] = (0.0, 0.0)


class RowDrop(NamedTuple):
    """A dragged payload over a row. delivered: whether it was dropped in this frame."""

    kind: str
    payload: Any
    where: Where
    delivered: bool


_BOTH_BUTTONS = int(imgui.ButtonFlags_.mouse_button_left | imgui.ButtonFlags_.mouse_button_right)
_NO_NAV = int(imgui.ItemFlags_.no_nav)


class Rows(Base):
    """Rows of long lists and trees."""

    _dragged: dict[str, Any]
    _after_line: bool

    @property
    def row_height(self) -> float:
        """The height of a row, units of the window."""
        return imgui.get_text_line_height() + 2 * round(self.px(3.5))

    @contextmanager
    def rows_area(self, name: str, *, width: float = 0.0, height: float = 0.0) -> Generator[None]:
        """Make a scrolling area of the panel for rows. The caller handles keys."""
        imgui.push_style_var(imgui.StyleVar_.item_spacing, (0.0, 0.0))
        imgui.push_style_var(imgui.StyleVar_.window_padding, (0.0, 0.0))
        imgui.begin_child(name, (width, height), imgui.ChildFlags_.none, imgui.WindowFlags_.no_nav_inputs)
        imgui.pop_style_var()
        try:
            yield
        finally:
            imgui.end_child()
            imgui.pop_style_var()
            self.mark(name)

    def show_row(self, index: int, *, centered: bool = False) -> None:
        """Scroll so that a row of the list is visible. centered: in the middle, if it is not visible yet."""
        height = self.row_height
        top, room = imgui.get_scroll_y(), imgui.get_window_height()
        if index * height >= top and (index + 1) * height <= top + room:
            return
        above = index * height < top
        edge = index * height if above else (index + 1) * height - room
        imgui.set_scroll_y(max(0.0, (index + 0.5) * height - room / 2 if centered else edge))

    @property
    def rows_in_view(self) -> int:
        """The number of rows that the area shows at once."""
        return max(1, int(imgui.get_window_height() / self.row_height) - 1)

    def tree_row(
        self, name: str, text: str, *, depth: int = 0, arrow: bool | None = None, icon: str = "", note: str = "",
        color: str = "text", icon_color: str = "text_dim", selected: bool = False, focused: bool = True,
        buttons: Sequence[RowButton] = (),
    ) -> RowUse:  # fmt: skip
        """Draw a row; return its input in this frame.

        depth: of the tree. arrow: whether it is open, None for a row without children. note: a dim text at the right
        end. color, icon_color: names of the theme. focused: whether the panel has the keyboard focus.
        """
        start, wide, high = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x, self.row_height
        left, top = start.x, start.y
        imgui.push_item_flag(_NO_NAV, True)
        clicked = imgui.invisible_button(f"###{name}", (max(wide, 1.0), high), _BOTH_BUTTONS)
        imgui.pop_item_flag()
        if self.marks.on:
            self.mark(name)
        use = RowUse(hovered=bool(imgui.is_item_hovered()))
        draw = imgui.get_window_draw_list()
        if selected or use.hovered:
            shade = ("selection" if focused else "selection_idle") if selected else "hover"
            draw.add_rect_filled((left, top), (left + wide, top + high), self.theme.packed(shade))
        scale = self.scale
        x = left + _EDGE * scale
        for level in range(depth):
            guide = round(x + self.px(_INDENT * level + _ARROW / 2)) + 0.5
            draw.add_line((guide, top), (guide, top + high), self.theme.packed("border"))
        x += _INDENT * scale * depth
        y = top + (high - imgui.get_text_line_height()) / 2
        if arrow is not None:
            self._arrow(draw, x, top, high, arrow)
        after = x + _ARROW * scale
        if icon:
            width = imgui.calc_text_size(icon).x
            draw.add_text((after + (16 * scale - width) / 2, y), self.theme.packed(icon_color), icon)
            after += _ICON * scale
        use.text = after, y
        shown_buttons = [button for button in buttons if use.hovered or button.always]
        shown = shortened(text, left + wide - _EDGE * scale - len(shown_buttons) * _BUTTON * scale - after)
        draw.add_text((after, y), self.theme.packed(color), shown)
        over = ""
        if shown_buttons or note:
            text_end = after + imgui.calc_text_size(shown).x
            over = self._row_end(draw, name, use, (left + wide, top, high), text_end, note, shown_buttons)
        if shown != text and not over:
            self.tooltip(text)
        if not clicked:
            return use
        if imgui.is_mouse_released(imgui.MouseButton_.right):
            use.context = True
        elif over:
            use.button = over
        else:
            use.arrow = arrow is not None and x - self.px(3) <= imgui.get_mouse_pos().x < x + self.px(_ARROW)
            again = imgui.get_io().mouse_clicked_last_count[0] % 2 == 0 and not (self.ctrl or self.shift)
            use.double = again and not use.arrow
            use.clicked = not again and not use.arrow
        return use

    def _arrow(self, draw: Any, x: float, top: float, high: float, opened: bool) -> None:
        color, size = self.theme.packed("text_dim"), self.px(3.6)
        cx, cy = x + self.px(_ARROW / 2), top + high / 2
        if opened:
            points = (cx - size, cy - size * 0.6), (cx + size, cy - size * 0.6), (cx, cy + size * 0.7)
        else:
            points = (cx - size * 0.6, cy - size), (cx + size * 0.7, cy), (cx - size * 0.6, cy + size)
        draw.add_triangle_filled(*points, color)

    def _row_end(
        self, draw: Any, name: str, use: RowUse, end: tuple[float, float, float], text_end: float, note: str,
        buttons: Sequence[RowButton],
    ) -> str:  # fmt: skip
        """Draw the note and the buttons of a row, from the right; return the name of the button below the pointer.

        end: right edge, top and height of the row. text_end: where its text ends.
        """
        right, top, high = end
        pointer, over = imgui.get_mouse_pos().x, ""
        x, y = right - self.px(_EDGE), top + (high - imgui.get_text_line_height()) / 2
        for button in reversed(buttons):
            x -= self.px(_BUTTON)
            lit = use.hovered and x <= pointer < x + self.px(_BUTTON)
            wide = imgui.calc_text_size(button.icon).x
            draw.add_text(
                (x + (self.px(_BUTTON) - wide) / 2, y), self.theme.packed("text" if lit else "text_dim"), button.icon
            )
            self.mark_area(f"{name}/{button.name}", x, top, x + self.px(_BUTTON), top + high)
            if lit:
                over = button.name
                self.tooltip(button.tooltip)
        if note:
            width = imgui.calc_text_size(note).x
            if text_end + self.px(12) + width <= x - self.px(4):
                draw.add_text((x - self.px(4) - width, y), self.theme.packed("text_dim"), note)
        return over

    def row_line(
        self, name: str, value: str, use: RowUse, *, focus: bool = False, width: float = 0.0
    ) -> str | None:  # fmt: skip
        """Edit a line of text in the place of the text of the row or tile that was drawn last; return it when it
        changes. width: in units of the window; 0: to the end of the row.
        """  # fmt: skip
        after, left = imgui.get_cursor_screen_pos(), use.text[0] - self.px(4)
        imgui.set_cursor_screen_pos((left, use.text[1] - self.px(2)))
        imgui.push_style_var(imgui.StyleVar_.frame_padding, (self.px(4), self.px(2)))
        imgui.set_next_item_width(width or imgui.get_content_region_avail().x - self.px(_EDGE))
        if focus:
            imgui.set_keyboard_focus_here()
        flags = imgui.InputTextFlags_.auto_select_all | imgui.InputTextFlags_.callback_always
        changed, new = imgui.input_text(f"###{name}", value, flags, self._carets)
        self._used(name)
        imgui.pop_style_var()
        self._after_line = self.ended()
        imgui.set_cursor_screen_pos(after)
        imgui.dummy((0.0, 0.0))
        return str(new) if changed else None

    @property
    def row_line_ended(self) -> bool:
        """Whether the user has just stopped editing with `row_line`."""
        return self._after_line

    def row_mark(self, use: RowUse, text: str, name: str) -> None:
        """Draw the mark of unsaved edits behind the text of the last row."""
        x = use.text[0] + imgui.calc_text_size(text).x + self.px(10)
        y = use.text[1] + imgui.get_text_line_height() / 2
        imgui.get_window_draw_list().add_circle_filled((x, y), self.px(3.5), self.theme.packed("unsaved"))
        self.mark_area(name, x - 4, y - 4, x + 4, y + 4)

    def row_drop(self, kinds: Sequence[str], *, between: bool = True, depth: int = 0,
                 below: bool = False) -> RowDrop | None:  # fmt: skip
        """Make the last row, and the gaps beside it, a target of drag and drop; draw where a drop would go.

        depth: of the row in its tree. below: whether its children are shown, so that a drop after it becomes the first
        child.
        """
        if not imgui.begin_drag_drop_target():
            return None
        drop = None
        plain = imgui.DragDropFlags_.accept_no_draw_default_rect
        early = plain | imgui.DragDropFlags_.accept_before_delivery
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        for kind in kinds:
            if imgui.accept_drag_drop_payload_py_id(kind, early) is not None:
                delivered = imgui.accept_drag_drop_payload_py_id(kind, plain) is not None
                part = (imgui.get_mouse_pos().y - low.y) / max(1.0, high.y - low.y)
                where: Where = "into"
                if between and not _BETWEEN <= part <= 1 - _BETWEEN:
                    where = "before" if part < 0.5 else "after"
                self._show_drop(low, high, where, depth + (below and where == "after"))
                drop = RowDrop(kind, self._dragged.get(kind), where, delivered)
        imgui.end_drag_drop_target()
        return drop

    def _show_drop(self, low: Any, high: Any, where: Where, depth: int) -> None:
        draw, color = imgui.get_foreground_draw_list(), self.theme.packed("accent")
        if where == "into":
            draw.add_rect((low.x + 1, low.y), (high.x - 1, high.y), color, self.px(3), self.px(1.5))
            return
        y, x = low.y if where == "before" else high.y, low.x + self.px(_EDGE + _INDENT * depth + _ARROW / 2)
        draw.add_circle(imgui.ImVec2(x, y), self.px(3), color, 12, self.px(1.5))
        draw.add_line((x + self.px(3), y), (high.x - self.px(4), y), color, self.px(2))

    def tile_height(self, side: float) -> float:
        """Return the height of a tile with its name."""
        return side + imgui.get_text_line_height() + self.px(4)

    def tile(
        self, name: str, text: str, side: float, *, icon: str, picture: tuple[int, tuple[int, int]] | None = None,
        icon_color: str = "text_dim", selected: bool = False, focused: bool = True,
    ) -> RowUse:  # fmt: skip
        """Draw a picture or an icon with a name below it; return its input in this frame.

        side: width of the tile, units of the window. picture: a texture and its width and height.
        """
        start, high = imgui.get_cursor_screen_pos(), self.tile_height(side)
        left, top = start.x, start.y
        use, draw = self._tile_use(name, side, high), imgui.get_window_draw_list()
        if selected or use.hovered:
            shade = ("selection" if focused else "selection_idle") if selected else "hover"
            draw.add_rect_filled((left, top), (left + side, top + high - 2), self.theme.packed(shade), self.px(4))
        edge = self.px(6)
        room = side - 2 * edge
        if picture is not None:
            texture, (width, height) = picture
            scale = min(room / max(width, 1), room / max(height, 1))
            if scale > 1:
                scale = max(1.0, float(int(scale)))  # whole pixels of small pictures
            x, y = left + (side - width * scale) / 2, top + edge + (room - height * scale) / 2
            draw.add_image(imgui.ImTextureRef(texture), (x, y), (x + width * scale, y + height * scale))
        else:
            size = room * 0.55
            wide = imgui.calc_text_size(icon).x * size / imgui.get_font_size()
            at = left + (side - wide) / 2, top + edge + (room - size) / 2
            draw.add_text(imgui.get_font(), size, at, self.theme.packed(icon_color), icon)
        with self.fonts.style("small"):
            shown = shortened(text, side - self.px(4), 2 / 3)
            x = left + (side - imgui.calc_text_size(shown).x) / 2
            draw.add_text((x, top + side - self.px(2)), self.theme.packed("text"), shown)
        self.tooltip(tip_of("", (text, shown)))
        use.text = left + self.px(4), top + side - self.px(2)
        return use

    def _tile_use(self, name: str, side: float, high: float) -> RowUse:
        both = imgui.ButtonFlags_.mouse_button_left | imgui.ButtonFlags_.mouse_button_right
        imgui.push_item_flag(imgui.ItemFlags_.no_nav, True)
        clicked = bool(imgui.invisible_button(f"###{name}", (side, high), both))
        imgui.pop_item_flag()
        if self.marks.on:
            self.mark(name)
        right = clicked and bool(imgui.is_mouse_released(imgui.MouseButton_.right))
        again = imgui.get_io().mouse_clicked_last_count[0] % 2 == 0
        return RowUse(
            clicked=clicked and not right and not again, double=clicked and not right and again, context=right,
            hovered=bool(imgui.is_item_hovered()),
        )  # fmt: skip

    def rest_of_rows(self, name: str) -> RowUse:
        """Fill the area below the last row; return the input there in this frame."""
        room = imgui.get_content_region_avail()
        both = imgui.ButtonFlags_.mouse_button_left | imgui.ButtonFlags_.mouse_button_right
        imgui.push_item_flag(imgui.ItemFlags_.no_nav, True)
        clicked = imgui.invisible_button(f"###{name}", (max(room.x, 1.0), max(room.y, self.row_height)), both)
        imgui.pop_item_flag()
        self._used(name)
        right = clicked and imgui.is_mouse_released(imgui.MouseButton_.right)
        return RowUse(clicked=bool(clicked and not right), context=bool(right), hovered=bool(imgui.is_item_hovered()))

    @property
    def typed(self) -> str:
        """The characters that were typed in this frame, if no text field has the keyboard focus."""
        io = imgui.get_io()
        if io.want_text_input:
            return ""
        return typed_text("".join(map(chr, io.input_queue_characters)))
