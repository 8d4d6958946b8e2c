"""Deletes files by moving them into the trash of the system, or into `.rish/trash` of the game."""

from __future__ import annotations

import os
import time
from pathlib import Path
from urllib.parse import quote

from rish_core import UsageError
from rish_core.manifest import FILE_NAME
from rish_ecs import shorten_path
from rish_system import current, trash_folder

from .changing import FileChange

_GAME_TRASH = Path(".rish") / "trash"


def plan_delete(root: Path, name: str) -> FileChange:
    """Return the change that moves a file or a folder of a game into a trash, from which it can be restored.

    root: the folder of the game. name: relative to it. Raises UsageError for a file that does not exist, and for the
    manifest.
    """
    path = root / name
    if not name or not os.path.lexists(path):
        raise UsageError(f"there is no file {shorten_path(path)}")
    if name == FILE_NAME:
        raise UsageError(f"{FILE_NAME} is the game itself and can't be deleted")
    trash = trash_folder()
    if trash is not None and _device(trash) == _device(path):
        files, info = (trash / "files", trash / "info") if current() == "linux" else (trash, None)
        target = _free(files, path.name, info)
        if info is None:
            return FileChange(((path, target),))
        description = (
            f"[Trash Info]\nPath={quote(str(path.resolve()))}\nDeletionDate={time.strftime('%Y-%m-%dT%H:%M:%S')}\n"
        )
        return FileChange(((path, target),), notes=((info / f"{target.name}.trashinfo", description.encode()),))
    game_trash = root / _GAME_TRASH
    ignored = game_trash.parent / ".gitignore"
    notes = () if ignored.exists() else ((ignored, b"*\n"),)
    return FileChange(((path, _free(game_trash / time.strftime("%Y-%m-%d"), path.name)),), notes=notes)


def _device(path: Path) -> int:
    """Return the device of a path or of the nearest folder above it; files are only renamed within a device."""
    return next(each for each in (path, *path.parents) if each.exists()).stat().st_dev


def _free(folder: Path, name: str, info: Path | None = None) -> Path:
    """Return an unused path in a folder. info: the folder with the descriptions of files in the trash."""
    stem, dot, suffix = name.partition(".")
    number, path = 1, folder / name
    while os.path.lexists(path) or (info is not None and os.path.lexists(info / f"{path.name}.trashinfo")):
        number += 1
        path = folder / f"{stem} {number}{dot}{suffix}"
    return path
