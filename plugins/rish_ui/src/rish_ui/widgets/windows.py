"""Widgets that contain others: ScrollView and Dialog."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..components.widgets import Dialog, ScrollView
from ..painting.painter import inner
from ..tree.arranging import limit_scroll
from .kind import Kind
from .scrolling import paint_bar

if TYPE_CHECKING:
    from ..painting.painter import Painter
    from ..tree.context import Context
    from ..tree.node import Node

_NOTCH = 48.0
"""Units that a notch of the wheel scrolls."""


class ScrollViewKind(Kind):
    """A window on its children."""

    component = ScrollView
    name = "ScrollView"
    solid = True
    over = True

    def read(self, view: Any) -> Any:
        return view.horizontal, view.vertical

    def scrolls(self, node: Node) -> tuple[bool, bool]:
        return node.values or (False, True)

    def paint(self, node: Node, painter: Painter, ui: Context) -> None:
        painter.background(node)

    def paint_over(self, node: Node, painter: Painter, ui: Context) -> None:
        if self.scrolls(node)[1]:
            content, room = max(node.content[1], 1.0), (node.x, node.y, node.w, node.h)
            paint_bar(painter, ui, room, node.scroll[1] / content, node.h / content, ui.style(node, "thumb"))

    def wheel(self, node: Node, ui: Context, dx: float, dy: float) -> bool:
        sideways, down = self.scrolls(node)
        if sideways and not down and not dx:
            dx = -dy
        return self.scroll(node, ui, dx * _NOTCH, -dy * _NOTCH)

    def rolls(self, node: Node) -> bool:
        return node.content[0] > node.w or node.content[1] > node.h

    def scroll(self, node: Node, ui: Context, dx: float, dy: float) -> bool:
        sideways, down = self.scrolls(node)
        before = tuple(node.scroll)
        node.scroll[0] += dx if sideways else 0.0
        node.scroll[1] += dy if down else 0.0
        limit_scroll(node)
        if tuple(node.scroll) != before:
            node.root.stale_scroll = True
            node.root.outdated.add(node.root)
            return True
        return False


class DialogKind(Kind):
    """A window with a title, over a shade that covers everything else."""

    component = Dialog
    name = "Dialog"
    solid = True
    own_part = True

    def read(self, view: Any) -> Any:
        return view.title, view.closable

    def texts(self, node: Node) -> dict[str, str]:
        return {"": node.values[0]}

    def header(self, node: Node, ui: Context) -> float:
        words = ui.shown(node, "")
        if not words:
            return 0.0
        style = ui.theme.style("Dialog", node.variant, "title")
        text = ui.typeset(words, ui.look(style))
        return max(text.height + style.padding[1] + style.padding[3], style.least[1])

    def paint(self, node: Node, painter: Painter, ui: Context) -> None:
        shade = ui.theme.style("Dialog", node.variant, "shade")
        painter.plate((0.0, 0.0, node.root.width, node.root.height), shade)
        style = painter.background(node)
        words = ui.shown(node, "")
        if not words:
            return
        title = ui.theme.style("Dialog", node.variant, "title")
        x, y, w, _ = inner(node, style)
        pad = title.padding
        room = w - pad[0] - pad[2]
        text = ui.typeset(words, ui.look(title, wrap=max(room, 1.0), lines=1))
        high = self.header(node, ui)
        painter.plate((x, y, w, high), title)
        side = 1.0 if ui.locales.right_to_left else 0.0
        painter.text_in(text, (x + pad[0], y + pad[1], room, high - pad[1] - pad[3]), title, side)

    def closable(self, node: Node) -> bool:
        return node.values[1]
