"""The edges of a world in a grid, so that particles find near ones; rebuilt when edges are published."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rish_core import Edges

from ..births.births import Workshop

if TYPE_CHECKING:
    from rish_core import World
    from rish_ecs import Columns

Array = npt.NDArray[Any]
F32 = np.float32
_MIN = 16.0
"""The smallest width of a cell, in units."""
_MAX = 256
"""The most rows, and the most columns, of the grid."""


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
    known = shop.kept.get("edges")
    if known is None or known.membership != table.membership:
        known = shop.kept["edges"] = _made(table)
    return known


def _made(table: Columns) -> EdgeGrid:
    from ..kernels.collide import count_cells, fill_cells

    edges = np.column_stack([table.x0, table.y0, table.x1, table.y1]).astype(F32)
    sound = np.isfinite(edges).all(axis=1) & ((edges[:, :2] != edges[:, 2:]).any(axis=1))
    edges, masks = edges[sound], table.mask[sound].copy()
    if not len(edges):
        edges, masks = np.zeros((1, 4), F32), np.zeros(1, np.int32)
    ends = edges.reshape(-1, 2).astype(np.float64)
    low, high = ends.min(axis=0), ends.max(axis=0)
    lengths = np.abs(edges[:, 2:] - edges[:, :2]).max(axis=1)
    width = max(_MIN, float(np.median(lengths)), float((high - low).max()) / _MAX)
    wide, tall = (min(int((b - a) / width) + 1, _MAX) for a, b in zip(low, high, strict=True))
    flat, place = edges.ravel(), (F32(low[0]), F32(low[1]), F32(1 / width), wide, tall)
    counts = np.zeros(wide * tall, np.int64)
    count_cells(flat, *place, counts)
    begins = np.cumsum(counts) - counts
    stops, items = begins.copy(), np.zeros(int(counts.sum()), np.int32)
    fill_cells(flat, *place, stops, items)
    return EdgeGrid(table.membership, flat, masks, begins, stops, items, (place[0], place[1]), place[2], wide, tall)
