"""Where a plugin comes from: a wheel, a folder, or the name of a package or plugin."""

from __future__ import annotations

import platform
import tomllib
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet

from rish_core.plugin import PUBLISHED, installed_plugins
from rish_ecs import UsageError, how_to_get, how_to_update, is_ours, shorten_path
from rish_jit.errors.metadata import plain_name
from rish_jit.errors.packages import clone_folder

from .installer import installed
from .wheels import WheelAbout, best_wheel, find_wheel, lacking, read_wheel


@dataclass(frozen=True)
class PluginSource:
    """A package to install. words: what the installer gets; empty: it is installed already. package: its name."""

    package: str
    words: tuple[str, ...] = ()


def find_source(wish: str, wheels: Path | None = None) -> PluginSource:
    """Return the source of a plugin. wish: a wheel, a folder, the name of an installed plugin, or a package.

    wheels: the folder in which packages are looked up; None: on the index of the installer. What a wheel or a folder
    requires of Rish and of Python is checked here. Raises UsageError with what does not fit.
    """
    path = Path(wish).expanduser()
    if wish.startswith("-") or "://" in wish:
        raise UsageError(f"{wish!r} is no plugin", hint="Name a wheel, a folder, or a package")
    if path.suffix == ".whl" or path.is_dir():
        return _local(path, wheels)
    plugins = {candidate.name: candidate.distribution for candidate in installed_plugins()}
    if wish in plugins:
        return PluginSource(plugins[wish])
    try:
        requirement = Requirement(wish)
    except InvalidRequirement:
        raise UsageError(f"{wish!r} is no wheel, no folder and no name of a package") from None
    package = f"rish-{wish}" if wish in PUBLISHED else requirement.name
    if plain_name(package) in installed() and not requirement.specifier:
        return PluginSource(package)
    if wheels is not None:
        return _local(find_wheel(wheels, Requirement(f"{package}{requirement.specifier}"))[0], wheels)
    if not is_ours(package):
        return PluginSource(package, (str(requirement),))
    folder = clone_folder(plain_name(package))
    if folder is None:
        raise UsageError(f"{package} is on no index yet", hint=how_to_get(package))
    return PluginSource(package, ("-e", str(folder)))


def _local(path: Path, wheels: Path | None) -> PluginSource:
    name, requires, python = read_wheel(path) if path.suffix == ".whl" and path.is_file() else _read_folder(path)
    where = shorten_path(path)
    try:
        fits = not python or platform.python_version() in SpecifierSet(python)
    except InvalidSpecifier:
        fits = False
    if not fits:
        raise UsageError(f"{name} needs Python {python}, this is {platform.python_version()}", where=where)
    missing = list(lacking(requires))
    ours = [each for each in missing if is_ours(each.name) and (wheels is None or best_wheel(wheels, each) is None)]
    if ours:
        first = ours[0]
        how = how_to_update if plain_name(first.name) in installed() else how_to_get
        listed = ", ".join(f"{each.name}{each.specifier}{_present(each.name)}" for each in ours)
        raise UsageError(f"{name} requires {listed}", where=where, hint=how(first.name, first.specifier))
    return PluginSource(name, (str(path.resolve()),) if missing else ("--no-deps", str(path.resolve())))


def _present(package: str) -> str:
    version = installed().get(plain_name(package))
    return f", but {version} is installed" if version is not None else ", which is not installed"


def _read_folder(path: Path) -> WheelAbout:
    """Return name, requirements and the range of Python from the pyproject.toml of a folder."""
    where = shorten_path(path)
    try:
        data: Any = tomllib.loads((path / "pyproject.toml").read_text(encoding="utf-8"))
        project = data["project"]
        return WheelAbout(
            str(project["name"]),
            tuple(map(str, project.get("dependencies", ()))),
            str(project.get("requires-python", "")),
        )
    except OSError as error:
        raise UsageError(f"it is no wheel and no folder of a package: {error.strerror}", where=where) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UsageError("its pyproject.toml names no project", where=where) from None


def plugins_of(package: str) -> list[str]:
    """Return the names of the plugins that an installed package offers."""
    try:
        points = metadata.distribution(package).entry_points
    except metadata.PackageNotFoundError:
        return []
    return sorted(point.name for point in points if point.group == "rish.plugins")
