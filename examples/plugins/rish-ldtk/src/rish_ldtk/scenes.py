"""Reads `levels:` of the manifest, and adds the scenes and entries that it names."""

from __future__ import annotations

from typing import Any

from rish_core import AssetError, Assets, Manifest, Registry
from rish_core.manifest import Report, Spot, YamlList, YamlMap, marked, show
from rish_ecs import Problem, did_you_mean

from .components import LdtkSettings
from .entries import Writer
from .model import Project
from .reading import SUFFIX, read_project
from .worlds import LdtkWorlds, Scene

_KEYS = ("file", "level", "world")
WORLD = "world"
"""The scene with all levels of a project, where `levels:` is only a file."""


def add_scenes(manifest: Manifest, registry: Registry) -> LdtkWorlds:
    """Add what `levels:` names to the scenes of a manifest, and its mistakes to the problems. Return what was read."""
    report = Report()
    worlds = read_worlds(manifest, report)
    if "levels" not in manifest.data:
        return worlds
    names = frozenset((*manifest.prefabs, *registry.prefabs))
    writer = Writer(registry, names, settings_of(manifest), report)
    section = manifest.data.setdefault("scenes", {})
    for name, scene in worlds.scenes.items():
        mark = Spot(scene.project.file)
        entries = section.get(name)
        merged = marked(writer.entries(scene), mark)
        if isinstance(entries, YamlList):
            merged.items_at += entries.items_at
            merged.extend(entries)
        section.put(name, merged, section.keys_at.get(name, mark), section.values_at.get(name, mark))
    _settle(manifest, worlds, report)
    return worlds


def read_worlds(manifest: Manifest, report: Report | None = None) -> LdtkWorlds:
    """Read the projects and scenes of `levels:`; mistakes are added to the report."""
    worlds = LdtkWorlds()
    if "levels" in manifest.data:
        worlds.scenes = _scenes(manifest, Assets(manifest.root), report if report is not None else Report())
        worlds.projects = {scene.project.file: scene.project for scene in worlds.scenes.values()}
    return worlds


def _settle(manifest: Manifest, worlds: LdtkWorlds, report: Report) -> None:
    """Name the files that the manifest now depends on, its first scene, and the mistakes."""
    if manifest.root is not None:
        sources = [source for project in worlds.projects.values() for source in project.sources]
        paths = [(manifest.root / source).resolve() for source in sources]
        manifest.files += [path for path in paths if path not in manifest.files]
    if not manifest.start and worlds.scenes:
        manifest.start = next(iter(worlds.scenes))
    manifest.problems.extend(report.problems)


def settings_of(manifest: Manifest) -> LdtkSettings:
    """Return the settings as written; the kernel reports their mistakes."""
    section = manifest.settings.get("ldtk")
    options = section if isinstance(section, YamlMap) else {}
    settings = LdtkSettings()
    for name in ("solid", "one_way", "ignore"):
        value = options.get(name)
        setattr(settings, name, [str(each) for each in value] if isinstance(value, list) else [])
    fields = options.get("fields")
    settings.fields = {str(key): str(value) for key, value in fields.items()} if isinstance(fields, dict) else {}
    z = options.get("z", settings.z)
    settings.z = float(z) if isinstance(z, int | float) else settings.z
    return settings


def _scenes(manifest: Manifest, assets: Assets, report: Report) -> dict[str, Scene]:
    levels, mark = manifest.data["levels"], manifest.data.values_at["levels"]
    projects: dict[str, Project] = {}
    if isinstance(levels, str):
        project = _project(levels, mark, ("levels",), assets, report, projects)
        if project is None or not project.levels:
            return {}
        single = {level.name: Scene(project, (level,), False) for level in project.levels}
        by_world = {
            name: Scene(project, tuple(level for level in project.levels if level.world == name), True)
            for name in project.worlds
        }
        return {WORLD: Scene(project, project.levels, True), **by_world, **single}
    if not isinstance(levels, YamlMap):
        report.add(mark, ("levels",), f"must be a file *{SUFFIX}, or a mapping of scenes, not {show(levels)}")
        return {}
    scenes: dict[str, Scene] = {}
    for name, value in levels.items():
        scene = _scene(value, levels.values_at[name], ("levels", name), assets, report, projects)
        if scene is not None:
            scenes[name] = scene
    return scenes


def _scene(
    value: Any, mark: Any, path: tuple[str, ...], assets: Assets, report: Report, projects: dict[str, Project]
) -> Scene | None:
    """Read a scene: a file for all its levels, `{file: ..., level: ...}`, or `{file: ..., world: ...}`."""
    node = value if isinstance(value, YamlMap) else {"file": value}
    for key in node:
        if key not in _KEYS and isinstance(value, YamlMap):
            report.unknown(value, key, path, f"a scene of levels has no key {key!r}", _KEYS)
    if not isinstance(node.get("file"), str):
        message = f"must be a file *{SUFFIX}, or {{file: ..., level: ...}} or world, not {show(value)}"
        return report.add(mark, path, message)
    project = _project(node["file"], mark, path, assets, report, projects)
    if project is None:
        return None
    if "world" in node and "level" not in node:
        wished = str(node["world"])
        if wished in project.worlds:
            return Scene(project, tuple(level for level in project.levels if level.world == wished), True)
        near = did_you_mean(wished, project.worlds)
        choices = f"Worlds: {', '.join(project.worlds)}" if project.worlds else "It has a single world"
        return report.add(mark, path, f"{project.file} has no world {wished!r}{near}. {choices}")
    if "level" not in node:
        return Scene(project, project.levels, True)
    level = project.level(str(node["level"]))
    if level is None:
        names = [each.name for each in project.levels]
        near = did_you_mean(node["level"], names)
        return report.add(
            mark, path, f"{project.file} has no level {node['level']!r}{near}. Levels: {', '.join(names)}"
        )
    return Scene(project, (level,), False)


def _project(
    file: str, mark: Any, path: tuple[str, ...], assets: Assets, report: Report, projects: dict[str, Project]
) -> Project | None:
    if not file.endswith(SUFFIX):
        return report.add(mark, path, f"{file!r} is no project of LDtk: its file must end in {SUFFIX}")
    if file not in projects:
        try:
            projects[file] = read_project(assets, file)
        except AssetError as error:
            where = error.where
            if where is not None and not isinstance(where, str):
                hint = f". {error.hint}" if error.hint else ""
                report.note(Problem(where, "", f"{error.what}{hint}"))
                return None
            return report.add(mark, path, str(error))
    return projects[file]
