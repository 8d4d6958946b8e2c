"""Deleting files: into the trash of the system, or into `.rish/trash` of the game where there is none."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from urllib.parse import quote

from rish_core import UsageError
from rish_core.manifest import FILE_NAME
from rish_ecs import shorten_path

from .changing import FileChange

_OWN = Path(".rish") / "trash"


def plan_delete(root: Path, name: str) -> FileChange:
    """Return the change that moves a file or a folder of a game into a trash, from which it can be taken back.

    root: the folder of the game. name: relative to it. Raises UsageError for a file that does not exist, and for the
    manifest.
    """
    path = root / name
    if not name or not os.path.lexists(path):
        raise UsageError(f"there is no file {shorten_path(path)}")
    if name == FILE_NAME:
        raise UsageError(f"{FILE_NAME} is the game itself and can't be deleted")
    bin_ = _system_trash()
    if bin_ is not None and _device(bin_) == _device(path):
        files, info = (bin_ / "files", bin_ / "info") if sys.platform != "darwin" else (bin_, None)
        target = _free(files, path.name, info)
        if info is None:
            return FileChange(((path, target),))
        said = f"[Trash Info]\nPath={quote(str(path.resolve()))}\nDeletionDate={time.strftime('%Y-%m-%dT%H:%M:%S')}\n"
        return FileChange(((path, target),), notes=((info / f"{target.name}.trashinfo", said.encode()),))
    own = root / _OWN
    ignored = own.parent / ".gitignore"
    notes = () if ignored.exists() else ((ignored, b"*\n"),)
    return FileChange(((path, _free(own / time.strftime("%Y-%m-%d"), path.name)),), notes=notes)


def _system_trash() -> Path | None:
    """Return the folder of the person's trash, by the rules of freedesktop.org or of macOS; None on other systems."""
    if sys.platform == "darwin":
        return Path.home() / ".Trash"
    if sys.platform.startswith(("linux", "freebsd")):
        data = os.environ.get("XDG_DATA_HOME") or ""
        return (Path(data) if os.path.isabs(data) else Path.home() / ".local" / "share") / "Trash"
    return None


def _device(path: Path) -> int:
    """Return the device of a path or of the nearest folder above it; files are only renamed within a device."""
    return next(each for each in (path, *path.parents) if each.exists()).stat().st_dev


def _free(folder: Path, name: str, info: Path | None = None) -> Path:
    """Return a path in a folder that nothing has. info: the folder that describes files of the trash."""
    stem, dot, suffix = name.partition(".")
    number, found = 1, folder / name
    while os.path.lexists(found) or (info is not None and os.path.lexists(info / f"{found.name}.trashinfo")):
        number += 1
        found = folder / f"{stem} {number}{dot}{suffix}"
    return found
