"""Widgets that edit numbers, texts and colours. They return the new value, or None without a change."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import imgui

from .base import Base

MIXED = "—"
"""What a field shows whose entities have different values."""


class Values(Base):
    """Widgets that edit a value. mixed: the edited things have different values; `MIXED` is shown until one is given."""

    def number(
        self, name: str, value: float, *, speed: float = 0.1, low: float | None = None, high: float | None = None,
        form: str = "%.3f", mixed: bool = False, tooltip: str = "", width: float = 0.0,
    ) -> float | None:  # fmt: skip
        """Edit a number by dragging; double-click to type. speed: change per unit of the drag."""
        if width:
            imgui.set_next_item_width(width)
        bottom, top = _range(low, high)
        flags = imgui.SliderFlags_.always_clamp if low is not None or high is not None else 0
        changed, new = imgui.drag_float(f"###{name}", value, speed, bottom, top, MIXED if mixed else form, flags)
        self._used(name, tooltip)
        return float(new) if changed else None

    def whole(
        self, name: str, value: int, *, speed: float = 0.1, low: int | None = None, high: int | None = None,
        mixed: bool = False, tooltip: str = "", width: float = 0.0,
    ) -> int | None:  # fmt: skip
        """Edit a whole number by dragging; double-click to type."""
        if width:
            imgui.set_next_item_width(width)
        bottom = -(2**31) if low is None and high is not None else low or 0
        top = 2**31 - 1 if high is None and low is not None else high or 0
        flags = imgui.SliderFlags_.always_clamp if low is not None or high is not None else 0
        changed, new = imgui.drag_int(f"###{name}", value, speed, bottom, top, MIXED if mixed else "%d", flags)
        self._used(name, tooltip)
        return int(new) if changed else None

    def slider(self, name: str, value: float, low: float, high: float, *, form: str = "%.2f", tooltip: str = "",
               width: float = 0.0) -> float | None:  # fmt: skip
        """Edit a number between two bounds."""
        if width:
            imgui.set_next_item_width(width)
        changed, new = imgui.slider_float(f"###{name}", value, low, high, form)
        self._used(name, tooltip)
        return float(new) if changed else None

    def line(self, name: str, value: str, *, hint: str = "", mixed: bool = False, enter: bool = False,
             tooltip: str = "", width: float = 0.0, focus: bool = False) -> str | None:  # fmt: skip
        """Edit a line of text. enter: return the text only when Enter is pressed."""
        if width:
            imgui.set_next_item_width(width)
        if focus:
            imgui.set_keyboard_focus_here()
        flags = imgui.InputTextFlags_.enter_returns_true if enter else 0
        shown, said = ("", MIXED) if mixed else (value, hint)
        changed, new = imgui.input_text_with_hint(f"###{name}", said, shown, flags)
        self._used(name, tooltip)
        return str(new) if changed else None

    def paragraph(self, name: str, value: str, *, lines: int = 4, mixed: bool = False, tooltip: str = "") -> str | None:
        """Edit a text of several lines."""
        height = imgui.get_text_line_height() * lines + 2 * imgui.get_style().frame_padding.y
        changed, new = imgui.input_text_multiline(f"###{name}", "" if mixed else value, (-1, height))
        self._used(name, tooltip)
        return str(new) if changed else None

    def colour(self, name: str, value: Sequence[float], *, mixed: bool = False, tooltip: str = "",
               width: float = 0.0) -> tuple[float, float, float, float] | None:  # fmt: skip
        """Edit a colour: red, green, blue, opacity from 0 to 1."""
        if width:
            imgui.set_next_item_width(width)
        flags = (
            imgui.ColorEditFlags_.alpha_bar | imgui.ColorEditFlags_.alpha_preview_half | imgui.ColorEditFlags_.float
            | imgui.ColorEditFlags_.display_hex
        )  # fmt: skip
        if mixed:
            flags |= imgui.ColorEditFlags_.no_inputs
        imgui.push_id(name)
        changed, new = imgui.color_edit4("###colour", [float(part) for part in value], flags)
        imgui.pop_id()
        self._used(name, tooltip)
        if not changed:
            return None
        red, green, blue, alpha = (float(part) for part in new)
        return red, green, blue, alpha


def _range(low: float | None, high: float | None) -> tuple[float, float]:
    """Return the bounds for Dear ImGui, where two zeros mean none."""
    if low is None and high is None:
        return 0.0, 0.0
    return -3.0e38 if low is None else low, 3.0e38 if high is None else high
