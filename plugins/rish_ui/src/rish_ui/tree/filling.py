"""Fills the rows of a root's layout: from the columns of `Layout`, the theme and the kinds of widgets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs.declarations import distinct
from rish_jit import Array

from ..components.layout import Layout
from ..layout.nodes import DEFAULTS, SCROLL_X, SCROLL_Y, new_rows, words_of
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


class Fixed:
    """The values of the layout that come from the theme and the kinds; they change rarely.

    values: of all nodes, without those of `Layout` and of contents. pads, gaps, least: of the styles; heads:
    the heights above children, which are in pads. columns: the number of equal columns of each node, 0 for none.
    scrolling: the nodes that scroll.
    """

    def __init__(self, nodes: Sequence[Node]) -> None:
        count = len(nodes)
        self.values: Array = new_rows(count)
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
        values["direction"][rows] = np.where(self.columns[rows] > 0, _GRID, DEFAULTS["direction"])


def fill(root: Root, ui: Context) -> None:
    """Write the values of nodes: of `Layout` where a node has one, and of the theme; not those of contents.

    If the root was filled before, only the nodes whose styles are out of date are filled, and the base, because
    `_fill_base` adds to its padding.
    """
    nodes, values, fixed = root.nodes, root.layout.values, root.fixed
    styled = root.present(root.unstyled)
    root.unstyled.clear()
    fixed.style(styled, ui)
    fixed.scrolling = np.flatnonzero(fixed.values["scroll"]).tolist()
    some, below = np.arange(len(nodes)), nodes
    if root.filled:
        some = distinct(np.array([0, *(node.number for node in styled)]))
        below = dict.fromkeys([root.base, *(each for node in styled for each in node.walk())])
    root.filled = True
    table = ui.world.table(Layout)
    rows = table.rows_of(fixed.entities)
    shared = len(nodes) > 1 and nodes[1].entity == root.entity
    if shared:
        rows[0] = -1  # the base lets the widget of its own entity have the Layout
    words_of(values)[some] = words_of(fixed.values)[some]
    values["padding"][some], values["gap"][some] = fixed.pads[some], fixed.gaps[some]
    values["least"][some] = fixed.least[some]
    indices = some[rows[some] >= 0]
    if len(indices):
        _take_own(table, values, rows[indices], indices, fixed)
    if not shared and rows[0] < 0 and not root.world:
        values["align"][0] = _START
    _fill_base(root, ui, values)
    _fill_hidden(below, root, ui, values)
    _fill_columns(root, ui, values, rows)
    line = line_of(ui)
    if line:
        round_lengths(values, line)


def _take_own(table: Any, values: Array, rows: Array, indices: Array, fixed: Fixed) -> None:
    """Write the values of the nodes that have a `Layout`; lengths below 0 keep the value of the theme."""
    for name in _COPIED:
        values[name][indices] = table.column(name).reshape(len(table), *values[name].shape[1:])[rows]
    values["direction"][indices[fixed.columns[indices] > 0]] = _GRID
    pads, heads = fixed.pads[indices], fixed.heads[indices]
    lengths = table.column("padding").reshape(-1, 4)[rows]
    own = np.where(lengths >= 0, lengths, pads)
    own[:, 1] = np.where(lengths[:, 1] >= 0, lengths[:, 1] + heads, pads[:, 1])
    values["padding"][indices] = own
    lengths = table.column("gap").reshape(-1, 2)[rows]
    values["gap"][indices] = np.where(lengths >= 0, lengths, fixed.gaps[indices])
    lengths, size = table.column("least").reshape(-1, 2)[rows], values["size"][indices]
    least = np.where(lengths > 0, lengths, fixed.least[indices])
    values["least"][indices] = np.where((size > 0) & (lengths <= 0), np.minimum(least, size), least)


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


def _fill_hidden(nodes: Iterable[Node], root: Root, ui: Context, values: Array) -> None:
    """Find out which of some nodes are hidden, parents first; the parts of the painting are then dealt again.

    The texts and fields of nodes that are shown again are read, since those of hidden nodes are not.
    """
    for node in nodes:
        above = node.parent
        hidden = (
            not node.visible
            or (bool(node.needs) and not ui.has(node.needs))
            or (above is not None and (above.hidden or above.kind.hides(above, node, ui)))
        )
        if hidden != node.hidden:
            node.hidden, root.dealt = hidden, False
            if node.outdated and not hidden:
                root.restless = True
                if ui.refresh(node):
                    root.unmeasured.add(node)
        values["hidden"][node.number] = hidden


def _fill_columns(root: Root, ui: Context, values: Array, rows: Array) -> None:
    """Set the columns of grids."""
    equal = root.fixed.columns
    columns: list[Sequence[float]] = [()] * len(rows)
    for k in np.flatnonzero((values["direction"] == _GRID) & ((rows >= 0) | (equal > 0))).tolist():
        own = int(equal[k])
        columns[k] = (float(own),) if own else tuple(ui.world.get(root.nodes[k].entity, Layout).columns)
    root.layout.set_columns(columns)
