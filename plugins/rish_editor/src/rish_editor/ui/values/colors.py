"""Fields for colors: a swatch that opens a picker, the hexadecimal number, and the opacity."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import imgui

from rish_ecs import parse_color

from ..widgets.popups import Popups
from .numbers import MIXED, Numbers, Parts

Rgba = tuple[float, float, float, float]
_SWATCH = int(imgui.ColorEditFlags_.alpha_preview_half | imgui.ColorEditFlags_.no_tooltip)
_TYPED = int(imgui.InputTextFlags_.auto_select_all | imgui.InputTextFlags_.enter_returns_true)


class Colors(Numbers, Popups):
    """Fields for colors."""

    def color(self, name: str, value: Sequence[float], *, mixed: bool = False, tooltip: str = "",
               width: float = 0.0) -> Rgba | None:  # fmt: skip
        """Edit a color: red, green, blue, opacity from 0 to 1. Return the new one, or None without a change."""
        parts = self.color_parts(name, value, mixed=(mixed,) * 4, tooltip=tooltip, width=width)
        if parts is None:
            return None
        whole = [float(part) for part in value]
        for k, part in parts.items():
            whole[k] = part if isinstance(part, (int, float)) else float(part.of([whole[k]])[0])
            whole[k] = in_steps(whole[k])
        red, green, blue, alpha = (min(max(part, 0.0), 1.0) for part in whole)
        return red, green, blue, alpha

    def color_parts(
        self, name: str, value: Sequence[float], *, mixed: Sequence[bool] = (False,) * 4, tooltip: str = "",
        width: float = 0.0,
    ) -> Parts | None:  # fmt: skip
        """Edit the colors of several entities at once; return the entered parts by index: 0 to 2 the color, 3 the
        opacity.

        mixed: which of the four differ. The marks are `name` (the swatch), `name.hex` and
        `name.alpha`. Picked colors are rounded to 1/255, so that they can be written as `#rrggbb`.
        """
        room, gap = width or imgui.calc_item_width(), imgui.get_style().item_inner_spacing.x
        height = imgui.get_frame_height()
        now = [float(part) for part in value]
        shown = any(mixed[:3])
        entered = self._swatch(name, now, shown, tooltip)
        imgui.same_line(0.0, gap)
        alpha_width = min(self.px(64), room * 0.3)
        typed = self._hex(name, now, shown, max(room - height - alpha_width - 2 * gap, self.px(40)))
        if typed is not None:
            entered.update(enumerate(typed if typed[3] != now[3] else typed[:3]))
        imgui.same_line(0.0, gap)
        alpha = self.formula(f"{name}.alpha", now[3] * 100, low=0.0, high=100.0, whole=True, unit="%", mixed=mixed[3],
                             width=alpha_width)  # fmt: skip
        if alpha is not None:
            entered[3] = in_steps(alpha / 100) if isinstance(alpha, (int, float)) else alpha
        return entered or None

    def _swatch(self, name: str, now: list[float], mixed: bool, tooltip: str) -> Parts:
        """Draw the field of the color itself; a click opens the picker."""
        side = imgui.get_frame_height()
        clicked = imgui.color_button(f"###{name}", imgui.ImVec4(*now), _SWATCH, (side, side))
        self._used(name, tooltip)
        if mixed:
            low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            imgui.get_window_draw_list().add_line(
                (low.x + 2, high.y - 2), (high.x - 2, low.y + 2), self.theme.packed("text"), 2.0
            )
        if clicked:
            self.open_popup(f"{name}:picker")
        entered: Parts = {}
        with self.popup(f"{name}:picker") as opened:
            if not opened:
                return entered
            imgui.set_next_item_width(self.px(220))
            options = (
                imgui.ColorEditFlags_.alpha_bar | imgui.ColorEditFlags_.alpha_preview_half
                | imgui.ColorEditFlags_.picker_hue_wheel | imgui.ColorEditFlags_.no_side_preview
                | imgui.ColorEditFlags_.display_hsv | imgui.ColorEditFlags_.float
            )  # fmt: skip
            changed, new = imgui.color_picker4(f"###{name}:area", list(now), options)
            self._used(f"{name}:area")
            if changed:
                differs = [float(part) != now[k] for k, part in enumerate(new)]
                whole = any(differs[:3]) and not mixed
                entered = {k: in_steps(float(part)) for k, part in enumerate(new) if differs[k] or (whole and k < 3)}
        return entered

    def _hex(self, name: str, now: list[float], mixed: bool, width: float) -> Rgba | None:
        """Draw the field for `#rrggbb`, `#rrggbbaa` or the name of a color."""
        text = "#" + "".join(f"{round(min(max(part, 0.0), 1.0) * 255):02x}" for part in now[:3])
        imgui.set_next_item_width(width)
        done, typed = imgui.input_text_with_hint(f"###{name}.hex", MIXED, "" if mixed else text, _TYPED)
        self._used(f"{name}.hex")
        if not done and not imgui.is_item_deactivated_after_edit():
            return None
        try:
            color = parse_color(
                typed.strip() if typed.strip()[:1] == "#" or not _is_hex(typed) else f"#{typed.strip()}"
            )
        except ValueError:
            return None
        red, green, blue, alpha = (float(part) for part in color)
        return red, green, blue, alpha if len(typed.strip().lstrip("#")) in (4, 8) and _is_hex(typed) else now[3]


def in_steps(part: float) -> float:
    """Return a part of a color rounded to a step of 1/255; unchanged outside of 0 to 1."""
    return round(part * 255) / 255 if 0.0 <= part <= 1.0 else part


def _is_hex(text: str) -> bool:
    digits = text.strip().lstrip("#")
    return len(digits) in (3, 4, 6, 8) and all(letter in "0123456789abcdefABCDEF" for letter in digits)
