"""Where files of a game go: names before and after, and names as files spell them."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from urllib.parse import quote, unquote

from rish_core import AssetError, canonical


class Moves:
    """A file or a folder that gets another name. old, new: relative to the game. files: all files of the game.

    moved: the new name of each file that moves, by the old one.
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
    """Return the file that a string names, None if it can't name one. file: in which it is written."""
    if reading == "rooted":
        try:
            found = canonical(value)
        except AssetError:
            return None
        return None if ":" in found else found
    said = unquote(value) if reading == "uris" else value.replace("\\", "/")
    if not said or said.startswith("/") or ":" in said:
        return None
    found = posixpath.normpath(posixpath.join(posixpath.dirname(file), said))
    return None if found.startswith("..") or found == "." else found


def respelled(value: str, reading: str, moves: Moves, file: str) -> str | None:
    """Return how a string names its file after the moves, in the spelling that it has; None if it stays."""
    target = target_of(value, reading, file)
    if target is None or (target not in moves.files and target != moves.old):
        return None
    there = moves.new if target == moves.old else moves.now(target)
    if reading == "rooted":
        if there == target:
            return None
        return ("./" if value.startswith("./") else "") + there
    here = posixpath.dirname(moves.now(file))
    if there == target and here == posixpath.dirname(file):
        return None
    found = posixpath.relpath(there, here or ".")
    if value.startswith("./"):
        found = f"./{found}"
    if reading == "uris" and ("%" in value or " " in found):
        found = quote(found, safe="/!$&'()*+,;=@~")
    elif reading == "relative" and "\\" in value and "/" not in value:
        found = found.replace("/", "\\")
    return None if found == value else found
