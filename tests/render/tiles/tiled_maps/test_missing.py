"""Members that a map's file leaves out or that are damaged: Tiled's defaults stand in for them."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rish_core import AssetError
from rish_render.tiles.tiled_maps.documents import as_nodes
from rish_render.tiles.tiled_maps.reading import build_map

NEEDED = {("tilewidth",), ("tileheight",), ("tilesets", 0, "tilewidth"), ("tilesets", 0, "tileheight")}
"""Without these the cells have no size. All other members have a default."""


def document(maps: Any) -> dict[str, Any]:
    """Return a map with everything in it."""
    base = {"id": 1, "name": "n", "class": "k", "opacity": 1, "visible": True, "offsetx": 1, "offsety": 2,
            "parallaxx": 1, "parallaxy": 1, "tintcolor": "#ffffff", "mode": "normal", "locked": False}  # fmt: skip
    rows = [{"name": "p", "type": "int", "value": 1}, {"name": "q", "type": "class", "value": {"r": 1}}]
    blank = {"id": 1, "name": "o", "type": "t", "x": 1, "y": 2, "width": 3, "height": 4, "rotation": 5, "visible": True,
             "opacity": 1, "properties": rows}  # fmt: skip
    forms: list[dict[str, Any]] = [
        {"point": True}, {"ellipse": True}, {"capsule": True}, {"gid": 1},
        {"polygon": [{"x": 0, "y": 0}, {"x": 4, "y": 0}, {"x": 0, "y": 4}]},
        {"polyline": [{"x": 0, "y": 0}, {"x": 1, "y": 1}]},
        {"text": {"text": "a", "wrap": True, "color": "#000000"}},
    ]  # fmt: skip
    place = {"id": 2, "x": 1, "y": 2, "width": 3, "height": 4}
    objects = {"type": "objectgroup", "draworder": "index", "objects": [blank, *({**place, **form} for form in forms)]}
    objects |= base
    image = {"type": "imagelayer", "image": "tiles.png", "imagewidth": 64, "imageheight": 32, "repeatx": True, **base}
    chunks = [{"x": 0, "y": 0, "width": 2, "height": 1, "data": [1, 2]}]
    open_ = {"type": "tilelayer", "chunks": chunks, "startx": 0, "encoding": "csv", "compression": "", **base}
    ground = {**maps.tile_layer("a", [[1, 2]]), **base, "properties": rows}
    layers = [ground, open_, {"type": "group", "layers": [objects], **base}, image]
    tiles = [
        {"id": 0, "type": "c", "properties": rows, "objectgroup": {"type": "objectgroup", "objects": [blank]}},
        {"id": 1, "animation": [{"tileid": 0, "duration": 100}, {"tileid": 1, "duration": 100}]},
    ]  # fmt: skip
    sets = [
        {**maps.TILESET, "firstgid": 1, "tiles": tiles, "tileoffset": {"x": 1, "y": 2}, "fillmode": "stretch",
         "tilerendersize": "tile", "objectalignment": "left", "transparentcolor": "#ff00ff", "grid": {"width": 1}},
        {"firstgid": 20, "name": "c", "tilewidth": 20, "tileheight": 40, "tilecount": 1, "columns": 0, "margin": 0,
         "spacing": 0, "tiles": [{"id": 0, "image": "tiles.png", "imagewidth": 64, "imageheight": 32, "x": 0, "y": 0,
                                  "width": 8, "height": 8}]},
    ]  # fmt: skip
    return maps.tiled_map(layers, tilesets=sets, properties=rows, backgroundcolor="#102030", parallaxoriginx=1)


def paths(value: Any, *before: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the paths of all members of mappings."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        if isinstance(value, dict):
            yield (*before, key)
        yield from paths(inner, *before, key)


def changed(whole: dict[str, Any], path: tuple[Any, ...], *value: Any) -> dict[str, Any]:
    """Return a copy without the member at a path, or with another value there."""
    found = copy.deepcopy(whole)
    node: Any = found
    for key in path[:-1]:
        node = node[key]
    if value:
        node[path[-1]] = value[0]
    else:
        del node[path[-1]]
    return found


def test_no_missing_member_loses_the_map(maps: Any, tmp_path: Path) -> None:
    """Whatever single member is taken away, the map is read; only the sizes of cells and tiles are needed."""
    whole = document(maps)
    (tmp_path / "tiles.png").write_bytes(maps.sheet())
    assert len(build_map("m.tmj", as_nodes(copy.deepcopy(whole)), tmp_path.joinpath).pictures) == 3
    for path in paths(whole):
        if path not in NEEDED:
            build_map("m.tmj", as_nodes(changed(whole, path)), tmp_path.joinpath)


VALUES: list[Any] = [None, "x", -1, 1e300, float("nan"), [], {}, True]


def test_a_damaged_member_gives_a_map_or_one_located_sentence(maps: Any, tmp_path: Path) -> None:
    """A member of any other value never raises anything but AssetError, with the file."""
    whole = document(maps)
    (tmp_path / "tiles.png").write_bytes(maps.sheet())
    for number, path in enumerate(paths(whole)):
        value = VALUES[number % len(VALUES)]
        assert "m.tmj" in mistake(changed(whole, path, value), tmp_path), (path, value)


def mistake(whole: dict[str, Any], folder: Path) -> str:
    """Return the message about a map, or the name of the file if it is read."""
    try:
        build_map("m.tmj", as_nodes(whole), folder.joinpath)
    except AssetError as error:
        return str(error)
    return "m.tmj"


def test_no_missing_attribute_loses_the_map_in_xml(maps: Any, tmp_path: Path) -> None:
    """The same for each attribute of a .tmx file."""
    text = maps.as_xml(changed(document(maps), ("layers", 1))).decode()
    (tmp_path / "tiles.png").write_bytes(maps.sheet())
    for found in re.finditer(r' (\w+)="[^"]*"', text[text.index("<map") :]):
        start = text.index("<map") + found.start()
        line = text[text.rindex("<", 0, start) : start]
        if found[1] in ("tilewidth", "tileheight") or line.startswith(("<map width", "<?xml")):
            continue
        (tmp_path / "m.tmx").write_text(text[:start] + text[start + len(found[0]) :])
        maps.build(tmp_path, "m.tmx")


def test_a_map_without_a_size_is_as_large_as_its_layers(maps: Any, tmp_path: Path) -> None:
    """Without width and height of the map its layers are not cut off; without those of a layer the map's count."""
    whole = maps.tiled_map([maps.tile_layer("a", [[1, 2], [3, 4]])])
    for gone in (("width",), ("height",), ("layers", 0, "width"), ("layers", 0, "height")):
        (tmp_path / "m.tmj").write_bytes(maps.as_json(changed(whole, gone)))
        assert maps.build(tmp_path, "m.tmj").layers[0].cells.tolist() == [[1, 2], [3, 4]]
