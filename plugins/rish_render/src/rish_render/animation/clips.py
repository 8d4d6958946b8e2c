"""The clips of an asset: a `.anim.yaml`, which rish_animation reads, or the `.json` of Aseprite."""

from __future__ import annotations

from rish_animation import Clips
from rish_assets import AssetReader
from rish_core import Assets

from .aseprite import read_aseprite

SHEETS = (".json",)
"""The suffixes of sheets of Aseprite."""


def read_sheet(path: str, read: AssetReader) -> Clips:
    """Return the clips of a file, for a library. Raises AssetError for a file of another kind."""
    return _clips_in(read(), path)


def read_clips(assets: Assets, path: str) -> Clips:
    """Read the clips of an asset, without caching. Raises AssetError for a file of another kind."""
    return _clips_in(assets.read(path), path)


def _clips_in(content: object, path: str) -> Clips:
    return content if isinstance(content, Clips) else read_aseprite(content, path)
