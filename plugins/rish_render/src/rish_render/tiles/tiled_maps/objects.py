"""Objects of Tiled: their templates, their places in the map's own space, and the tiles that some of them show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from rish_core import AssetError
from rish_frame.frame import CELL_TRANSPOSED
from rish_jit import Array, maths

from ..grid import Grid
from ..model import TILE, GameMap, MapLayer, MapObject, PictureLayer
from .documents import Node, angle_of
from .files import Source, Tell
from .properties import properties_of
from .shapes import corners_of, form_of
from .tilesets import TilesetRows

_SHOWN = 3  # ids of objects that a message lists


class ObjectReader:
    """Reads the objects of a map's layers. tell: logs a place and a sentence about what is not drawn."""

    def __init__(
        self,
        source: Source,
        map_: GameMap,
        set_of: Callable[[int], TilesetRows | None],
        tell: Tell,
    ) -> None:
        self.source, self.map, self.set_of, self.tell = source, map_, set_of, tell

    def layer(self, node: Node, look: MapLayer, things: list[Node], below: int) -> PictureLayer | None:
        """Add the objects of a layer to the map; return the layer of those that show a tile, None if none does."""
        first = len(self.map.objects)
        self.map.objects += [self.object(thing, look) for thing in things]
        self._tell_texts(node, first)
        shown = [k for k in range(first, len(self.map.objects)) if self._shows(k)]
        if node.text("draworder", "topdown") != "index":
            shown.sort(key=lambda k: things[k - first].number("y"))
        self._tell_unknown(node, first)
        rows = [(self.map.objects[k], self._rows(k), k) for k in shown]
        rows = [row for row in rows if row[1] is not None]
        if not rows:
            return None
        crossed = self.map.grid.orientation != "hexagonal"
        placed = [_placed(thing, tile, crossed) for thing, tile, _ in rows if tile is not None]
        look = replace(look, offset=(0.0, 0.0))  # the positions of objects include it
        return PictureLayer.like(
            look, np.array([thing.tile for thing, *_ in rows]), center=np.array([place[0] for place in placed]),
            size=np.array([place[1] for place in placed]), angle=np.array([thing.rotation for thing, *_ in rows]),
            base=np.array([thing.y for thing, *_ in rows]),
            fade=np.array([thing.opacity for thing, *_ in rows], np.float32),
            things=np.array([k for *_, k in rows], np.int64), below=below,
        )  # fmt: skip

    def _shows(self, number: int) -> bool:
        thing = self.map.objects[number]
        return thing.form == "tile" and thing.visible

    def _rows(self, number: int) -> TilesetRows | None:
        """Return the tileset of an object's tile if that tile has a picture."""
        tile = self.map.objects[number].tile & TILE
        has = tile < len(self.map.tiles) and self.map.tiles.image[tile] >= 0
        return self.set_of(tile) if has else None

    def object(self, node: Node, layer: MapLayer) -> MapObject:
        """Return an object. Its position is in the map's own space, moved by the offset of its layer."""
        x, y = self._spot(node.number("x"), node.number("y"))
        form = form_of(node)
        kind = node.text("class") or node.text("type")
        thing = MapObject(node.whole("id"), node.text("name"), kind, layer.name, form, x, y)
        thing.x, thing.y = x + layer.offset[0], y + layer.offset[1]
        thing.width, thing.height = node.number("width"), node.number("height")
        thing.rotation = -angle_of(node)
        thing.opacity = min(max(node.number("opacity", 1.0), 0.0), 1.0)
        thing.visible = layer.visible and node.flag("visible", True)
        if form in ("polygon", "line"):
            x0, y0 = node.number("x"), node.number("y")
            corners = [self._spot(x0 + px, y0 + py) for px, py in corners_of(node)]
            thing.points = np.array(corners, np.float64).reshape(-1, 2) - (x, y)
        if form == "text":
            thing.text = node.node("text").text("text")
        if form == "tile":
            self._tile(thing, node)
        own = properties_of(node, lambda what: self.tell(self.source.place(node), f"{_named(thing)}: {what}"))
        thing.properties = {**self.map.tiles.properties.get(thing.tile & TILE, {}), **own}
        thing.kind = thing.kind or str(thing.properties.get("class", ""))
        return thing

    def _tile(self, thing: MapObject, node: Node) -> None:
        """Set the tile of an object, and what follows from its tileset: size and alignment."""
        thing.tile = node.whole("gid") & 0xFFFFFFFF
        rows = self.set_of(thing.tile & TILE)
        isometric = self.map.grid.orientation == "isometric"
        thing.anchor = (0.5, 0.0) if isometric else (0.0, 0.0)
        if rows is None:
            return
        thing.anchor = rows.anchor or thing.anchor
        original = rows.original[(thing.tile & TILE) - rows.first]
        thing.width, thing.height = thing.width or float(original[0]), thing.height or float(original[1])

    def _spot(self, x: float, y: float) -> tuple[float, float]:
        """Convert a position as Tiled writes it to the map's own space."""
        grid: Grid = self.map.grid
        return grid.project(x / grid.height, y / grid.height) if grid.orientation == "isometric" else (x, -y)

    def _tell_texts(self, node: Node, first: int) -> None:
        """Log that texts without a class, which no prefab can draw, are not drawn."""
        texts = [each for each in self.map.objects[first:] if each.form == "text" and each.visible and not each.kind]
        if texts:
            what = f"the layer {node.text('name')!r} has text that is not drawn, in {_listed(texts)}"
            hint = "Give it the class of a prefab with a Text, and the TileMap spawn: true"
            self.tell(self.source.place(node), f"{what}. {hint}")

    def _tell_unknown(self, node: Node, first: int) -> None:
        """Log which objects show a tile that no tileset has."""
        lost = [
            self.map.objects[k] for k in range(first, len(self.map.objects)) if self._shows(k) and self._rows(k) is None
        ]
        if lost:
            number = lost[0].tile & TILE
            what = f"the layer {node.text('name')!r} shows the tile {number}, which no tileset has, in {_listed(lost)}"
            self.tell(self.source.place(node), f"{what}, so that is not drawn. Add the tileset, or choose another tile")


def _placed(thing: MapObject, rows: TilesetRows, crossed: bool) -> tuple[Array, Array]:
    """Return the center of an object's picture in the map's own space, and the picture's size, float64 2.

    The picture fills the object's box, or keeps its proportions in the box's middle. A transposed picture keeps the
    bottom left corner of the box, whose width and height are swapped. crossed: whether the flag means that.
    """
    original = rows.original[(thing.tile & TILE) - rows.first]
    box = np.array([thing.width, thing.height])
    scale = box / np.maximum(original, 1)
    if rows.fit:
        scale = np.full(2, scale.min())
    dx, dy = (0.5 - np.array(thing.anchor)) * box + scale * rows.shift
    if crossed and thing.tile & CELL_TRANSPOSED:
        dx, dy = dx + (box[1] - box[0]) / 2, dy + (box[0] - box[1]) / 2
    cos, sin = maths.cos(thing.rotation), maths.sin(thing.rotation)
    return np.array([thing.x + cos * dx - sin * dy, thing.y + sin * dx + cos * dy]), scale * original


def _named(thing: MapObject) -> str:
    name = f"the object {thing.id}" if thing.id else "an object without an id"
    return name + (f" {thing.name!r}" if thing.name else "")


def _listed(things: list[MapObject]) -> str:
    rest = len(things) - _SHOWN
    shown = ", ".join(_named(thing) for thing in things[:_SHOWN])
    return shown + (f" and {rest} more" if rest > 0 else "")


class Templates:
    """Fills objects from their templates. add: adds the tileset of a template, and returns what its first number is."""

    def __init__(self, source: Source, add: Callable[[Source], int]) -> None:
        self.source, self.add = source, add
        self.known: dict[str, Node] = {}

    def filled(self, node: Node) -> Node:
        """Return an object with what it leaves to its template. Raises AssetError for a missing template."""
        name = node.text("template")
        if not name:
            return node
        if name not in self.known:
            self.known[name] = self._read(self.source.open(name))
        pattern = self.known[name]
        merged = Node({**pattern, **node})
        merged.line = node.line
        own, inherited = node.get("properties"), pattern.get("properties")
        if isinstance(own, list) and isinstance(inherited, list):
            names = {each.get("name") for each in own if isinstance(each, Node)}
            merged["properties"] = [*own, *(each for each in inherited if each.get("name") not in names)]
        elif isinstance(own, dict) and isinstance(inherited, dict):
            merged["properties"] = Node({**inherited, **own})
        return merged

    def _read(self, file: Source) -> Node:
        thing = file.root.get("object")
        if not isinstance(thing, Node):
            raise AssetError(f"{file.place()}: this is not a template of Tiled: it has no object")
        thing = Node(thing)
        for key in ("id", "x", "y"):
            thing.pop(key, None)
        number, tileset = thing.whole("gid"), file.root.get("tileset")
        if number and isinstance(tileset, Node):
            first = self.add(Source(file.name, file.path, tileset, file.sibling))
            thing["gid"] = number & ~TILE | (number & TILE) - tileset.whole("firstgid", 1) + first
        return thing
