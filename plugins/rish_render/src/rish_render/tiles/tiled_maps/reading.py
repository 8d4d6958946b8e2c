"""Converts Tiled's documents into a `GameMap`.

All that a map's files leave out has Tiled's default; a map is refused only if its cells or its shape are not known.
What is not understood or not drawn is logged once a layer, with its place.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from rish_assets import LogOnce
from rish_core import AssetError
from rish_ecs import Place, did_you_mean
from rish_frame.frame import Blend
from rish_jit import Array

from ..grid import AXES, INDICES, ORIENTATIONS, Grid
from ..model import FLIPS, MAX_TILES, ROTATED_120, TILE, GameMap, MapLayer, PictureLayer, Properties
from . import document_members
from .documents import Node, color_of
from .files import Sibling, Source, joined, read_cells, read_document
from .objects import ObjectReader, Templates
from .properties import properties_of
from .tilesets import TilesetReader, TilesetRows

_BLENDS: dict[str, Blend] = {"normal": "alpha", "add": "add", "multiply": "multiply", "screen": "screen"}
"""The blend modes of layers that are drawn."""
_OTHERS = (
    "overlay", "darken", "lighten", "color-dodge", "color-burn", "hard-light", "soft-light", "difference", "exclusion",
)  # fmt: skip


def load_map(path: Path, sibling: Sibling) -> GameMap:
    """Load a .tmx or .tmj file; the paths of its images are relative to it. Raises AssetError, with the line."""
    return build_map(path.name, read_document(path, path.name), sibling)


def build_map(name: str, root: Node, sibling: Sibling) -> GameMap:
    """Build a map from its document. name: of the file, for messages. sibling: finds the files beside it.

    Raises AssetError with the file, and the line if it is known.
    """
    source = Source(name, Path(name).name, root, sibling)
    try:
        return _Builder(source).build()
    except AssetError:
        raise
    except (TypeError, ValueError, LookupError, AttributeError, OverflowError) as error:
        raise AssetError(
            f"{source.place()}: the map can't be read: {error}", hint="Save it again with Tiled"
        ) from error


class _Builder:
    """Builds one map.

    sets: its tilesets. log: logs each message once. own: the numbers of the map's own tilesets.
    """

    def __init__(self, source: Source) -> None:
        self.source, self.root = source, source.root
        self.map = GameMap()
        self.sets: list[TilesetRows] = []
        self.log = LogOnce("rish.tiles")

    def build(self) -> GameMap:
        root = self.root
        if root.text("type", "map") != "map":
            raise AssetError(f"{self.source.place()}: this is a {root.text('type')!r}, not a map")
        size = self.whole("width", 0), self.whole("height", 0)
        open_ = root.flag("infinite") or "width" not in root or "height" not in root  # as large as its layers
        try:
            first, cells = joined(read_cells(self.source), size, open_)
        except AssetError as error:
            what = error.what if error.what.startswith(self.source.name) else f"{self.source.place()}: {error.what}"
            raise AssetError(what, given=error.given, choices=error.choices, hint=error.hint) from None
        self.map.grid = self.grid(first, cells[0].shape if cells else (size[1], size[0]))
        self.cells = iter(cells)
        order = root.text("renderorder", "right-down")
        self.map.down, self.map.right = "up" not in order, "left" not in order
        self.tilesets = TilesetReader(self.map, self.map.grid, self.tell)
        self.add_tilesets()
        self.objects = ObjectReader(self.source, self.map, self.set_of, self.tell)
        self.templates = Templates(self.source, self.add_tileset)
        origin = self.screen_point(root.number("parallaxoriginx"), root.number("parallaxoriginy"))
        for node in root.nodes("layers"):
            self.take(node, MapLayer("", np.zeros((0, 0), np.uint32), origin=origin))
        self.background()
        self.number_objects()
        self.map.properties = properties_of(root, lambda what: self.tell(self.source.place(), what))
        strange = document_members.unknown(root, document_members.MAP)
        if strange:
            self.tell(self.source.place(), f"{', '.join(map(repr, strange))} of the map is not read")
        return self.map

    def tell(self, place: Place, what: str) -> None:
        """Log something that is not read or not drawn, once."""
        self.log(f"{place}: {what}")

    def whole(self, name: str, low: int, default: int = 0) -> int:
        """Return a whole number of the map that must be right, because everything depends on it."""
        value = self.root.get(name, default)
        try:
            number = int(float(value))
        except (TypeError, ValueError, OverflowError):
            number = -1
        if not low <= number < 2**31:
            what = f"{self.source.place()}: the map's {name} is {value!r:.40}, it must be a whole number from {low} on"
            raise AssetError(what, hint="Save the map again with Tiled")
        return number

    def grid(self, first: tuple[int, int], shape: tuple[int, ...]) -> Grid:
        root = self.root
        orientation = root.text("orientation", "orthogonal")
        if orientation not in ORIENTATIONS:
            near = did_you_mean(orientation, ORIENTATIONS)
            what = f"{self.source.place()}: the map's orientation {orientation!r} is not known{near}"
            raise AssetError(what, choices=ORIENTATIONS)
        width, height = self.whole("tilewidth", 0), self.whole("tileheight", 0)
        if not 1 <= width <= 4096 or not 1 <= height <= 4096:
            what = f"{self.source.place()}: the map's tiles are {width}×{height} pixels"
            raise AssetError(what, hint="Set tilewidth and tileheight to 1 to 4096")
        axis, index = root.text("staggeraxis", "y"), root.text("staggerindex", "odd")
        return Grid(
            orientation, width, height, shape[1], shape[0], first, axis if axis in AXES else "y",
            index if index in INDICES else "odd", max(root.whole("hexsidelength"), 0),
        )  # fmt: skip

    def add_tilesets(self) -> None:
        """Add the map's tilesets; of two that claim a number, the one that begins later has it, as in Tiled."""
        rows_of_sets: list[TilesetRows] = []
        for node in self.root.nodes("tilesets"):
            source = replace(self.source, root=node)
            try:
                if node.text("source"):
                    source = self.source.open(node.text("source"))
                rows_of_sets.append(self.tilesets.rows(source, node.whole("firstgid", 1)))
            except AssetError as error:
                place = f"{self.source.place(node)}: "
                what = error.what if error.what.startswith(source.name) and ":" in error.what else place + error.what
                raise AssetError(what, given=error.given, choices=error.choices, hint=error.hint) from None
        rows_of_sets.sort(key=lambda rows: rows.first)
        for number, rows in enumerate(rows_of_sets):
            end = rows_of_sets[number + 1].first if number + 1 < len(rows_of_sets) else MAX_TILES
            if len(self.map.tiles) <= rows.first < end:
                self.tilesets.add(rows, end)
                self.sets.append(rows)
            else:
                what = f"the tileset {rows.source.root.text('name')!r} has the firstgid {rows.first} of another tileset"
                self.tell(self.source.place(), f"{what}, so its tiles are not drawn. Give it a number of its own")
        self.own = len(self.map.tiles)

    def add_tileset(self, document: Source) -> int:
        """Return the first number of a template's tileset; one that the map lacks is added after all others."""
        name = document.root.text("source")
        source = document.open(name) if name else document
        for rows in self.sets:
            if name and rows.source.path == source.path:
                return rows.first
        rows = self.tilesets.rows(source, len(self.map.tiles))
        self.tilesets.add(rows, MAX_TILES)
        self.sets.append(rows)
        return rows.first

    def set_of(self, tile: int) -> TilesetRows | None:
        """Return the tileset that has a tile."""
        return next((rows for rows in self.sets if rows.first <= tile < rows.first + len(rows)), None)

    def screen_point(self, x: float, y: float) -> tuple[float, float]:
        """Convert pixels of Tiled's view, which images are placed in, to the map's own space."""
        if self.map.grid.orientation != "isometric":
            return x, -y
        left, top = self.map.grid.project(0, 0)
        return left + x - self.whole("height", 0) * self.map.grid.width / 2, top - y

    def take(self, node: Node, above: MapLayer) -> None:
        """Add a layer to the map. above: the combined settings of the groups around it."""
        here, kind, name = self.look(node, above), node.text("type"), node.text("name")
        strange = set(document_members.unknown(node, document_members.LAYER))
        if kind == "group":
            for inner in node.nodes("layers"):
                self.take(inner, here)
        elif kind == "tilelayer":
            here.cells = self.known(next(self.cells), node)
            self.map.layers.append(here)
        elif kind == "objectgroup":
            things = [self.filled(thing, name) for thing in node.nodes("objects")]
            strange.update(key for thing in things for key in document_members.unknown(thing, document_members.OBJECT))
            layer = self.objects.layer(node, here, things, len(self.map.layers))
            self.map.pictures += [layer] if layer is not None else []
        elif kind == "imagelayer":
            self.image(node, here)
        else:
            self.tell(self.source.place(node), f"the layer {name!r} has the unknown type {kind!r}, so it is not drawn")
        if strange:
            what = f"the layer {name!r} has {', '.join(map(repr, sorted(strange)))}, which is not read"
            self.tell(self.source.place(node), what)

    def filled(self, thing: Node, layer: str) -> Node:
        """Return an object with what its template gives it. Raises AssetError with layer and object."""
        try:
            return self.templates.filled(thing)
        except AssetError as error:
            what = f"{self.source.place(thing)}: the layer {layer!r}: the object {thing.whole('id')}: {error.what}"
            raise AssetError(what, choices=error.choices, hint=error.hint) from None

    def look(self, node: Node, above: MapLayer) -> MapLayer:
        """Return the settings of a layer within its groups, without cells."""
        say = self.saying(node)
        tint = self.color(node, "tintcolor") or (1.0, 1.0, 1.0, 1.0)
        x, y = node.number("offsetx"), node.number("offsety")
        if node.text("type") == "imagelayer" and "offsetx" not in node:  # as Tiled placed images before 0.15
            x, y = node.number("x"), node.number("y")
        return MapLayer(
            node.text("name"),
            above.cells,
            (above.offset[0] + x, above.offset[1] - y),
            tuple(a * b for a, b in zip(above.tint, tint, strict=True)),  # pyright: ignore[reportArgumentType]
            above.opacity * min(max(node.number("opacity", 1.0), 0.0), 1.0),
            above.visible and node.flag("visible", True),
            (above.parallax[0] * node.number("parallaxx", 1.0), above.parallax[1] * node.number("parallaxy", 1.0)),
            {**above.properties, **properties_of(node, say)},
            above.origin,
            self.blend(node),
        )

    def blend(self, node: Node) -> Blend:
        """Return the blend mode of a layer; one that can't be drawn is logged."""
        mode = node.text("mode", "normal")
        drawn = node.text("type") != "group" and mode in _BLENDS
        if mode != "normal" and not drawn:
            near = did_you_mean(mode, (*_BLENDS, *_OTHERS)) if mode not in _OTHERS else ""
            what = f"the mode {mode!r} of a group" if mode in _BLENDS else f"the mode {mode!r}{near}"
            self.saying(node)(f"{what} is not drawn, it is drawn as 'normal'. Drawn are: {', '.join(_BLENDS)}")
        return _BLENDS[mode] if drawn else "alpha"

    def color(self, node: Node, key: str) -> tuple[float, float, float, float] | None:
        """Return a color, or None if there is none; a text that is no color is logged."""
        text = node.text(key)
        color = color_of(text) if text else None
        if text and color is None:
            self.saying(node)(f"{key} is {text!r:.40}, which is no color. Write #RRGGBB or #AARRGGBB")
        return color

    def saying(self, node: Node) -> Any:
        """Return a function that logs a sentence about a layer, or about the map."""
        about = "the map" if node is self.root else f"the layer {node.text('name')!r}"
        return lambda what: self.tell(self.source.place(node), f"{about}: {what}")

    def known(self, cells: Array, node: Node) -> Array:
        """Return the cells with unknown tiles and unused bits set to 0. Unknown tiles are logged."""
        hexagonal = self.map.grid.orientation == "hexagonal"
        number = cells & np.uint32(TILE)
        flips = FLIPS if hexagonal else FLIPS & ~ROTATED_120
        has = np.concatenate([[True], self.map.tiles.image[1 : self.own] >= 0])
        strange = ~has[np.minimum(number, len(has) - 1)] | (number >= len(has))
        if strange.any():
            row, column = np.argwhere(strange)[0].tolist()
            what = f"the layer {node.text('name')!r} names the tile {number[row, column]}, which no tileset has"
            spot = column + self.map.grid.first[0], row + self.map.grid.first[1]
            count = int(strange.sum())
            where = f"in {count} cells, the first is {spot}" if count > 1 else f"in the cell {spot}"
            self.tell(self.source.place(node), f"{what}, {where}. Add the tileset, or choose another tile")
            number = np.where(strange, 0, number)
        return np.where(number > 0, number | cells & np.uint32(flips), 0).astype(np.uint32)

    def image(self, node: Node, look: MapLayer) -> None:
        """Add a layer of one image."""
        if node.flag("embedded"):
            self.saying(node)("an image that is stored inside the file is not drawn. Save it as a file of its own")
        elif node.text("image"):
            path = self.source.beside(node.text("image"))
            size = self.source.image_size(path, self.saying(node)) or (
                node.whole("imagewidth", 32),
                node.whole("imageheight", 32),
            )
            repeat = node.flag("repeatx"), node.flag("repeaty")
            tile = self.add_picture(self.tilesets.image(self.source, path, node))
            x, y = self.screen_point(0, 0)
            self.place_picture(look, tile, (x + size[0] / 2, y - size[1] / 2), size, repeat, len(self.map.layers))

    def number_objects(self) -> None:
        """Give numbers to objects that have none, after the greatest."""
        things = self.map.objects
        last = max((thing.id for thing in things), default=0)
        for number, thing in enumerate((thing for thing in things if not thing.id), max(last, 0) + 1):
            thing.id = number

    def background(self) -> None:
        """Add the map's color below everything, as large as the map, with the lowest layer's name and properties."""
        color, (x0, y0, x1, y1) = self.color(self.root, "backgroundcolor"), self.map.grid.box
        if color is None or not color[3]:
            return
        if "" not in self.map.tiles.images:
            self.map.tiles.images.append("")
        lowest = next((layer for layer, _ in self.map.stack), None)
        name, properties = (lowest.name, lowest.properties) if lowest is not None else ("", Properties())
        look = MapLayer(name, np.zeros(0, np.uint32), tint=color, properties=properties)
        tile = self.add_picture(self.map.tiles.images.index(""))
        self.place_picture(look, tile, ((x0 + x1) / 2, (y0 + y1) / 2), (x1 - x0, y1 - y0), (False, False), 0)
        self.map.pictures.insert(0, self.map.pictures.pop())

    def add_picture(self, image: int) -> int:
        """Return the number of a new tile that shows all of an image."""
        tiles = self.map.tiles
        tiles.extend(len(tiles), np.array([image]), np.zeros((1, 4)), np.zeros((1, 2)), np.zeros((1, 2)))
        return len(tiles) - 1

    def place_picture(
        self, look: MapLayer, tile: int, center: tuple[float, float], size: tuple[float, float],
        repeat: tuple[bool, bool], below: int,
    ) -> None:  # fmt: skip
        """Add a layer with a single picture to the map."""
        layer = PictureLayer.like(
            look, np.array([tile]), center=np.array([center], np.float64), size=np.array([size], np.float64),
            angle=np.zeros(1), base=np.array([center[1] - size[1] / 2]), fade=np.ones(1, np.float32),
            things=np.full(1, -1), repeat=repeat, below=below,
        )  # fmt: skip
        self.map.pictures.append(layer)
