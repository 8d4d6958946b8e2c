"""Tilesets of Tiled: one image cut into tiles, or one image per tile, and the properties of their tiles."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from rish_core import AssetError
from rish_ecs import did_you_mean
from rish_jit import Array

from ..grid import Grid
from ..model import MAX_TILES, Animation, GameMap, Properties
from . import document_members
from .documents import Node, color_of
from .files import Source, Tell
from .properties import Say, old_tile_properties, properties_of
from .shapes import tile_shape

ALIGNMENTS = {
    "topleft": (0.0, 1.0), "top": (0.5, 1.0), "topright": (1.0, 1.0), "left": (0.0, 0.5), "center": (0.5, 0.5),
    "right": (1.0, 0.5), "bottomleft": (0.0, 0.0), "bottom": (0.5, 0.0), "bottomright": (1.0, 0.0),
}  # fmt: skip
"""The point of an object's box that lies at its position, as fractions from the bottom left."""


@dataclass
class TilesetRows:
    """The tiles of a tileset: the rows for `Tiles.extend`, and what only some of them have, by their own numbers.

    original: float64 (n, 2), the sizes of the pictures. anchor: of objects that show its tiles; None for the default.
    fit: whether pictures keep their proportions where they are scaled. shift: of the pictures, pixels, y up.
    """

    first: int
    source: Source
    image: Array
    region: Array
    original: Array
    size: Array
    cover: Array
    offset: Array
    anchor: tuple[float, float] | None
    fit: bool
    shift: tuple[float, float]
    own: dict[int, Node] = field(default_factory=dict[int, Node])
    properties: dict[int, Properties] = field(default_factory=dict[int, Properties])

    def __len__(self) -> int:
        return len(self.image)


class TilesetReader:
    """Reads tilesets for a map. tell: logs a place and a sentence about what is not supported."""

    def __init__(self, map_: GameMap, grid: Grid, tell: Tell) -> None:
        self.map, self.grid, self.tell = map_, grid, tell

    def rows(self, source: Source, first: int) -> TilesetRows:
        """Return the tiles of a tileset whose first tile has the number `first`. Raises AssetError."""
        node, name = source.root, source.root.text("name")
        wide, high = node.whole("tilewidth"), node.whole("tileheight")
        tiles = {each.whole("id", -1): each for each in node.nodes("tiles")}
        tiles = {number: each for number, each in tiles.items() if number >= 0}
        path = source.beside(node.text("image")) if node.text("image") else ""
        if path and (wide < 1 or high < 1):
            raise AssetError(f"{source.place()}: the tileset {name!r} has no tilewidth or tileheight")
        columns, count = self._counts(source, path, wide, high)
        count = max([count, *(number + 1 for number in tiles)])
        if not 1 <= first <= MAX_TILES or count > MAX_TILES - first:
            what = f"{source.place()}: the tileset {name!r} has {count} tiles from {first} on"
            raise AssetError(what, hint=f"At most {MAX_TILES:,}")
        offset = node.node("tileoffset")
        tileset = TilesetRows(
            first, source, np.full(count, -1, np.int32), np.zeros((count, 4), np.int32),
            np.tile(np.array([(wide, high)], np.float64), (count, 1)), np.zeros((count, 2)), np.ones((count, 2)),
            np.zeros((count, 2)), self._alignment(source), self._choice(source, "fillmode", _FILLS) == _FILLS[1],
            (offset.number("x"), -offset.number("y")),
        )  # fmt: skip
        if path:
            self._cut(tileset, path, columns)
        for number, tile in tiles.items():
            self._picture(tileset, number, tile)
        self._sizes(tileset)
        self._describe(tileset, tiles)
        self._unknown(source, tiles)
        return tileset

    def _counts(self, source: Source, path: str, wide: int, high: int) -> tuple[int, int]:
        """Return columns and number of the tiles in an image, by its real size, as Tiled counts them.

        Raises AssetError if neither the image nor the file tells the number.
        """
        node = source.root
        if not path:
            return 0, 0
        size = source.image_size(path, self.saying(source, node))
        width, height = size or (node.whole("imagewidth"), node.whole("imageheight"))
        margin, spacing = node.whole("margin"), node.whole("spacing")
        across = max((width - margin + spacing) // max(wide + spacing, 1), 0)
        down = max((height - margin + spacing) // max(high + spacing, 1), 0)
        if not across * down:  # nothing is known about the image, or it is smaller than a tile
            across, count = max(node.whole("columns"), 1), node.whole("tilecount")
            if size is None and not count:
                what = f"{source.place(node)}: the tileset {node.text('name')!r} does not say how many tiles it has"
                raise AssetError(
                    f"{what}, and its image can't be read: {path}", hint="Put it there, or correct its name"
                )
            return across, count
        return across, across * down

    def _cut(self, tileset: TilesetRows, path: str, columns: int) -> None:
        """Give each tile its part of the tileset's image."""
        node = tileset.source.root
        wide, high = node.whole("tilewidth"), node.whole("tileheight")
        margin, spacing = node.whole("margin"), node.whole("spacing")
        tileset.image[:] = self.image(tileset.source, path, node)
        number = np.arange(len(tileset))
        x, y = margin + number % columns * (wide + spacing), margin + number // columns * (high + spacing)
        tileset.region[:] = np.stack([x, y, np.full(len(tileset), wide), np.full(len(tileset), high)], axis=1)

    def _picture(self, tileset: TilesetRows, number: int, tile: Node) -> None:
        """Give a tile the image of its own, in a collection of images."""
        name = tile.text("image")
        if not name:
            return
        path = tileset.source.beside(name)
        size = tileset.source.image_size(path, self.saying(tileset.source, tile)) or (
            tile.whole("imagewidth"),
            tile.whole("imageheight"),
        )
        x, y = tile.whole("x"), tile.whole("y")
        wide, high = tile.whole("width", size[0]), tile.whole("height", size[1])
        tileset.image[number] = self.image(tileset.source, path, tile)
        tileset.region[number] = (0, 0, 0, 0) if (x, y, wide, high) == (0, 0, *size) else (x, y, wide, high)
        tileset.original[number] = wide, high

    def image(self, source: Source, path: str, node: Node) -> int:
        """Return the index of an image, adding it at its first use."""
        tiles = self.map.tiles
        if path not in tiles.images:
            tiles.images.append(path)
        row = tiles.images.index(path)
        clear = color_of(node.text("transparentcolor"))
        if clear is not None:
            tiles.clear[row] = tuple(round(255 * part) for part in clear[:3])  # pyright: ignore[reportArgumentType]
        elif node.text("transparentcolor"):
            self.tell(source.place(node), f"the transparent color {node.text('transparentcolor')!r} is no color")
        return row

    def _sizes(self, tileset: TilesetRows) -> None:
        """Set the size at which tiles are drawn on layers: their own, or that of the map's cells."""
        tileset.size[:] = tileset.original
        if self._choice(tileset.source, "tilerendersize", ("tile", "grid")) == "grid":
            tileset.size[:] = self.grid.width, self.grid.height
        scale = tileset.size / np.maximum(tileset.original, 1)
        if tileset.fit:
            scale = np.repeat(scale.min(axis=1, initial=np.inf, keepdims=True), 2, axis=1)
            tileset.cover[:] = np.round(scale * tileset.original / np.maximum(tileset.size, 1), 6)
        tileset.offset[:] = scale * tileset.shift

    def _describe(self, tileset: TilesetRows, tiles: dict[int, Node]) -> None:
        """Collect the properties of tiles, their classes, and their nodes for animations and shapes."""
        source = tileset.source
        say = self.saying(source, source.root)
        for number, old in old_tile_properties(source.root, say).items():
            tileset.properties[number] = old
        for number, tile in tiles.items():
            own = {**tileset.properties.get(number, {}), **properties_of(tile, say)}
            kind = tile.text("class") or tile.text("type")
            if kind:
                own.setdefault("class", kind)
            if own:
                tileset.properties[number] = own
            tileset.own[number] = tile
        tileset.properties = {number: own for number, own in tileset.properties.items() if number < len(tileset)}

    def add(self, tileset: TilesetRows, end: int) -> None:
        """Add the tiles below the number `end` to the map; numbers from there on are those of another tileset."""
        tiles, first = self.map.tiles, tileset.first
        count = min(len(tileset), max(end - first, 0))
        part = slice(0, count)
        tiles.extend(first, tileset.image[part], tileset.region[part], tileset.size[part], tileset.offset[part],
                     tileset.cover[part])  # fmt: skip
        for number, own in tileset.properties.items():
            if number < count:
                tiles.properties[first + number] = own
        for number, tile in tileset.own.items():
            if number < count:
                self._animate(tileset, number, tile)
                self._block(tileset, number, tile)

    def _animate(self, tileset: TilesetRows, number: int, tile: Node) -> None:
        frames = [
            (tileset.first + frame.whole("tileid", -1), max(frame.whole("duration"), 1) / 1000)
            for frame in tile.nodes("animation")
        ]
        frames = [(one, seconds) for one, seconds in frames if tileset.first <= one < len(self.map.tiles)]
        if frames:
            ends = np.cumsum([seconds for _, seconds in frames])
            numbers = np.array([one for one, _ in frames], np.int64)
            self.map.tiles.animations[tileset.first + number] = Animation(numbers, ends)

    def _block(self, tileset: TilesetRows, number: int, tile: Node) -> None:
        """Store the shapes of a tile's collision editor, scaled with its picture."""
        original, size, cover = tileset.original[number], tileset.size[number], tileset.cover[number]
        scale = size * cover / np.maximum(original, 1)
        shapes: list[Array] = []
        for thing in tile.node("objectgroup").nodes("objects"):
            ring = tile_shape(thing, float(original[1]))
            if ring is not None:
                shapes.append(ring * scale + size * (1 - cover) / 2)
        if shapes:
            self.map.tiles.shapes[tileset.first + number] = shapes

    def _alignment(self, source: Source) -> tuple[float, float] | None:
        word = self._choice(source, "objectalignment", ("unspecified", *ALIGNMENTS))
        return ALIGNMENTS.get(word)

    def _choice(self, source: Source, key: str, choices: tuple[str, ...]) -> str:
        """Return a word of the tileset; the first of the choices, with a message, for one that Tiled does not have."""
        word = source.root.text(key, choices[0])
        if word in choices:
            return word
        what = f"the {key} {word!r} is not known{did_you_mean(word, choices)}, so it is drawn as {choices[0]!r}"
        self.saying(source, source.root)(f"{what}. Choices: {', '.join(choices)}")
        return choices[0]

    def saying(self, source: Source, node: Node) -> Say:
        """Return a function that logs a sentence about a tileset."""
        return lambda what: self.tell(source.place(node), f"the tileset {source.root.text('name')!r}: {what}")

    def _unknown(self, source: Source, tiles: dict[int, Node]) -> None:
        """Log once which members are not read, and that images inside the file are not drawn."""
        say = self.saying(source, source.root)
        strange = document_members.unknown(source.root, document_members.TILESET)
        if strange:
            say(f"{', '.join(map(repr, strange))} is not read")
        if any(each.flag("embedded") for each in (source.root, *tiles.values())):
            say("images that are stored inside the file are not drawn. Save them as files of their own")


_FILLS = ("stretch", "preserve-aspect-fit")
