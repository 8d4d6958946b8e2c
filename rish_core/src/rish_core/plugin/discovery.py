"""Discovery: which plugins and sub-commands are installed, read from package metadata without importing any.

A package offers a plugin by an entry point, in its `pyproject.toml`::

    [project.entry-points."rish.plugins"]
    wind = "rish_wind"

Only this module knows importlib-metadata. It reads the small `entry_points.txt` of each distribution, and the
metadata of those few that offer something.
"""

from __future__ import annotations

import importlib
import logging
import re
from dataclasses import dataclass
from typing import Any

PLUGIN_GROUP = "rish.plugins"
COMMAND_GROUP = "rish.commands"

_HEADER = re.compile(r"^(Name|Version):[ \t]*(\S+)[ \t]*\r?$", re.MULTILINE)
_log = logging.getLogger("rish.plugins")


@dataclass(frozen=True, order=True)
class Candidate:
    """A plugin that an installed package offers under a name; nothing of it is imported yet.

    name: `wind`. value: where it is, `package.module` or `package.module:thing`. distribution, version: the
    package, `rish-wind` and `0.2.0`.
    """

    name: str
    distribution: str
    version: str
    value: str

    def load(self) -> Any:
        """Import the module, or the object in it. Raises what the import raises."""
        module, _, attributes = self.value.partition(":")
        found: Any = importlib.import_module(module.strip())
        for attribute in filter(None, attributes.strip().split(".")):
            found = getattr(found, attribute)
        return found

    def __str__(self) -> str:
        return f"{self.distribution} {self.version} ({self.value})"


def installed_plugins(path: list[str] | None = None) -> list[Candidate]:
    """Every plugin that is installed, sorted by name; two distributions that offer one name are both listed.

    path: the folders to look in, else those of Python's own search path.
    """
    return _candidates(PLUGIN_GROUP, path)


def installed_commands(path: list[str] | None = None) -> list[Candidate]:
    """Every sub-command of `rish` that an installed package adds, sorted by name."""
    return _candidates(COMMAND_GROUP, path)


def _candidates(group: str, path: list[str] | None) -> list[Candidate]:
    """What distributions offer; one that is seen twice (editable, and built) counts as it is found first."""
    import importlib_metadata

    metadata: Any = importlib_metadata  # its own annotations are partial
    found: dict[tuple[str, str], Candidate] = {}
    for distribution in metadata.distributions() if path is None else metadata.distributions(path=path):
        try:
            text = distribution.read_text("entry_points.txt") or ""
            if f"[{group}]" not in text:
                continue
            name, version = _name_and_version(distribution)
            for point in distribution.entry_points.select(group=group):
                key = point.name, re.sub(r"[-_.]+", "-", name).lower()
                value = point.value.partition("[")[0].strip()
                found.setdefault(key, Candidate(point.name, name, version, value))
        except Exception as error:  # one broken package must not hide the others
            _log.warning("a package can't be read and is left out: %s: %s", distribution, error)
    return sorted(found.values())


def _name_and_version(distribution: Any) -> tuple[str, str]:
    """What the head of the metadata says. To have it read as the letter that it is takes longer than all the rest."""
    head, _, _ = (distribution.read_text("METADATA") or distribution.read_text("PKG-INFO") or "").partition("\n\n")
    said = dict(_HEADER.findall(head))
    if len(said) == 2:
        return said["Name"], said["Version"]
    return distribution.name, distribution.version
