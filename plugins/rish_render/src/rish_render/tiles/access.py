"""Functions with which a game queries and changes its maps, for many cells in one call.

A cell is (column, row), row 0 on top; points are in world units. Layers are given by name or number. Changes are part
of the state: `set_tiles` writes `TileMap.edits`, so a system that calls it declares `writes=TileMap`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import Transform
from rish_ecs import UnknownName, UsageError
from rish_jit import Array, maths

from .boards import Board, TileMaps
from .component import TileMap
from .model import FLIPS, TILE, MapObject

if TYPE_CHECKING:
    from rish_ecs import World

Layer = int | str
_MAX_PARENTS = 64


def board_of(world: World, entity: int) -> Board:
    """Return the board of an entity. Raises StaleEntity, and UnknownName if the entity has no TileMap."""
    return world[TileMaps].board(world, int(entity))


def layer_of(board: Board, layer: Layer) -> int:
    """Return the number of a layer. Raises UnknownName with the nearest name for an unknown layer."""
    number = board.map.layer_number(layer)
    if number < 0:
        names = [one.name for one in board.map.layers]
        raise UnknownName(f"the map {board.asset!r} has no layer {layer!r}", given=layer, choices=names)
    return number


def map_matrix(world: World, entity: int) -> tuple[float, float, float, float, float, float]:
    """Return a b c d tx ty, from a map's own space (pixels, y up, origin: top left of cell 0 0) to the world.

    The result has the same bits on every machine, so values computed from it may be stored in the state.
    """
    a, b, c, d, x, y = _pose(world, int(entity))
    dx, dy = anchor_shift(world, int(entity))
    return a, b, c, d, x + a * dx + c * dy, y + b * dx + d * dy


def anchor_shift(world: World, entity: int) -> tuple[float, float]:
    """Return the origin of the map's own space, relative to the map's anchor (the entity's position)."""
    table, row = world.locate(entity, TileMap)
    return shift_of(board_of(world, entity), table.column("anchor")[row].tolist())


def shift_of(board: Board, anchor: Sequence[float]) -> tuple[float, float]:
    """Return the same as `anchor_shift`, for a board and an anchor."""
    x0, y0, x1, y1 = board.map.grid.box
    ax, ay = anchor
    return -(x0 + ax * (x1 - x0)), -(y0 + ay * (y1 - y0))


def _pose(world: World, entity: int) -> tuple[float, float, float, float, float, float]:
    """Return the world matrix of an entity's Transform; the unit matrix if it has none."""
    a, b, c, d, x, y = 1.0, 0.0, 0.0, 1.0, 0.0, 0.0
    table = world.table(Transform)
    row = table.row_of(entity)
    for _ in range(_MAX_PARENTS):
        if row < 0:
            break
        px, py = table.column("position")[row].tolist()
        sx, sy = table.column("scale")[row].tolist()
        angle = float(table.column("rotation")[row])
        cos, sin = maths.cos(angle), maths.sin(angle)
        pa, pb, pc, pd = cos * sx, sin * sx, -sin * sy, cos * sy
        a, b, c, d, x, y = (
            pa * a + pc * b,
            pb * a + pd * b,
            pa * c + pc * d,
            pb * c + pd * d,
            pa * x + pc * y + px,
            pb * x + pd * y + py,
        )
        parent = int(table.column("parent")[row])
        row = table.row_of(parent) if parent else -1
    return a, b, c, d, x, y


def cell_of(world: World, entity: int, points: npt.ArrayLike) -> Array:
    """Return the column and row of the cell at each point (..., 2), int64 (..., 2), even outside the map."""
    a, b, c, d, x, y = map_matrix(world, entity)
    p = np.asarray(points, np.float64)
    area = a * d - b * c
    if not area:
        return np.zeros(p.shape, np.int64)
    dx, dy = p[..., 0] - x, p[..., 1] - y
    local = np.stack([(d * dx - c * dy) / area, (a * dy - b * dx) / area], axis=-1)
    return board_of(world, entity).map.grid.cells_at(local.reshape(-1, 2)).reshape(p.shape)


def cell_center(world: World, entity: int, cells: npt.ArrayLike) -> Array:
    """Return the middle of each cell (column, row; (..., 2)) in the world, float64 (..., 2)."""
    local = board_of(world, entity).map.grid.centers(np.asarray(cells, np.int64))
    a, b, c, d, x, y = map_matrix(world, entity)
    return np.stack([a * local[..., 0] + c * local[..., 1] + x, b * local[..., 0] + d * local[..., 1] + y], axis=-1)


def tiles_in(world: World, entity: int, layer: Layer, x: npt.ArrayLike, y: npt.ArrayLike) -> Array:
    """Return the numbers of the tiles in some cells, int64; 0 for empty cells and for cells outside the map.

    x, y: columns and rows. Raises UnknownName for a layer that the map lacks.
    """
    board = board_of(world, entity)
    cells, grid = board.cells[layer_of(board, layer)], board.map.grid
    spots = np.stack(np.broadcast_arrays(np.asarray(x, np.int64), np.asarray(y, np.int64)), axis=-1)
    inside = grid.inside(spots)
    tiles = np.zeros(inside.shape, np.int64)
    columns, rows = (spots[inside] - grid.first).T
    tiles[inside] = cells[rows, columns] & np.uint32(TILE)
    return tiles


def tile_at(world: World, entity: int, layer: Layer, points: npt.ArrayLike) -> Array:
    """Return the number of the tile at each point (..., 2) of the world, int64, 0 for none."""
    cells = cell_of(world, entity, points)
    return tiles_in(world, entity, layer, cells[..., 0], cells[..., 1])


def tile_number(world: World, entity: int, name: str) -> int:
    """Return the number of a tile by its name: a character of the legend, or its class in Tiled. Raises UnknownName."""
    tiles = board_of(world, entity).map.tiles
    tile = tiles.names.get(name)
    if tile is None:
        by_class = (number for number, has in tiles.properties.items() if has.get("class") == name)
        tile = next(by_class, None)
    if tile is None:
        names = [*tiles.names, *(str(has["class"]) for has in tiles.properties.values() if "class" in has)]
        raise UnknownName(f"no tile is called {name!r}", given=name, choices=dict.fromkeys(names))
    return tile


def tile_properties(world: World, entity: int, layer: Layer, x: npt.ArrayLike, y: npt.ArrayLike) -> Any:
    """Return the properties of the tiles in some cells, read-only: a mapping for one cell, a list of them for many."""
    properties = board_of(world, entity).map.tiles.properties
    numbers = tiles_in(world, entity, layer, x, y)
    if numbers.ndim == 0:
        return properties.get(int(numbers), {})
    return [properties.get(number, {}) for number in numbers.ravel().tolist()]


def map_objects(world: World, entity: int, layer: str | None = None) -> list[MapObject]:
    """Return the objects of a map, or of one of its layers, in the order of the file. Positions are in map space."""
    objects = board_of(world, entity).map.objects
    return [one for one in objects if layer is None or one.layer == layer]


def set_tiles(
    world: World, entity: int, layer: Layer, x: npt.ArrayLike, y: npt.ArrayLike, tile: npt.ArrayLike | str
) -> None:
    """Put tiles into cells, all in one call; only the blocks that contain them are built again.

    x, y: columns and rows. tile: numbers, 0 for empty, optionally with flip bits, or the name of one tile. Each is one
    value or many. If a cell is given twice, the last tile counts. Raises UsageError for cells outside the map and for
    tiles that it lacks, UnknownName for an unknown layer or name; in these cases no cell is changed.
    """
    board = board_of(world, entity)
    number = layer_of(board, layer)
    value = tile_number(world, entity, tile) if isinstance(tile, str) else tile
    columns, rows, cells = (np.ravel(part) for part in np.broadcast_arrays(*_whole(x, y, value)))
    grid = board.map.grid
    outside = ~grid.inside(np.stack([columns, rows], axis=-1))
    if outside.any():
        spot = int(columns[outside][0]), int(rows[outside][0])
        what = f"the cell {spot} is outside the map {board.asset!r}"
        ends = grid.first[0] + grid.columns - 1, grid.first[1] + grid.rows - 1
        raise UsageError(what, hint=f"It has the cells from {grid.first} to {ends}")
    strange = (cells < 0) | (cells > TILE | FLIPS) | ((cells & TILE) >= len(board.map.tiles))
    if strange.any():
        what = f"the map {board.asset!r} has no tile {int(cells[strange][0])}"
        raise UsageError(what, hint=f"Its tiles are numbered from 0 to {len(board.map.tiles) - 1}")
    if not len(columns):
        return
    fresh = np.where(cells & TILE, cells, 0).astype(np.uint32)
    edits = merged(board.edits, number, columns, rows, fresh)
    world.set(entity, TileMap(edits=edits))  # pyright: ignore[reportArgumentType]
    board.write(number, columns, rows, fresh)
    board.edits = edits


def _whole(*values: npt.ArrayLike) -> list[Array]:
    """Return whole numbers as int64 arrays. Raises UsageError for other types."""
    arrays: list[Array] = []
    for value in values:
        array = np.asarray(value)
        if array.dtype.kind not in "iu" and array.size:
            raise UsageError(f"cells and tiles are whole numbers, not {array.dtype}")
        arrays.append(array.astype(np.int64))
    return arrays


def merged(edits: Array, layer: int, columns: Array, rows: Array, cells: Array) -> Array:
    """Return `edits` with more edits, int32 (n, 4), sorted by layer, row, column; the newest edit of a cell wins.

    The order does not depend on the order of the calls, so equal maps have equal hashes. The time grows with the number
    of edits; the old ones are not sorted again.
    """
    keys = _keys(layer, columns, rows)
    order = np.argsort(keys, kind="stable")
    last = np.concatenate([keys[order][1:] != keys[order][:-1], [True]])
    order = order[last]
    columns_of = (np.full(len(order), layer), rows[order], columns[order], cells[order].view(np.int32))
    fresh = np.stack(columns_of, axis=1).astype(np.int32)
    keys = keys[order]
    edited = _keys(edits[:, 0].astype(np.int64), edits[:, 2].astype(np.int64), edits[:, 1].astype(np.int64))
    at = np.searchsorted(edited, keys)
    same = edited[np.minimum(at, len(edited) - 1)] == keys if len(edited) else np.zeros(len(keys), np.bool_)
    out = edits.copy()
    out[at[same]] = fresh[same]
    return np.insert(out, at[~same], fresh[~same], axis=0)


def _keys(layer: Any, columns: Array, rows: Array) -> Array:
    """Return numbers that sort like layer, row, column; row and column may be negative."""
    return (np.int64(1) * layer << 50) + ((rows + (1 << 24)) << 25) + (columns + (1 << 24))
