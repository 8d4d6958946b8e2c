"""Lays out a root: from the columns of `Layout`, the theme and the contents to the places of its nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..components.layout import Layout
from ..layout.nodes import CIRCULAR_X, CIRCULAR_Y, DEFAULTS, SCROLL_X, SCROLL_Y, LayoutNodes
from ..layout.solve import solve_heights, solve_widths
from ..layout.warming import use_kernels
from .cells import line_of, round_lengths, whole_lines

if TYPE_CHECKING:
    from .context import Context
    from .node import Node, Root

Array = npt.NDArray[Any]
_COPIED = (
    "direction", "wrap", "justify", "align", "align_lines", "align_self", "place", "margin", "size", "share", "most",
    "aspect", "grow", "shrink", "basis", "span", "anchor_low", "anchor_high", "pivot", "offset",
)  # fmt: skip
_GRID, _START, _ANCHORED = 4, 1, 1
"""Numbers of `Direction.GRID`, `AlignItems.START` and `Place.ANCHORED`."""


def arrange(root: Root, ui: Context) -> None:
    """Compute the places of all nodes of a root. The World is read, nothing else is changed."""
    _measure_space(root, ui)
    if root.layout is None or len(root.layout) != len(root.nodes):
        root.layout = LayoutNodes(len(root.nodes))
        root.fixed = None
    _fill(root, ui)
    width, height = root.width, root.height
    if root.world:
        width, height = root.size[0] or np.inf, root.size[1] or np.inf
    compiled = use_kernels(len(root.nodes))
    room = solve_widths(root.layout, width, height, compiled).tolist()
    _measure_heights(root, ui, room)
    rects = solve_heights(root.layout, ui.locales.right_to_left)
    if root.world:
        root.width, root.height = float(rects[0, 2]), float(rects[0, 3])
    contents = root.layout.contents.tolist()
    for k in root.fixed.scrolling:
        root.nodes[k].content = contents[k][0], contents[k][1]
    place(root, ui)
    _warn(root, ui)


def _measure_heights(root: Root, ui: Context, room: list[float]) -> None:
    """Set the heights of contents at their widths; those of the last layout are kept where the width is the same."""
    tall, lines, cell = [0.0] * len(root.nodes), [-1.0] * len(root.nodes), line_of(ui)
    for node, wide in zip(root.nodes, room, strict=True):
        if not node.children:
            if node.tall[0] != wide:
                high, line = node.kind.height(node, ui, wide)
                node.tall = wide, whole_lines(high, cell), line
            _, tall[node.number], lines[node.number] = node.tall
    root.layout.values["content_height"], root.layout.values["baseline"] = tall, lines


def place(root: Root, ui: Context) -> None:
    """Move the nodes to their places, scrolling and clipping included."""
    rects = root.layout.rects.tolist()
    rtl = ui.locales.right_to_left
    for node, (x, y, w, h) in zip(root.nodes, rects, strict=True):
        parent = node.parent
        if parent is None:
            node.x, node.y, node.w, node.h, node.clip = x, y, w, h, None
            node.moved = (0.0, 0.0)
            continue
        moved = parent.moved
        node.clip = parent.clip
        if any(parent.kind.scrolls(parent)):
            limit_scroll(parent)
            dx = parent.scroll[0] if rtl else -parent.scroll[0]
            moved = moved[0] + dx, moved[1] - parent.scroll[1]
            node.clip = _cut(parent.clip, (parent.x, parent.y, parent.w, parent.h))
        node.moved = moved
        node.x, node.y, node.w, node.h = x + moved[0], y + moved[1], w, h


def limit_scroll(node: Node) -> None:
    """Keep the scrolling of a node within its content."""
    for axis, size in enumerate((node.w, node.h)):
        most = max(node.content[axis] - size, 0.0) if node.kind.scrolls(node)[axis] else 0.0
        node.scroll[axis] = min(max(node.scroll[axis], 0.0), most)


def _cut(a: tuple[float, float, float, float] | None, b: tuple[float, float, float, float]) -> Any:
    """Return the intersection of two rectangles."""
    if a is None:
        return b
    x, y = max(a[0], b[0]), max(a[1], b[1])
    return x, y, max(min(a[0] + a[2], b[0] + b[2]) - x, 0.0), max(min(a[1] + a[3], b[1] + b[3]) - y, 0.0)


def _measure_space(root: Root, ui: Context) -> None:
    """Set the space of a root over the picture: its own size, or the whole picture."""
    if root.world:
        return
    width, height = (side / ui.unit for side in ui.frame.logical)
    root.width, root.height = root.size[0] or width, root.size[1] or height


@dataclass(eq=False)
class Fixed:
    """What the layout needs of the theme and of the kinds; it changes rarely.

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
    """Return what changes rarely."""
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


def _fill(root: Root, ui: Context) -> None:
    """Write the values of all nodes: of `Layout` where a node has one, of the theme, and of the contents."""
    if root.fixed is None:
        root.fixed = _fixed(root, ui)
    nodes, values, fixed = root.nodes, root.layout.values, root.fixed
    table = ui.world.table(Layout)
    rows = table.rows_of(fixed.entities)
    shared = len(nodes) > 1 and nodes[1].entity == root.entity
    if shared:
        rows[0] = -1  # the base lets the widget of its own entity have the Layout
    known = np.flatnonzero(rows >= 0)
    values[:] = fixed.values
    pads, gaps, least = fixed.pads.copy(), fixed.gaps.copy(), fixed.least.copy()
    if len(known):
        _take_own(table, values, rows[known], known, pads, gaps, least, fixed)
    values["padding"], values["gap"], values["least"] = pads, gaps, least
    if not shared and rows[0] < 0 and not root.world:
        values["align"][0] = _START
    _fill_base(root, ui, values)
    _fill_contents(root, ui, values, rows)
    line = line_of(ui)
    if line:
        round_lengths(values, line)


def _take_own(
    table: Any, values: Array, rows: Array, known: Array, pads: Array, gaps: Array, least: Array, fixed: Fixed
) -> None:
    """Write the values of the nodes that have a `Layout`; lengths below 0 are left as the theme says."""
    for name in _COPIED:
        values[name][known] = table.column(name).reshape(len(table), *values[name].shape[1:])[rows]
    equal = [k for k in known.tolist() if fixed.columns[k]]
    values["direction"][equal] = _GRID
    header = fixed.pads[known, 1].copy()
    own = table.column("padding").reshape(-1, 4)[rows]
    pads[known] = np.where(own >= 0, own, pads[known])
    heads = fixed.heads[known]
    pads[known, 1] = np.where(own[:, 1] >= 0, own[:, 1] + heads, header)
    own = table.column("gap").reshape(-1, 2)[rows]
    gaps[known] = np.where(own >= 0, own, gaps[known])
    own = table.column("least").reshape(-1, 2)[rows]
    least[known] = np.where(own > 0, own, least[known])
    size = values["size"][known]
    least[known] = np.where((size > 0) & (own <= 0), np.minimum(least[known], size), least[known])


def _fill_base(root: Root, ui: Context, values: Array) -> None:
    """Set the base: it fills its space, keeps to the safe area, and centres a widget of its own entity."""
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


def _fill_contents(root: Root, ui: Context, values: Array, rows: Array) -> None:
    """Set hidden nodes, columns of grids, and the widths of contents."""
    hidden: list[bool] = []
    sizes: list[tuple[float, float]] = []
    for node in root.nodes:
        above = node.parent
        node.hidden = (
            not ui.has(node.needs)
            or not node.visible
            or (above is not None and (above.hidden or above.kind.hides(above, node, ui)))
        )
        hidden.append(node.hidden)
        wide = node.wide
        if wide is None:
            wide = node.wide = (0.0, 0.0) if node.children else node.kind.measure(node, ui)
        sizes.append(wide)
    values["hidden"] = hidden
    widths = np.array(sizes, np.float32)
    values["content_least"], values["content_width"] = widths[:, 0], widths[:, 1]
    columns = root.fixed.columns
    for k in np.flatnonzero((values["direction"] == _GRID) & (rows >= 0)).tolist():
        if not columns[k]:
            columns = columns if columns is not root.fixed.columns else list(columns)
            columns[k] = tuple(ui.world.get(root.nodes[k].entity, Layout).columns)
    root.layout.set_columns(columns)


def _warn(root: Root, ui: Context) -> None:
    """Report shares of a parent that is as large as its content."""
    flags = root.layout.flags
    for k in np.flatnonzero(flags).tolist():
        axis = "width" if flags[k] & CIRCULAR_X else "height"
        assert flags[k] & (CIRCULAR_X | CIRCULAR_Y)
        what = f"Layout.share is a fraction of the {axis} of its parent, which is as large as its content"
        ui.tell(root.nodes[k], f"{what}; give the parent a size, or this widget `grow`")
