"""The widget that shows one of its children at a time: Tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..components.widgets import Tabs
from ..painting.painter import inner
from ..themes import State
from .basic import number
from .kind import Kind
from .scrolling import line_height

if TYPE_CHECKING:
    from ..painting.painter import Painter, Rect
    from ..tree.context import Context
    from ..tree.node import Node


class TabsKind(Kind):
    """A row of titles, and below it the child of the chosen one."""

    component = Tabs
    name = "Tabs"
    focusable = True
    solid = True
    follows = True

    def read(self, view: Any) -> Any:
        return tuple(line for line in view.titles.split("\n") if line), int(view.chosen), view.bind

    def texts(self, node: Node) -> dict[str, str]:
        return {f"tab {k}": title for k, title in enumerate(node.values[0])}

    def bindings(self, node: Node) -> dict[str, str]:
        return {"value": node.values[2]}

    sizes_by_value = True

    def chosen(self, node: Node, ui: Context) -> int:
        """Return the index of the tab that is shown."""
        value = ui.value(node, "value", None)
        return node.values[1] if value is None else int(number(value))

    def hides(self, node: Node, child: Node, ui: Context) -> bool:
        return node.children.index(child) != self.chosen(node, ui)

    def open_tabs(self, node: Node, ui: Context) -> list[int]:
        """Return the indices of the tabs that can be chosen: those whose child is visible, and whose plugin runs."""
        children = node.children
        return [
            k
            for k in range(len(node.values[0]))
            if k >= len(children) or (children[k].visible and ui.has(children[k].needs))
        ]

    def header(self, node: Node, ui: Context) -> float:
        return line_height(ui, ui.theme.style("Tabs", node.variant, "tab")) + ui.calm(node).gap[1]

    def _places(self, node: Node, ui: Context) -> dict[int, Rect]:
        """Return the rectangles of the tabs, by index."""
        style = ui.theme.style("Tabs", node.variant, "tab")
        calm = ui.calm(node)
        x, y, w, _ = inner(node, calm)
        high = self.header(node, ui) - calm.gap[1]
        rects: dict[int, Rect] = {}
        at = 0.0
        for k in self.open_tabs(node, ui):
            text = ui.typeset(ui.shown(node, f"tab {k}") or " ", ui.look(style))
            wide = max(text.width + style.padding[0] + style.padding[2], style.least[0])
            left = x + w - at - wide if ui.locales.right_to_left else x + at
            rects[k] = (left, y, wide, high)
            at += wide + 2.0
        return rects

    def measure(self, node: Node, ui: Context) -> tuple[float, float]:
        rects = self._places(node, ui)
        width = sum(rect[2] + 2.0 for rect in rects.values())
        return width, width

    def paint(self, node: Node, painter: Painter, ui: Context) -> None:
        painter.background(node)
        chosen = self.chosen(node, ui)
        rects = self._places(node, ui)
        page = ui.style(node, "page")
        panel = ui.calm(node)
        x, y, w, h = inner(node, panel)
        top = self.header(node, ui) - panel.gap[1]
        painter.plate((x, y + top, w, max(h - top, 0.0)), page)
        for k, tab_rect in rects.items():
            hovered = bool(node.states & State.HOVERED) and _inside(tab_rect, *ui.pointer_in(node))
            states = State.SELECTED * (k == chosen) | State.HOVERED * hovered | node.states & State.DISABLED
            style = ui.theme.style("Tabs", node.variant, "tab", states)
            painter.plate(tab_rect, style)
            text = ui.typeset(ui.shown(node, f"tab {k}") or " ", ui.look(style))
            painter.text_in(text, tab_rect, style)

    def ring(self, node: Node, ui: Context) -> Rect:
        return self._places(node, ui).get(self.chosen(node, ui)) or super().ring(node, ui)

    def release(self, node: Node, ui: Context, x: float, y: float) -> None:
        for k, rect in self._places(node, ui).items():
            if _inside(rect, x, y) and k != self.chosen(node, ui):
                ui.send("Changed", node, float(k))

    def click(self, node: Node, ui: Context) -> None:
        tabs = self.open_tabs(node, ui)
        if len(tabs) > 1:
            ui.send("Changed", node, float(tabs[(_place(tabs, self.chosen(node, ui)) + 1) % len(tabs)]))

    def move(self, node: Node, ui: Context, direction: str) -> bool:
        if direction not in ("left", "right"):
            return False
        forward = (direction == "right") != ui.locales.right_to_left
        tabs = self.open_tabs(node, ui)
        k = _place(tabs, self.chosen(node, ui)) + (1 if forward else -1)
        if not 0 <= k < len(tabs):
            return False
        ui.send("Changed", node, float(tabs[k]))
        return True

    def apply(self, node: Node, ui: Context, verb: str, value: float, text: str) -> Any:
        if verb != "Changed":
            return None
        return {"chosen": min(max(int(value), 0), max(len(node.values[0]) - 1, 0))}

    def bound(self, node: Node, ui: Context, value: float, text: str) -> Any:
        return int(value)


def _place(tabs: list[int], chosen: int) -> int:
    """Return the position of a tab among those that can be chosen; -1 for a tab that can't be chosen."""
    return tabs.index(chosen) if chosen in tabs else -1


def _inside(rect: Rect, x: float, y: float) -> bool:
    return rect[0] <= x < rect[0] + rect[2] and rect[1] <= y < rect[1] + rect[3]
