"""Cells: sorts polygons into a grid by their boxes, so that each is compared only with its neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_ecs.jit import njit

_MAX = 96  # cells along one side
_i64 = np.int64


@njit
def boxes_of(corners: Any, starts: Any, count: Any) -> Any:
    """Return least and greatest x and y of polygons in the form of `make_pieces`, float64 (n, 4)."""
    box = np.empty((count, 4))
    for i in range(count):
        box[i, 0], box[i, 1], box[i, 2], box[i, 3] = np.inf, np.inf, -np.inf, -np.inf
        for k in range(starts[i], starts[i + 1]):
            x, y = corners[5 * k], corners[5 * k + 1]
            box[i, 0], box[i, 1] = min(box[i, 0], x), min(box[i, 1], y)
            box[i, 2], box[i, 3] = max(box[i, 2], x), max(box[i, 3], y)
    return box


@njit
def grid_of(box: Any, count: Any) -> Any:
    """Return float64 (5): least x and y, the size of a cell, and the number of cells across and down."""
    x0, y0, x1, y1, mean = np.inf, np.inf, -np.inf, -np.inf, 0.0
    for i in range(count):
        x0, y0, x1, y1 = min(x0, box[i, 0]), min(y0, box[i, 1]), max(x1, box[i, 2]), max(y1, box[i, 3])
        mean += (box[i, 2] - box[i, 0] + box[i, 3] - box[i, 1]) / (2 * count)
    wide = max(x1 - x0, y1 - y0)
    cell = max(max(wide / _MAX, 2.0 * mean), 1e-9)
    grid = np.empty(5)
    grid[0], grid[1], grid[2] = x0, y0, cell
    grid[3], grid[4] = np.floor((x1 - x0) / cell) + 1.0, np.floor((y1 - y0) / cell) + 1.0
    return grid


@njit
def span_of(box: Any, i: Any, grid: Any, out: Any) -> None:
    """Write the cells that a box touches into `out`: first and last column, first and last row."""
    out[0], out[1] = _i64((box[i, 0] - grid[0]) / grid[2]), _i64((box[i, 2] - grid[0]) / grid[2])
    out[2], out[3] = _i64((box[i, 1] - grid[1]) / grid[2]), _i64((box[i, 3] - grid[1]) / grid[2])


@njit
def sort_boxes(box: Any, count: Any, grid: Any, first: Any) -> Any:
    """Sort boxes into cells; return the members, int64. Written: first, cell c has members[first[c]:first[c + 1]]."""
    columns, span = _i64(grid[3]), np.empty(4, np.int64)
    first[:] = 0
    for i in range(count):
        span_of(box, i, grid, span)
        for line in range(span[2], span[3] + 1):
            for column in range(span[0], span[1] + 1):
                first[line * columns + column + 1] += 1
    for c in range(first.shape[0] - 1):
        first[c + 1] += first[c]
    members, free = np.empty(first[-1], np.int64), first.copy()
    for i in range(count):
        span_of(box, i, grid, span)
        for line in range(span[2], span[3] + 1):
            for column in range(span[0], span[1] + 1):
                c = line * columns + column
                members[free[c]] = i
                free[c] += 1
    return members
