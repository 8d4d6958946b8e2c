"""Wheels as files: what one says about its package, and those of a folder from which plugins are installed."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import InvalidRequirement, Requirement
from packaging.tags import sys_tags
from packaging.utils import InvalidWheelFilename, parse_wheel_filename
from packaging.version import InvalidVersion, Version

from rish_ecs import UsageError, shorten_path
from rish_jit.errors.metadata import plain_name, read_package
from rish_jit.errors.packages import quoted

from .installer import installed

_MAX_METADATA = 2**20


class WheelAbout(NamedTuple):
    """What a wheel or a folder says about its package. python: the range of versions of Python, or ""."""

    name: str
    requires: tuple[str, ...]
    python: str


def read_wheel(path: Path) -> WheelAbout:
    """Return what a wheel says about its package. Raises UsageError if it is no wheel."""
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
    return WheelAbout(package.name, package.requires, python)


def lacking(requires: Iterable[str]) -> Iterator[Requirement]:
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


def find_wheel(folder: Path, requirement: Requirement) -> tuple[Path, Version]:
    """Return the wheel of `best_wheel`. Raises UsageError if there is none."""
    best = best_wheel(folder, requirement)
    if best is None:
        command = f"pip download -d {quoted(shorten_path(folder))} {quoted(str(requirement))}"
        hint = f"Put it there; on a computer with a network: {command}"
        raise UsageError(f"no wheel of {requirement} for this Python", where=shorten_path(folder), hint=hint)
    return best


def best_wheel(folder: Path, requirement: Requirement) -> tuple[Path, Version] | None:
    """Return the latest wheel of a folder that meets a requirement and runs on this machine, None if there is none."""
    fitting = frozenset(sys_tags())
    wheels: list[tuple[Version, Path]] = []
    for path in sorted(folder.glob("*.whl")):
        try:
            name, version, _, tags = parse_wheel_filename(path.name)
        except (InvalidWheelFilename, InvalidVersion):
            continue
        same = plain_name(name) == plain_name(requirement.name)
        if same and tags & fitting and requirement.specifier.contains(version, prereleases=True):
            wheels.append((version, path))
    if not wheels:
        return None
    version, path = max(wheels)
    return path, version
