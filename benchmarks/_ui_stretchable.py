"""The side of `stretchable`, Taffy for Python, in the benchmark `ui`."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

from stretchable import Node, taffylib
from stretchable.context import taffy
from stretchable.style import AlignContent, FlexDirection
from stretchable.style.geometry.length import Scale
from stretchable.style.geometry.size import SizePoints

from ._task import Task
from ._ui_scene import COUNT, GAP, HEIGHT, IN_ROW, LINE, PADDING, WIDTH, grow_of, text_of


def _measure(text: list[float]) -> Callable[[Any, Any, Any], SizePoints]:
    def measure(node: Any, known: Any, space: Any) -> SizePoints:
        width = known.width.value
        if width != width:
            scale = space.width.scale
            width = min(text[1], max(text[0], space.width.value)) if scale == Scale.POINTS else text[1]
            width = text[0] if scale == Scale.MIN_CONTENT else width
        return SizePoints(width, LINE * math.ceil(text[1] / max(width, 1.0) - 1e-4))

    return measure


def _made() -> tuple[Any, list[Any], list[list[float]]]:
    shared: dict[str, Any] = {"gap": (GAP, GAP), "padding": (PADDING,) * 4}
    rows: list[Any] = []
    leaves: list[Any] = []
    texts: list[list[float]] = []
    for first in range(1, COUNT, IN_ROW):
        children = range(first + 1, min(first + IN_ROW, COUNT))
        made = [[*text_of(i)] for i in children]
        nodes = [Node(measure=_measure(t), flex_grow=grow_of(i), **shared) for i, t in zip(children, made, strict=True)]
        leaves += nodes
        texts += made
        rows.append(Node(*nodes, flex_grow=grow_of(first), **shared))
    style = {"flex_direction": FlexDirection.COLUMN, "align_content": AlignContent.FLEX_START, "size": (WIDTH, HEIGHT)}
    return Node(*rows, **style, flex_grow=1, **shared), leaves, texts


def relayout() -> Task:
    """A layout of 1,000 widgets after the text of one has changed."""
    root, leaves, texts = _made()
    root.compute_layout((WIDTH, HEIGHT))
    numbers, changed = itertools.count(), len(leaves) // 2

    def run() -> None:
        texts[changed][1] = 40.0 + next(numbers) % 20
        leaves[changed].mark_dirty()
        root.compute_layout((WIDTH, HEIGHT))

    return Task(run)


def build() -> Task:
    """Build the nodes of 1,000 widgets, and lay them out for the first time."""

    def run() -> None:
        root, leaves, _ = _made()
        root.compute_layout((WIDTH, HEIGHT))
        for node in leaves:
            node.measure = None
        taffylib.node_drop_all(taffy._ptr)

    return Task(run)
