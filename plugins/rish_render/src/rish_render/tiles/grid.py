"""Grids: the positions of a map's cells, for every orientation.

A cell is a pair (column, row), row 0 on top. A `Grid` converts cells to points and back, in the map's own space: one
unit is one pixel of a tile, y points up, and the origin is the top left corner of cell (0, 0) before any shift (in
isometric maps: of the box around the map). Four orientations are supported, as in Tiled:

    orthogonal    squares
    isometric     diamonds; the map as a whole is a diamond, too
    staggered     diamonds in rows (or columns), every second one shifted by half a cell
    hexagonal     hexagons in rows (or columns), every second one shifted by half a cell

Staggered cells are hexagons whose sides have length 0, so two formulas are enough: an affine one for the first two,
and an offset one for the others. (The layout of hexagons is that of Tiled's manual; for a fuller treatment see Amit
Patel, "Hexagonal Grids".)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rish_jit import Array

ORIENTATIONS = ("orthogonal", "isometric", "staggered", "hexagonal")
AXES = ("y", "x")
INDICES = ("odd", "even")


@dataclass(frozen=True)
class Grid:
    """The layout of a map's cells.

    width, height: of a cell, pixels. columns, rows: the number of cells. first: column and row of the first cell, not 0
    only in infinite maps. axis: the coordinate that is staggered. index: whether its odd or its even numbers are
    shifted. side: length of the hexagons' sides along that axis, pixels.
    """

    orientation: str = "orthogonal"
    width: int = 16
    height: int = 16
    columns: int = 0
    rows: int = 0
    first: tuple[int, int] = (0, 0)
    axis: str = "y"
    index: str = "odd"
    side: int = 0

    @property
    def offset(self) -> bool:
        """Whether every second row or column is shifted."""
        return self.orientation in ("staggered", "hexagonal")

    @property
    def _even(self) -> tuple[int, int, int, int]:
        """The width and height of an offset grid's cell, rounded down to even, and its sides along x and y."""
        side = self.side if self.orientation == "hexagonal" else 0
        width, height = max(self.width & ~1, 2), max(self.height & ~1, 2)
        return width, height, (side if self.axis == "x" else 0), (side if self.axis == "y" else 0)

    def shifted(self, cells: Array) -> Array:
        """Return bool n: which cells (int (n, 2)) of an offset grid are shifted by half a cell."""
        along = cells[..., 0] if self.axis == "x" else cells[..., 1]
        return (along & 1) == (1 if self.index == "odd" else 0)

    def corners(self, cells: Array) -> Array:
        """Return the top left corner of the box around each cell (int (n, 2)), float64 (n, 2)."""
        cells = np.asarray(cells)
        c, r = cells[..., 0], cells[..., 1]
        if self.orientation == "orthogonal":
            x, y = c * float(self.width), r * float(self.height)
        elif self.orientation == "isometric":
            x = (c - r) * (self.width / 2) + (self.first[1] + self.rows - self.first[0] - 1) * (self.width / 2)
            y = (c + r - self.first[0] - self.first[1]) * (self.height / 2)
        else:
            width, height, side_x, side_y = self._even
            column, row = (width + side_x) // 2, (height + side_y) // 2
            shift = self.shifted(cells)
            if self.axis == "x":
                x, y = c * float(column), r * float(height + side_y) + shift * row
            else:
                x, y = c * float(width + side_x) + shift * column, r * float(row)
        return np.stack([x, -y], axis=-1).astype(np.float64)

    @cached_property
    def cell_size(self) -> tuple[float, float]:
        """Width and height of the box around a cell."""
        if self.offset:
            return float(self._even[0]), float(self._even[1])
        return float(self.width), float(self.height)

    def centers(self, cells: Array) -> Array:
        """Return the middle of each cell (int (n, 2)), float64 (n, 2)."""
        w, h = self.cell_size
        return self.corners(cells) + np.array([w / 2, -h / 2])

    @cached_property
    def box(self) -> tuple[float, float, float, float]:
        """The box around all cells: least x, least y, greatest x, greatest y."""
        c0, r0 = self.first
        w, h = self.cell_size
        if not self.columns or not self.rows:
            return 0.0, 0.0, 0.0, 0.0
        if self.orientation == "isometric":
            across = self.columns + self.rows
            return 0.0, -across * h / 2, across * w / 2, 0.0
        last = (c0 + self.columns - 1, r0 + self.rows - 1)
        ends = [(c, r) for c in {c0, min(c0 + 1, last[0]), last[0]} for r in {r0, min(r0 + 1, last[1]), last[1]}]
        ends += [(max(last[0] - 1, c0), last[1]), (last[0], max(last[1] - 1, r0))]
        corners = self.corners(np.array(ends))
        low, high = corners.min(axis=0), corners.max(axis=0)
        return float(low[0]), float(low[1]) - h, float(high[0]) + w, float(high[1])

    @cached_property
    def outline(self) -> Array:
        """The corners of a cell's shape relative to its top left corner, counter-clockwise, float64 (k, 2)."""
        w, h = self.cell_size
        if self.orientation == "orthogonal":
            return np.array([(0, -h), (w, -h), (w, 0), (0, 0)], np.float64)
        side_x, side_y = self._even[2:] if self.offset else (0, 0)
        x0, x1, y0, y1 = (w - side_x) / 2, (w + side_x) / 2, -(h - side_y) / 2, -(h + side_y) / 2
        ring = [(x0, -h), (x1, -h), (w, y1), (w, y0), (x1, 0), (x0, 0), (0, y0), (0, y1)]
        return np.array(list(dict.fromkeys((float(x), float(y)) for x, y in ring)), np.float64)

    @cached_property
    def neighbors(self) -> Array:
        """The cell beyond each side of `outline`, as steps of column and row, int64 (2, k, 2).

        The first row is for cells that are not shifted, the second for shifted ones; both are equal in grids without a
        shift. Side i goes from corner i to the next.
        """
        ring = self.outline
        middle = (ring + np.roll(ring, -1, axis=0)) / 2
        w, h = self.cell_size
        out = 2 * middle - np.array([w / 2, -h / 2])
        steps = np.zeros((2, len(ring), 2), np.int64)
        steady = 0 if self.index == "odd" else 1
        for shifted in (0, 1):
            home = np.array([4 + (steady if shifted == 0 else 1 - steady)] * 2)
            steps[shifted] = self.cells_at(self.corners(home) + out) - home
        return steps

    def cells_at(self, points: Array) -> Array:
        """Return the cell that contains each point (float (n, 2)), int64 (n, 2), even outside the map."""
        points = np.asarray(points, np.float64)
        x, y = points[..., 0], -points[..., 1]
        if self.orientation == "orthogonal":
            return np.stack([np.floor(x / self.width), np.floor(y / self.height)], axis=-1).astype(np.int64)
        if self.orientation == "isometric":
            across = x / self.width - (self.first[1] + self.rows - self.first[0]) / 2
            down = y / self.height + (self.first[0] + self.first[1]) / 2
            return np.stack([np.floor(down + across), np.floor(down - across)], axis=-1).astype(np.int64)
        return self._offset_cells(points)

    def _offset_cells(self, points: Array) -> Array:
        """Return the cell of an offset grid that contains each point, searched among the cells near it."""
        width, height, side_x, side_y = self._even
        column, row = (width + side_x) // 2, (height + side_y) // 2
        steps = (column, height + side_y) if self.axis == "x" else (width + side_x, row)
        near = np.floor(points * (1, -1) / steps).astype(np.int64)
        around = np.array([(c, r) for r in (-1, 0, 1) for c in (-1, 0, 1)])
        candidates = near[..., None, :] + around
        inside = self._depth(points[..., None, :] - self.corners(candidates))
        best = inside.argmax(axis=-1)
        return np.take_along_axis(candidates, best[..., None, None], axis=-2)[..., 0, :]

    def _depth(self, local: Array) -> Array:
        """Return how far points (from a cell's top left corner) are inside the cell's shape; negative outside."""
        ring = self.outline
        depth = np.full(local.shape[:-1], np.inf)
        for (ax, ay), (bx, by) in zip(ring, np.roll(ring, -1, axis=0), strict=True):
            length = np.hypot(bx - ax, by - ay)
            # The signed distance from the line through a side.
            side = ((bx - ax) * (local[..., 1] - ay) - (by - ay) * (local[..., 0] - ax)) / length
            depth = np.minimum(depth, side)
        return depth

    def project(self, column: float, row: float) -> tuple[float, float]:
        """Return the point at a fractional column and row of an isometric grid."""
        x = (column - row + self.first[1] + self.rows - self.first[0]) * self.width / 2
        return x, -(column + row - self.first[0] - self.first[1]) * self.height / 2

    def between(self, column: float, row: float) -> tuple[float, float]:
        """Return the point at a fractional column and row: (0.5, 0.5) is the middle of cell (0, 0)."""
        if self.orientation == "isometric":
            return self.project(column, row)
        cell = np.floor([column, row]).astype(np.int64)
        w, h = self.cell_size
        x, y = self.corners(cell)
        return float(x + (column - cell[0]) * w), float(y - (row - cell[1]) * h)

    def inside(self, cells: Array) -> Array:
        """Return bool n: which cells (int (n, 2)) are inside the map."""
        c, r = cells[..., 0] - self.first[0], cells[..., 1] - self.first[1]
        return (c >= 0) & (c < self.columns) & (r >= 0) & (r < self.rows)
