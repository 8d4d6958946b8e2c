"""Finds the installed plugins and sub-commands from package metadata, without importing them.

A package offers a plugin with an entry point in its `pyproject.toml`::

    [project.entry-points."rish.plugins"]
    wind = "rish_wind"

A plugin that provides a contract is also listed in the group of that contract::

    [project.entry-points."rish.contracts.weather"]
    wind = "rish_wind"

Only this module uses importlib-metadata. It reads the small file `entry_points.txt` of each distribution, and the
metadata only of distributions that offer a plugin or command. The result is cached until a folder of the search path
changes, because reading takes half of the start of a small game in a process that starts many, such as a test suite.
Installing, updating or removing a package changes such a folder.
"""

from __future__ import annotations

import importlib
import logging
import os
import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rish_ecs import describe_error, module_docstring, module_file, shorten_path
from rish_jit.errors.packages import Package, read_package

PLUGIN_GROUP, COMMAND_GROUP, CONTRACT_GROUPS = "rish.plugins", "rish.commands", "rish.contracts."

_USAGE = re.compile(r"^`rish [^:]*: ")
_log = logging.getLogger("rish.plugins")


@dataclass(frozen=True, order=True)
class Candidate:
    """A plugin or command that an installed package offers; it is not imported yet.

    name: such as `wind`. value: the object to import, `package.module` or `package.module:thing`. distribution,
    version: the package, such as `rish-wind` and `0.2.0`. contracts: the names of the contracts that it provides.
    requires: what the package requires of others, as it stands in its metadata.
    """

    name: str
    distribution: str
    version: str
    value: str
    contracts: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()

    def load(self) -> Any:
        """Import and return the module, or the object in it. Raises the errors of the import."""
        module, _, attributes = self.value.partition(":")
        value: Any = importlib.import_module(module.strip())
        for attribute in filter(None, attributes.strip().split(".")):
            value = getattr(value, attribute)
        return value

    def summary(self) -> str:
        """Return the first line of the module's docstring without a prefix "`rish name`: "; "" if it can't be read.

        Only the source is read; neither the module nor the packages around it are imported.
        """
        try:
            module, _, thing = self.value.partition(":")
            return "" if thing else _USAGE.sub("", module_docstring(module.strip()).partition("\n")[0]).rstrip(".")
        except Exception as error:  # one broken package must not hide the others
            _log.debug("no summary of %s: %s", self, describe_error(error))
            return ""

    @property
    def titled(self) -> str:
        """The package with version and file, such as `storm 1 in storm.py`, for messages about several packages."""
        file = module_file(self.value.partition(":")[0].strip())
        return f"{self.distribution} {self.version} in {shorten_path(file) if file else self.value}"

    def __str__(self) -> str:
        return f"{self.distribution} {self.version} ({self.value})"


def installed_plugins(path: list[str] | None = None) -> list[Candidate]:
    """Return all installed plugins, sorted by name; if two distributions offer the same name, both are listed.

    path: the folders to search; None: Python's search path.
    """
    return list(_candidates(_folders(path)).get(PLUGIN_GROUP, ()))


def installed_commands(path: list[str] | None = None) -> list[Candidate]:
    """Return all sub-commands of `rish` that installed packages add, sorted by name."""
    return list(_candidates(_folders(path)).get(COMMAND_GROUP, ()))


def installed_modules(group: str) -> list[Candidate]:
    """Return what installed packages offer in another group of entry points, such as `rish.windows`, by name."""
    return list(_candidates(_folders(None)).get(group, ()))


def _folders(path: list[str] | None) -> tuple[tuple[str, int], ...]:
    """Return the folders to search, each with the time of its last change in nanoseconds; 0 if it can't be read."""
    folders: list[tuple[str, int]] = []
    for folder in map(os.path.abspath, sys.path if path is None else path):
        changed = 0
        with suppress(OSError):
            changed = os.stat(folder).st_mtime_ns
        folders.append((folder, changed))
    return tuple(folders)


@lru_cache(maxsize=8)
def _candidates(folders: tuple[tuple[str, int], ...]) -> dict[str, tuple[Candidate, ...]]:
    """Return the candidates by group; if a distribution is found twice (editable and built), the first one."""
    import importlib_metadata

    metadata: Any = importlib_metadata  # its type annotations are incomplete
    found: dict[str, dict[tuple[str, str], Candidate]] = {}
    for distribution in metadata.distributions(path=[folder for folder, _ in folders]):
        try:
            text = distribution.read_text("entry_points.txt") or ""
            if "[rish." not in text:
                continue
            package = _package_of(distribution)
            points = distribution.entry_points
            contracts = [(p.group.removeprefix(CONTRACT_GROUPS), p.name) for p in points if CONTRACT_GROUPS in p.group]
            for point in (p for p in points if p.group.startswith("rish.") and CONTRACT_GROUPS not in p.group):
                key = point.name, re.sub(r"[-_.]+", "-", package.name).lower()
                value = point.value.partition("[")[0].strip()
                provided = tuple(sorted(contract for contract, plugin in contracts if plugin == point.name))
                candidate = Candidate(point.name, package.name, package.version, value, provided, package.requires)
                found.setdefault(point.group, {}).setdefault(key, candidate)
        except Exception as error:  # one broken package must not hide the others
            _log.warning("a package can't be read and is left out: %s: %s", distribution, describe_error(error))
    return {group: tuple(sorted(candidates.values())) for group, candidates in found.items()}


def installed_package(name: str) -> Package | None:
    """Return an installed package, None if there is none of that name."""
    return _package(name, tuple(sys.path))


@lru_cache(maxsize=256)
def _package(name: str, path: tuple[str, ...]) -> Package | None:
    import importlib_metadata

    metadata: Any = importlib_metadata
    distribution = next(iter(metadata.distributions(name=name, path=[*path])), None)
    return None if distribution is None else _package_of(distribution)


def _package_of(distribution: Any) -> Package:
    """Return name, version and requirements from the metadata; for damaged metadata, from the folder's name."""
    package = read_package(distribution.read_text("METADATA") or distribution.read_text("PKG-INFO") or "")
    return package or Package(distribution.name, distribution.version, tuple(distribution.requires or ()))
