"""The loaders of map files by suffix; a reader is imported when it is first needed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rish_core import with_placeholder

from .model import empty_map


@with_placeholder(empty_map)
def load_tiled_map(path: Path) -> Any:
    """Load a map of Tiled."""
    from .tiled_maps.files import load_map

    return load_map(path)


def load_tiled_part(path: Path) -> Any:
    """Load a tileset or template of Tiled."""
    from .tiled_maps.files import load_tiled

    return load_tiled(path)


@with_placeholder(empty_map)
def load_written_map(path: Path) -> Any:
    """Load a map in the engine's own YAML format."""
    from .plain_maps.reading import load_yaml_map

    return load_yaml_map(path)


LOADERS: dict[str, Callable[..., Any]] = {
    ".tmx": load_tiled_map,
    ".tmj": load_tiled_map,
    ".tsx": load_tiled_part,
    ".tsj": load_tiled_part,
    ".tx": load_tiled_part,
    ".tj": load_tiled_part,
    ".map.yaml": load_written_map,
}
"""The loaders of maps and their parts, by suffix."""
MAPS = tuple(suffix for suffix, loader in LOADERS.items() if loader is not load_tiled_part)
"""The suffixes of whole maps."""
