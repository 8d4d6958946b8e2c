"""The widget for a number: Slider."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..components.widgets import Slider
from ..painting.painter import inner
from .basic import number
from .kind import Kind

if TYPE_CHECKING:
    from ..painting.painter import Painter
    from ..tree.context import Context
    from ..tree.node import Node

_KEY_STEPS = 20
"""The number of key presses from one end to the other, of sliders without steps."""


class SliderKind(Kind):
    """A knob on a track; the value is beside it."""

    component = Slider
    name = "Slider"
    focusable = True
    solid = True
    drags = True

    def read(self, view: Any) -> Any:
        return float(view.value), float(view.low), float(view.high), float(view.step), view.show, view.bind

    def texts(self, node: Node) -> dict[str, str]:
        return {"": node.values[4]}

    def bindings(self, node: Node) -> dict[str, str]:
        return {"value": node.values[5]}

    def numbers(self, node: Node, ui: Context) -> dict[str, float]:
        return {"value": self.now(node, ui), "low": node.values[1], "high": node.values[2]}

    def now(self, node: Node, ui: Context) -> float:
        """Return the value that it shows."""
        return number(ui.value(node, "value", node.values[0]))

    def measure(self, node: Node, ui: Context) -> tuple[float, float]:
        return self._beside(node, ui) + 60.0, self._beside(node, ui) + 180.0

    def height(self, node: Node, ui: Context, width: float) -> tuple[float, float]:
        knob = ui.theme.style("Slider", node.variant, "knob")
        words = ui.shown(node, "")
        text = ui.typeset(words, ui.look(ui.calm(node))).height if words else 0.0
        return max(knob.least[1], text, 8.0), -1.0

    def _beside(self, node: Node, ui: Context) -> float:
        """Return the width of the value beside the track: the wider one of both limits, so that the track keeps its
        length."""
        if not node.values[4]:
            return 0.0
        style = ui.calm(node)
        ends = [ui.fill_with(node, node.values[4], {"value": v, "low": v, "high": v}) for v in node.values[1:3]]
        return max(ui.typeset(words, ui.look(style)).width for words in [*ends, ui.shown(node, "")]) + style.gap[0]

    def _track(self, node: Node, ui: Context) -> tuple[float, float, float]:
        """Return the left end of the knob's track, its length, and the height of its middle."""
        style, knob = ui.calm(node), ui.theme.style("Slider", node.variant, "knob")
        x, y, w, h = inner(node, style)
        text_width = self._beside(node, ui)
        radius = knob.least[0] / 2
        left = x + radius + (text_width if ui.locales.right_to_left else 0.0)
        return left, max(w - text_width - 2 * radius, 1.0), y + h / 2

    def share(self, node: Node, ui: Context) -> float:
        """Return the position of the value between the limits, 0 to 1."""
        _, low, high = node.values[:3]
        return min(max((self.now(node, ui) - low) / (high - low), 0.0), 1.0) if high > low else 0.0

    def paint(self, node: Node, painter: Painter, ui: Context) -> None:
        style = painter.background(node)
        left, length, middle = self._track(node, ui)
        track, fill, knob = (ui.style(node, part) for part in ("track", "fill", "knob"))
        rtl, fraction = ui.locales.right_to_left, self.share(node, ui)
        thick = track.least[1] or 4.0
        at = left + length * (1 - fraction if rtl else fraction)
        painter.plate((left, middle - thick / 2, length, thick), track)
        begin, end = (at, left + length) if rtl else (left, at)
        painter.plate((begin, middle - thick / 2, end - begin, thick), fill)
        painter.circle(at, middle, knob.least[0] / 2, knob)
        words = ui.shown(node, "")
        if words:
            text = ui.typeset(words, ui.look(style))
            x, y, w, h = inner(node, style)
            painter.text_in(text, (x, y, w, h), style, 0.0 if rtl else 1.0)

    def press(self, node: Node, ui: Context, x: float, y: float) -> bool:
        self.drag(node, ui, x, y)
        return True

    def drag(self, node: Node, ui: Context, x: float, y: float) -> None:
        left, length, _ = self._track(node, ui)
        fraction = min(max((x - left) / length, 0.0), 1.0)
        _, low, high = node.values[:3]
        self._change(node, ui, low + (high - low) * (1 - fraction if ui.locales.right_to_left else fraction))

    def release(self, node: Node, ui: Context, x: float, y: float) -> None:
        ui.send("Clicked", node)

    def _change(self, node: Node, ui: Context, value: float) -> None:
        _, low, high, step = node.values[:4]
        if step > 0:
            value = low + round((value - low) / step) * step
        value = round(min(max(value, low), high), 6)
        if value != self.pending(node, ui):
            ui.send("Changed", node, value)

    def move(self, node: Node, ui: Context, direction: str) -> bool:
        if direction not in ("left", "right"):
            return False
        _, low, high, step = node.values[:4]
        by = step or (high - low) / _KEY_STEPS
        forward = (direction == "right") != ui.locales.right_to_left
        self._change(node, ui, self.pending(node, ui) + (by if forward else -by))
        return True

    def pending(self, node: Node, ui: Context) -> float:
        """Return the value after the command that waits for the next tick."""
        command = ui.waiting("Changed", node)
        return self.now(node, ui) if command is None else command.value

    def key(self, node: Node, ui: Context, name: str) -> bool:
        _, low, high = node.values[:3]
        ends = {"HOME": low, "END": high}
        jump = {"PAGEUP": 0.2, "PAGEDOWN": -0.2}
        if name in ends:
            self._change(node, ui, ends[name])
        elif name in jump:
            self._change(node, ui, self.pending(node, ui) + jump[name] * (high - low))
        else:
            return False
        return True

    def click(self, node: Node, ui: Context) -> None:
        ui.send("Clicked", node)

    def apply(self, node: Node, ui: Context, verb: str, value: float, text: str) -> Any:
        if verb != "Changed":
            return None
        _, low, high = node.values[:3]
        return {"value": min(max(value, low), high)}
