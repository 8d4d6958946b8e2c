"""The widget for a source text, and the tabs above several of them."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from imgui_bundle import imgui

from ..widgets.base import Base
from .field import CodeField


class Codes(Base):
    """Widgets for source texts."""

    def code(self, name: str, field: CodeField, *, height: float = 0.0) -> None:
        """Edit a source text. height: 0 fills the panel, a negative one leaves room below, units of the window."""
        with self.fonts.style("code"):
            field.draw(name, self.theme, height)
        self._used(name)

    @property
    def idle(self) -> bool:
        """Whether the panel has the keyboard focus, but no widget or area in it."""
        return bool(imgui.is_window_focused() and not imgui.is_any_item_active())

    @contextmanager
    def tabs(self, name: str) -> Generator[bool]:
        """Make a row of tabs, which can be reordered; the block gets whether it is visible."""
        flags, colors = imgui.TabBarFlags_, imgui.Col_
        for color, name_of_color in (
            (colors.tab, "bar"), (colors.tab_selected, "input"), (colors.tab_dimmed, "bar"),
            (colors.tab_dimmed_selected, "input"), (colors.tab_hovered, "button_hover"),
        ):  # fmt: skip
            imgui.push_style_color(color, self.theme.rgba(name_of_color))
        imgui.push_style_var(imgui.StyleVar_.tab_bar_overline_size, self.px(2))
        shown = bool(imgui.begin_tab_bar(
            name, flags.reorderable | flags.fitting_policy_scroll | flags.draw_selected_overline
        ))  # fmt: skip
        try:
            yield shown
        finally:
            if shown:
                imgui.end_tab_bar()
            imgui.pop_style_var()
            imgui.pop_style_color(5)

    def tab(
        self, label: str, name: str, *, front: bool = False, unsaved: bool = False, tooltip: str = ""
    ) -> tuple[bool, bool]:
        """Show a tab with a cross; return whether it is in front, and whether its cross was clicked.

        front: bring it to the front now. unsaved: shown with a dot.
        """
        flags = imgui.TabItemFlags_.unsaved_document if unsaved else imgui.TabItemFlags_.none
        if front:
            flags |= imgui.TabItemFlags_.set_selected
        shown, still = imgui.begin_tab_item(f"{label}###{name}", True, flags)
        self._used(name, tooltip)
        if shown:
            imgui.end_tab_item()
        return bool(shown), not still
