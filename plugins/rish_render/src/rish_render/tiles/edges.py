"""Publishes the blocking parts of maps as `Edges` for other plugins: physics, light, particles, visibility.

A tile blocks with its full cell if its property `solid` is true, only from above if `one_way` is, and with the shapes
of Tiled's collision editor if it has any; `material` and `mask` are passed on. Each map is a source of its own,
`tiles.ENTITY`, published when the map or its position changes. No image is loaded for this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Edges, Transform, publish_edges
from rish_ecs import Each, Stage, system
from rish_ecs.declarations import distinct
from rish_jit import Array

from .access import map_matrix
from .boards import PATCH, Board, TileMaps
from .component import TileMap
from .outlines import UNIT, Blocking, map_sides, merge_sides

if TYPE_CHECKING:
    from rish_ecs import World

_PREFIX = "tiles."


@system(Stage.PRE, reads=(TileMap, Transform), writes=(Edges, TileMaps), derive=True, marks=True)
def publish_map_edges(world: World, dt: float) -> None:
    """Publish the edges of maps that changed or moved, and remove those of maps that no longer exist."""
    memory = world[TileMaps]
    changed = memory.shown.changed(world)
    if memory.edges is None:
        published, memory.edges = _published(world), {}
    elif changed or (memory.edges and memory.places.changed(world)):  # without edges the positions do not matter
        published = set(memory.edges)
    else:
        return
    table, present = world.table(TileMap), set[int]()
    if not table.used and not published:
        return
    for entity in world.query(TileMap, Transform).entities.tolist():
        row = table.row_of(entity)
        board = memory.board(world, entity)
        if not table.column("solid")[row] or not blocking_of(board).meanings:
            continue
        present.add(entity)
        shown: tuple[str, ...] = table.read_row("shown", row)
        matrix = map_matrix(world, entity)
        now = (id(board), board.revision, matrix, shown)
        if memory.edges.get(entity) != now:
            memory.edges[entity] = now
            _publish(world, entity, map_edges(board, matrix, shown))
    for entity in published - present:
        memory.edges.pop(entity, None)
        _publish(world, entity, {})


def _published(world: World) -> set[int]:
    """Return the entities whose edges are published."""
    edges = world[Edges]
    texts = distinct(edges.column("source")).tolist() if len(edges) else []
    names = [world.text(int(number)) for number in texts]
    return {int(name.removeprefix(_PREFIX)) for name in names if name.startswith(_PREFIX)}


def _publish(world: World, entity: int, columns: dict[str, Any]) -> None:
    """Replace an entity's edges. Equal edges are not published again, so that readers need not update."""
    source = f"{_PREFIX}{entity}"
    edges = world[Edges]
    rows = np.flatnonzero(edges.column("source") == world.intern(source)) if len(edges) else np.zeros(0, np.int64)
    if len(rows) == len(columns.get("x0", ())) and all(
        np.array_equal(edges.column(name)[rows], _as_stored(world, value)) for name, value in columns.items()
    ):
        return
    publish_edges(world, source, **columns, **({"owner": entity} if columns else {}))


def _as_stored(world: World, value: Any) -> Any:
    return np.array([world.intern(text) for text in value.values]) if isinstance(value, Each) else value


def map_edges(board: Board, matrix: tuple[float, ...], shown: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the columns of a map's edges in the world: x0 y0 x1 y1 mask material; empty if nothing blocks.

    matrix: from the map's own space to the world, see `map_matrix`. shown: names of the layers that count; all if
    empty.
    """
    blocking = blocking_of(board)
    ends, kind = merge_sides(*_all_sides(board, blocking, shown))
    if not len(ends):
        return {}
    a, b, c, d, tx, ty = matrix
    if a * d - b * c < 0:
        ends = ends[:, [2, 3, 0, 1]]
    x, y = ends[:, ::2] / UNIT, ends[:, 1::2] / UNIT
    wx, wy = (a * x + c * y + tx).astype(np.float32), (b * x + d * y + ty).astype(np.float32)
    chosen = [blocking.meanings[number - 1] for number in kind.tolist()]
    return {
        "x0": wx[:, 0],
        "y0": wy[:, 0],
        "x1": wx[:, 1],
        "y1": wy[:, 1],
        "mask": np.array([mask for _, mask in chosen], np.int32),
        "material": Each([material for material, _ in chosen]),
    }


def blocking_of(board: Board) -> Blocking:
    """Return the blocking tiles of a board; the same object at each call."""
    blocking: Blocking | None = board.cache.get("blocking")
    if blocking is None:
        blocking = board.cache["blocking"] = Blocking(board.map.tiles)
    return blocking


def _all_sides(board: Board, blocking: Blocking, shown: tuple[str, ...]) -> tuple[Array, Array]:
    """Return the sides of all patches, merged within each; recomputes only patches with a change in or next to them."""
    levels: dict[tuple[float, float], list[Array]] = {}
    for layer, cells in zip(board.map.layers, board.cells, strict=True):
        if not shown or layer.name in shown:
            levels.setdefault(layer.offset, []).append(cells)
    grid = board.map.grid
    cache: dict[Any, tuple[bytes, tuple[Array, Array]]] = board.cache.setdefault(("sides", shown), {})
    around = np.pad(board.patches, 1)
    parts = [(np.zeros((0, 4), np.int64), np.zeros(0, np.int64))]
    for row, column in np.ndindex(*board.patches.shape):
        edits = around[row : row + 3, column : column + 3].tobytes()
        if (row, column) not in cache or cache[row, column][0] != edits:
            r0, c0 = row * PATCH, column * PATCH
            part = (r0, min(r0 + PATCH, grid.rows), c0, min(c0 + PATCH, grid.columns))
            sides = [map_sides(grid, layers, blocking, offset, part) for offset, layers in levels.items()]
            cache[row, column] = (edits, merge_sides(*_joined(sides)) if sides else parts[0])
        parts.append(cache[row, column][1])
    return _joined(parts)


def _joined(parts: list[tuple[Array, Array]]) -> tuple[Array, Array]:
    return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
