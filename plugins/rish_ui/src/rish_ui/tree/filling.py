"""Fills the rows of a root's layout: from the columns of `Layout`, the theme and the kinds of widgets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array

from ..components.layout import Layout
from ..layout.nodes import DEFAULTS, NODE, SCROLL_X, SCROLL_Y
from .cells import line_of, round_lengths

if TYPE_CHECKING:
    from .context import Context
    from .node import Node, Root

_COPIED = (
    "direction", "wrap", "justify", "align", "align_lines", "align_self", "place", "margin", "size", "share", "most",
    "aspect", "grow", "shrink", "basis", "span", "anchor_low", "anchor_high", "pivot", "offset",
)  # fmt: skip
_GRID, _START, _ANCHORED = 4, 1, 1
"""Numbers of `Direction.GRID`, `AlignItems.START` and `Place.ANCHORED`."""
_DEFAULT_ROW = np.zeros(1, NODE)
for _name, _value in DEFAULTS.items():
    _DEFAULT_ROW[_name] = _value


class Fixed:
    """The values of the layout that come from the theme and the kinds; they change rarely.

    values: of all nodes, without those of `Layout` and of contents. pads, gaps, least: of the styles; heads:
    the heights above children, which are in pads. columns: the number of equal columns of each node, 0 for none.
    scrolling: the nodes that scroll.
    """

    def __init__(self, nodes: Sequence[Node]) -> None:
        count = len(nodes)
        self.values: Array = np.full(count, _DEFAULT_ROW)
        self.values["parent"] = [node.parent.number if node.parent is not None else -1 for node in nodes]
        self.pads: Array = np.zeros((count, 4), np.float32)
        self.gaps: Array = np.zeros((count, 2), np.float32)
        self.least: Array = np.zeros((count, 2), np.float32)
        self.heads: Array = np.zeros(count, np.float32)
        self.columns: Array = np.zeros(count, np.int64)
        self.entities: Array = np.array([node.entity for node in nodes], np.int64)
        self.scrolling: list[int] = []

    def take(self, other: Fixed, rows: Array, before: Array) -> None:
        """Take the values of other rows. rows: here; before: the same ones there."""
        for name in ("scroll", "direction"):
            self.values[name][rows] = other.values[name][before]
        for name in ("pads", "gaps", "least", "heads", "columns"):
            getattr(self, name)[rows] = getattr(other, name)[before]

    def style(self, nodes: Sequence[Node], ui: Context) -> None:
        """Take the values of the theme and the kinds for some nodes."""
        if not nodes:
            return
        rows, values = [node.number for node in nodes], self.values
        styles = [ui.calm(node) for node in nodes]
        self.heads[rows] = [node.kind.header(node, ui) for node in nodes]
        self.pads[rows] = [style.padding for style in styles]
        self.pads[rows, 1] += self.heads[rows]
        self.gaps[rows], self.least[rows] = [style.gap for style in styles], [style.least for style in styles]
        scrolls = [node.kind.scrolls(node) for node in nodes]
        values["scroll"][rows] = [SCROLL_X * sideways | SCROLL_Y * down for sideways, down in scrolls]
        self.columns[rows] = [node.kind.columns(node) for node in nodes]
        values["direction"][rows] = np.where(self.columns[rows] > 0, _GRID, _DEFAULT_ROW["direction"])


def fill(root: Root, ui: Context) -> None:
    """Write the values of all nodes: of `Layout` where a node has one, and of the theme; not those of contents."""
    nodes, values, fixed = root.nodes, root.layout.values, root.fixed
    fixed.style(root.present(root.unstyled), ui)
    root.unstyled.clear()
    fixed.scrolling = np.flatnonzero(fixed.values["scroll"]).tolist()
    table = ui.world.table(Layout)
    rows = table.rows_of(fixed.entities)
    shared = len(nodes) > 1 and nodes[1].entity == root.entity
    if shared:
        rows[0] = -1  # the base lets the widget of its own entity have the Layout
    indices = np.flatnonzero(rows >= 0)
    values[:] = fixed.values
    pads, gaps, least = fixed.pads.copy(), fixed.gaps.copy(), fixed.least.copy()
    if len(indices):
        _take_own(table, values, rows[indices], indices, pads, gaps, least, fixed)
    values["padding"], values["gap"], values["least"] = pads, gaps, least
    if not shared and rows[0] < 0 and not root.world:
        values["align"][0] = _START
    _fill_base(root, ui, values)
    _fill_hidden(root, ui, values)
    _fill_columns(root, ui, values, rows)
    line = line_of(ui)
    if line:
        round_lengths(values, line)


def _take_own(
    table: Any, values: Array, rows: Array, indices: Array, pads: Array, gaps: Array, least: Array, fixed: Fixed
) -> None:
    """Write the values of the nodes that have a `Layout`; lengths below 0 keep the value of the theme."""
    for name in _COPIED:
        values[name][indices] = table.column(name).reshape(len(table), *values[name].shape[1:])[rows]
    values["direction"][indices[fixed.columns[indices] > 0]] = _GRID
    header = fixed.pads[indices, 1].copy()
    lengths = table.column("padding").reshape(-1, 4)[rows]
    pads[indices] = np.where(lengths >= 0, lengths, pads[indices])
    heads = fixed.heads[indices]
    pads[indices, 1] = np.where(lengths[:, 1] >= 0, lengths[:, 1] + heads, header)
    lengths = table.column("gap").reshape(-1, 2)[rows]
    gaps[indices] = np.where(lengths >= 0, lengths, gaps[indices])
    lengths = table.column("least").reshape(-1, 2)[rows]
    least[indices] = np.where(lengths > 0, lengths, least[indices])
    size = values["size"][indices]
    least[indices] = np.where((size > 0) & (lengths <= 0), np.minimum(least[indices], size), least[indices])


def _fill_base(root: Root, ui: Context, values: Array) -> None:
    """Set the base: it fills its space, keeps to the safe area, and centers a widget of its own entity."""
    nodes = root.nodes
    if len(nodes) > 1 and nodes[1].entity == root.entity and not root.world:
        if ui.world.table(Layout).row_of(root.entity) < 0:
            values["place"][1] = _ANCHORED
        elif values["place"][1] != _ANCHORED:
            values["padding"][0] = values["gap"][0] = 0  # the widget has its own
    if not root.world:
        values["size"][0] = root.width, root.height
        if root.safe:
            values["padding"][0] += np.array(ui.settings.safe_area, np.float32) / ui.unit
    else:
        values["size"][0] = 0
        values["least"][0] = 0
        values["padding"][0] = 0


def _fill_hidden(root: Root, ui: Context, values: Array) -> None:
    """Find out which nodes are hidden; the parts of the painting are then dealt again."""
    nodes = root.nodes
    hidden = [not node.visible or (bool(node.needs) and not ui.has(node.needs)) for node in nodes]
    for number, node in enumerate(nodes):
        above = node.parent
        if above is not None and (hidden[above.number] or above.kind.hides(above, node, ui)):
            hidden[number] = True
    if hidden != [node.hidden for node in nodes]:
        root.dealt = False
        for node, each in zip(nodes, hidden, strict=True):
            node.hidden = each
    values["hidden"] = hidden


def _fill_columns(root: Root, ui: Context, values: Array, rows: Array) -> None:
    """Set the columns of grids."""
    equal = root.fixed.columns
    columns: list[Sequence[float]] = [()] * len(rows)
    for k in np.flatnonzero((values["direction"] == _GRID) & ((rows >= 0) | (equal > 0))).tolist():
        own = int(equal[k])
        columns[k] = (float(own),) if own else tuple(ui.world.get(root.nodes[k].entity, Layout).columns)
    root.layout.set_columns(columns)
