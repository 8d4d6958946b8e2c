"""Watches shader files and reloads them when they change on disk; checks twice a second.

Only the time and the size of a file are checked; no file is opened before one of them changes. So an author saves the
file and sees the result; a file that does not compile or can't be read leaves the shader unchanged. If another plugin
watches all files of the game (`Assets.watched`), this watcher does nothing.
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
"""The number of frames between two checks."""


@system(Stage.LAST, writes=Shaders)
def watch_shaders(world: World, dt: float) -> None:
    """Reload the shaders whose files have changed."""
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
    """Return time and size of a file; None while it is missing, as for a moment when an editor saves it."""
    try:
        status = Path(assets.resolve(path)).stat()
    except (RishError, OSError):
        return None
    return status.st_mtime_ns, status.st_size
