"""Blocks: the tiles of a layer that fill their cells, as batches of the kind `tiles`.

A block is up to 256 by 256 cells: an index array that stays the same object while its cells do not change. It does not
depend on the camera, so scrolling costs nothing. An edit rebuilds one block, and an animation step rewrites only the
animated cells. A small visible area is covered by a single block, which is cut around it and cut again when the view
leaves it; a larger part of the map is shown by blocks side by side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rish_frame import Batch, PerVersion
from rish_frame.frame import CELL_MIRRORED_X, CELL_MIRRORED_Y, CELL_TRANSPOSED
from rish_jit import Array

from ...tiles.boards import BLOCK, PATCH, Board
from ...tiles.model import TILE, Box, Matrix
from .frames import TileFrames

Look = tuple[Matrix, int]
"""The matrix and the color of a block: what its batch depends on besides the cells."""
Span = tuple[int, int, int, int]
"""A rectangle of cells: first column and row, then end column and row (exclusive). The map's first cell is 0 0."""
_FLAGS = np.uint32(CELL_TRANSPOSED | CELL_MIRRORED_X | CELL_MIRRORED_Y)
_NEAR = BLOCK // 2  # most visible cells along a side for which a block is cut, so that it lasts a while
_CUT = 4  # cut blocks that are kept per layer


@dataclass(eq=False)
class Block:
    """One block. cells: as the batch kind needs them. moving, movers: flat indices of animated cells, and their tiles.

    box: the area that it covers, in the layer's own space; infinite on sides where the map ends. revision: of the layer
    at the last check. edits: how often its cells had been changed.
    """

    span: Span
    box: Box
    revision: int
    edits: int
    cells: Array
    moving: Array
    movers: Array
    phase: int
    batch: Batch | None = None
    look: Look | None = None

    def holds(self, box: Box) -> bool:
        """Return True if the block covers all of a box."""
        own = self.box
        return own[0] <= box[0] and own[1] <= box[1] and own[2] >= box[2] and own[3] >= box[3]


class Blocks:
    """The blocks of one layer of a board. wanted: bool by tile, the tiles that are drawn as blocks."""

    def __init__(self, board: Board, layer: int, frames: TileFrames, wanted: Array) -> None:
        self.board, self.layer, self.frames, self.wanted = board, layer, frames, wanted
        self._large = max(board.map.grid.columns, board.map.grid.rows) > BLOCK
        self._blocks = PerVersion[tuple[list[Block], dict[Span, Block]]]()

    def batches(self, box: Box, matrix: Matrix, rgba: Array) -> list[Batch]:
        """Return the batches that show a box of the layer's own space (x0 y0 x1 y1), top row first.

        matrix: from that space to the pass's. rgba: uint8 4. A batch that did not change is the same object as before.
        """
        look = (matrix, id(rgba))
        batches = (self._batch(block, matrix, rgba, look) for block in self._around(box))
        return [batch for batch in batches if batch is not None]

    def _around(self, box: Box) -> list[Block]:
        """Return the blocks that together hold a box."""
        cut, beside = self._blocks.get(self.frames) or self._blocks.put(self.frames, ([], {}))
        for block in cut:
            if block.holds(box):
                return [block]
        c0, r0, c1, r1 = self._span(box)
        if c0 >= c1 or r0 >= r1:
            return []
        if self._large and max(c1 - c0, r1 - r0) <= _NEAR:
            cut[:] = [self._cut((c0, r0, c1, r1)), *cut][:_CUT]
            return cut[:1]
        rows, columns = range(r0 // BLOCK, -(-r1 // BLOCK)), range(c0 // BLOCK, -(-c1 // BLOCK))
        return [self._side_by_side(beside, column, row) for row in rows for column in columns]

    def _span(self, box: Box) -> Span:
        """Return the span of the map's cells that touch a box."""
        grid = self.board.map.grid
        w, h = grid.width, grid.height
        left, top = grid.first[0] * w, -grid.first[1] * h
        return (
            max(int((box[0] - left) // w), 0),
            max(int((top - box[3]) // h), 0),
            min(int((box[2] - left) // w) + 1, grid.columns),
            min(int((top - box[1]) // h) + 1, grid.rows),
        )

    def _cut(self, span: Span) -> Block:
        """Return a new block with these cells in its middle."""
        grid = self.board.map.grid
        c0, c1 = _middle(span[0], span[2], grid.columns)
        r0, r1 = _middle(span[1], span[3], grid.rows)
        return self._build((c0, r0, c1, r1))

    def _side_by_side(self, beside: dict[Span, Block], column: int, row: int) -> Block:
        """Return one of the blocks that cover the map, by its row and column."""
        grid = self.board.map.grid
        c, r = column * BLOCK, row * BLOCK
        span = (c, r, min(c + BLOCK, grid.columns), min(r + BLOCK, grid.rows))
        block = beside.get(span)
        if block is None:
            block = beside[span] = self._build(span)
        return block

    def _refresh(self, block: Block) -> None:
        """Fill a block again if its cells have changed."""
        revision = self.board.revisions[self.layer]
        if block.revision != revision:
            if block.edits != self._edits(block.span):
                self._fill(block)
            block.revision = revision
        if len(block.moving) and block.phase != self.frames.phase:
            self._move(block)

    def _edits(self, span: Span) -> int:
        """Return how often cells of the patches that overlap a span were changed."""
        c0, r0, c1, r1 = span
        return int(self.board.stamps[self.layer][r0 // PATCH : -(-r1 // PATCH), c0 // PATCH : -(-c1 // PATCH)].sum())

    def _box(self, span: Span) -> Box:
        """Return the box that a block of these cells covers, infinite on sides where the map ends."""
        grid = self.board.map.grid
        w, h = grid.width, grid.height
        left, top = grid.first[0] * w, -grid.first[1] * h
        return (
            left + span[0] * w if span[0] > 0 else -math.inf,
            top - span[3] * h if span[3] < grid.rows else -math.inf,
            left + span[2] * w if span[2] < grid.columns else math.inf,
            top - span[1] * h if span[1] > 0 else math.inf,
        )

    def _build(self, span: Span) -> Block:
        nothing = np.zeros(0, np.int64)
        block = Block(span, self._box(span), self.board.revisions[self.layer], 0, nothing, nothing, nothing, 0)
        self._fill(block)
        return block

    def _fill(self, block: Block) -> None:
        """Look up the frames of a block's cells; a block without visible tiles gets an empty array."""
        c0, r0, c1, r1 = block.span
        source = self.board.cells[self.layer][r0:r1, c0:c1]
        number = source & np.uint32(TILE)
        coded = self._codes()[number]
        cells = np.where(coded > 0, coded | source & _FLAGS, np.uint32(0))
        if not cells.any():
            cells = cells[:0]
        block.cells = np.ascontiguousarray(cells)
        block.moving = np.flatnonzero(self.frames.animated[number]) if cells.size else np.zeros(0, np.int64)
        block.movers = number.ravel()[block.moving]
        block.edits, block.phase = self._edits(block.span), self.frames.phase
        block.batch = None

    def _codes(self) -> Array:
        """Return uint32 by tile: frame + 1 of the tile's current image, 0 for tiles that are not drawn as blocks."""
        frame = self.frames.frame[self.frames.shown]
        return np.where(self.wanted & (frame >= 0), frame + 1, 0).astype(np.uint32)

    def _move(self, block: Block) -> None:
        """Update the animated cells of a block to their current frames, in a new array."""
        cells = block.cells.copy()
        flat = cells.reshape(-1)
        flat[block.moving] = self._codes()[block.movers] | flat[block.moving] & _FLAGS
        block.cells, block.phase, block.batch = cells, self.frames.phase, None

    def _batch(self, block: Block, matrix: Matrix, rgba: Array, look: Look) -> Batch | None:
        """Return the batch of a block, updated if necessary; None for an empty block."""
        self._refresh(block)
        if (block.batch is None or block.look != look) and block.cells.size:
            grid = self.board.map.grid
            x = (grid.first[0] + block.span[0]) * grid.width
            y = -(grid.first[1] + block.span[1]) * grid.height
            a, b, c, d, tx, ty = matrix
            w, h = grid.width, -grid.height
            place = np.array([a * w, b * w, c * h, d * h, a * x + c * y + tx, b * x + d * y + ty], np.float32)
            block.batch = Batch("tiles", {"cells": block.cells, "grid": place, "rgba": rgba}, source="render")
            block.look = look
        return block.batch


def _middle(first: int, last: int, count: int) -> tuple[int, int]:
    """Return a span of up to BLOCK of `count` cells, with the cells from `first` to before `last` in its middle."""
    size = min(BLOCK, count)
    start = min(max((first + last - size) // 2, 0), count - size)
    return start, start + size
