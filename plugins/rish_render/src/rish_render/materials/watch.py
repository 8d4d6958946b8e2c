"""Reloads shader files when they change on disk, so an author saves the file and sees the result.

A file that does not compile or can't be read leaves the shader unchanged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_core import Assets
from rish_ecs import Stage, system

from .table import Shaders

if TYPE_CHECKING:
    from rish_ecs import World


@system(Stage.LAST, writes=Shaders)
def watch_shaders(world: World, dt: float) -> None:
    """Reload the shaders whose files have changed."""
    shaders: Shaders = world[Shaders]
    if shaders.texts and Assets in world:
        shaders.stamps.reload(world[Assets], [text.shader for text in shaders.texts.values()])
