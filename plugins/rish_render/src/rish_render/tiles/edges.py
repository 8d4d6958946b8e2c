"""What blocks in a map, published as `Edges` for whoever cares: physics, light, particles, eyes.

A tile blocks as a whole where its property `solid` is true, from above where `one_way` is, and in the forms of Tiled's
collision editor where it has any; `material` and `mask` go along. Each map is a source of its own, `tiles.ENTITY`,
published when the map or its place changes. Nothing here loads a picture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core.common.edges import Edges, EdgeVersions, publish_edges
from rish_core.common.transform import Transform
from rish_core.ecs.component import Each
from rish_core.ecs.system import Stage, system

from .access import map_matrix
from .boards import Board, TileMaps
from .component import TileMap
from .model import Array, Tiles
from .outlines import UNIT, map_sides, merge_sides

if TYPE_CHECKING:
    from rish_core.ecs.world import World

_PREFIX = "tiles."
Meaning = tuple[str, int]
"""Material and mask of an edge."""


@system(Stage.PRE, reads=(TileMap, Transform), writes=(Edges, EdgeVersions, TileMaps))
def publish_map_edges(world: World, dt: float) -> None:
    """Publish the edges of maps that changed or moved; take back those of maps that are gone."""
    memory = world[TileMaps]
    table, tree = world.table(TileMap), world.table(Transform)
    stamp = (table.version, table.membership, tree.version, tree.membership, memory.version)
    if memory.stamp == stamp:
        return
    published = set(memory.edges) if memory.stamp is not None else _published(world)
    memory.stamp = stamp
    present: set[int] = set()
    for entity in world.query(TileMap, Transform).entities.tolist():
        row = table.row_of(entity)
        board = memory.board(world, entity)
        if not table.column("solid")[row] or not blocking(board.map.tiles)[1]:
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
    """The entities of which some edges are published."""
    edges = world[Edges]
    texts = np.unique(edges.column("source")).tolist() if len(edges) else []
    names = [world.text(int(number)) for number in texts]
    return {int(name.removeprefix(_PREFIX)) for name in names if name.startswith(_PREFIX)}


def _publish(world: World, entity: int, columns: dict[str, Any]) -> None:
    """Replace an entity's edges, unless they are the same: then nobody needs to look again."""
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
    """The columns of a map's edges in the world: x0 y0 x1 y1 mask material; nothing where nothing blocks.

    matrix: from the map's own space to the world, see `map_matrix`. shown: names of the layers that count; all if none.
    """
    kinds, meanings = blocking(board.map.tiles)
    levels: dict[tuple[float, float], list[Array]] = {}
    for layer, cells in zip(board.map.layers, board.cells, strict=True):
        if not shown or layer.name in shown:
            levels.setdefault(layer.offset, []).append(cells)
    parts = [map_sides(board.map.grid, board.map.tiles, cells, kinds, offset) for offset, cells in levels.items()]
    if not parts:
        return {}
    ends, kind = merge_sides(np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts]))
    if not len(ends):
        return {}
    a, b, c, d, tx, ty = matrix
    if a * d - b * c < 0:
        ends = ends[:, [2, 3, 0, 1]]
    x, y = ends[:, ::2] / UNIT, ends[:, 1::2] / UNIT
    wx, wy = (a * x + c * y + tx).astype(np.float32), (b * x + d * y + ty).astype(np.float32)
    chosen = [meanings[number - 1] for number in kind.tolist()]
    return {
        "x0": wx[:, 0],
        "y0": wy[:, 0],
        "x1": wx[:, 1],
        "y1": wy[:, 1],
        "mask": np.array([mask for _, mask in chosen], np.int32),
        "material": Each([material for material, _ in chosen]),
    }


def blocking(tiles: Tiles) -> tuple[Array, list[Meaning]]:
    """int64 by tile, 0 for what lets everything through, else the number of its meaning from 1; and the meanings."""
    kinds = np.zeros(len(tiles), np.int64)
    meanings: dict[Meaning, int] = {}
    for number in sorted({*tiles.properties, *tiles.shapes}):
        has = tiles.properties.get(number, {})
        if has.get("solid") is not True and has.get("one_way") is not True and number not in tiles.shapes:
            continue
        if has.get("solid") is False and has.get("one_way") is not True:
            continue
        mask = has.get("mask", 1)
        meaning = (str(has.get("material", "")), mask if isinstance(mask, int) and 0 <= mask < 2**31 else 1)
        kinds[number] = meanings.setdefault(meaning, len(meanings) + 1)
    return kinds, list(meanings)
