"""Lays out a root: from the values of widgets and the sizes of contents to the places of its nodes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..layout.nodes import CIRCULAR_X, CIRCULAR_Y
from ..layout.solve import solve_heights, solve_widths
from ..layout.warming import use_kernels
from .aligning import align
from .filling import fill

if TYPE_CHECKING:
    from .context import Context
    from .node import Node, Root


def arrange(root: Root, ui: Context) -> bool:
    """Compute the places of the nodes of a root; return whether all nodes were placed.

    Only nodes that are new, or marked, are styled and measured. If all contents have their old sizes, nothing is laid
    out, and only nodes that moved are placed. The World is only read.
    """
    _measure_space(root, ui)
    is_new = bool(root.unstyled) or not (root.aligned and root.filled)
    if not root.aligned:
        align(root)
    if is_new:
        fill(root, ui)
    changed = root.present(root.unmeasured)
    root.unmeasured.clear()
    root.repainted.update(changed)
    root.unsolved = False
    resized = root.measures.measure(changed, ui)
    return _solve(root, ui) if is_new or resized else False


def _solve(root: Root, ui: Context) -> bool:
    """Lay out a root; return whether all nodes were placed."""
    layout, measures = root.layout, root.measures
    width, height, high = root.width, root.height, root.height
    if root.world:
        width, height = root.size[0] or np.inf, root.size[1] or np.inf
    layout.values["content_least"], layout.values["content_width"] = measures.wide.T
    room = solve_widths(layout, width, height, use_kernels(len(root.nodes)))
    measures.find_heights(root.nodes, ui, room)
    layout.values["content_height"], layout.values["baseline"] = measures.tall.T
    before, contents = layout.rects.copy(), layout.contents.copy()
    root.mirrored = ui.locales.right_to_left
    rects = solve_heights(layout, root.mirrored)
    if root.world:
        root.width, root.height = float(rects[0, 2]), float(rects[0, 3])
        root.aimed = False
    has_moved, scrolling = (rects != before).any(axis=1), root.fixed.scrolling
    _warn(root, ui)
    if (
        not root.placed or root.height != high  # paintings have y up
        or has_moved[scrolling].any() or (contents != layout.contents)[scrolling].any()
    ):  # fmt: skip
        for k in scrolling:
            root.nodes[k].content = tuple(layout.contents[k].tolist())
        place(root, ui)
        root.placed = True
        return True
    rows = np.flatnonzero(has_moved)
    moved = [root.nodes[k] for k in rows.tolist()]
    _place(zip(moved, rects[rows].tolist(), strict=True), ui)
    root.repainted.update(moved)
    return False


def place(root: Root, ui: Context) -> None:
    """Move all nodes to their places, scrolling and clipping included."""
    _place(zip(root.nodes, root.layout.rects.tolist(), strict=True), ui)
    root.stale_scroll = False


def place_scrolled(root: Root, ui: Context) -> None:
    """Move all nodes to their places if something was scrolled since they were placed."""
    if root.stale_scroll:
        place(root, ui)
        root.stale_parts.update(range(len(root.parts)))


def _place(nodes: Iterable[tuple[Node, list[float]]], ui: Context) -> None:
    """Move nodes to their places. For nodes that scroll, and their parents, `nodes` contains all nodes below them."""
    rtl = ui.locales.right_to_left
    for node, (x, y, w, h) in nodes:
        parent = node.parent
        if parent is None:
            node.x, node.y, node.w, node.h, node.clip = x, y, w, h, None
            node.moved = (0.0, 0.0)
            continue
        shift = parent.moved
        node.clip = parent.clip
        if any(parent.kind.scrolls(parent)):
            limit_scroll(parent)
            dx = parent.scroll[0] if rtl else -parent.scroll[0]
            shift = shift[0] + dx, shift[1] - parent.scroll[1]
            node.clip = _cut(parent.clip, (parent.x, parent.y, parent.w, parent.h))
        node.moved = shift
        node.x, node.y, node.w, node.h = x + shift[0], y + shift[1], w, h


def limit_scroll(node: Node) -> None:
    """Keep the scrolling of a node within its content."""
    for axis, size in enumerate((node.w, node.h)):
        maximum = max(node.content[axis] - size, 0.0) if node.kind.scrolls(node)[axis] else 0.0
        node.scroll[axis] = min(max(node.scroll[axis], 0.0), maximum)


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


def _warn(root: Root, ui: Context) -> None:
    """Report shares of a parent that is as large as its content."""
    flags = root.layout.flags
    for k in np.flatnonzero(flags).tolist():
        axis = "width" if flags[k] & CIRCULAR_X else "height"
        assert flags[k] & (CIRCULAR_X | CIRCULAR_Y)
        message = f"Layout.share is a fraction of the {axis} of its parent, which is as large as its content"
        ui.tell(root.nodes[k], f"{message}; give the parent a size, or this widget `grow`")
