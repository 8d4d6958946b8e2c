"""Buttons, check boxes, and other widgets that are clicked."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Literal

from imgui_bundle import imgui

from ...look import icons
from ...look.style import role
from ..shortening import shortened, tip_of
from .base import Color, Tip
from .popups import Popups

Kind = Literal["normal", "primary", "danger", "ghost"]
_PADDING = int(imgui.StyleVar_.frame_padding)
_ROLES = {"normal": "", "primary": "primary", "danger": "danger", "ghost": "quiet"}


_OVERLAP, _SPAN, _DISABLED = (
    int(flag)
    for flag in (
        imgui.SelectableFlags_.allow_overlap, imgui.SelectableFlags_.span_all_columns, imgui.SelectableFlags_.disabled
    )
)  # fmt: skip


class Buttons(Popups):
    """Widgets that are clicked. Each has a name, its identifier and mark, which does not depend on the language of its
    label."""

    def button(
        self, label: str, name: str, *, icon: str = "", tooltip: Tip = "", enabled: bool = True, active: bool = False,
        kind: Kind = "normal", width: float = 0.0,
    ) -> bool:  # fmt: skip
        """Show a button; return whether it was clicked. active: shown as pressed. width: 0 fits, -1 fills."""
        shown = f"{icon}  {label}" if icon and label else icon or label
        look = "chosen" if active else _ROLES[kind]
        if not enabled:
            imgui.begin_disabled()
        with role(self.theme, look) if look else nullcontext():
            clicked = imgui.button(f"{shown}###{name}", (width, 0.0))
        if not enabled:
            imgui.end_disabled()
        self._used(name, tooltip, enabled=enabled)
        return bool(clicked and enabled)

    def icon_button(
        self, icon: str, name: str, tooltip: Tip = "", *, enabled: bool = True, active: bool = False,
        color: Color | None = None,
    ) -> bool:  # fmt: skip
        """Show a square button with an icon; return whether it was clicked."""
        if color is not None and enabled:
            imgui.push_style_color(imgui.Col_.text, color)
        side = imgui.get_frame_height()
        imgui.push_style_var_x(_PADDING, 0.0)
        clicked = self.button("", name, icon=icon, tooltip=tooltip, enabled=enabled, active=active,
                              kind="ghost", width=side)  # fmt: skip
        imgui.pop_style_var()
        if color is not None and enabled:
            imgui.pop_style_color()
        return clicked

    def checkbox(self, label: str, name: str, value: bool, *, mixed: bool = False, tooltip: str = "") -> bool | None:
        """Show a check box; return the new value, or None without a change. mixed: the values differ."""
        if mixed:
            imgui.push_item_flag(imgui.ItemFlags_.mixed_value, True)
        changed, new = imgui.checkbox(f"{label}###{name}", value)
        if mixed:
            imgui.pop_item_flag()
        self._used(name, tooltip)
        return bool(new) if changed else None

    def radio(self, label: str, name: str, active: bool, tooltip: str = "") -> bool:
        """Show one of several choices; return whether it was clicked."""
        imgui.push_style_color(imgui.Col_.check_mark, self.theme.rgba("accent"))
        clicked = imgui.radio_button(f"{label}###{name}", active)
        imgui.pop_style_color()
        self._used(name, tooltip)
        return bool(clicked)

    def choice(self, name: str, value: str, choices: Sequence[str], *, labels: Sequence[str] = (), tooltip: str = "",
               width: float = 0.0) -> str | None:  # fmt: skip
        """Show a list to choose from; return the new choice, or None without a change.

        value: the current one, which need not be among the choices. labels: shown instead of the choices.
        """
        shown = labels or choices
        current = shown[choices.index(value)] if value in choices else value
        if width:
            imgui.set_next_item_width(width)
        draw, corner = imgui.get_window_draw_list(), imgui.get_cursor_screen_pos()
        padding, chevron = imgui.get_style().frame_padding, imgui.calc_text_size(icons.DOWN).x
        at = corner.x + imgui.calc_item_width() - chevron - padding.x, corner.y + padding.y
        chosen = None
        with self.drop_down(name, current, imgui.ComboFlags_.no_arrow_button) as opened:
            self._used(name, tooltip)
            for choice, label in zip(choices, shown, strict=True) if opened else ():
                if imgui.selectable(f"{label or ' '}###{name}:{choice}", choice == value)[0]:
                    chosen = choice
                self.mark(f"{name}:{choice}")
                if choice == value:
                    imgui.set_item_default_focus()
        draw.add_text(at, self.theme.packed("text_dim"), icons.DOWN)
        return chosen if chosen != value else None

    def selectable(self, label: str, name: str, selected: bool = False, *, tooltip: Tip = "", enabled: bool = True,
                   width: float = 0.0, span: bool = False) -> bool:  # fmt: skip
        """Show a row; return whether it was clicked. A longer label is shortened. span: over all columns of a table."""
        flags = _OVERLAP | (_SPAN if span else 0) | (0 if enabled else _DISABLED)
        grows = imgui.internal.get_current_window().flags & imgui.WindowFlags_.always_auto_resize
        shown = label if grows else shortened(label, width or imgui.get_content_region_avail().x)
        clicked, _ = imgui.selectable(f"{shown}###{name}", selected, flags, (width, 0.0))
        self._used(name, tip_of(tooltip, (label, shown)), enabled=enabled)
        return bool(clicked)

    def link(self, text: str, name: str, tooltip: str = "") -> bool:
        """Show a text that can be clicked; return whether it was."""
        clicked = imgui.text_link(f"{text}###{name}")
        self._used(name, tooltip)
        return bool(clicked)
