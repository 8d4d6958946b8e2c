"""Blocks: a layer whose tiles fill their cells, as batches of the kind `tiles`.

A block is 256 by 256 cells, an index array that stays the same object while its cells do. The camera is no part of it,
so scrolling costs nothing; an edit makes one block anew, and the next picture of an animation rewrites only the cells
that move.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rish_core.frame.batches import Batch
from rish_core.frame.kinds import CELL_MIRRORED_X, CELL_MIRRORED_Y, CELL_TRANSPOSED

from .boards import BLOCK, Board
from .frames import TileFrames
from .model import TILE, Array, Box, Matrix

Look = tuple[Matrix, int]
"""Where a block stands, and which colour it has: what a batch holds beside its cells."""
_FLAGS = np.uint32(CELL_TRANSPOSED | CELL_MIRRORED_X | CELL_MIRRORED_Y)


@dataclass(eq=False)
class Block:
    """One block. cells: as the kind wants them. moving, movers: flat places of animated cells, and their tiles."""

    stamp: tuple[int, int]
    cells: Array
    moving: Array
    movers: Array
    phase: int
    batch: Batch | None = None
    look: Look | None = None


class Blocks:
    """The blocks of one layer of a board. wanted: bool by tile, which tiles are drawn in this way."""

    def __init__(self, board: Board, layer: int, frames: TileFrames, wanted: Array) -> None:
        self.board, self.layer, self.frames, self.wanted = board, layer, frames, wanted
        self.blocks: dict[tuple[int, int], Block] = {}

    def batches(self, box: Box, matrix: Matrix, rgba: Array) -> list[Batch]:
        """The batches that touch a box of the layer's own space (x0 y0 x1 y1), top row first.

        matrix: from that space to the pass's. rgba: uint8 4. What did not change is the same object.
        """
        grid = self.board.map.grid
        down, across = self.board.stamps[self.layer].shape
        wide, high = grid.width * BLOCK, grid.height * BLOCK
        left, top = grid.first[0] * grid.width, -grid.first[1] * grid.height
        x0, x1 = max(int((box[0] - left) // wide), 0), min(int((box[2] - left) // wide), across - 1)
        y0, y1 = max(int((top - box[3]) // high), 0), min(int((top - box[1]) // high), down - 1)
        look = (matrix, id(rgba))
        found: list[Batch] = []
        for row in range(y0, y1 + 1):
            for column in range(x0, x1 + 1):
                batch = self._batch(row, column, matrix, rgba, look)
                if batch is not None:
                    found.append(batch)
        return found

    def _batch(self, row: int, column: int, matrix: Matrix, rgba: Array, look: Look) -> Batch | None:
        stamp = (int(self.board.stamps[self.layer][row, column]), self.frames.version)
        block = self.blocks.get((row, column))
        if block is None or block.stamp != stamp:
            block = self.blocks[row, column] = self._build(row, column, stamp)
        if len(block.moving) and block.phase != self.frames.phase:
            self._move(block)
        if (block.batch is None and block.cells.size) or (block.batch is not None and block.look != look):
            block.batch = self._dress(block, row, column, matrix, rgba)
            block.look = look
        return block.batch

    def _build(self, row: int, column: int, stamp: tuple[int, int]) -> Block:
        """Look up the frames of a block's cells; an empty block has no cells."""
        source = self.board.cells[self.layer][row * BLOCK : (row + 1) * BLOCK, column * BLOCK : (column + 1) * BLOCK]
        number = source & np.uint32(TILE)
        coded = self._codes()[number]
        cells = np.where(coded > 0, coded | source & _FLAGS, np.uint32(0))
        if not cells.any():
            cells = cells[:0]
        moving = np.flatnonzero(self.frames.animated[number]) if cells.size else np.zeros(0, np.int64)
        return Block(stamp, np.ascontiguousarray(cells), moving, number.ravel()[moving], self.frames.phase)

    def _codes(self) -> Array:
        """uint32 by tile: frame + 1 of what it shows now, 0 for tiles that are not drawn here."""
        frame = self.frames.frame[self.frames.shown]
        return np.where(self.wanted & (frame >= 0), frame + 1, 0).astype(np.uint32)

    def _move(self, block: Block) -> None:
        """Show the present pictures of animated cells, in a new array."""
        cells = block.cells.copy()
        flat = cells.reshape(-1)
        flat[block.moving] = self._codes()[block.movers] | flat[block.moving] & _FLAGS
        block.cells, block.phase, block.batch = cells, self.frames.phase, None

    def _dress(self, block: Block, row: int, column: int, matrix: Matrix, rgba: Array) -> Batch:
        """A block as a batch."""
        grid = self.board.map.grid
        x = (grid.first[0] + column * BLOCK) * grid.width
        y = -(grid.first[1] + row * BLOCK) * grid.height
        a, b, c, d, tx, ty = matrix
        w, h = grid.width, -grid.height
        place = np.array([a * w, b * w, c * h, d * h, a * x + c * y + tx, b * x + d * y + ty], np.float32)
        return Batch("tiles", {"cells": block.cells, "grid": place, "rgba": rgba}, source="render")
