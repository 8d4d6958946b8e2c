"""Outlines: the borders of solid regions, as few straight lines.

Solid cells are compared with their neighbors, which leaves only the sides at a border. These sides, and those of
shapes that are smaller than a cell, are grouped by the infinite line that contains them. Along each line every side
counts +1 in its own direction and -1 against it, so a side that two neighbors share cancels out, and sides that
continue each other are joined (a sweep as for the union of segments in computational geometry, one line at a time).
All numbers are integers, so the result is exact.
"""

from __future__ import annotations

import numpy as np

from rish_ecs.declarations import distinct
from rish_frame.frame import CELL_MIRRORED_X, CELL_MIRRORED_Y, CELL_TRANSPOSED
from rish_jit import Array

from .grid import Grid
from .model import TILE, Tiles

UNIT = 64
"""Corners are stored in this fraction of a pixel: 1 / UNIT."""
_FARTHEST = 2.0**30  # pixels
_FRAME = 2  # cells around a part, enough for the neighbors in every orientation


class Blocking:
    """The tiles of a map that block, and how.

    kinds: int64 by tile, 0 for tiles that do not block, otherwise the number of its meaning, from 1. meanings: pairs of
    material and mask. solid: bool by tile, full cells. from_above: cells that block from above only. shaped: tiles with
    shapes within the cell.
    """

    def __init__(self, tiles: Tiles) -> None:
        self.tiles = tiles
        self.kinds = np.zeros(len(tiles), np.int64)
        self.solid, self.from_above, self.shaped = (np.zeros(len(tiles), np.bool_) for _ in range(3))
        numbers: dict[tuple[str, int], int] = {}
        for number in sorted({*tiles.properties, *tiles.shapes}):
            has = tiles.properties.get(number, {})
            solid, one_way = has.get("solid"), has.get("one_way") is True
            self.from_above[number] = one_way
            self.solid[number] = solid is True and not one_way
            self.shaped[number] = number in tiles.shapes and not one_way and not isinstance(solid, bool)
            if self.from_above[number] or self.solid[number] or self.shaped[number]:
                mask = has.get("mask", 1)
                mask = mask if isinstance(mask, int) and 0 <= mask < 2**31 else 1
                meaning = (str(has.get("material", "")), mask)
                self.kinds[number] = numbers.setdefault(meaning, len(numbers) + 1)
        self.meanings = list(numbers)


def map_sides(
    grid: Grid,
    layers: list[Array],
    blocking: Blocking,
    offset: tuple[float, float] = (0.0, 0.0),
    part: tuple[int, int, int, int] | None = None,
) -> tuple[Array, Array]:
    """Return the sides around the blocking parts of some stacked layers.

    Returns int64 (n, 4), x0 y0 x1 y1 in UNITs with the solid on the left, and int64 n, their kinds. layers: uint32
    (rows, columns), the lowest first. part: first row, end row, first column, end column of the cells that count (ends
    are exclusive); the cells around them count as their neighbors.
    """
    r0, r1, c0, c1 = part or (0, grid.rows, 0, grid.columns)
    cells = [_framed(layer, r0, r1, c0, c1) for layer in layers]
    numbers = [(layer & np.uint32(TILE)).astype(np.int64) for layer in cells]
    kinds = [blocking.kinds[number] for number in numbers]
    if not any(kind.any() for kind in kinds):
        return np.zeros((0, 4), np.int64), np.zeros(0, np.int64)
    whole, above = np.zeros(numbers[0].shape, np.int64), np.zeros(numbers[0].shape, np.int64)
    for number, kind in zip(numbers, kinds, strict=True):
        whole = np.where(blocking.solid[number], kind, whole)
        above = np.where(blocking.from_above[number], kind, above)
    above[whole > 0] = 0
    first = (grid.first[0] + c0, grid.first[1] + r0)
    parts = [
        _cell_sides(grid, whole, whole > 0, first, upwards=False),
        _cell_sides(grid, above, (whole > 0) | (above > 0), first, upwards=True),
    ]
    for layer, number in zip(cells, numbers, strict=True):
        here = _inner(blocking.shaped[number] & (whole == 0))
        if here.any():
            parts += _shape_sides(grid, blocking, _inner(layer), here, first)
    lines = np.concatenate([part[0] for part in parts]) + np.tile(offset, 2)
    kind = np.concatenate([part[1] for part in parts])
    good = (np.abs(lines) < _FARTHEST).all(axis=1)  # this also removes shapes with NaN coordinates
    return np.floor(lines[good] * UNIT + 0.5).astype(np.int64), kind[good]


def _framed(layer: Array, r0: int, r1: int, c0: int, c1: int) -> Array:
    """Return a part of a layer with a border of _FRAME neighboring cells; cells outside the layer are empty."""
    out = np.zeros((r1 - r0 + 2 * _FRAME, c1 - c0 + 2 * _FRAME), np.uint32)
    top, left = max(r0 - _FRAME, 0), max(c0 - _FRAME, 0)
    part = layer[top : r1 + _FRAME, left : c1 + _FRAME]
    y, x = top - r0 + _FRAME, left - c0 + _FRAME
    out[y : y + part.shape[0], x : x + part.shape[1]] = part
    return out


def _inner(framed: Array) -> Array:
    return framed[_FRAME:-_FRAME, _FRAME:-_FRAME]


def _cell_sides(grid: Grid, kind: Array, full: Array, first: tuple[int, int], *, upwards: bool) -> tuple[Array, Array]:
    """Return the sides of complete cells (kind > 0) that have no full neighbor there; both arrays are framed.

    first: column and row of the first cell within the frame. upwards: only sides that face up.
    """
    rows, columns = np.nonzero(_inner(kind))
    if not len(rows):
        return np.zeros((0, 4)), np.zeros(0, np.int64)
    ring, steps = grid.outline, grid.neighbors
    spots = np.stack([columns, rows], axis=1) + first
    shifted = grid.shifted(spots).astype(np.intp) if grid.offset else np.zeros(len(spots), np.intp)
    lines: list[Array] = [np.zeros((0, 4))]
    owners: list[Array] = [np.zeros(0, np.int64)]
    for side, (start, end) in enumerate(zip(ring, np.roll(ring, -1, axis=0), strict=True)):
        if upwards and end[0] >= start[0]:
            continue
        step = steps[shifted, side]
        border = np.flatnonzero(~full[rows + _FRAME + step[:, 1], columns + _FRAME + step[:, 0]])
        corner = grid.corners(spots[border])
        lines.append(np.concatenate([corner + start, corner + end], axis=1))
        owners.append(kind[rows[border] + _FRAME, columns[border] + _FRAME])
    return np.concatenate(lines), np.concatenate(owners)


def _shape_sides(
    grid: Grid, blocking: Blocking, cells: Array, here: Array, first: tuple[int, int]
) -> list[tuple[Array, Array]]:
    """Return the sides of the shapes within some cells (bool (rows, columns)), rotated and mirrored like the images."""
    sides: list[tuple[Array, Array]] = []
    tiles = blocking.tiles
    rows, columns = np.nonzero(here)
    values = cells[rows, columns]
    low = grid.corners(np.stack([columns, rows], axis=1) + first) - (0.0, grid.cell_size[1])
    for value in distinct(values).tolist():
        tile = value & TILE
        corner = low[values == value] + tiles.offset[tile]
        size = np.where(tiles.size[tile] > 0, tiles.size[tile], (grid.width, grid.height)).astype(np.float64)
        for shape in tiles.shapes[tile]:
            ring = _flipped(shape, size, value)
            ends = np.roll(ring, -1, axis=0)
            lines = np.concatenate([corner[:, None] + ring, corner[:, None] + ends], axis=2).reshape(-1, 4)
            sides.append((lines, np.full(len(lines), blocking.kinds[tile])))
    return sides


def _flipped(ring: Array, size: Array, cell: int) -> Array:
    """Flip a shape within a tile (corners from its bottom left) like the tile; it stays counter-clockwise."""
    w, h = size
    out, turns = ring, 0
    if cell & CELL_TRANSPOSED:
        out, (w, h), turns = np.stack([h - out[:, 1], w - out[:, 0]], axis=1), (h, w), 1
    if cell & CELL_MIRRORED_X:
        out, turns = np.stack([w - out[:, 0], out[:, 1]], axis=1), turns + 1
    if cell & CELL_MIRRORED_Y:
        out, turns = np.stack([out[:, 0], h - out[:, 1]], axis=1), turns + 1
    return out[::-1] if turns & 1 else out


def merge_sides(lines: Array, kinds: Array) -> tuple[Array, Array]:
    """Merge sides (int64 (n, 4), solid on the left) into as few as possible: int64 (m, 4), and int64 m, their kinds."""
    step = lines[:, 2:] - lines[:, :2]
    real = step.any(axis=1)
    lines, kinds, step = lines[real], kinds[real], step[real]
    if not len(lines):
        return np.zeros((0, 4), np.int64), np.zeros(0, np.int64)
    along = step // np.gcd(step[:, 0], step[:, 1])[:, None]
    back = (along[:, 0] < 0) | ((along[:, 0] == 0) & (along[:, 1] < 0))
    along[back] *= -1
    ux, uy = along[:, 0], along[:, 1]
    # A line has the direction u and the offset p × u; `at` holds the positions p · u of both ends along it.
    across = lines[:, 0] * uy - lines[:, 1] * ux
    at = np.concatenate([lines[:, 0] * ux + lines[:, 1] * uy, lines[:, 2] * ux + lines[:, 3] * uy])
    change = np.repeat([1, -1], len(lines))  # +1 at the start of a side, -1 at its end, along the line or against it
    key = np.concatenate([np.stack([ux, uy, across], axis=1)] * 2)
    weight = np.concatenate([kinds, kinds])
    order = np.lexsort((at, key[:, 2], key[:, 1], key[:, 0]))
    at, change, key, weight = at[order], change[order], key[order], weight[order]
    net, sums = np.cumsum(change), np.cumsum(change * weight)
    same = (key[1:] == key[:-1]).all(axis=1)
    good = np.concatenate([same & (at[1:] > at[:-1]) & (net[:-1] != 0), [False]])
    here = np.flatnonzero(good)
    kind = np.abs(sums[here]) // np.abs(net[here])
    joins = (at[here[1:]] == at[here[:-1] + 1]) & (key[here[1:]] == key[here[:-1]]).all(axis=1)
    joins &= (kind[1:] == kind[:-1]) & (np.sign(net[here[1:]]) == np.sign(net[here[:-1]]))
    first = np.concatenate([[True], ~joins])
    last = np.concatenate([~joins, [True]])
    begin, end = here[first], here[last] + 1
    u = key[begin].astype(np.float64)
    length = u[:, 0] ** 2 + u[:, 1] ** 2

    def point(t: Array) -> Array:  # p from p · u = t and p × u = offset
        return np.stack(
            [(t * u[:, 0] + u[:, 2] * u[:, 1]) / length, (t * u[:, 1] - u[:, 2] * u[:, 0]) / length], axis=1
        )

    ends = np.concatenate([point(at[begin].astype(np.float64)), point(at[end].astype(np.float64))], axis=1)
    turned = net[begin] < 0
    ends[turned] = ends[turned][:, [2, 3, 0, 1]]
    return np.rint(ends).astype(np.int64), kind[first]
