"""Number fields: dragged with the mouse, or clicked and typed into, also as a formula."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from imgui_bundle import imgui

from ..widgets.base import Base
from .formulas import Formula, FormulaError, read_formula

MIXED = "—"
"""The text of a field whose entities have different values."""
Entered = float | Formula
"""What a user enters into a number field."""
Parts = dict[int, Entered]
"""What a user enters into some of the numbers of a vector, by index."""
AXES = "XYZW"
_AXIS_COLORS = {"X": "axis_x", "Y": "axis_y", "Z": "axis_z", "W": "axis_x", "H": "axis_y"}
"""The colors of axes, as in the views."""
_MAX_DIGITS = 4
_HUGE = 3.0e38
_MIN_WIDTH = 52.0
"""The least width of a number field in a row of several, units."""


_FREE = int(imgui.SliderFlags_.no_input)
_FRAMES = tuple(int(place) for place in (imgui.Col_.frame_bg, imgui.Col_.frame_bg_hovered, imgui.Col_.frame_bg_active))
_BOUNDED = int(imgui.SliderFlags_.no_input | imgui.SliderFlags_.always_clamp)
_ROUND_LEFT = int(imgui.ImDrawFlags_.round_left)


@dataclass
class Typing:
    """The number field that is typed into.

    key: its identifier. text, first: the present and the initial text. begun: whether it has the keyboard focus.
    tabbed: whether Tab was pressed to leave it. wrong: the error in the text.
    """

    key: int = 0
    text: str = ""
    first: str = ""
    begun: bool = False
    tabbed: bool = False
    wrong: str = ""


class Numbers(Base):
    """Fields for numbers. They return the new value, or None without a change."""

    _typing: Typing
    _tabbed: bool

    def number(
        self, name: str, value: float, *, speed: float = 0.0, low: float | None = None, high: float | None = None,
        form: str = "", unit: str = "", mixed: bool = False, tooltip: str = "", width: float = 0.0,
    ) -> float | None:  # fmt: skip
        """Edit a number: drag it, or click and type. speed: change per unit of the drag; 0 chooses one.

        form: as in `%.2f s`; "" shows as many digits as the number has. unit: shown behind it.
        """
        entered = self.formula(name, value, speed=speed, low=low, high=high, form=form, unit=unit, mixed=mixed,
                             tooltip=tooltip, width=width)  # fmt: skip
        return within(_plain(entered, value), low, high)

    def whole(
        self, name: str, value: int, *, speed: float = 0.0, low: int | None = None, high: int | None = None,
        unit: str = "", mixed: bool = False, tooltip: str = "", width: float = 0.0,
    ) -> int | None:  # fmt: skip
        """Edit a whole number: drag it, or click and type."""
        entered = self.formula(name, value, speed=speed, low=low, high=high, unit=unit, mixed=mixed, whole=True,
                             tooltip=tooltip, width=width)  # fmt: skip
        number = within(_plain(entered, value), low, high)
        return None if number is None else round(number)

    def slider(self, name: str, value: float, low: float, high: float, *, form: str = "", tooltip: str = "",
               width: float = 0.0, mixed: bool = False) -> float | None:  # fmt: skip
        """Edit a number between two bounds; the filled part of the field shows it."""
        return self.number(name, value, low=low, high=high, form=form, tooltip=tooltip, width=width, mixed=mixed)

    def formula(
        self, name: str, value: float, *, speed: float = 0.0, low: float | None = None, high: float | None = None,
        whole: bool = False, form: str = "", unit: str = "", mixed: bool = False, letter: str = "", tooltip: str = "",
        width: float = 0.0,
    ) -> Entered | None:  # fmt: skip
        """Edit a number of several entities: the result is one number for all, or a formula.

        letter: of a coordinate, shown on the left in its color. Bounds limit dragging; apply `within` to formulas.
        """
        key = imgui.get_id(f"###{name}")
        wide = width or imgui.calc_item_width()
        if self._tabbed:
            self._tabbed = False
            self._typing = Typing(key, shown_number(value))
        if self._typing.key == key:
            return self._typed(name, wide, tooltip)
        step = speed or speed_for(value, low, high, wide, whole=whole)
        dragged = key == imgui.internal.get_active_id() and not _is_click()
        edited = self._dragged_number(name, value, step, (low, high), wide, whole=whole, form=form, mixed=mixed,
                                     letter=letter, unit=unit, dragged=dragged)  # fmt: skip
        self._used(name, tooltip)
        clicked = imgui.is_item_deactivated() and _is_click()
        entered = imgui.is_item_focused() and imgui.is_key_pressed(imgui.Key.enter, False)
        if clicked or entered:
            text = "" if mixed else shown_number(value)
            self._typing = Typing(key, text, text)
            return None
        return edited

    def _dragged_number(
        self, name: str, value: float, step: float, bounds: tuple[float | None, float | None], wide: float, *,
        whole: bool, form: str, mixed: bool, letter: str, unit: str, dragged: bool,
    ) -> float | None:  # fmt: skip
        """Draw a number with its letter, unit and filling. While it is dragged, its format has the decimals of the step
        only, because Dear ImGui rounds to the format."""
        low, high = bounds
        left, top = imgui.get_cursor_screen_pos()
        height = imgui.get_frame_height()
        imgui.set_next_item_width(wide)
        flags = _FREE if low is None and high is None else _BOUNDED
        bottom, top_bound = (-_HUGE if low is None else low), (_HUGE if high is None else high)
        if low is None and high is None:
            bottom = top_bound = 0.0
        shown, text = (MIXED, MIXED) if mixed else _written(value, step, whole, unit, dragged)
        shown = shown if mixed or not form else form
        fits = bool(letter) and imgui.calc_text_size(text).x < wide - 2 * self.px(18)
        lead = "   " if fits else ""
        filled = None if mixed or low is None or high is None or letter or high - low > 1000 else (
            (value - low) / max(high - low, 1e-9)
        )  # fmt: skip
        if filled is not None:
            self._background((left, top), (wide, height), filled)
        if mixed:
            imgui.push_style_color(imgui.Col_.text, self.theme.packed("mixed"))
        changed, new = imgui.drag_float(f"###{name}", value, step, bottom, top_bound, lead + shown, flags)
        colors = mixed + (0 if filled is None else len(_FRAMES))
        if colors:
            imgui.pop_style_color(colors)
        if letter:
            self._axis(letter, left, top, height, named=fits)
        elif unit not in ("", "°", "%") and not mixed:
            self._unit(unit, text, (left, top), wide)
        if not changed:
            return None
        return float(round(new)) if whole else float(new)

    def _background(self, at: tuple[float, float], size: tuple[float, float], filled: float) -> None:
        """Draw the background of a partly filled field; push transparent colors for the background of Dear ImGui."""
        end, rounding = (at[0] + size[0], at[1] + size[1]), imgui.get_style().frame_rounding
        over = imgui.is_window_hovered() and imgui.is_mouse_hovering_rect(at, end)
        draw = imgui.get_window_draw_list()
        draw.add_rect_filled(at, end, self.theme.packed("input_hover" if over else "input"), rounding)
        part = min(max(filled, 0.0), 1.0)
        if part > 0:
            draw.push_clip_rect(at, (at[0] + size[0] * part, end[1]), True)
            draw.add_rect_filled(at, end, self.theme.packed("selection"), rounding)
            draw.pop_clip_rect()
        for place in _FRAMES:
            imgui.push_style_color(place, 0)

    def _axis(self, letter: str, left: float, top: float, height: float, *, named: bool) -> None:
        """Draw the bar of a coordinate in its color, and its letter if there is room."""
        draw, bar, color = imgui.get_window_draw_list(), self.px(3), _AXIS_COLORS.get(letter, "border_strong")
        draw.add_rect_filled((left, top), (left + bar, top + height), self.theme.packed(color), bar, _ROUND_LEFT)
        if named:
            place = left + self.px(7), top + imgui.get_style().frame_padding.y
            draw.add_text(place, self.theme.packed("text_dim"), letter)

    def _unit(self, unit: str, number: str, at: tuple[float, float], wide: float) -> None:
        """Write the unit at the right end of a field if there is room beside the number."""
        padding = imgui.get_style().frame_padding
        with self.fonts.style("small"):
            size = imgui.calc_text_size(unit)
            room = wide / 2 - imgui.calc_text_size(number).x * 0.6 - padding.x
            if size.x < room:
                down = (imgui.get_frame_height() - size.y) / 2
                place = at[0] + wide - size.x - padding.x, at[1] + down
                imgui.get_window_draw_list().add_text(place, self.theme.packed("text_disabled"), unit)

    def _typed(self, name: str, wide: float, tooltip: str) -> Entered | None:
        """Draw the text field in which a number is typed; return it when it is complete."""
        typing = self._typing
        imgui.set_next_item_width(wide)
        if not typing.begun:
            imgui.set_keyboard_focus_here()
        if typing.wrong:
            imgui.push_style_color(imgui.Col_.border, self.theme.rgba("error"))
        flags = imgui.InputTextFlags_.auto_select_all
        _, typing.text = imgui.input_text(f"###{name}:typed", typing.text, flags)
        if typing.wrong:
            imgui.pop_style_color()
        self._used(name, typing.wrong or tooltip)
        if imgui.is_item_active():
            typing.begun = True
            typing.tabbed |= bool(imgui.is_key_pressed(imgui.Key.tab, False)) and not imgui.get_io().key_shift
            typing.wrong = _complaint(typing.text)
            return None
        if not typing.begun and not imgui.is_item_deactivated():
            return None
        self._typing = Typing()
        self._tabbed = typing.tabbed
        if imgui.is_key_pressed(imgui.Key.escape, False) or typing.text == typing.first or not typing.text.strip():
            return None
        try:
            return read_formula(typing.text)
        except FormulaError:
            return None

    def vector(
        self, name: str, values: Sequence[float], *, mixed: Sequence[bool] = (), speed: float = 0.0,
        low: float | None = None, high: float | None = None, whole: bool = False, letters: str = AXES, unit: str = "",
        tooltip: str = "", width: float = 0.0,
    ) -> Parts | None:  # fmt: skip
        """Edit the numbers of a vector side by side, four at most in a line; return what was entered, by index.

        mixed: which of them differ between the edited things. letters: of the axes, such as `XYWH`; "" shows none.
        Marks are `name.x`, `name.y`, `name.z`, `name.w` or other letters, and numbers without letters.
        """
        entered: Parts = {}
        gap = imgui.get_style().item_inner_spacing.x
        across = min(len(values), 2 if len(values) == 4 else 4)
        room = width or imgui.calc_item_width()
        if (room - gap * (across - 1)) / across < self.px(_MIN_WIDTH):
            across = 1
        wide = max((room - gap * (across - 1)) / across, self.px(24))
        left = imgui.get_cursor_pos_x()
        for k, value in enumerate(values):
            if k % across:
                imgui.same_line(0.0, gap)
            elif k:
                imgui.set_cursor_pos_x(left)
            letter = letters[k] if k < len(letters) else ""
            end = letter.lower() or str(k)
            part = self.formula(f"{name}.{end}", value, speed=speed, low=low, high=high, whole=whole, letter=letter,
                                 unit=unit, mixed=bool(mixed) and mixed[k], tooltip=tooltip, width=wide)  # fmt: skip
            if part is not None:
                entered[k] = part
        return entered or None


def _is_click() -> bool:
    """Return whether the pointer has hardly moved since the button was pressed."""
    delta = imgui.get_mouse_drag_delta(0, 0.0)
    return abs(delta.x) + abs(delta.y) < 3.0


def within(value: float | None, low: float | None, high: float | None) -> float | None:
    """Return a number limited to bounds; None stays None."""
    if value is None:
        return None
    value = value if low is None else max(value, low)
    return value if high is None else min(value, high)


def speed_for(value: float, low: float | None, high: float | None, width: float, *, whole: bool = False) -> float:
    """Return the change of a number per unit of a drag: a share of its range, or without a range of its magnitude."""
    if low is not None and high is not None and high - low <= 1000:
        return (high - low) / max(width, 1.0)
    if whole:
        return 0.1 if abs(value) < 100 else 10.0 ** (math.floor(math.log10(abs(value))) - 2)
    size = abs(value)
    return 0.01 if size < 1 else 0.1 if size < 20 else 0.5 if size < 200 else 1.0 if size < 2000 else 10.0


def shown_number(value: float) -> str:
    """Return a number with at most four digits behind the point, without zeros at the end."""
    text = f"{value:.{_MAX_DIGITS}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _plain(entered: Entered | None, value: float) -> float | None:
    return float(entered.of([value])[0]) if isinstance(entered, Formula) else entered


def _digits(value: float) -> int:
    """Return the number of decimals that a number needs."""
    text = shown_number(round(value, _MAX_DIGITS if abs(value) < 1 else 3))
    return min(len(text.partition(".")[2]), 3)


@lru_cache(1024)
def _written(value: float, step: float, whole: bool, unit: str, dragged: bool) -> tuple[str, str]:
    """Return the format of a number for Dear ImGui, and the text that it shows, without the unit."""
    digits = 0 if whole else _digits(step) if dragged else max(_digits(step), _digits(value))
    return f"%.{digits}f" + {"°": "°", "%": " %%"}.get(unit, ""), f"{value:.{digits}f}"


def _complaint(text: str) -> str:
    try:
        read_formula(text)
    except FormulaError as error:
        return str(error) if text.strip() else ""
    return ""
