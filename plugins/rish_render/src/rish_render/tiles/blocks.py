"""Blocks: a layer whose tiles fill their cells, as batches of the kind `tiles`.

A block is up to 256 by 256 cells, an index array that stays the same object while its cells do. The camera is no part
of it, so scrolling costs nothing; an edit makes one block again, and the next picture of an animation rewrites only the
cells that move. What is seen from near lies in a single block, cut around it and cut again when the view leaves it; a
larger part of the map is shown by blocks side by side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rish_frame import Batch
from rish_frame.frame import CELL_MIRRORED_X, CELL_MIRRORED_Y, CELL_TRANSPOSED

from .boards import BLOCK, PATCH, Board
from .frames import TileFrames
from .model import TILE, Array, Box, Matrix

Look = tuple[Matrix, int]
"""Where a block stands, and which colour it has: what a batch holds beside its cells."""
Span = tuple[int, int, int, int]
"""A rectangle of cells: the first column and row, and those after the last; the map's first cell is 0 0."""
_FLAGS = np.uint32(CELL_TRANSPOSED | CELL_MIRRORED_X | CELL_MIRRORED_Y)
_NEAR = BLOCK // 2  # cells that are seen at most along a side from near, so that a cut block lasts for a while
_CUT = 4  # blocks that are kept a layer for cameras that look from near


@dataclass(eq=False)
class Block:
    """One block. cells: as the kind wants them. moving, movers: flat places of animated cells, and their tiles.

    box: all that it can show, in the layer's own space; without end where the map ends. revision: of the layer when it
    was last looked at. edits: how often its cells had been changed. frames: the version of the frames in it.
    """

    span: Span
    box: Box
    revision: int
    edits: int
    frames: int
    cells: Array
    moving: Array
    movers: Array
    phase: int
    batch: Batch | None = None
    look: Look | None = None

    def holds(self, box: Box) -> bool:
        """Whether it shows all that there is in a box."""
        own = self.box
        return own[0] <= box[0] and own[1] <= box[1] and own[2] >= box[2] and own[3] >= box[3]


class Blocks:
    """The blocks of one layer of a board. wanted: bool by tile, which tiles are drawn in this way."""

    def __init__(self, board: Board, layer: int, frames: TileFrames, wanted: Array) -> None:
        self.board, self.layer, self.frames, self.wanted = board, layer, frames, wanted
        self._large = max(board.map.grid.columns, board.map.grid.rows) > BLOCK
        self.cut: list[Block] = []
        self.beside: dict[Span, Block] = {}

    def batches(self, box: Box, matrix: Matrix, rgba: Array) -> list[Batch]:
        """The batches that show a box of the layer's own space (x0 y0 x1 y1), top row first.

        matrix: from that space to the pass's. rgba: uint8 4. What did not change is the same object.
        """
        look = (matrix, id(rgba))
        for block in self.cut:
            if block.holds(box):
                return self._one(block, matrix, rgba, look)
        span = self._span(box)
        if span[0] >= span[2] or span[1] >= span[3]:
            return []
        if self._large and max(span[2] - span[0], span[3] - span[1]) <= _NEAR:
            return self._one(self._cut(span), matrix, rgba, look)
        found: list[Batch] = []
        for row in range(span[1] // BLOCK, -(-span[3] // BLOCK)):
            for column in range(span[0] // BLOCK, -(-span[2] // BLOCK)):
                batch = self._batch(self._side_by_side(column, row), matrix, rgba, look)
                if batch is not None:
                    found.append(batch)
        return found

    def _span(self, box: Box) -> Span:
        """The cells of the map that touch a box."""
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
        """A new block with these cells in its middle."""
        grid = self.board.map.grid
        c0, c1 = _middle(span[0], span[2], grid.columns)
        r0, r1 = _middle(span[1], span[3], grid.rows)
        block = self._build((c0, r0, c1, r1))
        self.cut = [block, *self.cut][:_CUT]
        return block

    def _side_by_side(self, column: int, row: int) -> Block:
        """One of the blocks that cover the map, by its row and column."""
        grid = self.board.map.grid
        c, r = column * BLOCK, row * BLOCK
        span = (c, r, min(c + BLOCK, grid.columns), min(r + BLOCK, grid.rows))
        block = self.beside.get(span)
        if block is None:
            block = self.beside[span] = self._build(span)
        return block

    def _one(self, block: Block, matrix: Matrix, rgba: Array, look: Look) -> list[Batch]:
        batch = self._batch(block, matrix, rgba, look)
        return [] if batch is None else [batch]

    def _refresh(self, block: Block) -> None:
        """Look up a block's cells again where they or their frames have changed."""
        revision = self.board.revisions[self.layer]
        if block.revision != revision or block.frames != self.frames.version:
            if block.frames != self.frames.version or block.edits != self._edits(block.span):
                self._fill(block)
            block.revision = revision
        if len(block.moving) and block.phase != self.frames.phase:
            self._move(block)

    def _edits(self, span: Span) -> int:
        """How often cells in or near a rectangle were changed."""
        c0, r0, c1, r1 = span
        return int(self.board.stamps[self.layer][r0 // PATCH : -(-r1 // PATCH), c0 // PATCH : -(-c1 // PATCH)].sum())

    def _box(self, span: Span) -> Box:
        """The box that a block of these cells can cover."""
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
        block = Block(span, self._box(span), self.board.revisions[self.layer], 0, 0, nothing, nothing, nothing, 0)
        self._fill(block)
        return block

    def _fill(self, block: Block) -> None:
        """Look up the frames of a block's cells; an empty block has no cells."""
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
        block.edits, block.frames, block.phase = self._edits(block.span), self.frames.version, self.frames.phase
        block.batch = None

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

    def _batch(self, block: Block, matrix: Matrix, rgba: Array, look: Look) -> Batch | None:
        """A block as it is now, as a batch; None for an empty one."""
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
    """BLOCK cells of a row of `count`, or all that there are, with those from first up to last in the middle."""
    size = min(BLOCK, count)
    start = min(max((first + last - size) // 2, 0), count - size)
    return start, start + size
