"""Texts and headings."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from typing import Literal

from imgui_bundle import imgui

from ..shortening import shortened
from .base import Base, Color

Style = Literal[
    "normal", "dim", "disabled", "small", "section", "title", "bold", "mono", "accent", "ok", "warning", "error"
]
_FONTS = {"small": "small", "title": "title", "bold": "strong", "mono": "code", "section": "section"}
_COLORS = {
    "dim": "text_dim",
    "disabled": "text_disabled",
    "small": "text_dim",
    "section": "text_dim",
    "accent": "text_accent",
    "ok": "ok",
    "warning": "warning",
    "error": "error",
}
_TEXT = int(imgui.Col_.text)
_PIECE = r"[\u2e80-\uffef]|[^\s\u2e80-\uffef]+\s*|\s+"
"""What stays in one line: a word with the space behind it, or a letter of Chinese."""


class _Colored(AbstractContextManager[None]):
    """A context manager. A class, because it is entered often in a frame, and a generator is slower."""

    __slots__ = ("_color",)

    def __init__(self, color: Color | None) -> None:
        self._color = color

    def __enter__(self) -> None:
        if self._color is not None:
            imgui.push_style_color(_TEXT, self._color)

    def __exit__(self, *error: object) -> None:
        if self._color is not None:
            imgui.pop_style_color()


class Texts(Base):
    """Widgets that only show something."""

    def text(self, text: str, style: Style = "normal", *, color: Color | None = None, wrap: bool = False,
             cut: bool = False) -> None:  # fmt: skip
        """Show a text. wrap: break it at the panel's edge. cut: shorten it there with an ellipsis, and show the whole
        text in a tooltip."""
        rgba = color or (self.theme.rgba(_COLORS[style]) if style in _COLORS else None)
        with self.fonts.style(_FONTS.get(style, "body")), self.colored(rgba):
            if wrap:
                imgui.push_text_wrap_pos(0.0)
            shown = shortened(text, imgui.get_content_region_avail().x) if cut else text
            imgui.text_unformatted(shown)
            if wrap:
                imgui.pop_text_wrap_pos()
        if shown != text:
            self.tooltip(text)

    def colored(self, color: Color | None) -> AbstractContextManager[None]:
        """Give the texts and labels of the block a color; None leaves them as they are."""
        return _Colored(color)

    def caption(self, text: str, style: Style = "dim", *, cut: bool = False) -> None:
        """Show the name of a field, aligned with the field on its right. cut: as of `text`."""
        imgui.align_text_to_frame_padding()
        self.text(text, style, cut=cut)

    def heading(self, text: str, icon: str = "") -> None:
        """Show a heading with a line below."""
        with self.fonts.style("title"):
            imgui.separator_text(f"{icon}  {text}" if icon else text)

    def empty(self, text: str, hint: str = "", icon: str = "") -> None:
        """Show a message in the middle of an empty panel, and what to do."""
        room = imgui.get_content_region_avail()
        wide = min(room.x - 2 * self.px(8), self.px(320))
        imgui.dummy((1, max(0.0, room.y / 2 - self.px(40))))
        styles: tuple[tuple[str, Style], ...] = ((icon, "title"), (text, "bold"), (hint, "dim"))
        for part, style in styles:
            with self.fonts.style(_FONTS.get(style, "body")):
                lines = _broken(part, wide)
            for line in lines:
                with self.fonts.style(_FONTS.get(style, "body")):
                    width = imgui.calc_text_size(line).x
                imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + max(0.0, (room.x - width) / 2))
                self.text(line, style)

    def bullet(self, text: str) -> None:
        """Show an item of a list."""
        imgui.bullet()
        imgui.same_line()
        self.text(text, wrap=True)

    def progress(self, done: float, text: str = "") -> None:
        """Show a bar. done: from 0 to 1; a negative time in seconds: a bar that moves, for work of unknown length."""
        imgui.progress_bar(done, (-1, 0), text)

    def image(self, texture: int, size: tuple[float, float], *, flipped: bool = False) -> None:
        """Show an OpenGL texture by its number. flipped: its first row is the lowest."""
        low, high = ((0.0, 1.0), (1.0, 0.0)) if flipped else ((0.0, 0.0), (1.0, 1.0))
        imgui.image(imgui.ImTextureRef(texture), size, low, high)


def _broken(text: str, width: float) -> list[str]:
    """Break a text into lines of a width, between words, and between letters of Chinese."""
    lines: list[str] = []
    for part in re.findall(_PIECE, text):
        if lines and imgui.calc_text_size(lines[-1] + part.rstrip()).x <= width:
            lines[-1] += part
        else:
            lines.append(part)
    return [line.strip() for line in lines]
