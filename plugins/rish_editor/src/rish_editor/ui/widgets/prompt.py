"""A field for commands: Enter runs, Up and Down bring back earlier texts, Tab completes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from imgui_bundle import imgui

from .base import Base

_LINES = 12
"""The greatest height of the field in lines."""


@dataclass
class Prompt:
    """The state of a prompt. number: of the earlier text that is shown, counted from the end; 0 for a new one. wanted:
    the text that replaces that of the field in the next frame. focus: whether the field takes the keyboard focus in the
    next frame."""

    text: str = ""
    number: int = 0
    wanted: str | None = None
    focus: bool = False
    _draft: str = ""
    _first: bool = True
    _last: bool = True
    _to_end: bool = False

    def begin(self, text: str = "") -> None:
        """Set the text that the field shows when it gets the keyboard focus, with the cursor at its end."""
        self.text, self.wanted, self._to_end = text, None, True

    def replace(self, text: str) -> None:
        """Put another text into the field while it has the keyboard focus, with the cursor at its end."""
        self.text = self.wanted = text

    def browse(self, earlier: Sequence[str], step: int) -> None:
        """Show an earlier text (1) or a later one (-1); after the latest one comes the text that the user had begun to
        type."""
        number = min(max(self.number + step, 0), len(earlier))
        if number == self.number:
            return
        if self.number == 0:
            self._draft = self.text
        self.number = number
        self.replace(earlier[-number] if number else self._draft)


class Prompts(Base):
    """Fields for commands."""

    def prompt(
        self, name: str, prompt: Prompt, *, earlier: Sequence[str], complete: Callable[[str], tuple[str, str]],
        ready: Callable[[str], bool], tooltip: str = "",
    ) -> str | None:  # fmt: skip
        """Edit a text of one or more lines; return it when Enter is pressed and it is `ready`, and empty the field.

        Enter in a text that is not ready, and Shift+Enter, begin a line. earlier: texts that Up and Down bring back.
        complete: returns, for the text before the cursor, its end that is replaced, and by what, when Tab is pressed.
        """
        lines = min(prompt.text.count("\n") + 1, _LINES)
        with self.fonts.style("code"):
            height = imgui.get_text_line_height() * lines + 2 * imgui.get_style().frame_padding.y
            if prompt.focus:
                imgui.set_keyboard_focus_here()
                prompt.focus = False
            flags = (
                imgui.InputTextFlags_.enter_returns_true | imgui.InputTextFlags_.ctrl_enter_for_new_line
                | imgui.InputTextFlags_.callback_always | imgui.InputTextFlags_.callback_completion
            )  # fmt: skip

            def changed(data: Any) -> int:
                _edit(data, prompt, earlier, complete)
                return self._carets(data)

            entered, text = imgui.input_text_multiline(f"###{name}", prompt.text, (-1.0, height), flags, changed)
        self._used(name, tooltip)
        prompt.text = str(text)
        if not entered:
            return None
        imgui.set_keyboard_focus_here(-1)
        if not ready(prompt.text):
            prompt.begin(f"{prompt.text}\n{_indent(prompt.text)}")
            return None
        prompt.number = 0
        prompt.begin()
        return str(text)


def _edit(data: Any, prompt: Prompt, earlier: Sequence[str], complete: Callable[[str], tuple[str, str]]) -> None:
    """Change the field's text while it has the keyboard focus. Places in it are counted in bytes of UTF-8."""
    if data.event_flag == imgui.InputTextFlags_.callback_completion:
        before = data.buf.encode()[: data.cursor_pos].decode(errors="ignore")
        end, new = complete(before)
        if new:
            size = len(end.encode())
            data.delete_chars(data.cursor_pos - size, size)
            data.insert_chars(data.cursor_pos, new)
        return
    if prompt.wanted is None:
        for key, step, may in ((imgui.Key.up_arrow, 1, prompt._first), (imgui.Key.down_arrow, -1, prompt._last)):
            if may and imgui.is_key_pressed(key):
                prompt.browse(earlier, step)
    if prompt.wanted is not None:
        text, prompt.wanted = prompt.wanted, None
        data.delete_chars(0, data.buf_text_len)
        data.insert_chars(0, text)
    if prompt._to_end:
        prompt._to_end = False
        data.clear_selection()
        data.cursor_pos = data.buf_text_len
    whole = data.buf.encode()
    prompt._first = b"\n" not in whole[: data.cursor_pos]
    prompt._last = b"\n" not in whole[data.cursor_pos :]


def _indent(text: str) -> str:
    """Return the spaces with which the next line begins."""
    last = text.rpartition("\n")[2]
    own = last[: len(last) - len(last.lstrip())]
    return f"{own}    " if last.rstrip().endswith(":") else own
