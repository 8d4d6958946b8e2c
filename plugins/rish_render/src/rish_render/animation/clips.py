"""The clips of an asset: a `.anim.yaml`, which rish_animation reads, or the `.json` of Aseprite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_animation import Clips
from rish_core import AssetError, Assets, canonical

from .aseprite import read_aseprite

if TYPE_CHECKING:
    from rish_ecs import World


SHEETS = (".json",)
"""The suffixes of sheets of Aseprite."""


def clips_of(world: World, path: str) -> Clips:
    """Return the clips of an asset, a `.anim.yaml` or Aseprite's `.json`. Raises AssetError for other files."""
    if Assets not in world:
        raise AssetError(f"{path} can't be read: this world has no assets")
    assets: Assets = world[Assets]
    try:
        return _clips_in(assets.load(path), path)
    except AssetError as error:
        assets.problems.setdefault(canonical(path), error)
        assets.load(path)  # logs it, once
        raise


def read_clips(assets: Assets, path: str) -> Clips:
    """Read the clips of an asset, without caching. Raises AssetError like `clips_of`."""
    return _clips_in(assets.read(path), path)


def _clips_in(content: object, path: str) -> Clips:
    return content if isinstance(content, Clips) else read_aseprite(content, path)
