"""What a map file says, in arrays, whatever format it had.

A `GameMap` is an asset: it never changes. Cells are uint32, 0 for nothing, else the number of a tile in the low 28
bits and its flips in the bits that Tiled and the kind `tiles` use. What a tile looks like and what it means stands in
`Tiles`, one row a number. Nothing here needs a picture to be loaded, so a server can walk through a map.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_ecs import maths
from rish_frame.frame import CELL_MIRRORED_X, CELL_MIRRORED_Y, CELL_TRANSPOSED

from .grid import Grid

Array = npt.NDArray[Any]
Properties = dict[str, Any]
Box = tuple[float, float, float, float]
"""Least x, least y, greatest x, greatest y."""
Matrix = tuple[float, float, float, float, float, float]
"""a b c d tx ty: x' = a·x + c·y + tx and y' = b·x + d·y + ty."""

TILE = 0x0FFFFFFF
"""The bits of a cell that hold the number of its tile."""
ROTATED_120 = 1 << 28
"""In hexagonal maps: turned by 120 degrees clockwise. CELL_TRANSPOSED means 60 degrees there."""
FLIPS = CELL_TRANSPOSED | CELL_MIRRORED_X | CELL_MIRRORED_Y | ROTATED_120
MAX_CELLS = 1 << 24
"""The most cells of a layer: 4096 by 4096."""
MAX_TOTAL = 1 << 26
"""The most cells of all layers together."""
MAX_TILES = 1 << 18
"""The most tiles that a map can choose from."""


@dataclass
class Animation:
    """Tiles that take turns. frames: int64 n, tile numbers. ends: float64 n, when each ends, seconds."""

    frames: Array
    ends: Array

    def at(self, time: float) -> tuple[int, float]:
        """The tile that shows at a time in seconds, and when the next one follows."""
        period = float(self.ends[-1])
        turns = np.floor(time / period)
        index = min(int(np.searchsorted(self.ends, time - turns * period, side="right")), len(self.ends) - 1)
        return int(self.frames[index]), float(turns * period + self.ends[index])


@dataclass
class Tiles:
    """The tiles by number, one row a tile; row 0 is the empty cell.

    images: paths of pictures, assets. image: int32 n, row of `images`, -1 for none. region: int32 (n, 4), x y w h
    within the picture, w 0 for all of it. size: float32 (n, 2), drawn width and height, pixels. offset: float32
    (n, 2), from its place, y up. properties, shapes, animations: of the few tiles that have any, by number. A shape is
    float64 (k, 2), corners relative to the tile's bottom left, counter-clockwise. names: tiles that have a name. clear:
    the colour that counts as transparent, red green blue, of the pictures that have one, by row of `images`. home: the
    asset that the paths were made for, where they come from a file of our own.
    """

    images: list[str] = field(default_factory=list[str])
    image: Array = field(default_factory=lambda: np.full(1, -1, np.int32))
    region: Array = field(default_factory=lambda: np.zeros((1, 4), np.int32))
    size: Array = field(default_factory=lambda: np.zeros((1, 2), np.float32))
    offset: Array = field(default_factory=lambda: np.zeros((1, 2), np.float32))
    properties: dict[int, Properties] = field(default_factory=dict[int, Properties])
    shapes: dict[int, list[Array]] = field(default_factory=dict[int, list[Array]])
    animations: dict[int, Animation] = field(default_factory=dict[int, Animation])
    names: dict[str, int] = field(default_factory=dict[str, int])
    clear: dict[int, tuple[int, int, int]] = field(default_factory=dict[int, tuple[int, int, int]])
    home: str = ""

    def __len__(self) -> int:
        return len(self.image)

    def extend(self, first: int, image: Array, region: Array, size: Array, offset: Array) -> None:
        """Put rows at the numbers from `first` on; numbers that are left out between mean nothing."""
        gap = first - len(self)
        if gap < 0:
            raise ValueError(f"two tilesets claim the tile {first}")
        self.image = np.concatenate([self.image, np.full(gap, -1, np.int32), image.astype(np.int32)])
        for name, rows in (("region", region), ("size", size), ("offset", offset)):
            before = getattr(self, name)
            blank = np.zeros((gap, rows.shape[1]), before.dtype)
            setattr(self, name, np.concatenate([before, blank, rows.astype(before.dtype)]))


@dataclass
class MapLayer:
    """One layer of tiles.

    cells: uint32 (rows, columns). offset: pixels, y up. parallax: how far it follows the camera.
    """

    name: str
    cells: Array
    offset: tuple[float, float] = (0.0, 0.0)
    tint: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    opacity: float = 1.0
    visible: bool = True
    parallax: tuple[float, float] = (1.0, 1.0)
    properties: Properties = field(default_factory=dict[str, Any])


@dataclass
class MapObject:
    """An object of a map's object layer: a point, a box, a shape.

    kind: its class in Tiled. x, y: where it stands, in the map's own space, of a box the top left corner. width,
    height: pixels. rotation: radians, counter-clockwise. form: `point`, `box`, `ellipse`, `polygon`, `line`, `text`
    or `tile`. points: float64 (k, 2), corners of a polygon or line relative to x, y, not yet rotated, y up. text: of
    a text. tile: the cell that a tile shows, else 0.
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

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of a box, ellipse, text or tile; the place itself of anything else."""
        if self.form in ("point", "polygon", "line"):
            return self.x, self.y
        down = 0.5 if self.form == "tile" else -0.5
        dx, dy = self.width / 2, self.height * down
        cos, sin = maths.cos(self.rotation), maths.sin(self.rotation)
        return self.x + cos * dx - sin * dy, self.y + sin * dx + cos * dy


@dataclass
class GameMap:
    """A whole map. layers: of tiles, in the order of drawing. down, right: the order of cells within a layer."""

    grid: Grid = field(default_factory=Grid)
    tiles: Tiles = field(default_factory=Tiles)
    layers: list[MapLayer] = field(default_factory=list[MapLayer])
    objects: list[MapObject] = field(default_factory=list[MapObject])
    properties: Properties = field(default_factory=dict[str, Any])
    down: bool = True
    right: bool = True

    def layer_number(self, layer: int | str) -> int:
        """The number of a layer, given by number or name; -1 where there is none."""
        if isinstance(layer, str):
            return next((number for number, one in enumerate(self.layers) if one.name == layer), -1)
        return layer if 0 <= layer < len(self.layers) else -1


def empty_map() -> GameMap:
    """The empty map, shown instead of one that can't be read."""
    return GameMap()
