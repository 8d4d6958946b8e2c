"""The downloads of a page: programs, archives and packs, with the system that each is for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from rish_core import UsageError
from rish_system import current, machine

_SYSTEMS = {
    "Windows": r"windows|win(32|64|dows)?\b|\.exe$|\.msi$", "macOS": r"mac(os)?\b|darwin|\.dmg$|\.pkg$",
    "Linux": r"linux|\.appimage$|\.deb$|\.rpm$|\.flatpak$",
}  # fmt: skip
"""By system, what names of files for it have."""
_ARCHIVES = (".zip", ".tar.gz", ".tgz", ".tar.xz", ".tar.zst", ".7z")
_PACK = ".rishgame"


class Download(NamedTuple):
    """A file that people can download. name: of the file for them. label: the system, or the name of the file.

    kind: archive, program or pack.
    """

    path: Path
    name: str
    label: str
    kind: str

    @property
    def size(self) -> str:
        """The size for people, as in `43 MB`."""
        return size_text(self.path.stat().st_size)


def read_downloads(wishes: Iterable[str]) -> list[Download]:
    """Return downloads as they are named on the command line: `FILE` or `LABEL=FILE`.

    Raises UsageError for a file that is not there, and for two with the same name.
    """
    downloads: list[Download] = []
    for wish in wishes:
        label, equals, name = wish.partition("=")
        has_label = equals and not Path(wish).is_file()
        path = Path(name if has_label else wish)
        if not path.is_file():
            raise UsageError(f"--download {wish}: there is no file {path}", hint="Give FILE, or SYSTEM=FILE")
        if path.name.casefold() in (each.name.casefold() for each in downloads):
            raise UsageError(f"--download {wish}: another download has the name {path.name}", hint="Rename one")
        downloads.append(_download(path, label if has_label else ""))
    return downloads


def _download(path: Path, label: str) -> Download:
    name = path.name.lower()
    kind = "pack" if name.endswith(_PACK) else "archive" if name.endswith(_ARCHIVES) else "program"
    system = next((system for system, pattern in _SYSTEMS.items() if re.search(pattern, name)), path.name)
    return Download(path, path.name, label or system, kind)


def program_name(archive: Path, version: str) -> str:
    """Return a name for the archive of a program, with the version and this system: `pond-1.0-linux-x86_64.zip`.

    Archives for several systems then have different names.
    """
    name, suffix = next((archive.name.removesuffix(each), each) for each in _ARCHIVES if archive.name.endswith(each))
    plain = re.sub(r"[^\w.+-]", "_", version)
    return f"{name}-{plain}-{current()}-{machine()}{suffix}"


def this_system() -> str:
    """Return the name of this system and its processor, such as `Linux, x86-64`."""
    system = {"windows": "Windows", "macos": "macOS", "linux": "Linux"}[current()]
    return f"{system}, {machine().replace('_', '-').replace('AMD64', 'x86-64')}"


def size_text(size: int) -> str:
    """Return a number of bytes for people; a MB is a million bytes."""
    for unit, least in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= least:
            count = size / least
            return f"{count:.1f} {unit}" if count < 10 else f"{count:.0f} {unit}"
    return f"{size} B"
