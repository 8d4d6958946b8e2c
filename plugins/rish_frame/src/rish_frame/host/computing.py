"""Gives the frame the plugins' compute work: reads the GLSL files, also when they change, and guards fallbacks.

A file that can't be read is reported; its work is done by the fallback, or by the last source that could be read.
"""

from __future__ import annotations

import dataclasses
from dataclasses import field
from functools import partial
from typing import TYPE_CHECKING

from rish_assets import AssetLibrary, AssetReader
from rish_core import AssetError
from rish_ecs import RishError, Stage, resource, system

from ..frame.compute import Compute
from ..frame.frame import Frame
from .guarded import GuardedFallback, report_failure

if TYPE_CHECKING:
    from rish_core import App
    from rish_ecs import World


@resource(derived=True)
class Computes:
    """The declared compute work of a game, for reloads.

    declared, loaded: without and with source, by name. sources: the GLSL of files by the name of the work, "" for
    a file that can't be read. seen: the version of `sources` that the frame has.
    """

    declared: dict[str, Compute] = field(default_factory=dict[str, Compute])
    loaded: dict[str, Compute] = field(default_factory=dict[str, Compute])
    seen: int = 0

    def __post_init__(self) -> None:
        """Make the library of sources."""
        self.sources = AssetLibrary("compute", self._read, placeholder=str, log="rish.frame")

    def _read(self, name: str, read: AssetReader) -> str:
        """Return the GLSL of declared work."""
        file = self.declared[name].file
        try:
            source = read(file)
            if not isinstance(source, str):
                raise RishError(f"{file} is not a text file")
        except RishError as error:
            raise AssetError(f"compute '{name}': {error}; its fallback is used") from error
        return source


def load_computes(app: App) -> None:
    """Give the frame all declared work; called at the start, and again when plugins were reloaded."""
    world = app.world
    computes: Computes = world[Computes]
    old, computes.loaded, computes.declared = computes.loaded, {}, dict(app.registry.of("rish_compute"))
    for name, declared in computes.declared.items():
        plugin = app.registry.owner("compute", name) or ""
        on_failure = partial(report_failure, app, plugin, f"the fallback of compute '{name}'")
        guarded = GuardedFallback(declared.fallback, on_failure)
        previous = old.get(name)
        version = previous.version + 1 if previous is not None else 0
        computes.sources.forget(name)
        source = declared.source or computes.sources.get(world, name)
        computes.loaded[name] = dataclasses.replace(declared, fallback=guarded, source=source, version=version)
    world[Frame].computes = dict(computes.loaded)


@system(Stage.FIRST, writes=(Computes, Frame))
def renew_computes(world: World, dt: float) -> None:
    """Use the new source of files that changed."""
    computes: Computes = world[Computes]
    changed = computes.sources.changed(computes.seen)
    computes.seen = computes.sources.version
    for name in [name for name in changed if name in computes.loaded]:
        old = computes.loaded[name]
        source = computes.sources.get(world, name)
        computes.loaded[name] = dataclasses.replace(old, source=source, version=old.version + 1)
    if changed:
        world[Frame].computes = dict(computes.loaded)
