"""Writes new games from templates, and copies of games."""

from __future__ import annotations

import shutil
from importlib.resources import files
from itertools import count
from pathlib import Path

from rish_core import UsageError, read_manifest
from rish_core.manifest import FILE_NAME
from rish_ecs import shorten_path
from rish_system import new_id, write_whole

from ..text.manifest_text import ManifestText

_TEMPLATES = files("rish_authoring") / "templates"
TEMPLATES = ("empty", "platformer")
"""An empty 2D game with a camera, and one with ground, platforms and a figure. For a game with scripts: `rish new`."""


def new_game(folder: Path | str, title: str, template: str = "empty") -> Path:
    """Write a game of one of the `TEMPLATES` into a folder; return the path of its `game.yaml`.

    Raises UsageError for an unknown template, for a folder that contains a game or other files, and if the file can't
    be written.
    """
    folder = Path(folder)
    if template not in TEMPLATES:
        raise UsageError(f"no template is called {template!r}", choices=TEMPLATES)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{shorten_path(folder)} exists already", hint="Choose an empty or a new folder")
    text = ManifestText((_TEMPLATES / f"{template}.yaml").read_text(encoding="utf-8"))
    text.set(("game", "title"), title)
    text.put(("game", "id"), new_id(title))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / FILE_NAME, text.text.encode())
    except OSError as error:
        raise UsageError(f"{shorten_path(folder)} can't be written: {error.strerror or error}") from None
    return folder / FILE_NAME


def copy_game(game: Path, parent: Path) -> Path:
    """Copy the folder of a game into another folder, as `NAME-2` or with the next free number; return the copy.

    The title gets the number too, and the copy an `id` of its own, by which save games are kept. What tools keep in the
    folder is left out.
    Raises ManifestError with the mistakes of a game, and UsageError for what can't be read or written.
    """
    number = next(number for number in count(2) if not (parent / f"{game.name}-{number}").exists())
    copy = parent / f"{game.name}-{number}"
    try:
        shutil.copytree(game, copy, ignore=shutil.ignore_patterns(".rish", "__pycache__", "*.image"))
        text = ManifestText((copy / FILE_NAME).read_text(encoding="utf-8"))
        title = read_manifest(copy / FILE_NAME).title
        text.put(("game", "title"), f"{title} {number}")
        text.put(("game", "id"), new_id(f"{title} {number}"))
        write_whole(copy / FILE_NAME, text.text.encode())
    except (OSError, shutil.Error) as error:
        what = getattr(error, "strerror", "") or error
        raise UsageError(f"{shorten_path(copy)} can't be written: {what}") from None
    return copy
