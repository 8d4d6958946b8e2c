"""The content of an LDtk project, as far as it is used. Pixels, y down, as in the file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rish_jit import Array


@dataclass(frozen=True)
class TilesetDef:
    """An image of tiles. image: its asset path, "" for an atlas that is part of LDtk. tags: by tile, its enum tags.

    data: by tile, the values of its custom data, if that is a JSON mapping.
    """

    uid: int
    name: str
    image: str
    size: int
    spacing: int
    padding: int
    width: int
    height: int
    tags: Mapping[int, tuple[str, ...]]
    data: Mapping[int, Mapping[str, Any]]

    @property
    def columns(self) -> int:
        """The number of tiles in a row of the image. LDtk also counts a tile that the image cuts off."""
        return max(-(-(self.width - 2 * self.padding) // (self.size + self.spacing)), 0)

    @property
    def rows(self) -> int:
        """The number of rows of tiles."""
        return max(-(-(self.height - 2 * self.padding) // (self.size + self.spacing)), 0)


@dataclass(frozen=True)
class LayerInstance:
    """A layer of a level. kind: IntGrid, Entities, Tiles or AutoLayer. grid: pixels of a cell.

    numbers: int64 (rows, columns) of an IntGrid, otherwise empty. values: the identifiers of its numbers, "" for none.
    tiles: int64 (n, 4): x, y, tile, flips (1: x, 2: y), in drawing order. alphas: float64 n, the opacity of each.
    scales: whether LDtk also draws the layer smaller or larger by its parallax.
    """

    name: str
    kind: str
    grid: int
    columns: int
    rows: int
    offset: tuple[int, int]
    opacity: float
    visible: bool
    parallax: tuple[float, float]
    scales: bool
    tileset: int | None
    numbers: Array
    values: Mapping[int, str]
    tiles: Array
    alphas: Array


@dataclass(frozen=True)
class EntityInstance:
    """An entity of a level. x, y: of its middle, pixels from the top left of the level. line: in the file.

    fields: its fields by identifier, each with its LDtk type, such as `Int` or `Array<Point>`, and value. grid: pixels
    of a cell of its layer, in which points count.
    """

    name: str
    iid: str
    x: float
    y: float
    width: float
    height: float
    layer: str
    grid: int
    fields: Mapping[str, tuple[str, Any]]
    line: int


@dataclass(frozen=True)
class Background:
    """The picture behind a level. place: of its top left corner. crop: x, y, width, height in the picture, pixels."""

    image: str
    place: tuple[float, float]
    scale: tuple[float, float]
    crop: tuple[float, float, float, float]


@dataclass(frozen=True)
class Level:
    """A level. x, y: of its top left corner, see `Project`. world: the identifier of its world, "" if there is one.

    layers: the lowest first. line: in the file.

    neighbors: pairs of a direction (n s e w, nw ne sw se, < > for depth, o for overlap) and the iid of a level.
    fields: of the level itself, as for entities.
    """

    name: str
    iid: str
    world: str
    x: int
    y: int
    depth: int
    width: int
    height: int
    color: str
    background: Background | None
    layers: tuple[LayerInstance, ...]
    entities: tuple[EntityInstance, ...]
    neighbors: tuple[tuple[str, str], ...]
    fields: Mapping[str, tuple[str, Any]]
    line: int


@dataclass(frozen=True)
class Project:
    """A project. file: its asset path. worlds: the identifiers of its worlds, none if it has a single one.

    The levels of GridVania and Free layouts have the places that the file gives them. Those of linear layouts, which
    have none there, follow one another without a gap. Worlds lie side by side, from left to right. sources: all files
    that it was read from, as asset paths.
    """

    file: str
    worlds: tuple[str, ...]
    levels: tuple[Level, ...]
    tilesets: Mapping[int, TilesetDef]
    sources: tuple[str, ...] = field(default=(), compare=False)

    def level(self, name: str) -> Level | None:
        """Return a level by its identifier or iid, or None."""
        return next((level for level in self.levels if name in (level.name, level.iid)), None)


def bounds_of(levels: Sequence[Level]) -> tuple[int, int, int, int]:
    """Return the box around some levels: left, top, right, bottom."""
    if not levels:
        return 0, 0, 0, 0
    boxes = np.array([(level.x, level.y, level.x + level.width, level.y + level.height) for level in levels])
    left, top = boxes[:, :2].min(axis=0).tolist()
    right, bottom = boxes[:, 2:].max(axis=0).tolist()
    return left, top, right, bottom
