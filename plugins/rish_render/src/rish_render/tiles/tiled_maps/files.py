"""Reads the files of a map, and takes the cells out of its layers.

A map is XML (.tmx) or JSON (.tmj, .json); with it come tilesets (.tsx, .tsj) and templates of objects (.tx, .tj) beside
it, and images, of which only the sizes are read.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from rish_core import AssetError, read_asset
from rish_ecs import Place, did_you_mean
from rish_frame.pictures import image_size

from ..model import MAX_TOTAL
from ..tile_data import Cells, check_size, decode_cells
from .documents import Node, parse_document

MAX_BYTES = 256 * 2**20
"""The largest file that is read, in bytes."""

Sibling = Callable[[str], Path]
"""Returns the path of a file by its name relative to the map. Raises AssetError if there is none."""
Tell = Callable[[Place, str], object]
"""Takes a place, and a sentence about what is not read or not drawn there."""
Chunk = tuple[int, int, Cells]
"""The column and the row of the first cell, and the cells."""


@dataclass(frozen=True)
class Source:
    """A file of Tiled. name: for messages. path: relative to the map, for names in the file. sibling: finds others."""

    name: str
    path: str
    root: Node
    sibling: Sibling

    def place(self, node: Node | None = None) -> Place:
        """Return the place of a node in this file."""
        return Place(self.name, (node or self.root).line)

    def beside(self, name: str) -> str:
        """Return the name of a file relative to the map, given relative to this file."""
        return posixpath.normpath(posixpath.join(posixpath.dirname(self.path), name.replace("\\", "/")))

    def open(self, name: str) -> Source:
        """Read another file of Tiled. Raises AssetError."""
        path = self.beside(name)
        return Source(path, path, read_document(self.sibling(path), path), self.sibling)

    def image_size(self, image: str, say: Callable[[str], object]) -> tuple[int, int] | None:
        """Return width and height of an image, given relative to the map; None, which is logged, if unreadable."""
        try:
            return image_size(self.sibling(image))
        except AssetError as error:
            what = (
                f"its image can't be read, so a checkerboard is drawn: {error.what}{did_you_mean(image, error.choices)}"
            )
            say(f"{what}. Put it there, or correct its name")
            return None


def read_document(path: Path, name: str) -> Node:
    """Read a file. Raises AssetError, with the line if it is known."""
    return parse_document(read_asset(path, MAX_BYTES), name)


def tile_layers(node: Node) -> Iterator[Node]:
    """Yield the tile layers below a map or a group, in the order of the text."""
    for child in node.nodes("layers"):
        if child.text("type") == "tilelayer":
            yield child
        elif child.text("type") == "group":
            yield from tile_layers(child)


def read_cells(source: Source) -> list[list[Chunk]]:
    """Return the chunks of each tile layer. Raises AssetError for damaged cells, and for too many."""
    root = source.root
    size = root.whole("width"), root.whole("height")
    total, layers = 0, list[list[Chunk]]()
    for layer in tile_layers(root):
        try:
            chunks = list(_chunks(layer, size))
        except AssetError as error:
            what = f"{source.place(layer)}: the layer {layer.text('name')!r}: {error.what}"
            raise AssetError(what, hint=error.hint, given=error.given, choices=error.choices) from None
        total += sum(cells.size for _, _, cells in chunks)
        if total > MAX_TOTAL:
            raise AssetError(f"{source.name} is too large", hint=f"At most {MAX_TOTAL:,} cells in all layers")
        layers.append(chunks)
    return layers


def _chunks(layer: Node, size: tuple[int, int]) -> Iterator[Chunk]:
    """Yield the parts of a layer that have cells, and drop their text. size: of a layer that does not say its own."""
    encoding, compression = layer.text("encoding", "csv"), layer.text("compression")
    chunks, data = layer.nodes("chunks"), layer.pop("data", None)
    layer.pop("chunks", None)
    if data is None and not chunks:
        return
    parts = chunks or [Node({**{key: layer[key] for key in _RECTANGLE if key in layer}, "data": data})]
    for part in (part for part in parts if part.get("data") is not None):
        wide, high = part.whole("width", size[0]), part.whole("height", size[1])
        yield part.whole("x"), part.whole("y"), decode_cells(part.get("data"), wide, high, encoding, compression)


_RECTANGLE = ("x", "y", "width", "height")


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
            left, top = max(x, x0), max(y, y0)
            right, bottom = min(x + cells.shape[1], x1), min(y + cells.shape[0], y1)
            if left < right and top < bottom:
                part = cells[top - y : bottom - y, left - x : right - x]
                whole[top - y0 : bottom - y0, left - x0 : right - x0] = part
        layers.append(whole)
    return (x0, y0), layers
