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
        nodes = [node for node in nodes if self._leaves[node.number]]
        if not nodes:
            return False
        rows = np.array([node.number for node in nodes])
        wide = np.array([node.kind.measure(node, ui) for node in nodes], np.float32)
        resized = (wide != self.wide[rows]).any(axis=1) | (self.room[rows] < 0)
        self.wide[rows] = wide
        self.room[rows[resized]] = -1  # their heights depend on widths that are not known yet
        tall = self._heights([nodes[k] for k in np.flatnonzero(~resized).tolist()], ui, self.room)
        return bool(resized.any()) or tall

    def find_heights(self, nodes: list[Node], ui: Context, room: Array) -> None:
        """Measure the heights of the contents whose widths have changed."""
        changed = np.flatnonzero((room != self.room) & self._leaves)
        self._heights([nodes[k] for k in changed.tolist()], ui, room)
        self.room[:] = room

    def _heights(self, nodes: list[Node], ui: Context, room: Array) -> bool:
        """Measure the heights of contents at their widths; return whether one is another than before."""
        if not nodes:
            return False
        rows, line = [node.number for node in nodes], line_of(ui)
        heights = [node.kind.height(node, ui, width) for node, width in zip(nodes, room[rows].tolist(), strict=True)]
        tall = np.array([(whole_lines(height, line), baseline) for height, baseline in heights], np.float32)
        changed = bool((tall != self.tall[rows]).any())
        self.tall[rows] = tall
        return changed
