"""The edges of a world in a grid, so that particles find near ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Edges, derived
from rish_ecs.declarations import median
from rish_jit import Array

if TYPE_CHECKING:
    from rish_core import World

F32 = np.float32
_MIN_CELL = 16.0
"""The smallest width of a cell, in units."""
_MAX_CELLS = 256
"""The greatest number of rows and of columns of the grid."""


@derived(reads=Edges)
class EdgeGrid:
    """Edges float32 4n, their masks int32 n, and the grid: see `kernels.collide`."""

    edges: Array = np.zeros(4, F32)
    masks: Array = np.zeros(1, np.int32)
    begins: Array = np.zeros(0, np.int64)
    ends: Array = np.zeros(0, np.int64)
    items: Array = np.zeros(0, np.int32)
    origin: tuple[Any, Any] = (F32(0), F32(0))
    per: Any = F32(0)
    wide: int = 0
    high: int = 0

    def compute(self, world: World) -> None:
        """Sort the edges into the cells of a grid."""
        table = world[Edges]
        edges = np.column_stack([table.x0, table.y0, table.x1, table.y1]).astype(F32)
        sound = np.isfinite(edges).all(axis=1) & ((edges[:, :2] != edges[:, 2:]).any(axis=1))
        if sound.any():
            edges, self.masks = edges[sound], table.mask[sound].copy()
        else:
            edges = np.zeros((1, 4), F32)
        ends = edges.reshape(-1, 2).astype(np.float64)
        low, high = ends.min(axis=0), ends.max(axis=0)
        lengths = np.abs(edges[:, 2:] - edges[:, :2]).max(axis=1)
        width = max(_MIN_CELL, float(median(lengths)), float((high - low).max()) / _MAX_CELLS)
        self.wide, self.high = (min(int((b - a) / width) + 1, _MAX_CELLS) for a, b in zip(low, high, strict=True))
        self.edges, self.origin, self.per = edges.ravel(), (F32(low[0]), F32(low[1])), F32(1 / width)
        cells, self.items = _listed(edges, np.array(self.origin), self.per, (self.wide, self.high))
        counts = np.bincount(cells, minlength=self.wide * self.high)
        self.ends = np.cumsum(counts)
        self.begins = self.ends - counts


def _listed(edges: Array, origin: Array, per: Any, size: tuple[int, int]) -> tuple[Array, Array]:
    """Return the cells that edges touch, in rising order, int64, and for each the edge that touches it, int32. A cell
    may occur several times.
    """
    ends = edges.reshape(-1, 2, 2)
    corners = np.stack([ends.min(axis=1), ends.max(axis=1)])
    first, last = np.clip(np.floor((corners - origin) * per), 0, np.array(size) - 1).astype(np.int64)
    broad, high = (last - first + 1).T
    items = np.repeat(np.arange(len(edges)), broad * high)
    nth = np.arange(len(items)) - np.repeat(np.cumsum(broad * high) - broad * high, broad * high)
    cells = (first[items, 1] + nth // broad[items]) * size[0] + first[items, 0] + nth % broad[items]
    order = np.argsort(cells, kind="stable")
    return cells[order], items[order].astype(np.int32)
