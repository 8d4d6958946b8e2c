"""The widget that opens a list of options: Dropdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..components.widgets import Dropdown
from ..painting.painter import inner
from ..themes import State
from ..tree.state import Popup
from .basic import number
from .kind import Kind
from .scrolling import line_height, paint_bar

if TYPE_CHECKING:
    from ..painting.painter import Painter
    from ..tree.context import Context
    from ..tree.node import Node

_MAX_VISIBLE_ROWS = 8
"""The greatest number of rows of an open list that are visible without scrolling."""


class DropdownKind(Kind):
    """A field that opens a list."""

    component = Dropdown
    name = "Dropdown"
    focusable = True
    solid = True

    def read(self, view: Any) -> Any:
        return options_of(view.options), int(view.chosen), view.bind, view.source

    def texts(self, node: Node) -> dict[str, str]:
        return {f"option {k}": text for k, (_, text) in enumerate(node.values[0])}

    def bindings(self, node: Node) -> dict[str, str]:
        return {"value": node.values[2]}

    def options(self, node: Node, ui: Context) -> tuple[tuple[str, str], ...]:
        """Return the values and texts of all options: its own, and those of its source."""
        own_options, source = node.values[0], node.values[3]
        if not source:
            return own_options
        rows = ui.source(node, source)
        cache = ui.state.memory.setdefault("options", {})
        cached = cache.get(source)
        if cached is None or cached[0] is not rows:
            cached = cache[source] = (rows, options_of("\n".join(rows)))
        return own_options + cached[1]

    def chosen(self, node: Node, ui: Context) -> int:
        """Return the index of the option that is shown."""
        _, chosen, bind, _ = node.values
        options = self.options(node, ui)
        if not bind:
            return chosen
        value = ui.value(node, "value", None)
        values = [option for option, _ in options]
        if isinstance(value, str):
            return values.index(value) if value in values else -1
        if isinstance(value, int | float) and f"{value:g}" in values:
            return values.index(f"{value:g}")
        return int(number(value)) if value is not None and 0 <= number(value) < len(options) else -1

    def _text(self, node: Node, ui: Context, k: int) -> str:
        options, own_count = self.options(node, ui), len(node.values[0])
        if not 0 <= k < len(options):
            return ""
        return ui.shown(node, f"option {k}") if k < own_count else options[k][1]

    def measure(self, node: Node, ui: Context) -> tuple[float, float]:
        style = ui.calm(node)
        look = ui.look(style)
        texts = [self._text(node, ui, k) for k in range(len(self.options(node, ui)))]
        widest = max((ui.typeset(text, look).width for text in texts if text), default=40.0)
        arrow = ui.theme.style("Dropdown", node.variant, "arrow")
        return 40.0 + arrow.icon_size, widest + style.gap[0] + arrow.icon_size

    def height(self, node: Node, ui: Context, width: float) -> tuple[float, float]:
        text = ui.typeset(self._text(node, ui, self.chosen(node, ui)) or " ", ui.look(ui.calm(node)))
        return text.height, text.baseline

    def paint(self, node: Node, painter: Painter, ui: Context) -> None:
        style = painter.background(node)
        arrow = ui.style(node, "arrow")
        x, y, w, h = inner(node, style)
        rtl = ui.locales.right_to_left
        side = arrow.icon_size * 0.45
        cx = x + side if rtl else x + w - side
        middle = y + h / 2
        points = [(cx - side / 2, middle - side / 4), (cx, middle + side / 4), (cx + side / 2, middle - side / 4)]
        painter.line(points, 1.8, arrow.icon)
        words = self._text(node, ui, self.chosen(node, ui))
        if words:
            room = w - side * 2
            text = ui.typeset(words, ui.look(style, wrap=room, lines=1))
            painter.text_in(text, (x + (w - room if rtl else 0), y, room, h), style, 1.0 if rtl else 0.0)

    def click(self, node: Node, ui: Context) -> None:
        if ui.state.popup is not None and ui.state.popup.owner == node.entity:
            ui.state.popup = None
            return
        count = len(self.options(node, ui))
        if not count:
            return
        style = ui.theme.style("Dropdown", node.variant, "option")
        row = line_height(ui, style)
        box = ui.theme.style("Dropdown", node.variant, "list")
        rim = box.padding
        w = max(node.w, self.measure(node, ui)[1] + style.padding[0] + style.padding[2] + rim[0] + rim[2])
        high = row * min(count, _MAX_VISIBLE_ROWS) + rim[1] + rim[3]
        root = node.root
        x = node.x if root.world else min(max(node.x, 0.0), max(root.width - w, 0.0))
        below = root.height - node.y - node.h
        if root.world or high <= below or below >= node.y:
            high = high if root.world else min(high, max(below, row))
            y = node.y + node.h
        else:
            high = min(high, node.y)
            y = node.y - high
        chosen = self.chosen(node, ui)
        ui.state.popup = Popup(node.entity, count, x, y, w, high, row, chosen)
        keep_row_in_view(ui.state.popup, rim)

    def paint_popup(self, node: Node, painter: Painter, ui: Context) -> None:
        popup = ui.state.popup
        assert popup is not None
        box = ui.theme.style("Dropdown", node.variant, "list")
        rect = (popup.x, popup.y, popup.w, popup.h)
        painter.plate(rect, box)
        left, top, right, bottom = box.padding
        first = int(popup.offset)
        visible_rows = int((popup.h - top - bottom) / popup.row + 1e-3)
        for k in range(first, min(first + visible_rows, popup.rows)):
            states = State.SELECTED * (k == self.chosen(node, ui)) | State.HOVERED * (k == popup.hovered)
            style = ui.theme.style("Dropdown", node.variant, "option", states)
            row_rect = (popup.x + left, popup.y + top + (k - first) * popup.row, popup.w - left - right, popup.row)
            painter.plate(row_rect, style)
            x, y, w, h = row_rect
            text = ui.typeset(self._text(node, ui, k) or " ", ui.look(style, wrap=w, lines=1))
            pad = style.padding
            side = 1.0 if ui.locales.right_to_left else 0.0
            painter.text_in(text, (x + pad[0], y, w - pad[0] - pad[2], h), style, side)
        room = (popup.x, popup.y + top, popup.w, popup.h - top - bottom)
        thumb = ui.theme.style("ScrollView", "", "thumb")
        paint_bar(painter, ui, room, first / popup.rows, visible_rows / popup.rows, thumb)

    def popup_row(self, node: Node, ui: Context, x: float, y: float) -> int | None:
        popup = ui.state.popup
        assert popup is not None
        if not (popup.x <= x < popup.x + popup.w and popup.y <= y < popup.y + popup.h):
            return None
        rim = ui.theme.style("Dropdown", node.variant, "list").padding
        k = int((y - popup.y - rim[1]) / popup.row) + int(popup.offset)
        return k if popup.y + rim[1] <= y < popup.y + popup.h - rim[3] and 0 <= k < popup.rows else -1

    def choose(self, node: Node, ui: Context, k: int) -> None:
        """Choose an option of the open list, and close the list."""
        ui.state.popup = None
        if 0 <= k < len(self.options(node, ui)) and k != self.chosen(node, ui):
            ui.send("Changed", node, float(k))

    def move(self, node: Node, ui: Context, direction: str) -> bool:
        popup = ui.state.popup
        if popup is not None and popup.owner == node.entity:
            if direction in ("up", "down"):
                popup.hovered = min(max(popup.hovered + (1 if direction == "down" else -1), 0), popup.rows - 1)
                keep_row_in_view(popup, ui.theme.style("Dropdown", node.variant, "list").padding)
            return True
        if direction not in ("left", "right"):
            return False
        forward = (direction == "right") != ui.locales.right_to_left
        k = min(max(self.chosen(node, ui) + (1 if forward else -1), 0), len(self.options(node, ui)) - 1)
        if k >= 0 and k != self.chosen(node, ui):
            ui.send("Changed", node, float(k))
        return True

    def wheel(self, node: Node, ui: Context, dx: float, dy: float) -> bool:
        popup = ui.state.popup
        if popup is None or popup.owner != node.entity:
            return False
        maximum = popup.rows - int(popup.h / popup.row)
        popup.offset = min(max(popup.offset - dy, 0), max(maximum, 0))
        return True

    def apply(self, node: Node, ui: Context, verb: str, value: float, text: str) -> Any:
        if verb != "Changed":
            return None
        return {"chosen": min(max(int(value), -1), len(self.options(node, ui)) - 1)}

    def bound(self, node: Node, ui: Context, value: float, text: str) -> Any:
        options = self.options(node, ui)
        k = int(value)
        return options[k][0] if 0 <= k < len(options) else ""


def keep_row_in_view(popup: Popup, rim: tuple[float, float, float, float]) -> None:
    """Scroll an open list so that its hovered row is visible."""
    visible_rows = max(int((popup.h - rim[1] - rim[3]) / popup.row + 1e-3), 1)
    if popup.hovered >= 0:
        popup.offset = min(max(popup.offset, popup.hovered - visible_rows + 1), popup.hovered)
    popup.offset = max(min(popup.offset, popup.rows - visible_rows), 0)


def options_of(text: str) -> tuple[tuple[str, str], ...]:
    """Return the values and texts of options, one a line: `value`, or `value = text`."""
    options: list[tuple[str, str]] = []
    for line in text.split("\n"):
        value, sign, text_of_option = line.partition(" = ")
        if line.strip() and line != "=":
            options.append((value.strip(), text_of_option.strip() if sign else value.strip()))
    return tuple(options)
