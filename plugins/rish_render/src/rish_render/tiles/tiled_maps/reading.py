"""Converts Tiled's documents into a `GameMap`.

pytiled-parser interprets Tiled's elements: layers within groups, objects, properties, tilesets. It gets the tree
without the cells, which it would read one by one, and never a path, so that it opens no file itself: tilesets and
templates are ordinary assets, found inside the game's folder or a package.
"""

from __future__ import annotations

import copy
import logging
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from rish_core import AssetError
from rish_ecs import Place

from ..grid import AXES, INDICES, ORIENTATIONS, Grid
from ..model import FLIPS, ROTATED_120, TILE, Array, GameMap, MapLayer, MapObject
from .files import TiledFile, beside, joined, pytiled, what_of
from .sets import add_tileset, plain

ReadFile = Callable[[str], TiledFile]
"""A function that loads another file of Tiled by its asset path. Raises AssetError."""
_FARTHEST = 2.0**30  # pixels
_log = logging.getLogger("rish.tiles")
_WORDS = {
    "Point": "point",
    "Ellipse": "ellipse",
    "Polygon": "polygon",
    "Polyline": "line",
    "Text": "text",
    "Tile": "tile",
}


def build_map(asset: str, file: TiledFile, read: ReadFile) -> GameMap:
    """Build a map from its document. read: loads tilesets and templates. Raises AssetError with file and line."""
    try:
        return _Builder(asset, file, read).build()
    except AssetError as error:
        where = error.where or asset
        raise AssetError(error.what, where=where, given=error.given, hint=error.hint, choices=error.choices) from None
    except (TypeError, ValueError, LookupError, AttributeError) as error:
        raise AssetError(f"the map can't be read: {error}", where=asset, hint="Save it again with Tiled") from error


class _Builder:
    def __init__(self, asset: str, file: TiledFile, read: ReadFile) -> None:
        self.asset, self.file, self.read = asset, file, read
        self.map = GameMap()
        self.kind = "tmx" if file.is_xml else "json"
        self.firsts: dict[str, int] = {}

    def build(self) -> GameMap:
        file = self.file
        infinite = str(file.attribute("infinite", "0")).lower() in ("1", "true")
        size = (self.number("width"), self.number("height"))
        first, cells = joined(file.cells, size, infinite)
        shape = cells[0].shape if cells else (size[1], size[0])
        self.map.grid = self.grid(first, shape)
        order = str(file.attribute("renderorder", "right-down"))
        self.map.down, self.map.right = "up" not in order, "left" not in order
        for node in self.nodes("tilesets", "tileset"):
            self.tileset(node)
        self.layers(iter(cells))
        self.map.properties = self.properties()
        return self.map

    def number(self, name: str, default: int | None = None) -> int:
        value = self.file.attribute(name, default)
        try:
            found = int(float(value))
        except (TypeError, ValueError, OverflowError):
            raise AssetError(f"the map's {name} is {value!r}, not a number", where=self.place()) from None
        if not 0 <= found < 2**31:
            raise AssetError(f"the map's {name} is {found}", where=self.place())
        return found

    def place(self, node: Any = None) -> Place:
        return Place(self.asset, getattr(node if node is not None else self.file.root, "line", 0))

    def grid(self, first: tuple[int, int], shape: tuple[int, ...]) -> Grid:
        orientation = str(self.file.attribute("orientation", "orthogonal"))
        if orientation not in ORIENTATIONS:
            what = f"the map's orientation is {orientation!r}"
            raise AssetError(what, where=self.place(), given=orientation, choices=ORIENTATIONS)
        width, height = self.number("tilewidth"), self.number("tileheight")
        if not 1 <= width <= 4096 or not 1 <= height <= 4096:
            raise AssetError(f"the map's tiles are {width}×{height} pixels", where=self.place())
        axis, index = str(self.file.attribute("staggeraxis", "y")), str(self.file.attribute("staggerindex", "odd"))
        return Grid(
            orientation,
            width,
            height,
            shape[1],
            shape[0],
            first,
            axis if axis in AXES else "y",
            index if index in INDICES else "odd",
            self.number("hexsidelength", 0),
        )

    def nodes(self, key: str, tag: str) -> list[Any]:
        """Return the root's children of a kind, in both formats."""
        return self.file.root.findall(tag) if self.file.is_xml else list(self.file.attribute(key) or [])

    def tileset(self, node: Any) -> None:
        """Add a tileset's tiles at their numbers."""
        try:
            first, source = int(node.get("firstgid", 1)), node.get("source")
            if source is None:
                add_tileset(self.map.tiles, TiledFile(self.asset, node), first, self.asset)
            else:
                path = beside(self.asset, source)
                self.firsts[path] = first
                add_tileset(self.map.tiles, self.read(path), first, path)
        except AssetError as error:
            raise AssetError(error.what, where=error.where or self.place(node), hint=error.hint) from None
        except Exception as error:
            what = f"the tileset {node.get('name', '')!r} can't be read: {what_of(error)}"
            raise AssetError(what, where=self.place(node)) from None

    def layers(self, cells: Iterator[Array]) -> None:
        parse = pytiled(self.kind, "layer")
        tags = ("layer", "objectgroup", "imagelayer", "group")
        nodes = [n for n in self.file.root if n.tag in tags] if self.file.is_xml else self.nodes("layers", "")
        for node in nodes:
            try:
                whole = copy.deepcopy(node)
                self.prepare(whole)
                self.take(parse(whole, "utf-8"), cells, MapLayer("", np.zeros((0, 0), np.uint32)))
            except AssetError:
                raise
            except Exception as error:
                what = f"the layer {node.get('name', '')!r} can't be read: {what_of(error)}"
                raise AssetError(what, where=self.place(node)) from None

    def prepare(self, node: Any) -> None:
        """Fill in templates, and values that some editors omit but pytiled-parser requires."""
        if self.file.is_xml:
            for group in node.iter("objectgroup"):
                for thing in [one for one in group if one.tag == "object"]:
                    self.fill_xml(thing)
            return
        defaults = {"opacity": 1, "visible": True, "name": "", "draworder": "topdown", "objects": []}
        for name, value in defaults.items():
            node.setdefault(name, value)
        blank = {"rotation": 0, "visible": True, "name": "", "width": 0, "height": 0, "type": ""}
        node["objects"] = [{**blank, **self.filled_json(thing)} for thing in node["objects"]]
        for child in node.get("layers") or []:
            self.prepare(child)

    def template(self, source: str) -> tuple[Any, int]:
        """Return the object of a template, and what to add to its tile number (-1: the map lacks its tileset)."""
        path = beside(self.asset, source)
        file = self.read(path)
        thing = file.root.find("object") if file.is_xml else file.root.get("object")
        tileset = file.root.find("tileset") if file.is_xml else file.root.get("tileset")
        if thing is None or file.is_xml != self.file.is_xml:
            raise AssetError(f"{path} is not a template in the format of this map")
        first = self.firsts.get(beside(path, tileset.get("source", ""))) if tileset is not None else None
        own = int(tileset.get("firstgid", 1)) if tileset is not None else 1
        return thing, -1 if first is None else first - own

    def fill_xml(self, thing: Any) -> None:
        source = thing.attrib.pop("template", None)
        if source is None:
            return
        pattern, more = self.template(source)
        inherited = dict(pattern.attrib)
        if "gid" in inherited:
            number = int(inherited.pop("gid"))
            if more >= 0:
                inherited["gid"] = str((number & TILE) + more | number & ~TILE)
        for name, value in inherited.items():
            thing.attrib.setdefault(name, value)
        own = thing.find("properties")
        for child in copy.deepcopy(list(pattern)):
            if child.tag != "properties" or own is None:
                thing.append(child)
            else:
                known = {one.attrib.get("name") for one in own}
                own.extend(one for one in child if one.attrib.get("name") not in known)

    def filled_json(self, thing: Any) -> dict[str, Any]:
        if "template" not in thing:
            return thing
        pattern, more = self.template(thing["template"])
        merged = {**copy.deepcopy(pattern), **thing}
        del merged["template"]
        if "gid" in pattern and "gid" not in thing:
            number = int(merged.pop("gid"))
            if more >= 0:
                merged["gid"] = (number & TILE) + more | number & ~TILE
        known = {one["name"] for one in thing.get("properties", [])}
        inherited = [one for one in pattern.get("properties", []) if one["name"] not in known]
        merged["properties"] = [*thing.get("properties", []), *inherited]
        return merged

    def take(self, layer: Any, cells: Iterator[Array], above: MapLayer) -> None:
        """Convert a parsed layer and add it to the map. above: the combined settings of the groups around it."""
        tint = [channel / 255 for channel in layer.tint_color] if layer.tint_color is not None else [1.0] * 4
        x, y = _finite(layer.offset[0], 0.0), _finite(layer.offset[1], 0.0)
        across, down = (_finite(factor, 1.0) for factor in layer.parallax_factor)
        here = MapLayer(
            layer.name or "",
            above.cells,
            (above.offset[0] + x, above.offset[1] - y),
            tuple(a * b for a, b in zip(above.tint, tint, strict=True)),  # pyright: ignore[reportArgumentType]
            above.opacity * min(max(_finite(layer.opacity, 1.0), 0.0), 1.0),
            above.visible and bool(layer.visible),
            (above.parallax[0] * across, above.parallax[1] * down),
            {**above.properties, **plain(layer.properties)},
        )
        kind = type(layer).__name__
        if kind == "LayerGroup":
            for inner in layer.layers or []:
                self.take(inner, cells, here)
        elif kind == "TileLayer":
            here.cells = self.known(next(cells), here.name)
            self.map.layers.append(here)
        elif kind == "ObjectLayer":
            for thing in layer.tiled_objects:
                self.map.objects.append(self.object(thing, here))
        else:
            what = "%s: image layers are not supported, so %r is not drawn; use a Sprite instead"
            _log.warning(what, self.asset, here.name)

    def known(self, cells: Array, name: str) -> Array:
        """Return the cells with unknown tiles and unused bits set to 0. Unknown tiles are logged."""
        hexagonal = self.map.grid.orientation == "hexagonal"
        number = cells & np.uint32(TILE)
        flips = FLIPS if hexagonal else FLIPS & ~ROTATED_120
        strange = number >= len(self.map.tiles)
        if strange.any():
            _log.error("%s: the layer %r names the tile %d, which no tileset has", self.asset, name, number[strange][0])
            number = np.where(strange, 0, number)
        return np.where(number > 0, number | cells & np.uint32(flips), 0).astype(np.uint32)

    def object(self, thing: Any, layer: MapLayer) -> MapObject:
        x, y = self.spot(*thing.coordinates)
        form = _WORDS.get(type(thing).__name__, "box")
        found = MapObject(int(thing.id), thing.name or "", thing.class_ or "", layer.name, form, x, y)
        found.x, found.y = x + layer.offset[0], y + layer.offset[1]
        found.width, found.height = float(thing.size[0]), float(thing.size[1])
        found.rotation = -math.radians(float(thing.rotation))
        if form in ("polygon", "line"):
            corners = [self.spot(thing.coordinates[0] + px, thing.coordinates[1] + py) for px, py in thing.points]
            found.points = np.array(corners, np.float64).reshape(-1, 2) - (x, y)
        found.text = str(getattr(thing, "text", ""))
        found.tile = int(getattr(thing, "gid", 0))
        found.visible = layer.visible and bool(thing.visible)
        tile = found.tile & TILE
        found.properties = {**self.map.tiles.properties.get(tile, {}), **plain(thing.properties)}
        found.kind = found.kind or str(found.properties.get("class", ""))
        return found

    def spot(self, x: float, y: float) -> tuple[float, float]:
        """Convert a position as Tiled writes it to the map's own space."""
        grid = self.map.grid
        if grid.orientation != "isometric":
            return float(x), -float(y)
        column, row = x / grid.height, y / grid.height
        return grid.project(column, row)

    def properties(self) -> dict[str, Any]:
        node = self.file.root.find("properties") if self.file.is_xml else self.file.attribute("properties")
        return plain(pytiled(self.kind, "properties")(node)) if node is not None else {}


def _finite(value: Any, default: float) -> float:
    """Return a number of drawable size; `default`, which is Tiled's own default, for other values."""
    return float(value) if isinstance(value, (int, float)) and abs(value) < _FARTHEST else default
