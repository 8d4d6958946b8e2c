"""`Measures`: the sizes of the contents of a root; only those that changed are measured again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_jit import Array

from .cells import line_of, whole_lines

if TYPE_CHECKING:
    from .context import Context
    from .node import Node


class Measures:
    """The sizes of the contents of nodes.

    wide: float32 (n, 2), the minimum and the preferred width of each content. tall: float32 (n, 2), height
    and baseline at the width `room`, float32 (n,), which is below 0 if they are not known.
    """

    def __init__(self, nodes: list[Node]) -> None:
        self.wide: Array = np.zeros((len(nodes), 2), np.float32)
        self.tall: Array = np.zeros((len(nodes), 2), np.float32)
        self.room: Array = np.full(len(nodes), -1, np.float32)
        self._leaves: Array = np.array([not node.children for node in nodes], np.bool_)
        self.tall[:, 1] = -1

    def take(self, other: Measures, rows: Array, before: Array) -> Array:
        """Take sizes of other measures, for the contents that are still contents; return these rows.

        rows: here; before: the same ones there.
        """
        same = self._leaves[rows] == other._leaves[before]
        rows, before = rows[same], before[same]
        self.wide[rows], self.tall[rows], self.room[rows] = other.wide[before], other.tall[before], other.room[before]
        return rows

    def measure(self, nodes: list[Node], ui: Context) -> bool:
        """Measure the contents of some nodes again; return whether one has another size than before."""
        has_changed = [self._remeasure(node, ui) for node in nodes if self._leaves[node.number]]  # all of them
        return any(has_changed)

    def _remeasure(self, node: Node, ui: Context) -> bool:
        """Measure one content again; return whether it has another size than before."""
        k = node.number
        wide, tall, room = self.wide[k].tolist(), self.tall[k].tolist(), self.room.item(k)
        self.wide[k] = node.kind.measure(node, ui)
        if self.wide[k].tolist() != wide or room < 0:
            self.room[k] = -1  # its height depends on a width that is not known yet
            return True
        self._set_height(node, ui, room)
        return self.tall[k].tolist() != tall

    def find_heights(self, nodes: list[Node], ui: Context, room: Array) -> None:
        """Measure the heights of the contents whose widths have changed."""
        for k in np.flatnonzero((room != self.room) & self._leaves).tolist():
            self._set_height(nodes[k], ui, room.item(k))
        self.room[:] = room

    def _set_height(self, node: Node, ui: Context, room: float) -> None:
        height, line = node.kind.height(node, ui, room)
        self.tall[node.number] = whole_lines(height, line_of(ui)), line
