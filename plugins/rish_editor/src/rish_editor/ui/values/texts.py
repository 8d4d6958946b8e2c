"""Fields for texts of one line and of several."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import imgui

from ...look import icons
from ...look.style import role
from ..widgets.popups import Popups
from .numbers import MIXED


class Lines(Popups):
    """Fields for texts. They return the new text, or None without a change."""

    def line(self, name: str, value: str, *, hint: str = "", mixed: bool = False, enter: bool = False,
             done: bool = False, tooltip: str = "", width: float = 0.0, focus: bool = False) -> str | None:  # fmt: skip
        """Edit a line of text. enter: return the text only when Enter is pressed. done: when the field is left, too."""
        if width:
            imgui.set_next_item_width(width)
        if focus:
            imgui.set_keyboard_focus_here()
        flags = imgui.InputTextFlags_.callback_always
        if enter:
            flags |= imgui.InputTextFlags_.enter_returns_true
        shown, hint_text = ("", MIXED) if mixed else (value, hint)
        changed, new = imgui.input_text_with_hint(f"###{name}", hint_text, shown, flags, self._carets)
        self._used(name, tooltip)
        if done:
            return str(new) if imgui.is_item_deactivated_after_edit() and str(new) != shown else None
        return str(new) if changed else None

    def suggest(self, name: str, value: str, choices: Sequence[str], *, hint: str = "", mixed: bool = False,
                tooltip: str = "", wrong: bool = False) -> str | None:  # fmt: skip
        """Edit a text with a list of suggestions; other texts are possible too. Return it when it is complete.

        wrong: shown as a mistake. The button of the list has the mark `name:list`, its items `name:choices/TEXT`.
        """
        side, gap = imgui.get_frame_height(), imgui.get_style().item_inner_spacing.x
        width = imgui.calc_item_width()
        if wrong:
            imgui.push_style_color(imgui.Col_.text, self.theme.rgba("error"))
        text = self.line(name, value, hint=hint, mixed=mixed, done=True, tooltip=tooltip,
                          width=max(width - side - gap, 1.0))  # fmt: skip
        if wrong:
            imgui.pop_style_color()
        imgui.same_line(0.0, gap)
        with role(self.theme, "quiet"):
            if imgui.button(f"{icons.DOWN}###{name}:list", (side, side)):
                self.open_popup(f"{name}:choices")
        self._used(f"{name}:list")
        with self.popup(f"{name}:choices") as opened:
            for choice in choices if opened else ():
                if imgui.selectable(f"{choice or MIXED}###choice:{choice}", choice == value and not mixed)[0]:
                    text = choice
                self.mark(choice)
            if opened and not choices:
                imgui.text_disabled(MIXED)
        return text if text != value or mixed else None

    def paragraph(self, name: str, value: str, *, lines: int = 4, mixed: bool = False, tooltip: str = "") -> str | None:
        """Edit a text of several lines."""
        height = imgui.get_text_line_height() * lines + 2 * imgui.get_style().frame_padding.y
        shown, flags = "" if mixed else value, imgui.InputTextFlags_.callback_always
        changed, new = imgui.input_text_multiline(f"###{name}", shown, (-1, height), flags, self._carets)
        self._used(name, tooltip)
        return str(new) if changed else None
