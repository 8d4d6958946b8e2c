"""Reads projects of LDtk (.ldtk, JSON), with levels in the same file or in files of their own (.ldtkl).

The format is that of https://ldtk.io/json, versions 1.0 to 1.x.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Mapping
from typing import Any

import numpy as np

from rish_core import Assets, load_text

from .layout import laid_out, side_by_side
from .located import Node, parse
from .model import Background, EntityInstance, LayerInstance, Level, Project, TilesetDef

SUFFIX = ".ldtk"
KINDS = ("IntGrid", "Entities", "Tiles", "AutoLayer")
MAX_SIDE = 4096
"""The greatest number of cells along a side of a level."""


def read_project(assets: Assets, file: str) -> Project:
    """Read a project by its asset path. Raises AssetError with file, line and path of the first mistake."""
    root = parse(load_text(assets.resolve(file)), file)
    _check_version(root)
    definitions = root.inner(root.member("defs", dict), "defs")
    layers = {node.number("uid"): node for node in definitions.items("layers")}
    tilesets = {node.number("uid"): _tileset(node, file) for node in definitions.items("tilesets")}
    sources, worlds = [file], list[tuple[str, list[Level]]]()
    for world in (root, *root.items("worlds")):
        levels: list[Level] = []
        for node in world.items("levels"):
            level = node
            if not node.has("layerInstances") and node.has("externalRelPath"):
                path = beside(file, node.member("externalRelPath", str), node)
                sources.append(path)
                level = parse(load_text(assets.resolve(path)), path)
            levels.append(_level(level, node, layers, file))
        if levels:
            name = world.member("identifier", str, f"World{len(worlds) + 1}")
            worlds.append((name, laid_out(levels, world.member("worldLayout", str, "Free"))))
    found = side_by_side(worlds)
    names = [level.name for level in found]
    for level in found:
        if names.count(level.name) > 1:
            raise root.wrong(f"two levels are called {level.name!r}", "Give each level an identifier of its own")
    several = tuple(name for name, _ in worlds) if len(worlds) > 1 else ()
    return Project(file, several, tuple(found), tilesets, tuple(sources))


def beside(file: str, source: str, node: Node) -> str:
    """Return the asset path of a file named relative to the project. Raises AssetError if it leads outside."""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(file), source.replace("\\", "/")))
    if path.startswith(("/", "..")) or ":" in path:
        raise node.wrong(f"{source!r} is outside the game's folder", "Save the project inside of it, with its images")
    return path


def _check_version(root: Node) -> None:
    version = root.member("jsonVersion", str, "")
    major = version.partition(".")[0]
    if not version or not root.has("defs"):
        raise root.wrong("it is no project of LDtk: jsonVersion or defs is missing")
    if major != "1":
        hint = "Open it in LDtk 1.0 or newer and save it" if major == "0" else "Update rish-ldtk"
        raise root.wrong(f"its format is version {version}, this importer reads 1.0 to 1.x", hint)


def _tileset(node: Node, file: str) -> TilesetDef:
    path = node.member("relPath", str, "")
    tags: dict[int, tuple[str, ...]] = {}
    for tag in node.items("enumTags"):
        for tile in tag.member("tileIds", list, []):
            tags[int(tile)] = (*tags.get(int(tile), ()), tag.member("enumValueId", str))
    return TilesetDef(
        node.number("uid"), node.member("identifier", str), beside(file, path, node) if path else "",
        node.number("tileGridSize", low=1, high=MAX_SIDE), node.number("spacing", 0, low=0, high=MAX_SIDE),
        node.number("padding", 0, low=0, high=MAX_SIDE), node.number("pxWid", 0, low=0, high=2**16),
        node.number("pxHei", 0, low=0, high=2**16), tags, dict(_custom(each) for each in node.items("customData")),
    )  # fmt: skip


def _custom(node: Node) -> tuple[int, Mapping[str, Any]]:
    """Return a tile and its custom data; a text that is no JSON mapping is the value of `data`."""
    text = node.member("data", str, "")
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    return node.number("tileId"), value if isinstance(value, dict) else {"data": text}


def _level(node: Node, outer: Node, layers: Mapping[int, Node], file: str) -> Level:
    """Read a level. outer: its entry in the project, which has its place in the world for other files too."""
    instances = list(node.items("layerInstances"))
    entities = [_entity(each, layer) for layer in instances for each in layer.items("entityInstances")]
    return Level(
        node.member("identifier", str), node.member("iid", str, ""), "", outer.number("worldX", 0),
        outer.number("worldY", 0),
        outer.number("worldDepth", 0), node.number("pxWid", low=1), node.number("pxHei", low=1),
        node.member("__bgColor", str, ""), _background(node, file),
        tuple(_layer(layer, layers) for layer in reversed(instances)), tuple(reversed(entities)),
        tuple((each.member("dir", str, ""), each.member("levelIid", str, "")) for each in outer.items("__neighbours")),
        _fields(node), node.line,
    )  # fmt: skip


def _background(node: Node, file: str) -> Background | None:
    if not node.has("bgRelPath"):
        return None
    image = beside(file, node.member("bgRelPath", str), node)
    if not node.has("__bgPos"):
        return Background(image, (0, 0), (1, 1), (0, 0, 0, 0))
    position = node.inner(node.member("__bgPos", dict), "__bgPos")
    x, y = _numbers(position, "topLeftPx", 2)
    right, down = _numbers(position, "scale", 2)
    left, top, width, height = _numbers(position, "cropRect", 4)
    return Background(image, (x, y), (right, down), (left, top, width, height))


def _numbers(node: Node, key: str, count: int) -> list[float]:
    numbers = node.member(key, list)
    if len(numbers) != count or not all(isinstance(each, int | float) and abs(each) < 1e9 for each in numbers):
        raise node.wrong(f"{key} is {numbers!r:.40}, expected {count} numbers")
    return [float(each) for each in numbers]


def _layer(node: Node, definitions: Mapping[int, Node]) -> LayerInstance:
    kind = node.member("__type", str)
    if kind not in KINDS:
        raise node.wrong(f"__type is {kind!r}, expected one of {', '.join(KINDS)}")
    definition = definitions.get(node.number("layerDefUid"))
    if definition is None:
        raise node.wrong(f"there is no definition of the layer {node.value['layerDefUid']}")
    columns, rows = (node.number(key, low=0, high=MAX_SIDE) for key in ("__cWid", "__cHei"))
    values = {each.number("value"): each.member("identifier", str, "") for each in definition.items("intGridValues")}
    tiles, alphas = _tiles(node)
    parallax = tuple(1 - definition.member(f"parallaxFactor{axis}", (int, float), 0) for axis in "XY")
    return LayerInstance(
        node.member("__identifier", str), kind, node.number("__gridSize", low=1, high=MAX_SIDE), columns, rows,
        (node.number("__pxTotalOffsetX", 0), node.number("__pxTotalOffsetY", 0)),
        float(node.member("__opacity", (int, float), 1)), node.member("visible", bool, True),
        (float(parallax[0]), float(parallax[1])), definition.member("parallaxScaling", bool, True),
        node.number("overrideTilesetUid", node.number("__tilesetDefUid", None)),
        _int_grid(node, columns, rows), values, tiles, alphas,
    )  # fmt: skip


def _int_grid(node: Node, columns: int, rows: int) -> Any:
    numbers = node.member("intGridCsv", list, [])
    if not numbers:
        return np.zeros((0, 0), np.int64)
    if len(numbers) != columns * rows:
        raise node.wrong(f"intGridCsv has {len(numbers)} cells instead of {columns}×{rows} = {columns * rows}")
    if not all(type(each) is int and 0 <= each < 2**31 for each in numbers):
        raise node.wrong("intGridCsv has a value that is no whole number from 0 on")
    return np.array(numbers, np.int64).reshape(rows, columns)


def _tiles(node: Node) -> tuple[Any, Any]:
    """Return the tiles of a layer, and the opacity of each."""
    tiles: list[tuple[int, int, int, int]] = []
    alphas: list[float] = []
    for key in ("autoLayerTiles", "gridTiles"):
        for k, tile in enumerate(node.member(key, list, [])):
            try:
                (x, y), number, flips = tile["px"], tile["t"], tile.get("f", 0)
                tiles.append((int(x), int(y), int(number), int(flips)))
                alphas.append(min(max(float(tile.get("a", 1)), 0.0), 1.0))
            except (TypeError, ValueError, LookupError, AttributeError, OverflowError):
                raise node.inner(tile, f"{key}[{k}]").wrong("expected a tile with px, t and f") from None
    return np.clip(np.array(tiles, np.int64).reshape(-1, 4), -(2**31), 2**31 - 1), np.array(alphas)


def _entity(node: Node, layer: Node) -> EntityInstance:
    x, y = _numbers(node, "px", 2)
    pivot = _numbers(node, "__pivot", 2) if node.has("__pivot") else [0.0, 0.0]
    width, height = node.number("width", 0, low=0), node.number("height", 0, low=0)
    middle = x + (0.5 - pivot[0]) * width, y + (0.5 - pivot[1]) * height
    offset = layer.number("__pxTotalOffsetX", 0), layer.number("__pxTotalOffsetY", 0)
    return EntityInstance(
        node.member("__identifier", str), node.member("iid", str), middle[0] + offset[0], middle[1] + offset[1],
        width, height, layer.member("__identifier", str), layer.number("__gridSize", low=1), _fields(node), node.line,
    )  # fmt: skip


def _fields(node: Node) -> dict[str, tuple[str, Any]]:
    return {
        each.member("__identifier", str): (each.member("__type", str, ""), each.value.get("__value"))
        for each in node.items("fieldInstances")
    }
