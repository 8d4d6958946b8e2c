"""Texts that are longer than their place: they end with an ellipsis, and a tooltip shows all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

if TYPE_CHECKING:
    from .widgets.base import Tip


def shortened(text: str, width: float, tail: float = 0.0) -> str:
    """Return a line of text that fits a width in the current font, with an ellipsis for what is left out.

    width: units of the window. tail: how much of the rest is of its end, where files have their numbers and kinds.
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

    A text that its own tooltip begins with is not told twice.
    """
    cut = [text for text, shown in texts if text != shown]
    if not cut:
        return tooltip

    def tell() -> str:
        own = tooltip() if callable(tooltip) else tooltip
        return "\n".join([*(text for text in cut if not own.startswith(text)), *([own] if own else [])])

    return tell
