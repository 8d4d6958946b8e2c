"""The paths that an `Asset` may hold: relative, with `/` between folders, and the same file on every system."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

_DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)", re.IGNORECASE)
_TURNS = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")  # marks of text direction
_FORBIDDEN = frozenset('<>"|?*\\')


def wrong_path(path: str) -> str | None:
    """Return the reason to refuse a path, found without accessing the disk, or None."""
    if path.startswith(("/", "\\")):
        return "is an absolute path"
    if "\\" in path:
        return "has a backslash; use / between folders"
    if ":" in path:
        return "has a colon inside its path"
    if re.search(r"%[0-9a-fA-F]{2}", path):
        return "has a % escape"
    if any(unicodedata.category(c) in ("Cc", "Cs") or c in _TURNS or c in _FORBIDDEN for c in path):
        return "has characters that no file name should have"
    for part in path.split("/"):
        if part.startswith("~"):
            return "starts a name with ~"
        if part != "." and part.rstrip(". ") != part:
            return "leads out of its folder" if part == ".." else "has a name that ends in a dot or a space"
        if _DEVICES.match(part):
            return "names a device of some systems"
    return None


def path_inside(folder: Path, path: str) -> Path | None:
    """Return a file's real path below a folder, with symbolic links resolved; None if it is outside the folder."""
    try:
        home = folder.resolve()
        resolved = (home / path).resolve()
    except (OSError, RuntimeError, ValueError):
        return None
    return resolved if resolved.is_relative_to(home) and resolved != home else None


def walk_files(folder: str) -> Iterator[str]:
    """Yield the names of the files below a folder, sorted; folders that begin with a dot or `__` are left out."""
    for base, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
        inner = Path(base).relative_to(folder)
        yield from ((inner / name).as_posix() for name in sorted(files))
