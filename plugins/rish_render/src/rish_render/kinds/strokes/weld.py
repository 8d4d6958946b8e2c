"""Welding: gives adjacent polygons the same corners along their common border.

Cutting leaves corners of one polygon in the middle of an edge of another. On a grid of pixels the two borders are then
rounded differently, and a pixel between them is missed or drawn twice. So every corner on an edge becomes a corner of
that edge as well, and the polygon is drawn as a fan around its middle, which is not a corner.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterable

import numpy as np

from rish_jit import Array

from .cells import Polygons, blocks, members_of, runs
from .kernels import ON_EDGE, READY, find_on_edges


def weld(polygons: Polygons, pixel: float) -> Polygons:
    """Return the polygons with the corners on their edges added. pixel: its size in units."""
    corners, starts = polygons
    if not len(corners):
        return polygons
    following = following_of(starts)
    eps = 2e-3 * pixel
    edge, corner, part = _on_edges(corners[:, :2], corners[following, :2] - corners[:, :2], 1.5 * pixel, eps)
    added = corners[edge] + part[:, None] * (corners[following[edge]] - corners[edge])
    added[:, :2] = corners[corner, :2]
    return Polygons(np.insert(corners, edge + 1, added, axis=0), starts + np.searchsorted(edge, starts))


def following_of(starts: Array) -> Array:
    """Return the number of the next corner of the same polygon, for each corner."""
    following = np.arange(1, starts[-1] + 1)
    filled = starts[1:] > starts[:-1]
    following[starts[1:][filled] - 1] = starts[:-1][filled]
    return following


def _on_edges(places: Array, ways: Array, cell: float, eps: float) -> tuple[Array, Array, Array]:
    """Return the numbers of edges, of the corners on them, and where, 0..1, in the order along the polygons.

    ways: the vectors from each corner to the next. cell: the least size of a cell, units. eps: the largest distance
    from an edge that counts as on it, units.
    """
    members, edges, begins, counts = _cells_of(places, ways, cell, eps)
    if READY.ready:
        parts = [
            _compiled(places, ways, members, edges[some], begins[some], counts[some], eps) for some in blocks(counts)
        ]
        edge, corner, part = (np.concatenate(column) for column in zip(*parts, strict=True))
        return edge, corner, part
    rows: list[tuple[int, int, float]] = []
    for some in blocks(counts):
        edge, corner = np.repeat(edges[some], counts[some]), members[runs(begins[some], counts[some])]
        (x, y), (ex, ey) = (places[corner] - places[edge]).T, ways[edge].T
        size = ex * ex + ey * ey
        # The distance from the edge's line is |e × d| / |e|, the position along it e · d / |e|².
        length, part = np.sqrt(size), (ex * x + ey * y) / size
        on = (np.abs(ex * y - ey * x) <= eps * length) & (np.minimum(part, 1.0 - part) * length > 2.0 * eps)
        near = zip(*(column[on].tolist() for column in (edge, corner, part, length)), strict=True)
        for number, group in itertools.groupby(near, key=operator.itemgetter(0)):
            rows += ((number, corner, part) for part, corner in _distinct(group, 2.0 * eps))
    edge, corner, part = np.array(rows, np.float64).reshape(-1, 3).T
    return edge.astype(np.int64), corner.astype(np.int64), part


def _compiled(
    places: Array, ways: Array, members: Array, edges: Array, begins: Array, counts: Array, eps: float
) -> tuple[Array, Array, Array]:
    room = int(counts.sum())
    edge, corner, part = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room)
    count = find_on_edges(places.ravel(), ways.ravel(), members, edges, begins, counts, eps, edge, corner, part)
    return edge[:count], corner[:count], part[:count]


def _distinct(near: Iterable[tuple[int, int, float, float]], least: float) -> list[tuple[float, int]]:
    """Return place and number of the corners on an edge, in order, without those within `least` of an earlier one."""
    corners: list[tuple[float, int]] = []
    for _, corner, part, length in near:
        if len(corners) < ON_EDGE and all(abs(other - part) * length > least for other, _ in corners):
            corners.append((part, corner))
    return sorted(corners)


def _cells_of(places: Array, ways: Array, cell: float, eps: float) -> tuple[Array, Array, Array, Array]:
    """Sort places into cells; return them, and for each edge and column of cells that it passes the edge's number, and
    where among the sorted places those near it begin, and how many they are.
    """
    low = places.min(axis=0)
    extent = places.max(axis=0) - low
    cell = max(cell, float(extent.max()) / 256)
    columns, rows = (int(cells) + 1 for cells in extent / cell)
    alone = np.sort(np.unique(places[:, 0] + 1j * places[:, 1], return_index=True)[1])  # one corner at each position
    members, first = members_of(((places[alone] - low) / cell).astype(np.int64) @ [rows, 1], columns * rows)
    edges = np.flatnonzero(ways[:, 0] * ways[:, 0] + ways[:, 1] * ways[:, 1] > 4.0 * eps * eps)
    x, ex = places[edges, 0], ways[edges, 0]
    left = np.maximum(((np.minimum(x, x + ex) - eps - low[0]) / cell).astype(np.int64), 0)
    right = np.minimum(((np.maximum(x, x + ex) + eps - low[0]) / cell).astype(np.int64), columns - 1)
    edges, column = np.repeat(edges, right - left + 1), runs(left, right - left + 1)
    (x, y), (ex, ey) = places[edges].T, ways[edges].T
    sloped = np.abs(ex) > eps
    heights: list[Array] = []
    for side in (0, 1):
        part = np.divide(low[0] + (column + side) * cell - x, ex, out=np.full(len(x), float(side)), where=sloped)
        heights.append(y + ey * np.minimum(np.maximum(part, 0.0), 1.0))
    top = np.maximum(((np.minimum(*heights) - eps - low[1]) / cell).astype(np.int64), 0)
    bottom = np.minimum(((np.maximum(*heights) + eps - low[1]) / cell).astype(np.int64), rows - 1)
    begins = first[column * rows + top]
    return alone[members], edges, begins, first[column * rows + bottom + 1] - begins
