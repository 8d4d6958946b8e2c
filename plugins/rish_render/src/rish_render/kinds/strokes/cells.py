"""Cells: places sorted into a grid, so that polygons, edges and corners are compared only with their neighbors."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rish_jit import Array

_MAX = 96  # cells along one side
_BLOCK = 1 << 19  # pairs that are compared together, so that they need little memory


class Polygons(NamedTuple):
    """Convex polygons: polygon i has the corners starts[i] up to starts[i + 1].

    corners: float64 (m, 5), x, y, coverage 0..1, distance along the stroke, -1..1 across it (1 on the left).
    """

    corners: Array
    starts: Array


def runs(first: Array | int, counts: Array) -> Array:
    """Return counts[i] integers from first[i] on, for each i in turn."""
    return np.repeat(first - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())


def fans(starts: Array) -> Array:
    """Return triangles that fill convex polygons, int32 (k, 3), as numbers of corners, each from a first corner."""
    triangles = np.maximum(np.diff(starts) - 2, 0)
    first, turn = np.repeat(starts[:-1], triangles), runs(0, triangles)
    return np.stack([first, first + turn + 1, first + turn + 2], axis=1).astype(np.int32)


def members_of(cell: Array, cells: int) -> tuple[Array, Array]:
    """Sort numbers by their cells: cell c has members[first[c]:first[c + 1]]."""
    return np.argsort(cell, kind="stable"), np.concatenate([[0], np.cumsum(np.bincount(cell, minlength=cells))])


def blocks(counts: Array) -> Iterator[slice]:
    """Yield slices of consecutive numbers whose counts are together about `_BLOCK`."""
    ends = np.cumsum(counts)
    cuts = np.searchsorted(ends, np.arange(_BLOCK, ends[-1], _BLOCK)) if len(ends) else ends
    return itertools.starmap(slice, itertools.pairwise([0, *cuts.tolist(), len(counts)]))


def neighbors(polygons: Polygons) -> Iterator[tuple[Array, Array]]:
    """Yield pairs i, j of polygons whose boxes overlap, in the order of i, the first common cell, and j."""
    x0, y0, x1, y1 = boxes = np.concatenate(
        [edge.reduceat(polygons.corners[:, :2], polygons.starts[:-1]).T for edge in (np.minimum, np.maximum)]
    )
    count = len(x0)
    least = np.array([x0.min(), y0.min()])
    extent = np.array([x1.max(), y1.max()]) - least
    size = max(extent.max() / _MAX, 2.0 * np.cumsum((x1 - x0 + y1 - y0) / (2 * count))[-1], 1e-9)
    columns, rows = (int(cells) + 1 for cells in extent / size)
    left, top, right, bottom = ((boxes - np.tile(least, 2)[:, None]) / size).astype(np.int64)
    across = right - left + 1
    touched = across * (bottom - top + 1)
    owner, turn = np.repeat(np.arange(count), touched), runs(0, touched)
    column, row = left[owner] + turn % across[owner], top[owner] + turn // across[owner]
    cell = row * columns + column
    order, first = members_of(cell, rows * columns)
    members, each = owner[order], np.diff(first)[cell]
    for block in blocks(np.bincount(owner, each).astype(np.int64)):
        some = slice(*np.searchsorted(owner, [block.start, block.stop]))
        i, at = np.repeat(owner[some], each[some]), np.repeat(cell[some], each[some])
        j = members[runs(first[cell[some]], each[some])]
        overlap = (x0[j] < x1[i]) & (x1[j] > x0[i]) & (y0[j] < y1[i]) & (y1[j] > y0[i])
        i, j, at = i[overlap], j[overlap], at[overlap]
        # Two polygons share a rectangle of cells; they are paired in the first of them.
        once = at == np.maximum(top[i], top[j]) * columns + np.maximum(left[i], left[j])
        yield i[once], j[once]
