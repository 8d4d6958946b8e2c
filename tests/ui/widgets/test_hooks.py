"""The hooks with which plugins add kinds of widgets and rows of lists."""

from __future__ import annotations

from ui_driver import PROBE, ui_game

GAUGE = """
from rish_core import component
from rish_ecs import field
from rish_ui import Kind

@component
class Gauge:
    percent: int = field(0, low=0, high=100)

class GaugeKind(Kind):
    component, name, styled_as = Gauge, "Gauge", "Panel"

    def read(self, view):
        return int(view.percent)

    def texts(self, node):
        return {"": f"{node.values} percent"}

    def paint(self, node, painter, ui):
        style = painter.background(node)
        painter.text(ui.typeset(ui.shown(node, ""), ui.look(style)), node.x, node.y, style)

def rish_components():
    return [Gauge]

def rish_widgets():
    return [GaugeKind()]
"""
ROWS = """
LINES = ["first", "second"]

def rish_rows():
    return {"lines": lambda world: LINES}
"""


def test_hook_rish_widgets() -> None:
    """A game adds a kind of widget: it is measured, painted and follows its component like those of the plugin."""
    scene = "- {name: a, Screen: {}, children: [{name: g, Gauge: {percent: 40}, Layout: {size: [80, 20]}}]}"
    with ui_game(scene, files={"plugin.py": PROBE + GAUGE}) as ui:
        assert "40 percent" in ui.texts
        node = ui.node("a.g")
        ui.world.set(node.entity, node.kind.component(percent=90))
        ui.frame()
        assert "90 percent" in ui.texts


def test_hook_rish_rows() -> None:
    """A List shows the rows of a source that a plugin declares; a source that does not exist is reported, not fatal."""
    scene = "- {name: a, Screen: {}, children: [{name: l, List: {source: lines}}, {name: m, List: {source: none}}]}"
    with ui_game(scene, files={"plugin.py": PROBE + ROWS}) as ui:
        assert ui.texts == ["first", "second"]
