"""The loaders of map files by suffix; a reader is imported when it is first needed."""

from __future__ import annotations

import functools
import posixpath
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rish_assets import AssetReader
from rish_core import AssetError, Assets, with_placeholder, with_siblings

from .model import GameMap, empty_map


@with_siblings
@with_placeholder(empty_map)
def load_tiled_map(path: Path, sibling: Callable[[str], Path]) -> GameMap:
    """Load a map of Tiled, with the tilesets and templates beside it."""
    from .tiled_maps.reading import load_map

    return load_map(path, sibling)


@with_placeholder(empty_map)
def load_written_map(path: Path) -> GameMap:
    """Load a map in the engine's own YAML format."""
    from .plain_maps.reading import load_yaml_map

    return load_yaml_map(path)


LOADERS: dict[str, Callable[..., Any]] = {
    ".tmx": load_tiled_map,
    ".tmj": load_tiled_map,
    ".map.yaml": load_written_map,
}
"""The loaders of maps, by suffix."""
MAPS = (*LOADERS, ".json")
"""The suffixes of maps."""


def map_of(asset: str, read: AssetReader) -> GameMap:
    """Return the map of an asset, with asset paths of its images, for a library. Raises AssetError."""
    return _map_in(read(), read.assets, asset)


def map_asset(assets: Assets, asset: str) -> GameMap:
    """Return the map of an asset, with asset paths of its images. Raises AssetError."""
    return _map_in(assets.load(asset, strict=True), assets, asset)


def _map_in(loaded: object, assets: Assets, asset: str) -> GameMap:
    """Return the map that a loader returned.

    A .json file is known as a map of Tiled only from its use, so it is converted here and not by a loader.
    """
    if not isinstance(loaded, GameMap):
        loaded = _of_json(loaded, asset, functools.partial(assets.sibling, asset))
    return _with_paths(loaded, asset)


def read_map(assets: Assets, asset: str) -> GameMap:
    """Return the map of an asset, and read the images of its tiles too. Raises AssetError with all that is missing."""
    map_, wrong = map_asset(assets, asset), list[str]()
    for image in filter(None, map_.tiles.images):
        try:
            assets.read(image)
        except AssetError as error:
            wrong.append(f"{error.what}. {error.hint}" if error.hint else error.what)
    if wrong:
        raise AssetError("\n".join([f"{asset}: its images can't be read", *wrong]))
    return map_


def _of_json(data: Any, asset: str, sibling: Callable[[str], Path]) -> GameMap:
    from .tiled_maps.documents import Node, as_nodes
    from .tiled_maps.reading import build_map

    root = as_nodes(data)
    if not isinstance(root, Node) or "layers" not in root:
        raise AssetError(f"{asset} is not a map of Tiled", hint=f"Maps end in {', '.join(MAPS)}")
    return build_map(asset, root, sibling)


def _with_paths(map_: GameMap, asset: str) -> GameMap:
    """Make the image paths of a map, which are relative to it, asset paths. The map is shared, so it is done once."""
    tiles = map_.tiles
    if tiles.home != asset:
        tiles.images = [path if ":" in path or not path else beside(asset, path) for path in tiles.images]
        tiles.home = asset
    return map_


def beside(asset: str, source: str) -> str:
    """Return the asset path of a file named relative to another asset. Raises AssetError if it leads outside."""
    package, colon, path = asset.rpartition(":")
    joined = posixpath.normpath(posixpath.join(posixpath.dirname(path), source.replace("\\", "/")))
    if joined.startswith(("/", "..")):
        raise AssetError(f"{asset} names {source!r}, which is outside the game's folder")
    return f"{package}{colon}{joined}"
