"""Blocks cover every visible cell, and stay the same objects while nothing in them changes."""

from __future__ import annotations

import numpy as np
import pytest

from rish_frame import Batch
from rish_render.kinds.tiles.blocks import Blocks
from rish_render.kinds.tiles.frames import TileFrames
from rish_render.tiles.boards import BLOCK, Board
from rish_render.tiles.grid import Grid
from rish_render.tiles.model import Animation, GameMap, MapLayer, Tiles

COLUMNS, ROWS, W, H, KINDS = 700, 600, 8, 4, 40
UNIT = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
WHITE = np.full(4, 255, np.uint8)
Box = tuple[float, float, float, float]


def blocks(columns: int = COLUMNS, rows: int = ROWS, first: tuple[int, int] = (0, 0), moving: int = 0) -> Blocks:
    """Return blocks of a layer whose tile n shows frame 4·n. moving: a tile that is animated with the next."""
    cells = np.random.default_rng(3).integers(0, KINDS, (rows, columns)).astype(np.uint32)
    tiles = Tiles()
    tiles.extend(1, *(np.zeros((KINDS - 1, *shape)) for shape in ((), (4,), (2,), (2,))))
    if moving:
        tiles.animations[moving] = Animation(np.array([moving, moving + 1]), np.array([1.0, 2.0]))
    board = Board("a", GameMap(Grid("orthogonal", W, H, columns, rows, first), tiles, [MapLayer("a", cells)]))
    frames = TileFrames(board.map)
    frames.frame[:] = 4 * np.arange(KINDS)
    wanted = np.ones(KINDS, np.bool_)
    wanted[0] = False
    return Blocks(board, 0, frames, wanted)


def shown(batches: list[Batch], points: np.ndarray) -> np.ndarray:
    """Return the cell that a batch shows at each point (n, 2) of the layer's space; 0 if none does."""
    found = np.zeros(len(points), np.uint32)
    for batch in batches:
        a, b, c, d, tx, ty = batch.arrays["grid"].astype(np.float64)
        at = np.floor(np.linalg.solve([[a, c], [b, d]], (points - (tx, ty)).T)).astype(int)
        cells = batch.arrays["cells"]
        inside = (at >= 0).all(axis=0) & (at[0] < cells.shape[1]) & (at[1] < cells.shape[0])
        assert not found[inside].any(), "two blocks show one point"
        found[inside] = cells[at[1, inside], at[0, inside]]
    return found


def expected(made: Blocks, points: np.ndarray) -> np.ndarray:
    """Return the same cells, read from the board one by one."""
    board, grid = made.board, made.board.map.grid
    found: list[int] = []
    for x, y in points:
        column, row = int(x // W) - grid.first[0], int(-y // H) - grid.first[1]
        inside = 0 <= column < grid.columns and 0 <= row < grid.rows
        number = int(board.cells[0][row, column]) if inside else 0
        found.append(4 * number + 1 if number else 0)
    return np.array(found, np.uint32)


@pytest.mark.parametrize(("columns", "rows"), [(COLUMNS, ROWS), (40, 30), (COLUMNS, 3), (1, ROWS)])
@pytest.mark.parametrize("first", [(0, 0), (-37, 12)])
def test_every_cell_in_the_box_is_shown(columns: int, rows: int, first: tuple[int, int]) -> None:
    """For any view, near, far or partly outside the map, the blocks show the cells of the board."""
    made = blocks(columns, rows, first)
    random = np.random.default_rng(5)
    left, top = first[0] * W, -first[1] * H
    for _ in range(40):
        size = np.exp(random.uniform(np.log(20), np.log(8000), 2))
        corner = random.uniform((left, top - rows * H), (left + columns * W, top)) - size / 2
        box: Box = (corner[0], corner[1], corner[0] + size[0], corner[1] + size[1])
        points = random.uniform(corner, corner + size, (60, 2))
        assert np.array_equal(shown(made.batches(box, UNIT, WHITE), points), expected(made, points))


def test_what_is_seen_from_near_lies_in_one_block() -> None:
    """A near view has one block, which is reused while the view stays in it, and again after a visit elsewhere."""
    made = blocks()
    here: Box = (2000, -1200, 2400, -1000)
    (batch,) = made.batches(here, UNIT, WHITE)
    assert batch.arrays["cells"].shape == (BLOCK, BLOCK)
    for step in range(1, 90):
        assert made.batches((2000 + 5 * step, -1200 - step, 2400 + 5 * step, -1000 - step), UNIT, WHITE) == [batch]
    (other,) = made.batches((200, -300, 600, -100), UNIT, WHITE)
    assert other is not batch
    assert made.batches(here, UNIT, WHITE) == [batch]


def test_where_the_map_ends_its_block_does_not() -> None:
    """A view that extends beyond the map uses the blocks that exist."""
    made = blocks()
    (batch,) = made.batches((-100, -200, 300, 50), UNIT, WHITE)
    assert made.batches((-900, -200, -500, 950), UNIT, WHITE) == [batch]
    assert made.batches((-900, 100, -500, 950), UNIT, WHITE) == [batch]
    assert blocks().batches((-900, 100, -500, 950), UNIT, WHITE) == []


def test_an_edit_elsewhere_changes_nothing() -> None:
    """An edit outside a block leaves its batch unchanged; one inside makes a new batch with the new cell."""
    made = blocks()
    here: Box = (2000, -1200, 2400, -1000)
    (batch,) = made.batches(here, UNIT, WHITE)
    made.board.write(0, np.array([0]), np.array([0]), np.array([7], np.uint32))
    assert made.batches(here, UNIT, WHITE) == [batch]
    made.board.write(0, np.array([260]), np.array([270]), np.array([7], np.uint32))
    (fresh,) = made.batches(here, UNIT, WHITE)
    assert fresh is not batch
    assert shown([fresh], np.array([(260.5 * W, -270.5 * H)])) == [29]


def test_a_moved_map_keeps_its_cells() -> None:
    """A moved or tinted map gets new batches with the same array of cells."""
    made = blocks()
    here: Box = (2000, -1200, 2400, -1000)
    (batch,) = made.batches(here, UNIT, WHITE)
    (moved,) = made.batches(here, (1.0, 0.0, 0.0, 1.0, 5.0, 0.0), WHITE)
    assert moved is not batch
    assert moved.arrays["cells"] is batch.arrays["cells"]
    assert np.array_equal(moved.arrays["grid"] - batch.arrays["grid"], [0, 0, 0, 0, 5, 0])


def test_an_animation_rewrites_the_cells_that_move() -> None:
    """An animation makes a new array of cells when its next frame begins, and not before."""
    made = blocks(moving=9)
    here: Box = (2000, -1200, 2400, -1000)
    (batch,) = made.batches(here, UNIT, WHITE)
    made.frames.tick(0.5)
    assert made.batches(here, UNIT, WHITE) == [batch]
    made.frames.tick(1.5)
    (fresh,) = made.batches(here, UNIT, WHITE)
    before, after = batch.arrays["cells"], fresh.arrays["cells"]
    assert np.array_equal(after, np.where(before == 37, 41, before))
    assert (before == 37).any()
