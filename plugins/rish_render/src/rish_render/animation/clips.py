"""The clips of an asset: a `.anim.yaml`, which rish_animation reads, or the `.json` of Aseprite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_animation import Clips
from rish_core import AssetError, Assets

from .aseprite import read_aseprite

if TYPE_CHECKING:
    from rish_ecs import World


def clips_of(world: World, path: str) -> Clips:
    """Return the clips of an asset, a `.anim.yaml` or Aseprite's `.json`. Raises AssetError for other files."""
    if Assets not in world:
        raise AssetError(f"{path} can't be read: this world has no assets")
    found = world[Assets].load(path)
    if isinstance(found, Clips):
        return found
    return read_aseprite(found, path)
