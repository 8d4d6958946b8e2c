"""Shaders that change on disk while the game runs: looked for twice a second, and read again.

A file's time and size are asked for, nothing is opened before one of them is another. So an author saves the file and
sees the picture change; what does not compile or can't be read leaves the picture as it was. Where
another plugin watches all files of the game (`Assets.watched`), nothing is watched here.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rish_core import Assets
from rish_ecs import RishError, Stage, system

from .table import Shaders

if TYPE_CHECKING:
    from rish_ecs import World

EVERY = 30
"""Frames between two looks."""


@system(Stage.LAST, writes=Shaders)
def watch_shaders(world: World, dt: float) -> None:
    """Read the shaders again whose files have changed."""
    shaders: Shaders = world[Shaders]
    shaders.frames += 1
    if not shaders.texts or shaders.frames % EVERY != 1 or Assets not in world or world[Assets].watched:
        return
    for path in {text.shader for text in shaders.texts.values()}:
        stamp = _stamp(world[Assets], path)
        known = shaders.stamps.setdefault(path, stamp)
        if stamp is not None and stamp != known:
            shaders.stamps[path] = stamp
            world[Assets].reload(path)


def _stamp(assets: Assets, path: str) -> tuple[int, int] | None:
    """Time and size of a file; None while it is not there, as it is for a moment when an editor saves it."""
    try:
        status = Path(assets.resolve(path)).stat()
    except (RishError, OSError):
        return None
    return status.st_mtime_ns, status.st_size
