"""What installed packages say about themselves: the files in their folders `NAME-VERSION.dist-info`.

`importlib.metadata` of Python does the same, but its import and its search take 4 % of the start of a game.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_HEADER = re.compile(r"^(Name|Version|Requires-Dist):[ \t]*(\S.*?)[ \t]*\r?$", re.MULTILINE)


class Package(NamedTuple):
    """An installed package: its name and version, and the texts of its requirements (`Requires-Dist`)."""

    name: str
    version: str
    requires: tuple[str, ...] = ()


class EntryPoint(NamedTuple):
    """An object that a package offers under a name in a group. value: `package.module` or `package.module:object`."""

    group: str
    name: str
    value: str


def metadata_folders(path: Iterable[str], package: str = "") -> Iterator[Path]:
    """Yield the folders with the metadata of installed packages, in the order of the search path.

    package: the plain name of the only package that is looked for; "": all.
    """
    for folder in path:
        names: list[str] = []
        with suppress(OSError):
            names = os.listdir(folder or ".")
        for name in names:
            stem, _, suffix = name.rpartition(".")
            if suffix in ("dist-info", "egg-info") and package in ("", plain_name(stem.partition("-")[0])):
                yield Path(folder, name)


def text_in(info: Path, name: str) -> str:
    """Return the text of a file in such a folder; "" if there is none. Raises OSError and UnicodeDecodeError."""
    try:
        return (info / name).read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return ""


def package_in(info: Path) -> Package:
    """Return name, version and requirements from the metadata; for damaged metadata, from the folder's name."""
    return read_package(text_in(info, "METADATA") or text_in(info, "PKG-INFO")) or named_by(info)


def named_by(info: Path) -> Package:
    """Return the name and the version that the name of the folder gives."""
    name, _, version = info.stem.partition("-")
    return Package(name, version)


def read_package(text: str) -> Package | None:
    """Read a file METADATA; None if it does not name its package. Parsing it as an e-mail would be too slow."""
    lines = _HEADER.findall(text.partition("\n\n")[0])
    fields = dict(lines)
    if "Name" not in fields or "Version" not in fields:
        return None
    return Package(fields["Name"], fields["Version"], tuple(value for key, value in lines if key == "Requires-Dist"))


def read_entry_points(text: str) -> list[EntryPoint]:
    """Read a file `entry_points.txt`. The extras behind a value are left out."""
    points: list[EntryPoint] = []
    group = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            group = line.strip("[] ")
        elif "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            points.append(EntryPoint(group, name.strip(), value.partition("[")[0].strip()))
    return points


def plain_name(package: str) -> str:
    """Return the name of a package or extra in the one spelling by which installers compare names."""
    return re.sub(r"[-_.]+", "-", package).lower()
