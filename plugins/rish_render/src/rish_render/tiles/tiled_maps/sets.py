"""Tilesets of Tiled: one image cut into tiles, or one image per tile, and the properties of their tiles."""

from __future__ import annotations

import math
from pathlib import PurePath
from typing import Any

import numpy as np

from rish_core import AssetError
from rish_ecs import maths

from ..model import MAX_TILES, Animation, Array, Tiles
from .files import TiledFile, beside, pytiled

_ROUND = 16  # corners of an ellipse


def plain(properties: Any) -> dict[str, Any]:
    """Return properties as plain values: paths become text, colours become tuples."""
    found: dict[str, Any] = {}
    for name, value in (properties or {}).items():
        if isinstance(value, PurePath):
            value = value.as_posix()
        elif isinstance(value, tuple):
            value = tuple(value)
        found[str(name)] = value
    return found


def add_tileset(tiles: Tiles, file: TiledFile, first: int, asset: str) -> None:
    """Add a tileset's tiles at the numbers from `first` on. asset: the file that its image paths are relative to."""
    _complete(file)
    parse = pytiled("tmx" if file.is_xml else "json", "tileset")
    found = parse(file.root, first, "utf-8")
    own = found.tiles or {}
    count = max([int(found.tile_count), *(int(number) + 1 for number in own)], default=0)
    if not 1 <= first <= MAX_TILES or not 0 <= count <= MAX_TILES - first:
        raise AssetError(f"the tileset {found.name!r} has {count} tiles from {first} on", hint=f"At most {MAX_TILES:,}")
    image = np.full(count, -1, np.int32)
    region, size = np.zeros((count, 4), np.int32), np.zeros((count, 2), np.float32)
    size[:] = found.tile_width, found.tile_height
    if found.image is not None:
        image[:] = row = _image(tiles, beside(asset, found.image.as_posix()))
        if found.transparent_color is not None:
            red, green, blue, _ = (int(channel) for channel in found.transparent_color)
            tiles.clear[row] = red, green, blue
        region[:] = _regions(found, count)
    for number, tile in own.items():
        if tile.image is not None:
            image[number] = _image(tiles, beside(asset, tile.image.as_posix()))
            region[number] = _part(tile)
            size[number] = tile.width or tile.image_width or 0, tile.height or tile.image_height or 0
    if found.tile_render_size == "grid":
        size[:] = 0  # 0: as large as the map's cells
    dx, dy = found.tile_offset or (0, 0)
    tiles.extend(first, image, region, size, np.tile(np.array([(dx, -dy)], np.float32), (count, 1)))
    for number, tile in own.items():
        _describe(tiles, first, number, tile, size[number])


def _complete(file: TiledFile) -> None:
    """Fill in values that older files do not contain."""
    root = file.root
    node = root.find("image") if file.is_xml else None
    keep: Any = root.attrib.setdefault if file.is_xml else root.setdefault
    if root.get("tilewidth") is None or root.get("tileheight") is None:
        raise AssetError(f"the tileset {root.get('name', '')!r} has no tilewidth or tileheight")
    for image in root.iter("image") if file.is_xml else ():
        image.attrib.setdefault("width", "0")
        image.attrib.setdefault("height", "0")
    margin, spacing = int(root.get("margin") or 0), int(root.get("spacing") or 0)
    count: list[int] = []
    for side in ("width", "height"):
        whole = int((node.get(side) if node is not None else root.get(f"image{side}")) or 0)
        count.append(max((whole - 2 * margin + spacing) // max(int(root.get(f"tile{side}")) + spacing, 1), 0))
    text = str if file.is_xml else int
    keep("name", "")
    keep("columns", text(count[0]))
    keep("tilecount", text(count[0] * count[1]))


def _image(tiles: Tiles, path: str) -> int:
    """Return the index of an image path, adding it at its first use."""
    if path not in tiles.images:
        tiles.images.append(path)
    return tiles.images.index(path)


def _regions(tileset: Any, count: int) -> Array:
    """Return the rectangle of each tile in the tileset's image, int32 (count, 4)."""
    w, h, gap, margin = tileset.tile_width, tileset.tile_height, tileset.spacing, tileset.margin
    number = np.arange(count)
    column, row = number % max(int(tileset.columns), 1), number // max(int(tileset.columns), 1)
    x, y = margin + column * (w + gap), margin + row * (h + gap)
    return np.stack([x, y, np.full(count, w), np.full(count, h)], axis=1).astype(np.int32)


def _part(tile: Any) -> tuple[int, int, int, int]:
    """Return the part of its own image that a tile shows; zeros for all of it."""
    whole = (0, 0, tile.image_width or 0, tile.image_height or 0)
    part = (tile.x, tile.y, tile.width or whole[2], tile.height or whole[3])
    return (0, 0, 0, 0) if part == whole else part


def _describe(tiles: Tiles, first: int, number: int, tile: Any, size: Array) -> None:
    """Store the properties of a tile: properties, class, animation, blocking shapes."""
    properties = plain(tile.properties)
    if tile.class_:
        properties.setdefault("class", tile.class_)
    if properties:
        tiles.properties[first + number] = properties
    frames = [(first + int(f.tile_id), max(int(f.duration), 1) / 1000) for f in tile.animation or []]
    frames = [(one, seconds) for one, seconds in frames if 0 < one < len(tiles)]
    if len(frames) > 1:
        ends = np.cumsum([seconds for _, seconds in frames])
        tiles.animations[first + number] = Animation(np.array([one for one, _ in frames], np.int64), ends)
    shapes = [_shape(thing, float(size[1])) for thing in getattr(tile.objects, "tiled_objects", [])]
    shapes = [shape for shape in shapes if shape is not None]
    if shapes:
        tiles.shapes[first + number] = shapes


def _shape(thing: Any, height: float) -> Array | None:
    """Convert a shape of Tiled's collision editor to corners from the tile's bottom left, counter-clockwise."""
    x, y = (float(value) for value in thing.coordinates)
    w, h = (float(value) for value in thing.size)
    kind = type(thing).__name__
    if kind == "Polygon":
        ring = np.array([(px, py) for px, py in thing.points], np.float64)
    elif kind == "Rectangle" and w > 0 and h > 0:
        ring = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float64)
    elif kind == "Ellipse" and w > 0 and h > 0:
        turn = np.arange(_ROUND) * (2 * math.pi / _ROUND)
        ring = np.stack([w / 2 + maths.cos(turn) * w / 2, h / 2 + maths.sin(turn) * h / 2], axis=1)
    else:
        return None
    if len(ring) < 3:
        return None
    angle = math.radians(float(thing.rotation))
    cos, sin = maths.cos(angle), maths.sin(angle)
    px, py = ring[:, 0] * cos - ring[:, 1] * sin + x, ring[:, 0] * sin + ring[:, 1] * cos + y
    found = np.stack([px, height - py], axis=1)
    area = np.sum(found[:, 0] * np.roll(found[:, 1], -1) - np.roll(found[:, 0], -1) * found[:, 1])
    return found if area >= 0 else found[::-1].copy()
