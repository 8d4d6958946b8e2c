"""Which files of a game's folder belong in its pack: all that the game can use, and nothing that was made from it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rish_core.manifest import FILE_NAME
from rish_system import path_inside

from .names import unwanted

_FOLDERS = {
    "out": "it has what the game wrote", "dist": "it has what was made from the game",
    "build": "it has what was made from the game", "tests": "it has tests", "node_modules": "it has tools",
    "venv": "it has installed packages",
}  # fmt: skip
"""Folders that are left out at the top of a game's folder, with the reason."""
_SUFFIXES = {
    ".rish": "a recording", ".part": "an unfinished file", ".save": "a saved game", ".rishgame": "a pack",
    ".log": "a log", ".tmp": "an unfinished file", ".bak": "a copy", ".orig": "a copy",
}  # fmt: skip
"""Files that are left out, by their last suffix."""
_TESTS = ("conftest.py", "test_")


@dataclass(frozen=True)
class Gathered:
    """The files of a folder. files: by path in the pack. left_out: the reason for each that is not packed."""

    files: Mapping[str, Path]
    left_out: Mapping[str, str]


def gather(folder: Path) -> Gathered:
    """Return the files of a game's folder that belong in its pack, and those that are left out, each with the reason.

    A folder that is left out is listed as one, with `/` at its end. A symbolic link is packed as the file that it leads
    to, if that is inside the folder; a link to a folder is left out. Files whose names some system can't have are not
    left out, because the game may need them: `check_files` refuses them.
    """
    files: dict[str, Path] = {}
    left_out: dict[str, str] = {}
    for path, file in _walk(folder, "", left_out):
        inside = path_inside(folder, path)
        if (reason := _reason(path)) is not None:
            left_out[path] = reason
        elif inside is None or not inside.is_file():
            left_out[path] = "it is no file inside the game's folder"
        else:
            files[path] = file
    return Gathered(dict(sorted(files.items())), dict(sorted(left_out.items())))


def _walk(folder: Path, prefix: str, left_out: dict[str, str]) -> Iterator[tuple[str, Path]]:
    """Yield the files below a folder; folders that are left out are noted."""
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            path = f"{prefix}{entry.name}"
            if not entry.is_dir():
                yield path, Path(entry.path)
                continue
            mistake = unwanted(path)
            reason = _FOLDERS.get(path) or (f"it {mistake}" if mistake else None)
            if entry.is_symlink():
                reason = "it is a link to a folder"
            if reason is None:
                yield from _walk(Path(entry.path), f"{path}/", left_out)
            else:
                left_out[f"{path}/"] = reason


def _reason(path: str) -> str | None:
    """Return why a file is left out, or None."""
    name = path.rpartition("/")[2]
    if name.startswith(_TESTS) and name.endswith(".py"):
        return "it is a test"
    suffix = _SUFFIXES.get(os.path.splitext(name)[1].lower())
    if suffix is not None and name != FILE_NAME:
        return f"it is {suffix}"
    mistake = unwanted(path)
    return None if mistake is None else f"it {mistake}"
