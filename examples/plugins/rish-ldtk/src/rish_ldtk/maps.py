"""Makes the map of a level for the renderer's `TileMap`: a layer of cells for each layer of LDtk, and for collision."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rish_frame.frame import CELL_MIRRORED_X, CELL_MIRRORED_Y
from rish_jit import Array
from rish_render.tiles import GameMap, Grid, MapLayer, Tiles

from .model import LayerInstance, Level, Project, TilesetDef

GRID = ".grid"
"""The end of the name of the layer that has the values of an IntGrid; it is not drawn, and may block."""


@dataclass(frozen=True)
class Blocking:
    """Which IntGrid values block, by identifier or number as text. Without names, all values are solid."""

    solid: Collection[str] = ()
    one_way: Collection[str] = ()

    def properties(self, number: int, name: str) -> dict[str, Any]:
        """Return the properties of a value's tile."""
        names = {name.lower(), str(number)}
        if names & {each.lower() for each in self.one_way}:
            return {"one_way": True, "material": name}
        anything = not self.solid and not self.one_way
        return {"solid": True, "material": name} if anything or names & {each.lower() for each in self.solid} else {}


def level_map(project: Project, level: Level, blocking: Blocking, shown: Collection[str] = ()) -> GameMap:
    """Return the map of a level. shown: the names of the game's layers.

    Its cells have the size of the finest layer; coarser layers leave cells empty.
    """
    layers = [layer for layer in level.layers if layer.kind != "Entities"]
    cell = min((layer.grid for layer in layers), default=16)
    grid = Grid(width=cell, height=cell, columns=-(-level.width // cell), rows=-(-level.height // cell))
    game_map = GameMap(grid, Tiles())
    firsts = {uid: _add_tiles(game_map.tiles, tileset, cell) for uid, tileset in project.tilesets.items()}
    for layer in layers:
        if layer.numbers.size:
            game_map.layers.append(_number_layer(game_map.tiles, layer, grid, blocking))
        if layer.tileset in firsts:
            game_map.layers += _tile_layers(layer, grid, firsts[layer.tileset], project.tilesets[layer.tileset], shown)
    return game_map


def not_drawn(project: Project, level: Level) -> list[str]:
    """Return a sentence for each layer of a level that is not drawn completely, with the reason and the place."""
    sentences: list[str] = []
    for layer in level.layers:
        tileset = project.tilesets.get(layer.tileset) if layer.tileset is not None else None
        where = f"{project.file}:{level.line}: the layer {layer.name!r} of the level {level.name!r}"
        count = len(layer.tiles)
        if count and tileset is None:
            sentences.append(f"{where} has {count} tiles of no tileset, which are not drawn. Choose its tileset again")
        elif count and tileset is not None and not tileset.image:
            name = tileset.name
            sentence = f"{where} uses the tileset {name!r}, which has no image in the project, so it is not drawn"
            sentences.append(f"{sentence}. Choose an image of your own instead of the icons of LDtk")
        elif count and tileset is not None:
            strange = int((~_of_tileset(layer, tileset)).sum())
            if strange:
                sentence = f"{where} has {strange} tiles that the tileset {tileset.name!r} lacks, which are not drawn"
                sentences.append(f"{sentence}. Save the project again with this image")
        if layer.scales and layer.parallax != (1.0, 1.0):
            sentence = f"{where} is drawn with its parallax, but at its own size"
            sentences.append(f"{sentence}. Switch its parallax scaling off to see the same in LDtk")
    return sentences


def _of_tileset(layer: LayerInstance, tileset: TilesetDef) -> Array:
    """Return which tiles of a layer the tileset has, bool (n,)."""
    return (layer.tiles[:, 2] >= 0) & (layer.tiles[:, 2] < tileset.columns * tileset.rows)


def _add_tiles(tiles: Tiles, tileset: TilesetDef, cell: int) -> int:
    """Add the tiles of an image; return the number of its first tile."""
    first, count = len(tiles), tileset.columns * tileset.rows
    across = np.arange(count) % max(tileset.columns, 1)
    down = np.arange(count) // max(tileset.columns, 1)
    step = tileset.size + tileset.spacing
    region = np.zeros((count, 4), np.int32)
    region[:, 0], region[:, 1] = tileset.padding + across * step, tileset.padding + down * step
    region[:, 2:] = tileset.size
    size = np.full((count, 2), tileset.size, np.float32)
    # The top left corners of tile and cell meet, and the renderer counts from the bottom left.
    offset = np.tile(np.array([(0, cell - tileset.size)], np.float32), (count, 1))
    if tileset.image not in tiles.images:
        tiles.images.append(tileset.image)
    image = np.full(count, tiles.images.index(tileset.image) if tileset.image else -1, np.int32)
    tiles.extend(first, image, region, size, offset)
    for number in sorted({*tileset.tags, *tileset.data}):
        if 0 <= number < count:
            tags = {tag.lower(): True for tag in tileset.tags.get(number, ())}
            tiles.properties[first + number] = {**tags, **tileset.data.get(number, {})}
    return first


def _number_layer(tiles: Tiles, layer: LayerInstance, grid: Grid, blocking: Blocking) -> MapLayer:
    """Return the layer with the values of an IntGrid, each as a tile without an image."""
    present = [int(number) for number in np.unique(layer.numbers) if number]
    first = len(tiles)
    blank = np.zeros((len(present), 4))
    tiles.extend(first, np.full(len(present), -1), blank, blank[:, :2], blank[:, :2])
    lookup: Mapping[int, int] = {number: first + k for k, number in enumerate(present)}
    for number, tile in lookup.items():
        name = layer.values.get(number, "")
        tiles.properties[tile] = blocking.properties(number, name)
        if name:
            tiles.names.setdefault(name, tile)
    cells = np.zeros((grid.rows, grid.columns), np.uint32)
    scale = layer.grid // grid.width if layer.grid % grid.width == 0 else 1
    coarse = np.zeros(layer.numbers.shape, np.uint32)
    for number, tile in lookup.items():
        coarse[layer.numbers == number] = tile
    fine = np.repeat(np.repeat(coarse, scale, axis=0), scale, axis=1)[: grid.rows, : grid.columns]
    cells[: fine.shape[0], : fine.shape[1]] = fine
    return MapLayer(f"{layer.name}{GRID}", cells, offset=(layer.offset[0], -layer.offset[1]))


def _tile_layers(
    layer: LayerInstance, grid: Grid, first: int, tileset: TilesetDef, shown: Collection[str]
) -> list[MapLayer]:
    """Return the layers of a layer's tiles: one more for tiles above others, each shift from the grid, each opacity."""
    layers: list[MapLayer] = []
    options = {"layer": layer.name} if layer.name in shown else {}
    inside = _of_tileset(layer, tileset)
    tiles = layer.tiles[inside]
    wide, high = layer.columns * layer.grid, layer.rows * layer.grid
    # LDtk measures the parallax from the level's corner if the layer is scaled too, and from the layer's middle if not.
    origin = (0.0, 0.0) if layer.scales else (wide / 2, -high / 2)
    groups = np.column_stack([tiles[:, :2] % grid.width, -layer.alphas[inside]])
    for group in np.unique(groups, axis=0):
        group_tiles, shift = tiles[(groups == group).all(axis=1)], group[:2].astype(np.int64)
        column, row = (group_tiles[:, :2] // grid.width).T
        on_map = (column >= 0) & (row >= 0) & (column < grid.columns) & (row < grid.rows)
        group_tiles, column, row = group_tiles[on_map], column[on_map], row[on_map]
        cell_index = row * grid.columns + column
        rank = _rank(cell_index)
        cell = (first + group_tiles[:, 2]).astype(np.uint32)
        cell |= np.where(group_tiles[:, 3] & 1, CELL_MIRRORED_X, 0).astype(np.uint32)
        cell |= np.where(group_tiles[:, 3] & 2, CELL_MIRRORED_Y, 0).astype(np.uint32)
        for k in range(int(rank.max(initial=-1)) + 1):
            cells = np.zeros(grid.rows * grid.columns, np.uint32)
            cells[cell_index[rank == k]] = cell[rank == k]
            offset = layer.offset[0] + int(shift[0]), -layer.offset[1] - int(shift[1])
            name = layer.name if not layers else f"{layer.name}.{len(layers) + 1}"
            layers.append(
                MapLayer(
                    name, cells.reshape(grid.rows, grid.columns), offset, opacity=layer.opacity * -float(group[2]),
                    visible=layer.visible, parallax=layer.parallax, properties=options, origin=origin,
                )
            )  # fmt: skip
    return layers


def _rank(cells: Array) -> Array:
    """Return for each cell how often it occurred before, int64 (n,)."""
    order = np.argsort(cells, kind="stable")
    ordered = cells[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])) if len(ordered) else np.zeros(0, np.int64)
    counts = np.diff(np.append(starts, len(ordered)))
    rank = np.zeros(len(cells), np.int64)
    rank[order] = np.arange(len(cells)) - np.repeat(starts, counts)
    return rank
