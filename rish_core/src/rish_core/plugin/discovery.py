"""Finds the installed plugins and sub-commands from package metadata, without importing them.

A package offers a plugin with an entry point in its `pyproject.toml`::

    [project.entry-points."rish.plugins"]
    wind = "rish_wind"

A plugin that provides a contract is also listed in the group of that contract::

    [project.entry-points."rish.contracts.weather"]
    wind = "rish_wind"

The small file `entry_points.txt` of each installed package is read, and the metadata of those that offer a plugin or
command. The result is cached until a folder of the search path changes, because reading takes long in a process that
starts many games, such as a test suite. Installing, updating or removing a package changes such a folder.
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
from rish_jit.errors import metadata
from rish_jit.errors.metadata import Package, plain_name

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
    found: dict[str, dict[tuple[str, str], Candidate]] = {}
    for info in metadata.metadata_folders(folder for folder, _ in folders):
        try:
            text = metadata.text_in(info, "entry_points.txt")
            if "[rish." not in text:
                continue
            package, points = metadata.package_in(info), metadata.read_entry_points(text)
            contracts = [(p.group.removeprefix(CONTRACT_GROUPS), p.name) for p in points if CONTRACT_GROUPS in p.group]
            for point in (p for p in points if p.group.startswith("rish.") and CONTRACT_GROUPS not in p.group):
                key = point.name, plain_name(package.name)
                provided = tuple(sorted(contract for contract, plugin in contracts if plugin == point.name))
                parts = point.name, package.name, package.version, point.value, provided, package.requires
                found.setdefault(point.group, {}).setdefault(key, Candidate(*parts))
        except Exception as error:  # one broken package must not hide the others
            _log.warning("a package can't be read and is left out: %s: %s", info, describe_error(error))
    return {group: tuple(sorted(candidates.values())) for group, candidates in found.items()}


def installed_package(name: str) -> Package | None:
    """Return an installed package, None if there is none of that name."""
    return _package(plain_name(name), tuple(sys.path))


@lru_cache(maxsize=256)
def _package(name: str, path: tuple[str, ...]) -> Package | None:
    return next(map(metadata.package_in, metadata.metadata_folders(path, name)), None)
