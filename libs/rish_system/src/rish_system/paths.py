"""Paths below a folder, as they are on the disk."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from .names import folded
from .system import current

LEFT_OUT = ("out", "dist", "build")
"""The folders at the top of a game's folder in which tools write."""


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


def source_files(folder: Path) -> Iterator[str]:
    """Yield the names of the files of a game, like `walk_files`, without hidden ones and those in `LEFT_OUT`."""
    for name in walk_files(str(folder)):
        if name.partition("/")[0] not in LEFT_OUT and not name.rpartition("/")[2].startswith("."):
            yield name


def other_spelling(folder: Path, path: str) -> str | None:
    """Return how the path of an existing file is spelled on the disk, if it differs in upper case or forms of Unicode.

    None: the spelling is right, or there is no such file. macOS and Windows find a file in any spelling and Linux
    only in its own, so a game that names `Ball.png` and has `ball.png` would not work on all of them.
    path: relative, with `/` between folders.
    """
    if current() == "linux" and os.path.exists(folder / path):
        return None
    names: list[str] = []
    for part in path.split("/"):
        try:
            present = os.listdir(folder.joinpath(*names))
        except (OSError, ValueError):
            return None
        same = part if part in present else next((name for name in present if folded(name) == folded(part)), None)
        if same is None:
            return None
        names.append(same)
    spelled = "/".join(names)
    return spelled if spelled != path else None
