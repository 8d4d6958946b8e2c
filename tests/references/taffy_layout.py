"""The same trees as in `ui_trees`, laid out by Taffy (the package `stretchable`): the reference for flexbox."""

from __future__ import annotations

from typing import Any

from tools import needs
from ui_trees import Tree, text_height

needs("stretchable", "layout")
from stretchable import Node, taffylib  # noqa: E402
from stretchable.context import taffy  # noqa: E402
from stretchable.style import (  # noqa: E402
    AlignContent,
    AlignItems,
    AlignSelf,
    FlexDirection,
    FlexWrap,
    JustifyContent,
    Overflow,
    Position,
)
from stretchable.style.geometry.length import AUTO, PCT, Scale  # noqa: E402
from stretchable.style.geometry.size import SizePoints  # noqa: E402

SPREAD = {
    "start": "FLEX_START", "center": "CENTER", "end": "FLEX_END", "between": "SPACE_BETWEEN",
    "around": "SPACE_AROUND", "evenly": "SPACE_EVENLY",
}  # fmt: skip
ALIGN = {
    "start": "FLEX_START", "center": "CENTER", "end": "FLEX_END", "stretch": "STRETCH", "baseline": "BASELINE",
}  # fmt: skip


def taffy_rects(tree: Tree, width: float, height: float) -> list[tuple[float, float, float, float]]:
    """Return the rectangles x y w h of all nodes, depth first, from the top left of the root."""
    root = _node({**tree, "size": (width, height), "margin": (0, 0, 0, 0)})
    root.compute_layout((width, height))
    found: list[tuple[float, float, float, float]] = []

    def walk(node: Any, x: float, y: float) -> None:
        # Not `node.border_box`, which is not filled in for empty boxes and those outside of the root.
        box = taffylib.PyLayout()
        taffylib.node_get_layout(taffy._ptr, node._node_id, box)
        found.append((x + box.x, y + box.y, box.width, box.height))
        for child in node:
            walk(child, x + box.x, y + box.y)

    walk(root, 0.0, 0.0)
    return found


def _lengths(tree: Tree, name: str) -> list[Any]:
    return [value if value > 0 else AUTO for value in tree.get(name, (0, 0))]


def _node(tree: Tree) -> Any:
    left, top, right, bottom = tree.get("margin", (0, 0, 0, 0))
    inner = tree.get("padding", (0, 0, 0, 0))
    size = [
        value if value > 0 else (share * 100 * PCT if share > 0 else AUTO)
        for value, share in zip(tree.get("size", (0, 0)), tree.get("share", (0, 0)), strict=True)
    ]
    gap_x, gap_y = tree.get("gap", (0, 0))
    style: dict[str, Any] = {
        "flex_direction": FlexDirection[tree.get("direction", "column").upper()],
        "flex_wrap": FlexWrap.WRAP if tree.get("wrap") else FlexWrap.NO_WRAP,
        "justify_content": JustifyContent[SPREAD[tree.get("justify", "start")]],
        "align_items": AlignItems[ALIGN[tree.get("align", "stretch")]],
        "align_content": AlignContent[SPREAD[tree.get("align_lines", "start")]],
        "gap": (gap_x, gap_y),
        "padding": (inner[1], inner[2], inner[3], inner[0]),
        "margin": (top, right, bottom, left),
        "size": tuple(size),
        "min_size": tuple(_lengths(tree, "least")),
        "max_size": tuple(_lengths(tree, "most")),
        "aspect_ratio": tree.get("aspect") or None,
        "flex_grow": tree.get("grow", 0),
        "flex_shrink": tree.get("shrink", 1),
        "flex_basis": tree["basis"] if tree.get("basis", -1) >= 0 else AUTO,
        "overflow_x": Overflow.VISIBLE,
        "overflow_y": Overflow.VISIBLE,
    }
    if tree.get("align_self", "auto") != "auto":
        style["align_self"] = AlignSelf[ALIGN[tree["align_self"]]]
    if tree.get("place") == "anchored":
        style["position"] = Position.ABSOLUTE
        style["inset"] = tuple(AUTO if each == "auto" else each for each in tree["inset"])
    text = tree.get("text")
    measure = None
    if text and not tree.get("children"):

        def measure(node: Any, known: Any, space: Any) -> SizePoints:
            width = known.width.value
            if width != width:
                width = _within(text, space.width)
            return SizePoints(
                width, text_height(text, width) if known.height.value != known.height.value else known.height.value
            )

    return Node(*[_node(child) for child in tree.get("children", ())], measure=measure, **style)


def _within(text: tuple[float, float], space: Any) -> float:
    if space.scale == Scale.MIN_CONTENT:
        return text[0]
    if space.scale == Scale.MAX_CONTENT:
        return text[1]
    return min(text[1], max(text[0], space.value))
