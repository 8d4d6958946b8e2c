"""Boards: the current maps of a World, that is the cells of the file with the game's edits applied.

All data here can be rebuilt from the assets and from `TileMap.edits`, so the resource is derived. A board counts for
each patch of cells how often it was changed (`stamps`); drawing and collision use that to find the parts to redo.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_assets import AssetLibrary, LogOnce
from rish_core import Transform
from rish_ecs import Inputs, Rows, resource
from rish_ecs.declarations import distinct
from rish_jit import Array

from .component import TileMap
from .loaders import map_of
from .model import TILE, GameMap, empty_map

if TYPE_CHECKING:
    from rish_ecs import World

BLOCK = 256
"""Most cells along a side of a block, the unit of redrawing. Large, so that a large visible map needs few blocks."""
PATCH = 64
"""Cells along a side of a patch, the unit in which changes are counted and collision is recomputed."""
_NO_EDITS: Array = np.zeros((0, 4), np.int32)


@dataclass(eq=False)
class Board:
    """One entity's map.

    cells: uint32 (rows, columns) by layer; the asset's own arrays until a layer is edited. edits: int32 (n, 4), the
    edits that are applied to the cells. stamps: int64 (down, across) by layer, how often each patch changed. revision:
    rises with every change of any layer. revisions: the same by layer. patches: int64 (down, across), like `stamps` for
    all layers together. seen: see `used`. inputs: the components that the edits are from. cache: data that other
    modules compute from the cells, by name.
    """

    asset: str
    map: GameMap
    cells: list[Array] = field(default_factory=list[Array])
    edits: Array = field(default_factory=lambda: _NO_EDITS)
    stamps: list[Array] = field(default_factory=list[Array])
    revision: int = 0
    revisions: list[int] = field(default_factory=list[int])
    patches: Array = field(default_factory=lambda: np.zeros((0, 0), np.int64))
    seen: dict[int, Array] = field(default_factory=dict[int, Array])
    inputs: Inputs = field(default_factory=lambda: Inputs((TileMap,)))
    cache: dict[Any, Any] = field(default_factory=dict[Any, Any])

    def __post_init__(self) -> None:
        grid = self.map.grid
        self.cells = [layer.cells for layer in self.map.layers]
        self.patches = np.zeros((-(-grid.rows // PATCH), -(-grid.columns // PATCH)), np.int64)
        self.revisions = [0] * len(self.cells)
        self.stamps = [np.zeros((-(-grid.rows // PATCH), -(-grid.columns // PATCH)), np.int64) for _ in self.cells]

    @property
    def drawn(self) -> bool:
        """Whether there is anything to draw."""
        return bool(self.cells or self.map.pictures)

    def write(self, layer: int, columns: Array, rows: Array, cells: Array) -> None:
        """Write cells (int (n,) within the map, uint32 (n,)) into a layer."""
        if self.cells[layer] is self.map.layers[layer].cells:
            self.cells[layer] = self.map.layers[layer].cells.copy()
        first = self.map.grid.first
        across, down = columns - first[0], rows - first[1]
        self.cells[layer][down, across] = cells
        if layer in self.seen:
            self.seen[layer] = self.seen[layer].copy()
            self.seen[layer][cells & np.uint32(TILE)] = True
        self.stamps[layer][down // PATCH, across // PATCH] += 1
        self.patches[down // PATCH, across // PATCH] += 1
        self.revisions[layer] += 1
        self.revision += 1

    def used(self, layer: int) -> Array:
        """Return bool by tile: the tiles that the layer holds, or held since the first call."""
        if layer not in self.seen:
            count = len(self.map.tiles)
            numbers = (self.cells[layer] & np.uint32(TILE)).ravel()
            self.seen[layer] = np.bincount(numbers, minlength=count)[:count] > 0
        return self.seen[layer]

    def apply(self, edits: Array) -> None:
        """Set the cells to those of the asset's map with exactly these edits."""
        if len(self.edits):
            self.cells = [layer.cells for layer in self.map.layers]
            self.seen.clear()
            self.patches += 1
            for stamps in self.stamps:
                stamps += 1
            self.revisions = [count + 1 for count in self.revisions]
            self.revision += 1
        inside = self.map.grid.inside(edits[:, 2:0:-1]) & (edits[:, 0] >= 0) & (edits[:, 0] < len(self.cells))
        some = edits[inside]
        for layer in distinct(some[:, 0]).tolist():
            row = some[some[:, 0] == layer]
            self.write(layer, row[:, 2], row[:, 1], row[:, 3].view(np.uint32))
        self.edits = edits


@resource(derived=True)
class TileMaps:
    """The maps of a World.

    library: the maps by asset. boards: by entity. log: logs problems, once. edges: by entity, the state at which its
    edges were published last; None if that is not known, as after a restore. shown, places: what the edges depend on.
    """

    boards: dict[int, Board] = field(default_factory=dict[int, Board])
    edges: dict[int, Any] | None = None

    def __post_init__(self) -> None:
        """Make the library of maps."""
        self.log = LogOnce("rish.tiles")
        self.library = AssetLibrary("map", map_of, placeholder=empty_map, log="rish.tiles", on_change=self._changed)
        self._empty = empty_map()
        self.shown, self.places = Inputs((TileMap, Rows(Transform), self.library)), Inputs((Transform,))

    @property
    def version(self) -> int:
        """A number that rises when a map changes."""
        return self.library.version

    def rebuild(self, world: World) -> None:
        """Check all boards again, and what is published: after a restore, entities may show other maps."""
        for board in self.boards.values():
            board.inputs.forget()
        self.edges = None

    def board(self, world: World, entity: int) -> Board:
        """Return the board of an entity. Raises StaleEntity, and UnknownName if the entity has no TileMap."""
        table, row = world.locate(entity, TileMap)
        board = self.boards.get(entity)
        if board is not None and not board.inputs.changed(world):
            return board
        asset = world.text(int(table.column("map")[row]))
        edits: Array = table.read_row("edits", row)
        if board is None or board.asset != asset:
            self._prune(world, len(table))
            board = self.boards[entity] = Board(asset, self.map(world, asset))
            board.inputs.changed(world)
        if not np.array_equal(board.edits, edits):
            board.apply(edits)
        return board

    def map(self, world: World, asset: str) -> GameMap:
        """Return the map of an asset; an empty one if it can't be read, which is logged."""
        return self.library.get(world, asset) if asset else self._empty

    def _changed(self, asset: str) -> None:
        """Drop the boards of a map, so that they are made of the new one at the next use."""
        for entity in [entity for entity, board in self.boards.items() if board.asset == asset]:
            del self.boards[entity]

    def _prune(self, world: World, count: int) -> None:
        """Drop the boards of deleted entities if there are many more boards than maps."""
        if len(self.boards) > 2 * count + 8:
            gone = [entity for entity in self.boards if not world.alive(entity) or not world.has(entity, TileMap)]
            for entity in gone:
                del self.boards[entity]


def add_map(world: World, name: str, map_: GameMap) -> None:
    """Give a map a name, which `TileMap.map` of entities may be; it replaces a map of the same name.

    For importers whose maps are not one file each. Image paths are those of assets. Call it in `rish_ready`, because
    maps are not state: a restored World looks them up by their names.
    """
    map_.tiles.home = name
    world[TileMaps].library.put(name, map_)
