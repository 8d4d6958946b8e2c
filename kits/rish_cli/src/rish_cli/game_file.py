"""Finds the game that a command names: a folder, a `game.yaml`, or a file of another kind, such as a pack.

A package that opens files of another kind offers a module in the entry-point group `rish.game_files`, under the suffix
of these files::

    [project.entry-points."rish.game_files"]
    rishgame = "rish_packs.opening"

The module's `open_game(path)` returns an `OpenedGame`. Python code in such a game does not run before a person has
agreed; a game without it is opened as data only (`use_data_only`). `look_into(path)` returns a `PackedGame`;
`unpack(path, folder)` writes its files.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rish_core.manifest import use_data_only
from rish_core.plugin import installed_modules
from rish_ecs import UnknownName, UsageError, how_to_get, say, shorten_path
from rish_system import is_terminal

GROUP = "rish.game_files"
_PACKAGES = {"rishgame": "rish-packs"}
"""The packages of this project that open files of a suffix."""
_MANIFESTS = (".yaml", ".yml")
_LISTED = 12
"""The number of files with code that are named; the others are counted."""


@dataclass(frozen=True)
class OpenedGame:
    """A game from a file. folder: a copy for reading. code: its files with Python code, relative to the folder."""

    folder: Path
    code: Sequence[str] = ()


@dataclass(frozen=True)
class PackedGame:
    """What is in such a file. code: the files with Python code."""

    name: str
    title: str
    code: Sequence[str] = ()


def game_of(arguments: argparse.Namespace, *, changes: bool = False) -> Path:
    """Return `find_game` for the argument `game` and the options of `add_game`; asks on the terminal."""
    scripts = not getattr(arguments, "no_scripts", False)
    return find_game(arguments.game, trust=getattr(arguments, "trust", False), scripts=scripts, changes=changes)


def find_game(
    game: Path | str, *, trust: bool = False, scripts: bool = True, changes: bool = False, ask: bool = True
) -> Path:
    """Return the folder or the manifest of a game; a file of another kind is opened first.

    trust: Python code of such a file may run. scripts: False: no Python code of the game's folder runs. changes: the
    caller changes the game. ask: ask on the terminal about code of such a file. Raises RishError for a file that can't
    be opened, or with code that may not run.
    """
    path = Path(game)
    if not is_packed(path):
        if not scripts:
            use_data_only(path.parent if path.is_file() else path)
        return path
    if changes:
        hint = f"Write its files into a folder first: rish unpack {path} FOLDER"
        raise UsageError("a packed game can't be changed", where=shorten_path(path), hint=hint)
    os.environ["PYTHONSAFEPATH"] = "1"  # child processes find no modules beside the pack, such as in Downloads
    opened: OpenedGame = _opener(path).open_game(path)
    runs = bool(opened.code) and scripts and (trust or _agreed(path, opened.code, ask))
    use_data_only(opened.folder, not runs)
    return opened.folder


def is_packed(path: Path) -> bool:
    """Whether a game is a file of another kind."""
    return path.suffix.lower() not in ("", *_MANIFESTS) and path.is_file()


def look_into(path: Path) -> PackedGame:
    """Return what is in a packed game; no code runs. Raises RishError for a damaged file."""
    return _opener(path).look_into(path)


def unpack_game(path: Path, folder: Path) -> None:
    """Write the files of a packed game into a new folder, or nothing. Raises RishError."""
    _opener(path).unpack(path, folder)


def _opener(path: Path) -> Any:
    """Return the module for a file's suffix. Raises UnknownName with the suffixes that can be opened."""
    suffix = path.suffix.lower()[1:]
    modules = {candidate.name: candidate for candidate in installed_modules(GROUP)}
    if suffix in modules:
        return modules[suffix].load()
    if suffix in _PACKAGES:
        package = _PACKAGES[suffix]
        what = f"a .{suffix} file is opened by the package {package}, which is not installed"
        raise UsageError(what, where=shorten_path(path), hint=how_to_get(package))
    choices = ["a folder", "game.yaml", *(f".{name}" for name in sorted(modules))]
    raise UnknownName(f"no package opens .{suffix} files as games", where=shorten_path(path), choices=choices)


def _agreed(path: Path, code: Sequence[str], ask: bool) -> bool:
    """Ask a person whether the code of a game may run. Raises UsageError unless the answer is yes."""
    more = f" and {len(code) - _LISTED} more" if len(code) > _LISTED else ""
    listed = f"{', '.join(code[:_LISTED])}{more}"
    what = "it has Python code of its own, which could do everything that you can do on this computer"
    where = shorten_path(path)
    if not (ask and is_terminal(sys.stdin) and is_terminal(sys.stderr)):
        hint = f"Files: {listed}. Use --trust if you trust its author, or --no-scripts to open it without that code"
        raise UsageError(what, where=where, hint=hint)
    say(f"{where}: {what}. Files:\n  {listed}", error=True)
    say("Do you trust its author, and run it? [y/N] ", error=True, end="")
    if sys.stdin.readline().strip().lower() in ("y", "yes"):
        return True
    raise UsageError("the game was not run", where=where, hint="--no-scripts opens it without its Python code")
