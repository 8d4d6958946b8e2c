"""Grids: cells to points and back, for every orientation."""

from __future__ import annotations

import numpy as np
import pytest

from rish_render.tiles.grid import Grid

GRIDS = {
    "orthogonal": Grid("orthogonal", 16, 12, 9, 7),
    "isometric": Grid("isometric", 64, 32, 9, 7),
    "isometric infinite": Grid("isometric", 64, 32, 9, 7, (-3, 4)),
    "infinite": Grid("orthogonal", 16, 12, 9, 7, (-5, -2)),
    **{
        f"{kind} {axis} {index}": Grid(kind, 60, 40, 9, 7, (0, 0), axis, index, 20)
        for kind in ("staggered", "hexagonal")
        for axis in ("x", "y")
        for index in ("odd", "even")
    },
}


def every_cell(grid: Grid) -> np.ndarray:
    """Return the cells of a grid, int64 (n, 2)."""
    columns, rows = np.meshgrid(np.arange(grid.columns), np.arange(grid.rows))
    return np.stack([columns.ravel(), rows.ravel()], axis=1) + grid.first


@pytest.mark.parametrize("grid", GRIDS.values(), ids=GRIDS)
def test_the_center_of_a_cell_lies_in_that_cell(grid: Grid) -> None:
    """The center of each cell is in that cell, inside the map and outside of it."""
    cells = np.concatenate([every_cell(grid), every_cell(grid) - 40])
    assert np.array_equal(grid.cells_at(grid.centers(cells)), cells)


@pytest.mark.parametrize("grid", GRIDS.values(), ids=GRIDS)
def test_every_point_of_a_cells_form_lies_in_that_cell(grid: Grid) -> None:
    """Points within the outline of a cell are in that cell."""
    rng = np.random.default_rng(1)
    cells = every_cell(grid)
    ring = grid.outline
    weights = rng.dirichlet(np.ones(len(ring)), (len(cells), 5))
    points = grid.corners(cells)[:, None] + (weights @ ring) * 0.98 + 0.02 * ring.mean(axis=0)
    found = grid.cells_at(points.reshape(-1, 2)).reshape(len(cells), 5, 2)
    assert (found == cells[:, None]).all()


@pytest.mark.parametrize("grid", GRIDS.values(), ids=GRIDS)
def test_the_box_holds_all_cells_and_no_more(grid: Grid) -> None:
    """The box touches the outermost cells."""
    corners = grid.corners(every_cell(grid))
    w, h = grid.cell_size
    low, high = corners.min(axis=0), corners.max(axis=0)
    assert grid.box == (low[0], low[1] - h, high[0] + w, high[1])
    if not any(grid.first):
        assert grid.box[0] == 0
        assert grid.box[3] == 0


@pytest.mark.parametrize("grid", GRIDS.values(), ids=GRIDS)
def test_across_each_side_lies_the_neighbor_that_the_grid_names(grid: Grid) -> None:
    """A step over the middle of a side ends in the neighbor that the grid names for that side."""
    cells = every_cell(grid)
    ring = grid.outline
    middle = (ring + np.roll(ring, -1, axis=0)) / 2
    w, h = grid.cell_size
    steps = grid.neighbors[grid.shifted(cells).astype(int) if grid.offset else np.zeros(len(cells), int)]
    for side in range(len(ring)):
        over = grid.corners(cells) + middle[side] + 0.01 * (middle[side] - (w / 2, -h / 2))
        assert np.array_equal(grid.cells_at(over), cells + steps[:, side])


@pytest.mark.parametrize("grid", GRIDS.values(), ids=GRIDS)
def test_a_cells_form_runs_counter_clockwise(grid: Grid) -> None:
    """The outline of a cell runs counter-clockwise and has 4 corners, or 6 in hexagonal grids."""
    ring = grid.outline
    x, y = ring.T
    assert (x * np.roll(y, -1) - np.roll(x, -1) * y).sum() > 0
    assert len(ring) == (6 if grid.orientation == "hexagonal" else 4)


def test_cells_lie_where_tiled_puts_them() -> None:
    """The corners of a few cells equal those of Tiled's manual and images, with y pointing up."""
    assert Grid("orthogonal", 16, 16, 4, 4).corners(np.array([[3, 2]])).tolist() == [[48, -32]]
    assert Grid("isometric", 64, 32, 4, 4).corners(np.array([[0, 0], [3, 0], [0, 3]])).tolist() == [
        [96, 0],
        [192, -48],
        [0, -48],
    ]
    hexes = Grid("hexagonal", 14, 12, 4, 4, side=6)
    assert hexes.corners(np.array([[0, 0], [1, 0], [0, 1], [1, 2]])).tolist() == [[0, 0], [14, 0], [7, -9], [14, -18]]
    flat = Grid("hexagonal", 60, 60, 4, 4, axis="x", side=30)
    assert flat.corners(np.array([[1, 0], [2, 1]])).tolist() == [[45, -30], [90, -60]]
    even = Grid("staggered", 64, 32, 4, 4, index="even")
    assert even.corners(np.array([[0, 0], [0, 1]])).tolist() == [[32, 0], [0, -16]]


def test_a_grid_without_cells_has_no_size() -> None:
    """A grid without cells has an empty box."""
    assert Grid().box == (0, 0, 0, 0)
