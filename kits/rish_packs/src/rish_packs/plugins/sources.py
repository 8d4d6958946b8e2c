"""Where a plugin comes from: a wheel, a folder, or the name of a package or plugin."""

from __future__ import annotations

import platform
import tomllib
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet

from rish_core.plugin import PUBLISHED, installed_plugins
from rish_ecs import UsageError, how_to_get, how_to_update, is_ours, shorten_path
from rish_jit.errors.metadata import plain_name, read_package
from rish_jit.errors.packages import clone_folder

from .installer import installed

_MAX_METADATA = 2**20


@dataclass(frozen=True)
class PluginSource:
    """A package to install. words: what the installer gets; empty: it is installed already. package: its name."""

    package: str
    words: tuple[str, ...] = ()


def find_source(wish: str) -> PluginSource:
    """Return the source of a plugin. wish: a wheel, a folder, the name of an installed plugin, or a package.

    What a wheel or a folder requires of Rish and of Python is checked here. Raises UsageError with what does not fit.
    """
    path = Path(wish).expanduser()
    if wish.startswith("-") or "://" in wish:
        raise UsageError(f"{wish!r} is no plugin", hint="Name a wheel, a folder, or a package")
    if path.suffix == ".whl" or path.is_dir():
        return _local(path)
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
    if not is_ours(package):
        return PluginSource(package, (str(requirement),))
    folder = clone_folder(plain_name(package))
    if folder is None:
        raise UsageError(f"{package} is on no index yet", hint=how_to_get(package))
    return PluginSource(package, ("-e", str(folder)))


def _local(path: Path) -> PluginSource:
    name, requires, python = _of_wheel(path) if path.suffix == ".whl" and path.is_file() else _of_folder(path)
    where = shorten_path(path)
    try:
        fits = not python or platform.python_version() in SpecifierSet(python)
    except InvalidSpecifier:
        fits = False
    if not fits:
        raise UsageError(f"{name} needs Python {python}, this is {platform.python_version()}", where=where)
    lacking = list(_lacking(requires))
    ours = [requirement for requirement in lacking if is_ours(requirement.name)]
    if ours:
        first = ours[0]
        how = how_to_update if plain_name(first.name) in installed() else how_to_get
        listed = ", ".join(f"{each.name}{each.specifier}{_present(each.name)}" for each in ours)
        raise UsageError(f"{name} requires {listed}", where=where, hint=how(first.name, first.specifier))
    return PluginSource(name, (str(path.resolve()),) if lacking else ("--no-deps", str(path.resolve())))


def _lacking(requires: Iterable[str]) -> Iterable[Requirement]:
    """Yield the requirements that the installed packages do not meet; those with extras are left to the installer."""
    present = installed()
    for text in requires:
        try:
            requirement = Requirement(text)
        except InvalidRequirement:
            continue  # an installer reports it
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": ""}):
            continue
        version = present.get(plain_name(requirement.name))
        if version is None or not requirement.specifier.contains(version, prereleases=True):
            yield requirement


def _present(package: str) -> str:
    version = installed().get(plain_name(package))
    return f", but {version} is installed" if version is not None else ", which is not installed"


def _of_wheel(path: Path) -> tuple[str, tuple[str, ...], str]:
    """Return name, requirements and the range of Python of a wheel."""
    try:
        with zipfile.ZipFile(path) as archive:
            name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
            with archive.open(name) as file:
                text = file.read(_MAX_METADATA).decode("utf-8", "replace")
    except (zipfile.BadZipFile, StopIteration, OSError, ValueError, RuntimeError, NotImplementedError) as error:
        raise UsageError(f"it is no wheel: {error or 'it has no metadata'}", where=shorten_path(path)) from None
    package = read_package(text)
    if package is None:
        raise UsageError("its metadata name no package", where=shorten_path(path))
    head = text.partition("\n\n")[0].splitlines()
    python = next((line.partition(":")[2].strip() for line in head if line.startswith("Requires-Python:")), "")
    return package.name, package.requires, python


def _of_folder(path: Path) -> tuple[str, tuple[str, ...], str]:
    """Return name, requirements and the range of Python from the pyproject.toml of a folder."""
    where = shorten_path(path)
    try:
        data: Any = tomllib.loads((path / "pyproject.toml").read_text(encoding="utf-8"))
        project = data["project"]
        return (
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
