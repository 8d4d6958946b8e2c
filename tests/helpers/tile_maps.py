"""Maps for the tests: a tileset of plain colors, and both of Tiled's formats from one description."""

from __future__ import annotations

import base64
import io
import json
import zlib
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np
from PIL import Image

from rish_core import Assets
from rish_core.assets import LOADERS as ASSET_LOADERS
from rish_render.tiles.loaders import LOADERS, map_asset
from rish_render.tiles.model import GameMap

COLORS = [(220, 60, 60), (60, 200, 80), (60, 90, 220), (240, 200, 60), (200, 80, 200), (80, 210, 210), (250, 250, 250),
           (120, 120, 120)]  # fmt: skip


def sheet(cell: tuple[int, int] = (16, 16), columns: int = 4, margin: int = 0, spacing: int = 0) -> bytes:
    """Return a PNG of eight tiles of one color each; margin and spacing are magenta."""
    w, h = cell
    rows = -(-len(COLORS) // columns)
    size = (rows * (h + spacing) - spacing + 2 * margin, columns * (w + spacing) - spacing + 2 * margin, 4)
    pixels = np.full(size, (255, 0, 255, 255), np.uint8)
    for number, color in enumerate(COLORS):
        x, y = margin + number % columns * (w + spacing), margin + number // columns * (h + spacing)
        pixels[y : y + h, x : x + w, :3] = color
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


TILESET = {
    "name": "tiles", "image": "tiles.png", "imagewidth": 64, "imageheight": 32, "tilewidth": 16, "tileheight": 16,
    "tilecount": 8, "columns": 4, "margin": 0, "spacing": 0,
}  # fmt: skip


def tile_layer(name: str, cells: Any, **more: Any) -> dict[str, Any]:
    """Return a tile layer as JSON data."""
    array = np.asarray(cells)
    return {
        "type": "tilelayer", "name": name, "width": array.shape[1], "height": array.shape[0], "opacity": 1,
        "visible": True, "x": 0, "y": 0, "data": array.ravel().tolist(), **more,
    }  # fmt: skip


def tiled_map(layers: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """Return a map as JSON data, with the tileset above unless another is given."""
    width = max((layer["width"] for layer in layers if "width" in layer), default=0)
    height = max((layer["height"] for layer in layers if "height" in layer), default=0)
    return {
        "type": "map", "version": "1.10", "orientation": "orthogonal", "renderorder": "right-down", "infinite": False,
        "width": width, "height": height, "tilewidth": 16, "tileheight": 16, "layers": layers,
        "tilesets": [{"firstgid": 1, **TILESET}], **more,
    }  # fmt: skip


def as_json(document: dict[str, Any]) -> bytes:
    """Return the contents of a .tmj file."""
    return json.dumps(document).encode()


def as_xml(document: dict[str, Any], packed: bool = False) -> bytes:
    """Return the same map as the contents of a .tmx file; its cells as CSV, or in compressed base64."""
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{_map(document, packed)}'.encode()


def _tag(name: str, attributes: dict[str, Any], *children: str) -> str:
    words = {key: int(value) if isinstance(value, bool) else value for key, value in attributes.items()}
    text = "".join(f" {key}={quoteattr(str(value))}" for key, value in words.items())
    return f"<{name}{text}>\n{''.join(children)}</{name}>\n"


def _plain(document: dict[str, Any], *without: str) -> dict[str, Any]:
    skip = {"type", "properties", "layers", "tilesets", "objects", "data", "chunks", *without}
    return {key: value for key, value in document.items() if key not in skip and not isinstance(value, (list, dict))}


def _properties(document: dict[str, Any]) -> str:
    inner = [
        _tag("property", {**one, "value": str(one["value"]).lower() if one["type"] == "bool" else one["value"]})
        for one in document.get("properties", [])
    ]
    return _tag("properties", {}, *inner) if inner else ""


def _map(document: dict[str, Any], packed: bool) -> str:
    sets = [_tileset(one) for one in document["tilesets"]]
    layers = [_layer(one, packed) for one in document["layers"]]
    return _tag("map", _plain(document), _properties(document), *sets, *layers)


def _tileset(document: dict[str, Any]) -> str:
    image = {
        "source": document.get("image"),
        "width": document.get("imagewidth"),
        "height": document.get("imageheight"),
    }
    inner = [_tag("image", image)] if document.get("image") else []
    for tile in document.get("tiles", []):
        frames = [_tag("frame", frame) for frame in tile.get("animation", [])]
        parts = [_properties(tile), _tag("animation", {}, *frames) if frames else ""]
        if "image" in tile:
            parts.append(
                _tag("image", {"source": tile["image"], "width": tile["imagewidth"], "height": tile["imageheight"]})
            )
        if "objectgroup" in tile:
            parts.append(_layer(tile["objectgroup"], False))
        kind = {"type": tile["type"]} if "type" in tile else {}
        inner.append(_tag("tile", {"id": tile["id"], **kind}, *parts))
    return _tag("tileset", _plain(document, "image", "imagewidth", "imageheight", "tiles"), *inner)


def _layer(document: dict[str, Any], packed: bool) -> str:
    plain = _plain(document, "draworder")
    if document["type"] == "group":
        return _tag("group", plain, _properties(document), *(_layer(one, packed) for one in document["layers"]))
    if document["type"] == "objectgroup":
        return _tag("objectgroup", plain, _properties(document), *map(_object, document["objects"]))
    if document["type"] == "imagelayer":
        size = {"width": document.get("imagewidth"), "height": document.get("imageheight")}
        image = {"source": document["image"], **{key: value for key, value in size.items() if value}}
        return _tag("imagelayer", _plain(document, "image", "imagewidth", "imageheight"), _tag("image", image))
    head = {"encoding": "base64", "compression": "zlib"} if packed else {"encoding": "csv"}
    if "chunks" in document:
        inner = [_tag("chunk", _plain(one), _cells(one["data"], packed)) for one in document["chunks"]]
        return _tag("layer", plain, _properties(document), _tag("data", head, *inner))
    return _tag("layer", plain, _properties(document), _tag("data", head, _cells(document["data"], packed)))


def _cells(data: list[int], packed: bool) -> str:
    if packed:
        return base64.b64encode(zlib.compress(np.array(data, "<u4").tobytes())).decode()
    return ",".join(map(str, data))


def _object(document: dict[str, Any]) -> str:
    plain = _plain(document, "point", "ellipse", "polygon", "polyline", "text")
    if "type" in document:
        plain["type"] = document["type"]
    inner = [f"<{form}/>" for form in ("point", "ellipse") if document.get(form)]
    for form in ("polygon", "polyline"):
        if form in document:
            inner.append(_tag(form, {"points": " ".join(f"{p['x']},{p['y']}" for p in document[form])}))
    return _tag("object", plain, _properties(document), *inner)


def build(folder: Path, name: str, **files: bytes) -> GameMap:
    """Read a map from a folder that contains the given files, and tiles.png."""
    if not (folder / "tiles.png").exists():
        (folder / "tiles.png").write_bytes(sheet())
    for path, data in files.items():
        (folder / path.replace("__", ".")).write_bytes(data)
    assets = Assets(folder, {**ASSET_LOADERS, **LOADERS})
    assets.load(name, strict=True)
    return map_asset(assets, name)
