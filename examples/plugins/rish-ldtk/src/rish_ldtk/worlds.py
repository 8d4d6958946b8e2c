"""The worlds of a game: which levels there are, where they lie, and which are next to one another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field

from rish_core import UnknownName, World, resource

from .model import Level, Project, bounds_of


@dataclass(frozen=True)
class Scene:
    """The levels of a scene. whole: levels at their places in their world; otherwise one level at the origin."""

    project: Project
    levels: tuple[Level, ...]
    whole: bool

    def corner(self, level: Level) -> tuple[float, float]:
        """Return the lower left corner of a level in the scene, units, y up."""
        if not self.whole:
            return 0.0, 0.0
        left, _, _, bottom = bounds_of(self.levels)
        return float(level.x - left), float(bottom - level.y - level.height)


@resource(derived=True)
class LdtkWorlds:
    """The projects by their asset paths, and what each scene shows."""

    projects: Mapping[str, Project] = dataclass_field(default_factory=dict[str, Project])
    scenes: Mapping[str, Scene] = dataclass_field(default_factory=dict[str, Scene])


def level_at(world: World, scene: str, point: tuple[float, float]) -> Level | None:
    """Return the level of a scene at a point of the world, the uppermost of several; None outside of all levels.

    Raises UnknownName if the scene shows no levels.
    """
    scenes = world[LdtkWorlds].scenes
    if scene not in scenes:
        raise UnknownName(f"the scene {scene!r} shows no levels of LDtk", given=scene, choices=scenes)
    uppermost: Level | None = None
    for level in scenes[scene].levels:
        x, y = scenes[scene].corner(level)
        inside = 0 <= point[0] - x < level.width and 0 <= point[1] - y < level.height
        if inside and (uppermost is None or level.depth >= uppermost.depth):
            uppermost = level
    return uppermost


def neighbors(world: World, file: str, level: str) -> list[tuple[str, Level]]:
    """Return the levels next to one, each with its direction: n s e w, nw ne sw se, < > for depth, o for overlap.

    Raises UnknownName for a project or level that does not exist.
    """
    projects = world[LdtkWorlds].projects
    if file not in projects:
        raise UnknownName(f"no project is called {file!r}", given=file, choices=projects)
    project = projects[file]
    level_found = project.level(level)
    if level_found is None:
        names = [each.name for each in project.levels]
        raise UnknownName(f"{file} has no level {level!r}", given=level, choices=names)
    pairs = [(direction, project.level(iid)) for direction, iid in level_found.neighbors]
    return [(direction, other) for direction, other in pairs if other is not None]
