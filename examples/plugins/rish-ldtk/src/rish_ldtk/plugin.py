"""The hooks of rish_ldtk."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from rish_core import About, AssetNames, Layers, hookimpl
from rish_render import TileMap
from rish_render.tiles import add_map

from .components import LdtkLevel, LdtkSettings
from .maps import Blocking, level_map, not_drawn
from .reading import SUFFIX, read_project
from .scenes import add_scenes, read_worlds
from .worlds import LdtkWorlds

if TYPE_CHECKING:
    from pathlib import Path

    from rish_core import App, Manifest, Registry, World

_log = logging.getLogger("rish.ldtk")


def rish_about() -> About:
    """Describe the plugin; tiles are drawn by `render`."""
    return About(description="levels of the editor LDtk", api=">=1,<2", requires=["render>=0.1"])


def rish_settings() -> type:
    """Return the class of `settings: ldtk:`."""
    return LdtkSettings


def rish_manifest_keys() -> list[str]:
    """Return the key of the manifest that the plugin reads."""
    return ["levels"]


def rish_components() -> list[type]:
    """Return the component of levels."""
    return [LdtkLevel]


def rish_resources() -> list[type]:
    """Return the resource with all levels."""
    return [LdtkWorlds]


def rish_loaders() -> dict[str, Any]:
    """Return the loader of projects; they are read with the manifest, so it returns the path."""
    return {SUFFIX: _path}


def rish_names() -> dict[str, Any]:
    """Return the list of projects."""
    return {"ldtk_projects": AssetNames(SUFFIX, read=read_project)}


@hookimpl(optional=True)
def rish_editor_references() -> dict[str, dict[str, list[str]]]:
    """Return where projects and their levels name other files."""
    return {key: {"relative": ["*relPath", "*RelPath"]} for key in (".ldtk", ".ldtkl")}


def _path(path: Path) -> Path:
    return path


def rish_manifest(manifest: Manifest, registry: Registry) -> None:
    """Add the scenes of `levels:`."""
    add_scenes(manifest, registry)


def rish_ready(app: App) -> None:
    """Make the maps of all levels."""
    _load(app)


def rish_reloaded(app: App, plugins: tuple[str, ...]) -> None:
    """Make the maps anew, and give one to new levels."""
    _load(app)
    _show(app.world)


def rish_scene_loaded(world: World, scene: str) -> None:
    """Give a `TileMap` to the levels of the scene."""
    _show(world)


def _load(app: App) -> None:
    """Read the projects of the manifest again, and make their maps."""
    world = app.world
    worlds = read_worlds(app.manifest)
    world[LdtkWorlds].projects, world[LdtkWorlds].scenes = worlds.projects, worlds.scenes
    settings = world[LdtkSettings]
    layer_names = world[Layers].order
    blocking = Blocking(settings.solid, settings.one_way)
    for project in worlds.projects.values():
        for level in project.levels:
            for line in not_drawn(project, level):
                _log.warning("%s", line)
            add_map(world, map_name(project.file, level.name), level_map(project, level, blocking, layer_names))


def map_name(file: str, level: str) -> str:
    """Return the name of a level's map for `TileMap.map`."""
    return f"{file}/{level}"


def _show(world: World) -> None:
    levels, z = world.query(LdtkLevel), world[LdtkSettings].z
    for entity in levels.entities.tolist():
        level = world.get(entity, LdtkLevel)
        name = map_name(level.file, level.level)
        if world.table(TileMap).row_of(entity) < 0:
            world.add(entity, TileMap(map=name, z=z))
