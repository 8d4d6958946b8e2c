"""Trees for tests of the layout: nested dictionaries of the values of `Layout`, and their rectangles.

A tree is a dictionary with the fields of `NODE` that are not the default, enumerations by their names, and `children`.
`text` is (narrowest, one line) of a text that is 10 high in one line, and whose area stays the same in narrower ones.
`inset` is what Taffy gets for the anchors.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_ui.components.layout import AlignItems, Direction, Justify, Place
from rish_ui.layout.nodes import LayoutNodes
from rish_ui.layout.solve import solve_heights, solve_widths

ENUMS = {
    "direction": Direction, "justify": Justify, "align": AlignItems, "align_lines": Justify, "align_self": AlignItems,
    "place": Place,
}  # fmt: skip
LINE = 10.0
Tree = dict[str, Any]


def flattened(tree: Tree, parent: int = -1) -> list[tuple[int, Tree]]:
    """Return the nodes of a tree with the rows of their parents, depth first."""
    rows = [(parent, tree)]

    def walk(node: Tree, row: int) -> None:
        for child in node.get("children", ()):
            rows.append((row, child))
            walk(child, len(rows) - 1)

    walk(tree, 0)
    return rows


def made(*trees: Tree) -> LayoutNodes:
    """Return the nodes of trees."""
    rows: list[tuple[int, Tree]] = []
    for tree in trees:
        rows += [(parent + len(rows) if parent >= 0 else -1, node) for parent, node in flattened(tree)]
    nodes = LayoutNodes(len(rows))
    for i, (parent, node) in enumerate(rows):
        nodes.values["parent"][i] = parent
        for name, value in node.items():
            if name in ENUMS:
                nodes.values[name][i] = [each.value for each in ENUMS[name]].index(value)
            elif name == "text":
                nodes.values["content_least"][i], nodes.values["content_width"][i] = value
            elif name not in ("children", "columns", "inset"):
                nodes.values[name][i] = value
    nodes.set_columns([node.get("columns", ()) for _, node in rows])
    return nodes


def text_height(text: tuple[float, float], width: float) -> float:
    """Return the height of a text in a width."""
    return LINE * max(1.0, text[1] / max(width, text[0], 1.0)) if text[1] else 0.0


def solved(nodes: LayoutNodes, width: float = 100, height: float = 100, mirrored: bool = False) -> np.ndarray:
    """Lay nodes out, with the heights of texts where they have none; in plain Python, which compiles nothing."""
    widths = solve_widths(nodes, width, height, compiled=False)
    for i in np.flatnonzero(nodes.values["content_width"]).tolist():
        text = nodes.values["content_least"].item(i), nodes.values["content_width"].item(i)
        nodes.values["content_height"][i] = text_height(text, widths.item(i))
    return solve_heights(nodes, mirrored)


def rects(tree: Tree, width: float = 100, height: float = 100, mirrored: bool = False) -> list[tuple[float, ...]]:
    """Return the rectangles x y w h of all nodes but the root, depth first."""
    return [tuple(round(v, 3) for v in rect) for rect in solved(made(tree), width, height, mirrored).tolist()[1:]]
