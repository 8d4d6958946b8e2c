"""The edges of a world in a grid, so that particles find near ones; rebuilt when edges are published."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rish_core import Edges
from rish_jit import Array

from ..births.births import Workshop

if TYPE_CHECKING:
    from rish_core import World
    from rish_ecs import Columns

F32 = np.float32
_MIN_CELL = 16.0
"""The smallest width of a cell, in units."""
_MAX_CELLS = 256
"""The greatest number of rows and of columns of the grid."""


class EdgeGrid(NamedTuple):
    """Edges float32 4n, their masks int32 n, and the grid: see `kernels.collide`. membership: of `Edges`."""

    membership: int
    edges: Array
    masks: Array
    begins: Array
    ends: Array
    items: Array
    origin: tuple[Any, Any]
    per: Any
    wide: int
    high: int


def edge_grid(world: World) -> EdgeGrid | None:
    """Return the grid of a world's edges; None if there are none."""
    if Edges not in world or not len(world[Edges]):
        return None
    shop, table = world[Workshop], world[Edges]
    cached = shop.kept.get("edges")
    if cached is None or cached.membership != table.membership:
        cached = shop.kept["edges"] = _build_grid(table)
    return cached


def _build_grid(table: Columns) -> EdgeGrid:
    edges = np.column_stack([table.x0, table.y0, table.x1, table.y1]).astype(F32)
    sound = np.isfinite(edges).all(axis=1) & ((edges[:, :2] != edges[:, 2:]).any(axis=1))
    edges, masks = edges[sound], table.mask[sound].copy()
    if not len(edges):
        edges, masks = np.zeros((1, 4), F32), np.zeros(1, np.int32)
    ends = edges.reshape(-1, 2).astype(np.float64)
    low, high = ends.min(axis=0), ends.max(axis=0)
    lengths = np.abs(edges[:, 2:] - edges[:, :2]).max(axis=1)
    width = max(_MIN_CELL, float(np.median(lengths)), float((high - low).max()) / _MAX_CELLS)
    wide, tall = (min(int((b - a) / width) + 1, _MAX_CELLS) for a, b in zip(low, high, strict=True))
    origin, per = (F32(low[0]), F32(low[1])), F32(1 / width)
    cells, items = _listed(edges, np.array(origin), per, (wide, tall))
    counts = np.bincount(cells, minlength=wide * tall)
    stops = np.cumsum(counts)
    return EdgeGrid(table.membership, edges.ravel(), masks, stops - counts, stops, items, origin, per, wide, tall)


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
