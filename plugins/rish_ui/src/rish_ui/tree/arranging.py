"""Lays out a root: from the columns of `Layout`, the theme and the contents to the places of its nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..components.layout import Layout
from ..layout.nodes import CIRCULAR_X, CIRCULAR_Y, DEFAULTS, SCROLL_X, SCROLL_Y, LayoutNodes
from ..layout.solve import solve_heights, solve_widths

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
        _link(root, ui)
    _fill(root, ui)
    width, height = (0.0, 0.0) if root.world else (root.width, root.height)
    if root.world:
        width, height = root.size[0] or np.inf, root.size[1] or np.inf
    room = solve_widths(root.layout, width, height)
    heights, baselines = root.layout.values["content_height"], root.layout.values["baseline"]
    for node in root.nodes:
        if not node.children:
            heights[node.number], baselines[node.number] = node.kind.height(node, ui, float(room[node.number]))
    rects = solve_heights(root.layout, ui.locales.right_to_left)
    if root.world:
        root.width, root.height = float(rects[0, 2]), float(rects[0, 3])
    contents = root.layout.contents.tolist()
    for node, content in zip(root.nodes, contents, strict=True):
        node.content = content[0], content[1]
    place(root, ui)
    _warn(root, ui)


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


def _link(root: Root, ui: Context) -> None:
    """Set what only depends on the tree: parents, and where the columns of each node are."""
    values = root.layout.values
    values["parent"] = [node.parent.number if node.parent is not None else -1 for node in root.nodes]
    root.entities = np.array([node.entity for node in root.nodes], np.int64)


def _fill(root: Root, ui: Context) -> None:
    """Write the values of all nodes: of `Layout` where a node has one, of the theme, and of the contents."""
    nodes, values, world = root.nodes, root.layout.values, ui.world
    table = world.table(Layout)
    rows = table.rows_of(root.entities)
    shared = len(nodes) > 1 and nodes[1].entity == root.entity
    if shared:
        rows[0] = -1  # the base lets the widget of its own entity have the Layout
    known = np.flatnonzero(rows >= 0)
    _defaults(values)
    for name in _COPIED if len(known) else ():
        values[name][known] = table.column(name).reshape(len(table), *values[name].shape[1:])[rows[known]]
    styles = [ui.calm(node) for node in nodes]
    headers = [node.kind.header(node, ui) for node in nodes]
    pads = np.array([style.padding for style in styles], np.float32)
    gaps = np.array([style.gap for style in styles], np.float32)
    least = np.array([style.least for style in styles], np.float32)
    if len(known):
        own = table.column("padding").reshape(-1, 4)[rows[known]]
        pads[known] = np.where(own >= 0, own, pads[known])
        own = table.column("gap").reshape(-1, 2)[rows[known]]
        gaps[known] = np.where(own >= 0, own, gaps[known])
        own = table.column("least").reshape(-1, 2)[rows[known]]
        least[known] = np.where(own > 0, own, least[known])
        size = values["size"]
        least = np.where(size > 0, np.minimum(least, size), least)
    pads[:, 1] += headers
    values["padding"], values["gap"], values["least"] = pads, gaps, least
    if not shared and rows[0] < 0 and not root.world:
        values["align"][0] = _START
    _fill_base(root, ui, values)
    _fill_contents(root, ui, values, rows, known)


def _fill_base(root: Root, ui: Context, values: Array) -> None:
    """Set the base: it fills its space, keeps to the safe area, and centres a widget of its own entity."""
    nodes = root.nodes
    if not root.world:
        values["size"][0] = root.width, root.height
        if root.safe:
            values["padding"][0] += np.array(ui.settings.safe_area, np.float32) / ui.unit
    else:
        values["size"][0] = 0
        values["least"][0] = 0
        values["padding"][0] = 0
    if len(nodes) > 1 and nodes[1].entity == root.entity:
        rows = ui.world.table(Layout).row_of(root.entity)
        if rows < 0:
            values["place"][1] = _ANCHORED
            if root.world:
                values["place"][1] = 0


def _fill_contents(root: Root, ui: Context, values: Array, rows: Array, known: Array) -> None:
    """Set what the kinds say: hidden nodes, grids, scrolling, and the widths of contents."""
    columns: list[Any] = [()] * len(root.nodes)
    directions = values["direction"]
    grids = np.flatnonzero(directions == _GRID).tolist()
    for node in root.nodes:
        k = node.number
        equal = node.kind.columns(node)
        if equal:
            directions[k], columns[k] = _GRID, (float(equal),)
        sideways, down = node.kind.scrolls(node)
        values["scroll"][k] = SCROLL_X * sideways | SCROLL_Y * down
        above = node.parent
        node.hidden = not node.visible or (above is not None and (above.hidden or above.kind.hides(above, node, ui)))
        values["hidden"][k] = node.hidden
        if not node.children:
            values["content_least"][k], values["content_width"][k] = node.kind.measure(node, ui)
    for k in grids:
        if rows[k] >= 0:
            columns[k] = tuple(ui.world.get(root.nodes[k].entity, Layout).columns)
    root.layout.set_columns(columns)


def _defaults(values: Array) -> None:
    """Set the defaults of `Layout`, except the parents."""
    for name in values.dtype.names or ():
        if name not in ("parent", "content_height", "baseline"):
            values[name] = DEFAULTS.get(name, 0)


def _warn(root: Root, ui: Context) -> None:
    """Report shares of a parent that is as large as its content."""
    flags = root.layout.flags
    for k in np.flatnonzero(flags).tolist():
        axis = "width" if flags[k] & CIRCULAR_X else "height"
        assert flags[k] & (CIRCULAR_X | CIRCULAR_Y)
        what = f"Layout.share is a fraction of the {axis} of its parent, which is as large as its content"
        ui.tell(root.nodes[k], f"{what}; give the parent a size, or this widget `grow`")
