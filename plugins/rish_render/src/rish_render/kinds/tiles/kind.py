"""The kind of tile maps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rish_jit import Array

from ...drawables.kind import DrawableKind
from ...tiles.access import shift_of
from ...tiles.boards import TileMaps
from ...tiles.component import TileMap

if TYPE_CHECKING:
    from rish_ecs import World
    from rish_frame import Hits

    from ...drawables.drawables import Things
    from ...drawables.extraction import Extraction
    from ...drawables.pick_scene import PickScene


class Maps(DrawableKind):
    """Tile maps, layer by layer; animated tiles look different in each frame."""

    component = TileMap

    def extract(self, scene: Extraction) -> Sequence[Things]:
        """Return the layers of maps that a view shows."""
        from .extract import extract_tiles

        return extract_tiles(scene)

    def pick(self, scene: PickScene) -> list[Hits]:
        """Return the maps that have a tile where a region touches them, once for each of the game's layers."""
        from .picking import pick_maps

        return pick_maps(scene)

    def boxes(self, world: World, rows: Array) -> Array:
        """Return the boxes around the grids of maps; NaN for maps without cells."""
        table = world.table(TileMap)
        box = np.full((len(rows), 4), np.nan)
        for k, row in enumerate(rows.tolist()):
            board = world[TileMaps].board(world, int(table.entities[row]))
            if board.map.grid.columns and board.map.grid.rows:
                dx, dy = shift_of(board, table.column("anchor")[row].tolist())
                box[k] = np.add(board.map.grid.box, (dx, dy, dx, dy))
        return box
