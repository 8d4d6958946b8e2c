"""Gives the frame the plugins' compute work: reads the GLSL files, reads them again when they change, guards fallbacks.

A file that can't be read is reported; its work is done by the fallback, or by the last source that could be read.
"""

from __future__ import annotations

import dataclasses
import logging
from dataclasses import field
from functools import partial
from typing import TYPE_CHECKING

from rish_core import Assets
from rish_ecs import RishError, Stage, resource, system

from ..frame.compute import Compute
from ..frame.frame import Frame
from .file_stamps import FileStamps
from .guarded import GuardedFallback, report_failure

if TYPE_CHECKING:
    from rish_core import App
    from rish_ecs import World

_log = logging.getLogger("rish.frame")


@resource(derived=True)
class Computes:
    """The declared compute work of a game, for reloads.

    loaded: with source, by name. stamps: of the files. watched: the id of the `Assets` that report reloads.
    """

    loaded: dict[str, Compute] = field(default_factory=dict[str, Compute])
    stamps: FileStamps = field(default_factory=FileStamps)
    watched: int = 0


def load_computes(app: App) -> None:
    """Give the frame all declared work; called at the start, and again when plugins were reloaded."""
    world = app.world
    computes: Computes = world[Computes]
    old, computes.loaded = computes.loaded, {}
    for name, declared in app.registry.of("rish_compute").items():
        plugin = app.registry.owner("compute", name) or ""
        on_failure = partial(report_failure, app, plugin, f"the fallback of compute '{name}'")
        guarded = GuardedFallback(declared.fallback, on_failure)
        previous = old.get(name)
        version = previous.version + 1 if previous is not None else 0
        computes.loaded[name] = dataclasses.replace(
            declared, fallback=guarded, source=declared.source or _read(world, declared), version=version
        )
    world[Frame].computes = dict(computes.loaded)
    if computes.loaded and computes.watched != id(world[Assets]):
        computes.watched = id(world[Assets])
        world[Assets].on_reload(partial(_reload, world))


@system(Stage.LAST, writes=Computes)
def watch_computes(world: World, dt: float) -> None:
    """Reload the GLSL files of compute work that changed."""
    computes: Computes = world[Computes]
    if computes.loaded and Assets in world:
        computes.stamps.reload(world[Assets], [each.file for each in computes.loaded.values() if each.file])


def _reload(world: World, path: str) -> None:
    """Read the work of a file again; a file that can't be read was reported, and nothing changes."""
    computes: Computes = world[Computes]
    for name, compute in computes.loaded.items():
        if compute.file == path:
            source = _read(world, compute) or compute.source
            computes.loaded[name] = dataclasses.replace(compute, source=source, version=compute.version + 1)
    world[Frame].computes = dict(computes.loaded)


def _read(world: World, compute: Compute) -> str:
    """Return the GLSL of a declaration; empty, and the error is logged, if its file can't be read."""
    try:
        source = world[Assets].load(compute.file)
        if not isinstance(source, str):
            raise RishError(f"{compute.file} is not a text file")
    except RishError as error:
        _log.error("compute '%s': %s; its fallback is used", compute.name, error)
        return ""
    return source
