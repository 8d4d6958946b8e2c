"""The widget with rows of which one can be selected: List."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..components.widgets import List
from ..painting.painter import inner
from ..themes import State
from .basic import number
from .kind import Kind
from .scrolling import cut, paint_bar, row_height

if TYPE_CHECKING:
    from ..painting.painter import Painter
    from ..tree.context import Context
    from ..tree.node import Node

_PREFERRED_ROWS = 8
"""The number of rows of its preferred height."""
_WHEEL = 3
"""Rows that a notch of the wheel scrolls."""


class ListKind(Kind):
    """Rows of text; only the visible ones are typeset and painted."""

    component = List
    name = "List"
    focusable = True
    solid = True
    follows = True
    own_part = True  # its rows are cut at its border

    def read(self, view: Any) -> Any:
        return view.rows, view.source, int(view.selected), view.bind

    def bindings(self, node: Node) -> dict[str, str]:
        return {"value": node.values[3]}

    def scrolls(self, node: Node) -> tuple[bool, bool]:
        return False, True

    def rows(self, node: Node, ui: Context) -> Any:
        """Return the rows: a sequence of texts."""
        text, source = node.values[:2]
        if source:
            return ui.source(node, source)
        cache = ui.state.memory.setdefault("rows", {})
        cached = cache.get(node.entity)
        if cached is None or cached[0] is not text:
            cached = cache[node.entity] = (text, text.split("\n") if text else [])
        return cached[1]

    def chosen(self, node: Node, ui: Context) -> int:
        """Return the index of the selected row."""
        value = ui.value(node, "value", None)
        return node.values[2] if value is None else int(number(value))

    def measure(self, node: Node, ui: Context) -> tuple[float, float]:
        return 80.0, 240.0

    def height(self, node: Node, ui: Context, width: float) -> tuple[float, float]:
        return row_height(node, ui) * min(max(len(self.rows(node, ui)), 1), _PREFERRED_ROWS), -1.0

    def paint(self, node: Node, painter: Painter, ui: Context) -> None:
        style = painter.background(node)
        x, y, w, h = inner(node, style)
        painter.part.clip = painter.placed(*cut(node.clip, (node.x, node.y, node.w, node.h)))
        rows, high = self.rows(node, ui), row_height(node, ui)
        self.limit(node, ui)
        offset = node.scroll[1]
        first, last = int(offset / high), min(int((offset + h) / high) + 1, len(rows))
        under = self.row_at(node, ui, *ui.pointer_in(node)) if node.states & State.HOVERED else -1
        selected = self.chosen(node, ui)
        side = 1.0 if ui.locales.right_to_left else 0.0
        for k in range(first, last):
            states = State.SELECTED * (k == selected) | State.HOVERED * (k == under)
            row = ui.theme.style("List", node.variant, "row", node.states & State.DISABLED | states)
            row_rect = (x, y + k * high - offset, w, high)
            painter.plate(row_rect, row)
            text = ui.typeset(ui.fill(node, rows[k], {}) or " ", ui.look(row, wrap=max(w, 1.0), lines=1))
            pad = row.padding
            painter.text_in(text, (x + pad[0], row_rect[1], w - pad[0] - pad[2], high), row, side)
        content, thumb = max(len(rows) * high, 1.0), ui.theme.style("ScrollView", "", "thumb")
        paint_bar(painter, ui, (x, y, w, h), offset / content, h / content, thumb)

    def limit(self, node: Node, ui: Context) -> None:
        """Keep the scrolling within the rows."""
        h = inner(node, ui.calm(node))[3]
        maximum = max(len(self.rows(node, ui)) * row_height(node, ui) - h, 0.0)
        node.scroll[1] = min(max(node.scroll[1], 0.0), maximum)

    def row_at(self, node: Node, ui: Context, x: float, y: float) -> int:
        """Return the row at a point, -1 for none."""
        left, top, w, h = inner(node, ui.calm(node))
        if not (left <= x < left + w and top <= y < top + h):
            return -1
        k = int((y - top + node.scroll[1]) / row_height(node, ui))
        return k if 0 <= k < len(self.rows(node, ui)) else -1

    def release(self, node: Node, ui: Context, x: float, y: float) -> None:
        k = self.row_at(node, ui, x, y)
        if k >= 0:
            self.select(node, ui, k)
            ui.send("Clicked", node, float(k))

    def click(self, node: Node, ui: Context) -> None:
        ui.send("Clicked", node, float(self.chosen(node, ui)))

    def select(self, node: Node, ui: Context, k: int) -> None:
        """Select a row and scroll to it."""
        high, h = row_height(node, ui), inner(node, ui.calm(node))[3]
        node.scroll[1] = min(max(node.scroll[1], (k + 1) * high - h), k * high)
        ui.repaint(node)
        if k != self.chosen(node, ui):
            ui.send("Changed", node, float(k))

    def move(self, node: Node, ui: Context, direction: str) -> bool:
        pending = ui.waiting("Changed", node)
        current = self.chosen(node, ui) if pending is None else int(pending.value)
        k = current + {"up": -1, "down": 1}.get(direction, 0)
        if k == current or not 0 <= k < len(self.rows(node, ui)):
            return False
        self.select(node, ui, k)
        return True

    def key(self, node: Node, ui: Context, name: str) -> bool:
        count = len(self.rows(node, ui))
        page = max(int(inner(node, ui.calm(node))[3] / row_height(node, ui)), 1)
        current = self.chosen(node, ui)
        target = {"HOME": 0, "END": count - 1, "PAGEUP": current - page, "PAGEDOWN": current + page}.get(name)
        if target is None or not count:
            return False
        self.select(node, ui, min(max(target, 0), count - 1))
        return True

    def wheel(self, node: Node, ui: Context, dx: float, dy: float) -> bool:
        return self.scroll(node, ui, 0.0, -dy * row_height(node, ui) * _WHEEL)

    def rolls(self, node: Node) -> bool:
        return True

    def scroll(self, node: Node, ui: Context, dx: float, dy: float) -> bool:
        before = node.scroll[1]
        node.scroll[1] += dy
        self.limit(node, ui)
        ui.repaint(node)
        return node.scroll[1] != before

    def apply(self, node: Node, ui: Context, verb: str, value: float, text: str) -> Any:
        if verb != "Changed":
            return None
        return {"selected": max(int(value), -1)}

    def bound(self, node: Node, ui: Context, value: float, text: str) -> Any:
        return int(value)
