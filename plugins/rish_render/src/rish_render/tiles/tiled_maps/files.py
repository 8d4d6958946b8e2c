"""Reads files of the Tiled editor, checks them, and takes the cells out of them.

A map is XML (.tmx) or JSON (.tmj, .json); with it come tilesets (.tsx, .tsj) and templates of objects (.tx, .tj), which
are assets of their own. Reading gives a `TiledFile`: the document as a tree, from which the cells have been removed
into arrays, so that the rest is small. `reading` interprets it with pytiled-parser.
"""

from __future__ import annotations

import importlib
import json
import posixpath
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core import AssetError, read_asset
from rish_ecs import Place

from ..model import MAX_TOTAL
from ..tile_data import Cells, check_size, decode_cells
from .located_xml import Element, parse_xml

MAX_BYTES = 256 * 2**20
"""The largest file that is read, in bytes."""

Chunk = tuple[int, int, Cells]
"""The column and the row of the first cell, and the cells."""


@dataclass
class TiledFile:
    """A document of Tiled.

    root: an Element, or a mapping of JSON. cells: the chunks of each tile layer, in the order of the text.
    """

    name: str
    root: Any
    cells: list[list[Chunk]] = field(default_factory=list[list[Chunk]])

    @property
    def is_xml(self) -> bool:
        """Whether `root` is an Element."""
        return isinstance(self.root, Element)

    def attribute(self, name: str, default: Any = None) -> Any:
        """Return an attribute of the document's root."""
        return self.root.get(name, default)


def load_map(path: Path) -> TiledFile:
    """Load a .tmx or .tmj file. Raises AssetError, with the line if it is known."""
    return read_map(load_tiled(path))


def load_tiled(path: Path) -> TiledFile:
    """Load a tileset or template. Raises AssetError, with the line if it is known."""
    data = read_asset(path, MAX_BYTES)
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return TiledFile(path.name, parse_xml(data, path.name))
    return TiledFile(path.name, _parse_json(data, path.name))


def _parse_json(data: bytes, name: str) -> dict[str, Any]:
    try:
        root = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise AssetError(f"{name} is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise AssetError(f"{Place(name, error.lineno, error.colno)}: {error.msg}") from None
    except (RecursionError, ValueError) as error:
        raise AssetError(f"{name} can't be read: {error}") from None
    if not isinstance(root, dict):
        raise AssetError(f"{Place(name, 1, 1)}: this is not a Tiled file")
    return root


def read_map(file: TiledFile) -> TiledFile:
    """Move the cells out of a map's tree into `file.cells`. Raises AssetError if it is no map, or too large."""
    what = file.root.tag if file.is_xml else file.root.get("type", "map")
    if what != "map":
        raise AssetError(f"{Place(file.name, 1)}: this is a {str(what)!r}, not a map")
    total = 0
    try:
        layers = list(_tile_layers(file.root))
    except AssetError as error:
        raise AssetError(error.what, where=file.name) from None
    for layer in layers:
        try:
            chunks = _xml_cells(layer) if file.is_xml else _json_cells(layer)
        except (AssetError, KeyError, TypeError, ValueError) as error:
            place = Place(file.name, layer.line) if file.is_xml else Place(file.name)
            what = f": {error}" if isinstance(error, AssetError) else f" can't be read: {what_of(error)}"
            raise AssetError(f"{place}: the layer {layer.get('name', '')!r}{what}") from None
        total += sum(cells.size for _, _, cells in chunks)
        if total > MAX_TOTAL:
            raise AssetError(f"{file.name} is too large", hint=f"At most {MAX_TOTAL:,} cells in all layers")
        file.cells.append(chunks)
    return file


def what_of(error: Exception) -> str:
    """Return the message for an error of a parser."""
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)


def _tile_layers(node: Any) -> Iterator[Any]:
    """Yield the tile layers below an element or a mapping, in the order of the text."""
    is_xml = isinstance(node, Element)
    children = node if is_xml else node.get("layers") or []
    if not is_xml and (not isinstance(children, list) or not all(isinstance(child, dict) for child in children)):
        raise AssetError("'layers' must be a list of layers")
    for child in children:
        kind = child.tag if is_xml else child.get("type")
        if kind == ("layer" if is_xml else "tilelayer"):
            yield child
        elif kind == "group":
            yield from _tile_layers(child)


def _xml_cells(layer: Any) -> list[Chunk]:
    width, height = int(layer.attrib["width"]), int(layer.attrib["height"])
    check_size(width, height)
    data = layer.find("data")
    if data is None:
        return []
    layer.remove(data)
    encoding, compression = data.attrib.get("encoding", "xml"), data.attrib.get("compression", "")
    parts = [(part, *_rectangle(part.attrib)) for part in data.findall("chunk")] or [(data, 0, 0, width, height)]
    return [(x, y, _element_cells(part, w, h, encoding, compression)) for part, x, y, w, h in parts]


def _rectangle(chunk: Mapping[str, Any]) -> tuple[int, int, int, int]:
    """Return column, row, width and height of a chunk of an infinite map."""
    return int(chunk["x"]), int(chunk["y"]), int(chunk["width"]), int(chunk["height"])


def _element_cells(element: Any, width: int, height: int, encoding: str, compression: str) -> Cells:
    if encoding == "xml":
        numbers = [int(tile.attrib.get("gid", 0)) for tile in element.findall("tile")]
        return decode_cells(numbers, width, height)
    return decode_cells(element.text, width, height, encoding, compression)


def _json_cells(layer: dict[str, Any]) -> list[Chunk]:
    encoding, compression = layer.pop("encoding", "csv"), layer.pop("compression", "")
    chunks = layer.pop("chunks", None)
    data = layer.pop("data", None)
    if chunks is not None:
        parts = [(chunk["data"], *_rectangle(chunk)) for chunk in chunks]
    else:
        parts = [(data, 0, 0, int(layer["width"]), int(layer["height"]))] if data is not None else []
    return [(x, y, decode_cells(part, w, h, encoding, compression)) for part, x, y, w, h in parts]


def joined(chunks: list[list[Chunk]], size: tuple[int, int], infinite: bool) -> tuple[tuple[int, int], list[Cells]]:
    """Put all layers on one rectangle; return column and row of its first cell, and the cells of each layer.

    size: columns and rows of a finite map. The rectangle of an infinite map contains all its chunks.
    """
    x0, y0, (x1, y1) = 0, 0, size
    if infinite:
        ends = [(x, y, x + c.shape[1], y + c.shape[0]) for layer in chunks for x, y, c in layer] or [(0, 0, 0, 0)]
        x0, y0 = min(end[0] for end in ends), min(end[1] for end in ends)
        x1, y1 = max(end[2] for end in ends), max(end[3] for end in ends)
    check_size(x1 - x0, y1 - y0)
    if (x1 - x0) * (y1 - y0) * max(len(chunks), 1) > MAX_TOTAL:
        raise AssetError("it is too large", hint=f"At most {MAX_TOTAL:,} cells in all layers")
    layers: list[Cells] = []
    for parts in chunks:
        if len(parts) == 1 and parts[0][:2] == (x0, y0) and parts[0][2].shape == (y1 - y0, x1 - x0):
            layers.append(parts[0][2])
            continue
        whole: npt.NDArray[np.uint32] = np.zeros((y1 - y0, x1 - x0), np.uint32)
        for x, y, cells in parts:
            h, w = min(cells.shape[0], y1 - y), min(cells.shape[1], x1 - x)
            whole[y - y0 : y - y0 + h, x - x0 : x - x0 + w] = cells[: max(h, 0), : max(w, 0)]
        layers.append(whole)
    return (x0, y0), layers


def pytiled(kind: str, what: str) -> Callable[..., Any]:
    """Return a parser of pytiled-parser: `pytiled("tmx", "layer")`. Raises AssetError if it is not installed."""
    try:
        return importlib.import_module(f"pytiled_parser.parsers.{kind}.{what}").parse
    except ImportError:
        raise AssetError(
            "Tiled's maps can't be read without pytiled-parser", hint="pip install pytiled-parser"
        ) from None


def beside(asset: str, source: str) -> str:
    """Return the asset path of a file named relative to another asset. Raises AssetError if it leads outside."""
    package, colon, path = asset.rpartition(":")
    found = posixpath.normpath(posixpath.join(posixpath.dirname(path), str(source).replace("\\", "/")))
    if found.startswith(("/", "..")):
        raise AssetError(f"{asset} names {source!r}, which is outside the game's folder")
    return f"{package}{colon}{found}"
