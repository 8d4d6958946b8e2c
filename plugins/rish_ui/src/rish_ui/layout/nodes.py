"""`LayoutNodes`: the tree that is laid out, one row of `NODE` for each widget, and the results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rish_jit import Array

from .rows import FIELDS, LINKS

SCROLL_X, SCROLL_Y = 1, 2
"""Bits of `scroll`: the axes in which a node scrolls its children."""
CIRCULAR_X, CIRCULAR_Y = 1, 2
"""Bits of `flags`: the share of the parent's width or height is circular, because the parent is as large as its
content. As in CSS, the share then does not count for the size of the parent; a share of the height is not used at all.
"""

NODE = np.dtype(
    [
        ("parent", "i4"), ("direction", "i4"), ("wrap", "i4"), ("justify", "i4"), ("align", "i4"),
        ("align_lines", "i4"), ("align_self", "i4"), ("place", "i4"), ("scroll", "i4"), ("hidden", "i4"),
        ("first_column", "i4"), ("column_count", "i4"),
        ("gap", "f4", 2), ("padding", "f4", 4), ("margin", "f4", 4), ("size", "f4", 2), ("share", "f4", 2),
        ("least", "f4", 2), ("most", "f4", 2), ("aspect", "f4"), ("grow", "f4"), ("shrink", "f4"), ("basis", "f4"),
        ("span", "f4", 2), ("anchor_low", "f4", 2), ("anchor_high", "f4", 2), ("pivot", "f4", 2), ("offset", "f4", 2),
        ("content_least", "f4"), ("content_width", "f4"), ("content_height", "f4"), ("baseline", "f4"),
    ]
)  # fmt: skip
"""A node: the fields of `Layout` (enumerations as their numbers), where the values of the theme are filled in, and

- parent: the row of the parent, which comes before its children; -1 for a root. Children are in the order of rows.
- scroll: bits `SCROLL_X`, `SCROLL_Y`. In these axes children get their preferred size.
- hidden: 1: the node and all below it take no space.
- first_column, column_count: the place of a grid's column shares in `LayoutNodes.shares`; see `set_columns`.
- content_least, content_width: the minimum width of the content of a node without children (its longest word), and its
preferred width (all in one line); without padding.
- content_height, baseline: set after `solve_widths`: the height of the content at its width, and the distance from its
  top to its baseline (below 0: its bottom); without padding.

Every field has four bytes, so the rows can be seen as one array of integers or of numbers.
"""
INTEGERS = 12
"""The number of integers at the beginning of a row."""


def words_of(values: Array) -> Array:
    """Return rows of `NODE` as int32 (n, fields), not copied: numpy copies and takes these ten times as fast."""
    return values.view(np.int32).reshape(len(values), NODE.itemsize // 4)


DEFAULTS: dict[str, float] = {
    "parent": -1, "direction": 1, "shrink": 1, "basis": -1, "span": 1, "anchor_low": 0.5, "anchor_high": 0.5,
    "pivot": 0.5, "baseline": -1,
}  # fmt: skip
"""The values of a new row that are not 0."""


def _default_row() -> Array:
    row = np.zeros(1, NODE)
    for name, value in DEFAULTS.items():
        row[name] = value
    return words_of(row)


DEFAULT_ROW = _default_row()
"""A new row, as `words_of` returns it."""


def new_rows(count: int) -> Array:
    """Return rows of `NODE` with the defaults."""
    values = np.empty(count, NODE)
    words_of(values)[:] = DEFAULT_ROW
    return values


class TakenValues(NamedTuple):
    """The values of nodes within their limits. words: int64 (n, fields / 2), the rows of `NODE` that they were.

    integers: int64 (n, INTEGERS). numbers: float64 (n, fields - INTEGERS).
    """

    words: Array
    integers: Array
    numbers: Array


class LayoutNodes:
    """A tree to be laid out, and its layout.

    values: (n,) of `NODE`, with the defaults of `Layout` and no gaps and padding; set whole columns:
    `nodes.values["grow"] = column`. shares: the column shares of all grids. Results: rects: float32 (n, 4), x y w h
    from the top left of the root. contents: float32 (n, 2), the size of what a node that scrolls has to show, and the
    node's own size for others. flags: uint8 (n,), see `CIRCULAR_X`. All are reused by the next layout, except `shares`.
    """

    def __init__(self, count: int) -> None:
        self.values = new_rows(count)
        self.shares: Array = np.zeros(0, np.float32)
        self.rects: Array = np.zeros((count, 4), np.float32)
        self.contents: Array = np.zeros((count, 2), np.float32)
        self.flags: Array = np.zeros(count, np.uint8)
        self.work: Array = np.zeros((count, FIELDS))
        self.links: Array = np.zeros((count, LINKS), np.int64)
        self.taken: TakenValues | None = None
        self.column_shares: Array = np.zeros(0)
        self.tracks: Array = np.zeros(0)
        self.space = (-1.0, -1.0)
        self.solved, self.compiled = False, True

    def __len__(self) -> int:
        return len(self.values)

    def set_columns(self, columns: Sequence[Sequence[float]]) -> None:
        """Set the columns of all nodes, one list of shares for each; a list of one number means that many equal
        columns.

        A share of 0 makes a column as wide as its content. Nodes without columns have an empty list.
        """
        lists = [equal_columns(each) if each else each for each in columns]
        counts = np.fromiter(map(len, lists), np.int64, len(lists))
        self.values["column_count"] = counts
        self.values["first_column"] = np.cumsum(counts) - counts
        self.shares = np.array([share for each in lists for share in each], np.float32)


MAX_COLUMNS = 256
"""The greatest number of columns that one number makes."""


def equal_columns(columns: Sequence[float]) -> Sequence[float]:
    """Return the shares of a grid's columns; one number n means n equal columns."""
    if len(columns) != 1:
        return columns
    count = columns[0]
    return [1.0] * (int(min(count, MAX_COLUMNS)) if count >= 1 else 1)
