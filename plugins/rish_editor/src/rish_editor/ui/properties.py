"""Rows of names and values, whose columns are aligned in a whole panel."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from imgui_bundle import imgui

from ..look import icons
from .base import Base

SPLIT = 0.38
"""The part of the width that names take."""


class Properties(Base):
    """Rows of a name and a value."""

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
