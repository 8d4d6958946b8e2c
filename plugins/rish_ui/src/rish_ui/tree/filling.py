"""Fills the rows of a root's layout: from the columns of `Layout`, the theme and the kinds of widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array

from ..components.layout import Layout
from ..layout.nodes import DEFAULTS, SCROLL_X, SCROLL_Y
from .cells import line_of, round_lengths

if TYPE_CHECKING:
    from .context import Context
    from .node import Root

_COPIED = (
    "direction", "wrap", "justify", "align", "align_lines", "align_self", "place", "margin", "size", "share", "most",
    "aspect", "grow", "shrink", "basis", "span", "anchor_low", "anchor_high", "pivot", "offset",
)  # fmt: skip
_GRID, _START, _ANCHORED = 4, 1, 1
"""Numbers of `Direction.GRID`, `AlignItems.START` and `Place.ANCHORED`."""


@dataclass(eq=False)
class Fixed:
    """The values of the layout that come from the theme and the kinds; they change rarely.

    values: of all nodes, without those of `Layout` and of contents. pads, gaps, least: of the styles; heads:
    the heights above children, which are in pads. columns: of each node. scrolling: the nodes that scroll.
    """

    values: Array
    pads: Array
    gaps: Array
    least: Array
    heads: Array
    columns: list[Any]
    scrolling: list[int]
    entities: Array


def _fixed(root: Root, ui: Context) -> Fixed:
    """Return the values of a root that come from the theme and the kinds."""
    nodes, values = root.nodes, root.layout.values
    for name in values.dtype.names or ():
        values[name] = DEFAULTS.get(name, 0)
    values["parent"] = [node.parent.number if node.parent is not None else -1 for node in nodes]
    styles = [ui.calm(node) for node in nodes]
    pads = np.array([style.padding for style in styles], np.float32)
    heads = np.array([node.kind.header(node, ui) for node in nodes], np.float32)
    pads[:, 1] += heads
    scrolls = [node.kind.scrolls(node) for node in nodes]
    values["scroll"] = [SCROLL_X * sideways | SCROLL_Y * down for sideways, down in scrolls]
    columns: list[Any] = [(float(n.kind.columns(n)),) if n.kind.columns(n) else () for n in nodes]
    values["direction"][[k for k, each in enumerate(columns) if each]] = _GRID
    return Fixed(
        values.copy(), pads, np.array([style.gap for style in styles], np.float32),
        np.array([style.least for style in styles], np.float32), heads, columns,
        [k for k, each in enumerate(scrolls) if any(each)], np.array([node.entity for node in nodes], np.int64),
    )  # fmt: skip


def fill(root: Root, ui: Context) -> None:
    """Write the values of all nodes: of `Layout` where a node has one, and of the theme; not those of contents."""
    if root.fixed is None:
        root.fixed = _fixed(root, ui)
    nodes, values, fixed = root.nodes, root.layout.values, root.fixed
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
    equal = [k for k in indices.tolist() if fixed.columns[k]]
    values["direction"][equal] = _GRID
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
    """Find out which nodes are hidden."""
    for node in root.nodes:
        above = node.parent
        node.hidden = (
            not ui.has(node.needs)
            or not node.visible
            or (above is not None and (above.hidden or above.kind.hides(above, node, ui)))
        )
    values["hidden"] = [node.hidden for node in root.nodes]


def _fill_columns(root: Root, ui: Context, values: Array, rows: Array) -> None:
    """Set the columns of grids."""
    columns = root.fixed.columns
    for k in np.flatnonzero((values["direction"] == _GRID) & (rows >= 0)).tolist():
        if not columns[k]:
            columns = columns if columns is not root.fixed.columns else list(columns)
            columns[k] = tuple(ui.world.get(root.nodes[k].entity, Layout).columns)
    root.layout.set_columns(columns)
