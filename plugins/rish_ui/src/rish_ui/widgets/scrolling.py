"""What widgets with more content than space share: the bar at the side, rows, and cutting at the border."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..painting.painter import Painter
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


def paint_bar(
    node: Node,
    painter: Painter,
    ui: Context,
    rect: tuple[float, float, float, float],
    content: float,
    thumb: Style,
) -> None:
    """Paint a bar at the right that shows which part of the content is seen, if it is not all of it."""
    x, y, w, h = rect
    if content <= h + 0.5:
        return
    wide = max(thumb.least[0], 5.0)
    long = max(h * h / content, 20.0)
    at = y + (h - long) * node.scroll[1] / (content - h)
    left = x + 2 if ui.locales.right_to_left else x + w - wide - 2
    painter.plate((left, at, wide, long), thumb)


def cut(clip: Any, rect: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    """Return a rectangle within a clip rectangle."""
    if clip is None:
        return rect
    x, y = max(clip[0], rect[0]), max(clip[1], rect[1])
    right, bottom = min(clip[0] + clip[2], rect[0] + rect[2]), min(clip[1] + clip[3], rect[1] + rect[3])
    return x, y, max(right - x, 0.0), max(bottom - y, 0.0)
