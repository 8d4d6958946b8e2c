"""Strips: tiles that do not have the size of their cells, or whose cells are no squares, as sprites from back to front.

Diamonds and hexagons overlap, and so do trees that are taller than a cell; then the drawing order matters: from the
back to the front, strip by strip, where a strip is the cells at one height.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array

from ...tiles.boards import Board
from ...tiles.model import TILE, Box, Matrix
from .frames import TileFrames
from .windows import Window, Windows, instances, turns


class Strips(Windows):
    """The strips of one layer of a board. wanted: bool by tile, the tiles that are drawn as strips."""

    def __init__(self, board: Board, layer: int, frames: TileFrames, wanted: Array) -> None:
        super().__init__(frames)
        self.board, self.layer = board, layer
        self.want(wanted)

    def want(self, wanted: Array) -> None:
        """Set which tiles are drawn as strips, bool by tile; windows that are packed later show them."""
        self.wanted = wanted
        tiles = self.board.map.tiles
        size, offset = self.sizes()[wanted], tiles.offset[wanted]
        # The larger side, so that it holds for every rotation.
        larger = np.maximum(size.max(initial=0.0) - np.array(self.board.map.grid.cell_size), 0.0)
        back, forth = larger - offset.min(axis=0, initial=0.0), larger + offset.max(axis=0, initial=0.0)
        self.reach: Box = (*back.tolist(), *forth.tolist())
        """How far images reach beyond the boxes of their cells: left, down, right, up."""

    def sizes(self) -> Array:
        """Return the drawn size of each tile, float32 (n, 2)."""
        grid = self.board.map.grid
        size = self.board.map.tiles.size
        return np.where(size > 0, size, np.array([grid.width, grid.height], np.float32))

    def whole(self) -> Box:
        """Return the box around the map's cells."""
        return self.board.map.grid.box

    def state(self) -> Any:
        """Return the revision of the layer."""
        return self.board.revisions[self.layer]

    def _cells(self, box: Box) -> tuple[Array, Array]:
        """Return the cells whose images may touch a box: (n, 2) columns and rows, and the uint32 n cell values."""
        grid = self.board.map.grid
        left, down, right, up = self.reach
        x0, y0, x1, y1 = box[0] - right, box[1] - up, box[2] + left, box[3] + down
        limits = grid.box
        x0, y0, x1, y1 = max(x0, limits[0]), max(y0, limits[1]), min(x1, limits[2]), min(y1, limits[3])
        if x0 >= x1 or y0 >= y1:
            return np.zeros((0, 2), np.int64), np.zeros(0, np.uint32)
        ends = grid.cells_at(np.array([(x0, y0), (x1, y0), (x0, y1), (x1, y1)])) - grid.first
        (c0, r0), (c1, r1) = np.maximum(ends.min(axis=0) - 1, 0), ends.max(axis=0) + 2
        part = self.board.cells[self.layer][r0:r1, c0:c1]
        here = self.wanted[part & np.uint32(TILE)]
        spots = np.argwhere(here)[:, ::-1] + (c0 + grid.first[0], r0 + grid.first[1])
        cells = part[here]
        if grid.orientation == "isometric":
            corner = grid.corners(spots)
            w, h = grid.cell_size
            near = (corner[:, 0] + w > x0) & (corner[:, 0] < x1) & (corner[:, 1] > y0) & (corner[:, 1] - h < y1)
            spots, cells = spots[near], cells[near]
        return spots, cells

    def pack(self, box: Box, matrix: Matrix, rgba: Array) -> Window:
        """Pack all tiles that touch a box into a window."""
        grid, tiles, frames = self.board.map.grid, self.board.map.tiles, self.frames
        spots, cells = self._cells(box)
        number = (cells & np.uint32(TILE)).astype(np.int64)
        good = frames.frame[frames.shown[number]] >= 0
        if not good.all():
            spots, cells, number = spots[good], cells[good], number[good]
        corner = grid.corners(spots)
        plain = grid.orientation == "orthogonal"
        order = np.lexsort((
            corner[:, 0] if self.board.map.right or not plain else -corner[:, 0],
            -corner[:, 1] if self.board.map.down or not plain else corner[:, 1],
        ))  # fmt: skip
        corner, cells, number = corner[order], cells[order], number[order]
        angle, flips, crossed = turns(cells, grid.orientation == "hexagonal")
        size = self.sizes()[number].astype(np.float64)
        box_size = np.where(crossed[:, None], size[:, ::-1], size)
        cell = np.array(grid.cell_size)
        center = corner + tiles.offset[number] + box_size * 0.5 - (0.0, cell[1])
        moving = np.flatnonzero(frames.animated[number])
        frame = frames.frame[frames.shown[number]] + flips
        arrays, origin, unit = instances(center, size * tiles.cover[number], angle, crossed, frame, rgba, matrix)
        first = np.flatnonzero(np.concatenate([[True], corner[1:, 1] != corner[:-1, 1]])) if len(corner) else []
        starts = np.concatenate([first, [len(corner)]]).astype(np.int64)
        b, d, ty = matrix[1], matrix[3], matrix[5]
        top = corner[starts[:-1]]
        heights = (b * (top[:, 0] + cell[0] / 2) + d * (top[:, 1] - cell[1] / 2) + ty).astype(np.float32)
        return Window(box, frames.phase, arrays, origin, unit, starts, heights, moving, number[moving], flips[moving])
