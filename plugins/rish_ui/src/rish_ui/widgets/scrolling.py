"""Shared by widgets with more content than space: the scroll bar, heights of rows, and clipping."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..painting.painter import Painter, Rect
    from ..themes import Style
    from ..tree.context import Context
    from ..tree.node import Node


def row_height(node: Node, ui: Context) -> float:
    """Return the height of a row of a list."""
    return line_height(ui, ui.theme.style("List", node.variant, "row"))


def line_height(ui: Context, style: Style) -> float:
    """Return the height of a box with one line of text, such as a row or a tab."""
    line = ui.typeset("Ág", ui.look(style)).height
    return max(line + style.padding[1] + style.padding[3], style.least[1])


def paint_bar(painter: Painter, ui: Context, rect: Rect, begin: float, fraction: float, thumb: Style) -> None:
    """Paint a scroll bar at the side where lines end, unless all of the content is visible.

    begin: where the visible part begins, fraction: how long it is, both as fractions of the content.
    """
    if fraction >= 1:
        return
    x, y, w, h = rect
    bar = ui.theme.style("ScrollView", "", "bar")
    wide = max(bar.least[0] - bar.padding[0] - bar.padding[2], 2.0)
    long = min(max(h * fraction, thumb.least[1]), h)
    at = y + (h - long) * min(begin / (1 - fraction), 1.0)
    left = x + bar.padding[0] if ui.locales.right_to_left else x + w - wide - bar.padding[2]
    painter.plate((left, at, wide, long), thumb)


def cut(clip: Any, rect: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    """Return the part of a rectangle that is within a clip rectangle."""
    if clip is None:
        return rect
    x, y = max(clip[0], rect[0]), max(clip[1], rect[1])
    right, bottom = min(clip[0] + clip[2], rect[0] + rect[2]), min(clip[1] + clip[3], rect[1] + rect[3])
    return x, y, max(right - x, 0.0), max(bottom - y, 0.0)
