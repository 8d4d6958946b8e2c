"""The contents of a map file in arrays, independent of the file format.

A `GameMap` is an asset: it never changes. Cells are uint32: 0 for empty, otherwise the number of a tile in the low 28
bits and its flips in the bits that Tiled and the kind `tiles` use. The look and the meaning of the tiles are stored in
`Tiles`, one row a number. No image needs to be loaded, so a server can use a map too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rish_frame.frame import CELL_MIRRORED_X, CELL_MIRRORED_Y, CELL_TRANSPOSED, Blend
from rish_jit import Array, maths

from .grid import Grid

Properties = dict[str, Any]
Box = tuple[float, float, float, float]
"""Least x, least y, greatest x, greatest y."""
Matrix = tuple[float, float, float, float, float, float]
"""a b c d tx ty: x' = a·x + c·y + tx and y' = b·x + d·y + ty."""

TILE = 0x0FFFFFFF
"""The bits of a cell that hold the number of its tile."""
ROTATED_120 = 1 << 28
"""In hexagonal maps: rotated by 120 degrees clockwise. CELL_TRANSPOSED means 60 degrees there."""
FLIPS = CELL_TRANSPOSED | CELL_MIRRORED_X | CELL_MIRRORED_Y | ROTATED_120
MAX_CELLS = 1 << 24
"""The most cells of a layer: 4096 by 4096."""
MAX_TOTAL = 1 << 26
"""The most cells of all layers together."""
MAX_TILES = 1 << 18
"""The most tiles that a map can choose from."""


@dataclass
class Animation:
    """The animation of a tile. frames: int64 n, tile numbers. ends: float64 n, the end of each frame, seconds."""

    frames: Array
    ends: Array

    def at(self, time: float) -> tuple[int, float]:
        """Return the tile that shows at a time in seconds, and the time at which the next one follows."""
        period = float(self.ends[-1])
        turns = np.floor(time / period)
        index = min(int(np.searchsorted(self.ends, time - turns * period, side="right")), len(self.ends) - 1)
        return int(self.frames[index]), float(turns * period + self.ends[index])


@dataclass
class Tiles:
    """The tiles by number, one row a tile; row 0 is the empty cell.

    images: asset paths of images. image: int32 n, index into `images`, -1 for none. region: int32 (n, 4), x y w h
    within the image, w 0 for all of it. size: float32 (n, 2), drawn width and height, pixels; 0 for those of a cell.
    cover: float32 (n, 2), the part of this size that the picture covers, in its middle. offset: float32 (n, 2), from
    its cell's position, y up. properties, shapes, animations: by number, for the few tiles that have any. A shape
    is float64 (k, 2), corners relative to the tile's bottom left, counter-clockwise. names: numbers of the tiles that
    have a name. clear: by index into `images`, the color that counts as transparent, red green blue. home: the asset
    that the image paths are relative to, for files of the engine's own format.
    """

    images: list[str] = field(default_factory=list[str])
    image: Array = field(default_factory=lambda: np.full(1, -1, np.int32))
    region: Array = field(default_factory=lambda: np.zeros((1, 4), np.int32))
    size: Array = field(default_factory=lambda: np.zeros((1, 2), np.float32))
    cover: Array = field(default_factory=lambda: np.ones((1, 2), np.float32))
    offset: Array = field(default_factory=lambda: np.zeros((1, 2), np.float32))
    properties: dict[int, Properties] = field(default_factory=dict[int, Properties])
    shapes: dict[int, list[Array]] = field(default_factory=dict[int, list[Array]])
    animations: dict[int, Animation] = field(default_factory=dict[int, Animation])
    names: dict[str, int] = field(default_factory=dict[str, int])
    clear: dict[int, tuple[int, int, int]] = field(default_factory=dict[int, tuple[int, int, int]])
    home: str = ""

    def __len__(self) -> int:
        return len(self.image)

    def extend(
        self, first: int, image: Array, region: Array, size: Array, offset: Array, cover: Array | None = None
    ) -> None:
        """Add rows at the numbers from `first` on; skipped numbers between become empty tiles."""
        gap = first - len(self)
        if gap < 0:
            raise ValueError(f"two tilesets claim the tile {first}")
        self.image = np.concatenate([self.image, np.full(gap, -1, np.int32), image.astype(np.int32)])
        cover = np.ones((len(image), 2)) if cover is None else cover
        for name, rows in (("region", region), ("size", size), ("offset", offset), ("cover", cover)):
            before = getattr(self, name)
            blank = np.zeros((gap, rows.shape[1]), before.dtype)
            setattr(self, name, np.concatenate([before, blank, rows.astype(before.dtype)]))


@dataclass
class MapLayer:
    """One layer of tiles.

    cells: uint32 (rows, columns). offset: pixels, y up. parallax: factor by which it follows the camera. origin: the
    point of the map's own space at which the camera must be for the parallax to move nothing. blend: how the layer
    meets what is below it.
    """

    name: str
    cells: Array
    offset: tuple[float, float] = (0.0, 0.0)
    tint: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    opacity: float = 1.0
    visible: bool = True
    parallax: tuple[float, float] = (1.0, 1.0)
    properties: Properties = field(default_factory=dict[str, Any])
    origin: tuple[float, float] = (0.0, 0.0)
    blend: Blend = "alpha"


@dataclass
class PictureLayer(MapLayer):
    """A layer of pictures that stand anywhere: objects that show a tile, an image, a color.

    cells: uint32 n, tiles with their flips. center: float64 (n, 2), in the map's own space. size: float64 (n, 2),
    pixels, before a flip swaps width and height. angle: float64 n, radians counter-clockwise, on top of that of the
    flips. base: float64 n, the height by which it is sorted on a layer that is sorted by y. fade: float32 n, opacity.
    things: int64 n, indices into `GameMap.objects`, -1 for none. repeat: whether it is repeated along x and y. below:
    the number of layers of tiles that are drawn before it.
    """

    center: Array = field(default_factory=lambda: np.zeros((0, 2)))
    size: Array = field(default_factory=lambda: np.zeros((0, 2)))
    angle: Array = field(default_factory=lambda: np.zeros(0))
    base: Array = field(default_factory=lambda: np.zeros(0))
    fade: Array = field(default_factory=lambda: np.zeros(0, np.float32))
    things: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    repeat: tuple[bool, bool] = (False, False)
    below: int = 0

    @classmethod
    def like(cls, look: MapLayer, cells: Array, **more: Any) -> PictureLayer:
        """Return a layer of pictures with the name and the settings of another layer."""
        return cls(**{**vars(look), "cells": cells.astype(np.uint32)}, **more)


@dataclass
class MapObject:
    """An object of a map's object layer: a point, a box, a shape.

    kind: its class in Tiled. x, y: its position in the map's own space. width, height: pixels. rotation: radians,
    counter-clockwise, around the position. form: `point`, `box`, `ellipse`, `capsule`, `polygon`, `line`, `text` or
    `tile`. points: float64 (k, 2), corners of a polygon or line relative to x, y, not yet rotated, y up. text: of a
    text. tile: the cell that a tile object shows, otherwise 0. anchor: the point of its box that lies at the position,
    as fractions of width and height from the bottom left.
    """

    id: int
    name: str
    kind: str
    layer: str
    form: str
    x: float
    y: float
    width: float = 0.0
    height: float = 0.0
    rotation: float = 0.0
    points: Array = field(default_factory=lambda: np.zeros((0, 2)))
    text: str = ""
    tile: int = 0
    visible: bool = True
    properties: Properties = field(default_factory=dict[str, Any])
    opacity: float = 1.0
    anchor: tuple[float, float] = (0.0, 1.0)

    @property
    def center(self) -> tuple[float, float]:
        """The middle of its box; the position of a point, polygon or line."""
        if self.form in ("point", "polygon", "line"):
            return self.x, self.y
        dx, dy = (0.5 - self.anchor[0]) * self.width, (0.5 - self.anchor[1]) * self.height
        cos, sin = maths.cos(self.rotation), maths.sin(self.rotation)
        return self.x + cos * dx - sin * dy, self.y + sin * dx + cos * dy


@dataclass
class GameMap:
    """A map.

    layers: of tiles, in drawing order. pictures: layers of other pictures, in drawing order; each says how many layers
    of tiles are below it. down, right: whether a layer is drawn from the top, from the left.
    """

    grid: Grid = field(default_factory=Grid)
    tiles: Tiles = field(default_factory=Tiles)
    layers: list[MapLayer] = field(default_factory=list[MapLayer])
    pictures: list[PictureLayer] = field(default_factory=list[PictureLayer])
    objects: list[MapObject] = field(default_factory=list[MapObject])
    properties: Properties = field(default_factory=dict[str, Any])
    down: bool = True
    right: bool = True

    @property
    def stack(self) -> list[tuple[MapLayer, int]]:
        """All layers in drawing order, each with its index in `layers`; -1 for a `PictureLayer`."""
        layers: list[tuple[MapLayer, int]] = []
        for index, layer in enumerate(self.layers):
            layers += [(each, -1) for each in self.pictures if each.below == index]
            layers.append((layer, index))
        return layers + [(each, -1) for each in self.pictures if each.below >= len(self.layers)]

    def layer_number(self, layer: int | str) -> int:
        """Return the number of a layer, given by number or name; -1 if the map has no such layer."""
        if isinstance(layer, str):
            return next((number for number, one in enumerate(self.layers) if one.name == layer), -1)
        return layer if 0 <= layer < len(self.layers) else -1


def empty_map() -> GameMap:
    """Return an empty map, which is shown instead of one that can't be read."""
    return GameMap()
