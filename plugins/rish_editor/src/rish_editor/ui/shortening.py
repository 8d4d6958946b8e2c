"""Shortening of texts that do not fit: they end with an ellipsis, and a tooltip shows the whole text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

if TYPE_CHECKING:
    from .widgets.base import Tip


def shortened(text: str, width: float, tail: float = 0.0) -> str:
    """Return a line of text that fits a width in the current font, with an ellipsis for what is left out.

    width: units of the window. tail: the share of the shown letters that is taken from the end, where names of files
    have numbers and suffixes.
    """
    whole = imgui.calc_text_size(text).x
    if whole <= width:
        return text
    count = max(min(len(text) - 1, int(len(text) * width / whole) + 2), 0)
    while True:
        end = int(count * tail)
        shown = f"{text[: count - end].rstrip()}…{text[len(text) - end :]}"
        if count <= 1 or imgui.calc_text_size(shown).x <= width:
            return shown
        count -= 1


def tip_of(tooltip: Tip, *texts: tuple[str, str]) -> Tip:
    """Return the tooltip of a widget: the whole of each text that is shown shortened, then its own. texts: all, shown.

    A text with which its own tooltip begins is not repeated.
    """
    cut = [text for text, shown in texts if text != shown]
    if not cut:
        return tooltip

    def tell() -> str:
        own = tooltip() if callable(tooltip) else tooltip
        return "\n".join([*(text for text in cut if not own.startswith(text)), *([own] if own else [])])

    return tell
