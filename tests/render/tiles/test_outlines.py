"""Outlines of solid regions."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from rish_render.tiles.grid import Grid
from rish_render.tiles.model import Tiles
from rish_render.tiles.outlines import UNIT, Blocking, map_sides, merge_sides

SOLID, SECOND, TOP, HALF, SLOPE = 1, 2, 3, 4, 5
GRIDS = [
    Grid("orthogonal", 16, 16, 9, 8),
    Grid("orthogonal", 20, 10, 9, 8, (-4, 3)),
    Grid("isometric", 64, 32, 9, 8),
    *(Grid("staggered", 64, 32, 9, 8, (0, 0), axis, index) for axis in "xy" for index in ("odd", "even")),
    *(Grid("hexagonal", 64, 48, 9, 8, (0, 0), axis, index, 16) for axis in "xy" for index in ("odd", "even")),
]


def tiles() -> Tiles:
    """Return tiles: a full one, one of another material, a one-way platform, half a tile, a slope."""
    found = Tiles()
    count = 5
    found.extend(1, np.full(count, -1), np.zeros((count, 4)), np.full((count, 2), 16.0), np.zeros((count, 2)))
    found.properties = {SOLID: {"solid": True}, SECOND: {"solid": True, "material": "ice"}, TOP: {"one_way": True}}
    found.shapes = {
        HALF: [np.array([(0, 0), (16, 0), (16, 8), (0, 8)], float)],
        SLOPE: [np.array([(0, 0), (16, 0), (16, 16)], float)],
    }
    return found


def outline(grid: Grid, *layers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the merged sides in pixels, and their kinds."""
    cells = [np.asarray(one, np.uint32) for one in layers]
    ends, kinds = merge_sides(*map_sides(grid, cells, Blocking(tiles())))
    return ends / UNIT, kinds


def is_inside(ends: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return which points are inside a border with the solid on its left, by the winding number."""
    winding = np.zeros(len(points), int)
    for x0, y0, x1, y1 in ends:
        side = (x1 - x0) * (points[:, 1] - y0) - (points[:, 0] - x0) * (y1 - y0)
        winding += ((y0 <= points[:, 1]) & (y1 > points[:, 1]) & (side > 0)).astype(int)
        winding -= ((y1 <= points[:, 1]) & (y0 > points[:, 1]) & (side < 0)).astype(int)
    assert set(winding.tolist()) <= {0, 1}
    return winding == 1


@pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: f"{grid.orientation} {grid.axis} {grid.index}")
def test_the_border_holds_just_the_solid_cells(grid: Grid) -> None:
    """For random maps in every orientation exactly the solid cells are inside the border, and none twice."""
    rng = np.random.default_rng(5)
    for density in (0.1, 0.5, 0.9):
        solid = rng.random((8, 9)) < density
        ends, _ = outline(grid, solid * SOLID)
        rows, columns = np.mgrid[:8, :9]
        cells = np.stack([columns.ravel(), rows.ravel()], axis=1) + grid.first
        points = grid.centers(cells) + rng.uniform(-2, 2, (72, 2))
        assert np.array_equal(is_inside(ends, points), solid.ravel())


def test_what_goes_on_in_one_line_is_one_line() -> None:
    """Sides in one line are merged: a hollow square has eight sides, however large it is."""
    cells = np.full((8, 9), SOLID)
    cells[2:6, 3:7] = 0
    ends, _ = outline(GRIDS[0], cells)
    assert len(ends) == 8
    diamonds, _ = outline(GRIDS[2], np.full((8, 9), SOLID))
    assert len(diamonds) == 4


def test_a_full_square_runs_counter_clockwise() -> None:
    """The outline of a full square runs counter-clockwise, with the solid on its left."""
    ends, _ = outline(Grid("orthogonal", 16, 16, 1, 1), [[SOLID]])
    assert Counter(map(tuple, ends.tolist())) == Counter(
        [(0, -16, 16, -16), (16, -16, 16, 0), (16, 0, 0, 0), (0, 0, 0, -16)]
    )


def test_kinds_meet_without_an_edge_between_but_keep_their_own() -> None:
    """Tiles of two materials have no edge between them, but their tops are two lines."""
    ends, kinds = outline(Grid("orthogonal", 16, 16, 4, 1), [[SOLID, SOLID, SECOND, SECOND]])
    top = [
        (tuple(line), kind) for line, kind in zip(ends.tolist(), kinds.tolist(), strict=True) if line[1] == line[3] == 0
    ]
    assert sorted(top) == [((32, 0, 0, 0), 1), ((64, 0, 32, 0), 2)]
    assert len(ends) == 6


def test_what_blocks_from_above_has_only_its_top() -> None:
    """A one-way tile has only its top side, and none where a solid tile is above it."""
    ends, _ = outline(Grid("orthogonal", 16, 16, 3, 2), [[0, 0, TOP], [TOP, TOP, TOP]])
    assert sorted(map(tuple, ends.tolist())) == [(32, -16, 0, -16), (48, 0, 32, 0)]


def test_forms_share_no_sides() -> None:
    """Partial shapes that touch share no side: two halves are one box, and a slope joins a wall."""
    ends, _ = outline(Grid("orthogonal", 16, 16, 2, 1), [[HALF, HALF]])
    assert sorted(map(tuple, ends.tolist())) == [(0, -16, 32, -16), (0, -8, 0, -16), (32, -16, 32, -8), (32, -8, 0, -8)]
    ends, _ = outline(Grid("orthogonal", 16, 16, 2, 1), [[SLOPE, SOLID]])
    assert sorted(map(tuple, ends.tolist())) == [(0, -16, 32, -16), (16, 0, 0, -16), (32, -16, 32, 0), (32, 0, 16, 0)]


@pytest.mark.parametrize("flags", range(8))
def test_forms_turn_with_their_tiles(flags: int) -> None:
    """Shapes are flipped like the image: transposed first, then mirrored."""
    rows, columns = np.mgrid[:16, :16]
    picture = columns + rows >= 15.5 - 0  # the slope, top row first, filled to the right of its diagonal
    picture = (columns + 0.5) > (15.5 - rows)
    if flags & 1:
        picture = picture.T
    if flags & 2:
        picture = picture[::-1]
    if flags & 4:
        picture = picture[:, ::-1]
    cell = SLOPE | (flags & 1) << 29 | (flags >> 1 & 1) << 30 | (flags >> 2 & 1) << 31
    ends, _ = outline(Grid("orthogonal", 16, 16, 1, 1), [[cell]])
    points = np.stack([columns.ravel() + 0.5, -(rows.ravel() + 0.5)], axis=1)
    off = np.abs(picture.astype(int).ravel() - is_inside(ends, points + 1e-3).astype(int))
    assert off.sum() <= 16  # cells on the diagonal may differ


def test_layers_upon_one_another_are_one() -> None:
    """Sides inside an area that another layer fills are removed."""
    grid = Grid("orthogonal", 16, 16, 3, 1)
    ends, _ = outline(grid, [[SOLID, SOLID, 0]], [[0, SECOND, SOLID]])
    assert all((line[0] != 16 and line[0] != 32) or line[1] == line[3] for line in ends.tolist())


def test_nothing_solid_has_no_outline() -> None:
    """A map without solid tiles has no sides."""
    ends, kinds = outline(Grid("orthogonal", 16, 16, 2, 2), np.zeros((2, 2)))
    assert ends.shape == (0, 4)
    assert len(kinds) == 0
