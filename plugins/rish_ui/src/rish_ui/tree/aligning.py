"""Aligns the layout of a root with its nodes: the rows of nodes that stay are moved to their new places."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..layout.nodes import LayoutNodes, words_of
from .filling import Fixed
from .measuring import Measures

if TYPE_CHECKING:
    from .node import Root


def align(root: Root) -> None:
    """Give each node the row of its number; rows of new nodes are marked as not styled and not measured."""
    nodes = root.nodes
    rows = np.array([node.row for node in nodes], np.int64)
    staying = np.flatnonzero(rows >= 0)
    before = rows[staying]
    layout, measures, fixed = LayoutNodes(len(nodes)), Measures(nodes), Fixed(nodes)
    layout.rects[:] = np.nan  # differs from every result
    if root.layout is not None:
        layout.rects[staying] = root.layout.rects[before]
        layout.contents[staying] = root.layout.contents[before]
        words_of(layout.values)[staying] = words_of(root.layout.values)[before]
        layout.values["parent"] = fixed.values["parent"]
        fixed.take(root.fixed, staying, before)
        staying = measures.take(root.measures, staying, before)
    root.layout, root.measures, root.fixed, root.aligned = layout, measures, fixed, True
    root.unstyled.update(nodes[k] for k in np.flatnonzero(rows < 0).tolist())
    measured = np.zeros(len(nodes), np.bool_)
    measured[staying] = True
    root.unmeasured.update(nodes[k] for k in np.flatnonzero(~measured).tolist())
    for number, node in enumerate(nodes):
        node.row = number
