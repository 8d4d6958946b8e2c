"""The new names of moved files, and how other files spell them."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from urllib.parse import quote, unquote

from rish_core import AssetError, canonical


class Moves:
    """A file or a folder that is renamed. old, new: relative to the game. files: all files of the game.

    moved: the new name of each file that moves, by its old name. folder: whether it is a folder.
    """

    def __init__(self, old: str, new: str, files: Mapping[str, object]) -> None:
        self.old, self.new = old, new
        self.files = files
        inside = f"{old}/"
        self.moved = {
            name: new + name[len(old) :] for name in files if name == old or name.startswith(inside)
        }  # fmt: skip
        self.folder = old not in files

    def now(self, name: str) -> str:
        """Return the new name of a file, which may be the old one."""
        return self.moved.get(name, name)


def target_of(value: str, reading: str, file: str) -> str | None:
    """Return the file that a string names; None if it can't name one.

    reading: see `Format`. file: it has the string.
    """
    if reading == "rooted":
        try:
            path = canonical(value)
        except AssetError:
            return None
        return None if ":" in path else path
    relative_path = unquote(value) if reading == "uris" else value.replace("\\", "/")
    if not relative_path or relative_path.startswith("/") or ":" in relative_path:
        return None
    path = posixpath.normpath(posixpath.join(posixpath.dirname(file), relative_path))
    return None if path.startswith("..") or path == "." else path


def respelled(value: str, reading: str, moves: Moves, file: str) -> str | None:
    """Return the new value of a string that names a file, in the style of the old one; None if it stays."""
    target = target_of(value, reading, file)
    if target is None or (target not in moves.files and target != moves.old):
        return None
    new_target = moves.new if target == moves.old else moves.now(target)
    if reading == "rooted":
        if new_target == target:
            return None
        return ("./" if value.startswith("./") else "") + new_target
    new_folder = posixpath.dirname(moves.now(file))
    if new_target == target and new_folder == posixpath.dirname(file):
        return None
    spelling = posixpath.relpath(new_target, new_folder or ".")
    if value.startswith("./"):
        spelling = f"./{spelling}"
    if reading == "uris" and ("%" in value or " " in spelling):
        spelling = quote(spelling, safe="/!$&'()*+,;=@~")
    elif reading == "relative" and "\\" in value and "/" not in value:
        spelling = spelling.replace("/", "\\")
    return None if spelling == value else spelling
