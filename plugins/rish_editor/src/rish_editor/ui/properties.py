"""Rows of names and values, whose columns are aligned in a whole panel."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from imgui_bundle import imgui

from ..look import icons
from ..look.style import role
from .base import Base

SPLIT = 0.38
"""The part of the width that names take."""


class Properties(Base):
    """Rows of a name and a value, and headings of components."""

    _heights: dict[int, float]

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
        """Draw the name of a row, cut off where the values begin, and go there. The name can have a context menu."""
        room = imgui.get_content_region_avail().x
        left, top = imgui.get_cursor_screen_pos()
        gap = self.px(10)
        width, height = max(room * SPLIT - gap * 0.5, 1.0), imgui.get_frame_height()
        imgui.invisible_button(f"###{name}:label", (width, height), imgui.ButtonFlags_.mouse_button_right)
        self._used(f"{name}:label", tooltip)
        colour = self.theme.packed("override" if override else "text_disabled" if dim else "text_dim")
        draw = imgui.get_window_draw_list()
        draw.push_clip_rect((left, top), (left + width, top + height), True)
        at = left + gap, top + imgui.get_style().frame_padding.y
        if override:
            draw.add_text((left - self.px(2), at[1]), colour, icons.OVERRIDDEN)
            with self.fonts.style("strong"):
                draw.add_text(at, colour, label)
        else:
            draw.add_text(at, colour, label)
        draw.pop_clip_rect()
        imgui.same_line(0.0, 0.0)
        imgui.set_cursor_screen_pos((left + room * SPLIT + gap * 0.5, top))

    @contextmanager
    def lazily(self, name: str) -> Generator[bool]:
        """Leave out a part of the panel that is scrolled out of view; the block is told whether to draw it.

        Its height is that of the last time it was drawn. While the person uses a widget everything is drawn.
        """
        key, top = imgui.get_id(f"###{name}:part"), imgui.get_cursor_pos_y()
        height = self._heights.get(key)
        gap = imgui.get_style().item_spacing.y
        if height is not None and not imgui.is_any_item_active() and not imgui.is_rect_visible((1.0, height)):
            imgui.dummy((1.0, max(height - gap, 0.0)))
            yield False
            return
        yield True
        self._heights[key] = imgui.get_cursor_pos_y() - top

    def component_header(
        self, label: str, name: str, *, icon: str, opened: bool, tooltip: str = "", override: bool = False, dim: bool = False
    ) -> tuple[bool, bool]:  # fmt: skip
        """Draw the heading of a component; return whether it was clicked, and whether its menu was asked for.

        The marks are `name:header` and `name:menu`.
        """
        at, height = imgui.get_cursor_screen_pos(), imgui.get_frame_height()
        left, top = at.x, at.y
        width = imgui.get_content_region_avail().x
        imgui.set_next_item_allow_overlap()
        with role(self.theme, "section"):
            clicked = bool(imgui.button(f"###{name}:header", (width, height)))
        self._used(f"{name}:header", tooltip)
        asked = bool(imgui.is_item_hovered() and imgui.is_mouse_released(1))
        draw, padding = imgui.get_window_draw_list(), imgui.get_style().frame_padding
        down = top + padding.y
        draw.add_text((left + self.px(8), down), self.theme.packed("text_dim"), icons.DOWN if opened else icons.RIGHT)
        colour = self.theme.packed("override" if override else "text_dim" if dim else "text")
        draw.add_text((left + self.px(30), down), colour, icon)
        draw.push_clip_rect((left, top), (left + width - height, top + height), True)
        with self.fonts.style("strong"):
            draw.add_text((left + self.px(54), down), colour, label)
        draw.pop_clip_rect()
        imgui.set_cursor_screen_pos((left + width - height, top))
        with role(self.theme, "quiet"):
            asked |= bool(imgui.button(f"{icons.MORE}###{name}:menu", (height, height)))
        self._used(f"{name}:menu")
        return clicked, asked

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
