"""Which names files may have, so that they are the same files on every system."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

MAX_NAME = 120
"""The longest name of a file or folder, in bytes of UTF-8."""
MAX_PATH = 180
"""The longest path below a game's folder, in characters; Windows allows 260 with the folder around it."""
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$) *(?:\.|$)", re.IGNORECASE)
_TURNS = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")  # marks of text direction
_FORBIDDEN = frozenset('<>"|?*\\')


def wrong_path(path: str) -> str | None:
    """Return the reason to refuse a path, found without accessing the disk, or None.

    path: relative, with `/` between folders. Refused are absolute paths, drives, `~`, `..`, backslashes, `%` escapes,
    control characters, names of devices of any system, and characters that NFKC normalization turns into one of these.
    """
    return _mistake(path) or _mistake(unicodedata.normalize("NFKC", path))


def _mistake(path: str) -> str | None:
    if path.startswith(("/", "\\")):
        return "is an absolute path"
    if re.search(r"%[0-9a-fA-F]{2}", path):
        return "has a % escape"
    parts = path.split("/")
    if any(part.startswith("~") for part in parts):
        return "starts a name with ~"
    return "leads out of its folder" if ".." in parts else _wrong_name(path)


def _wrong_name(path: str) -> str | None:
    """Return the reason why some system can't have a file with a name, or None."""
    if "\\" in path:
        return "has a backslash; use / between folders"
    if ":" in path:
        return "has a colon inside its path"
    if any(unicodedata.category(c) in ("Cc", "Cs") or c in _TURNS or c in _FORBIDDEN for c in path):
        return "has characters that no file name should have"
    for part in path.split("/"):
        if part != "." and part.rstrip(". ") != part:
            return "has a name that ends in a dot or a space"
        if is_device(part):
            return "names a device of some systems"
    return None


def is_device(name: str) -> bool:
    """Return whether Windows reserves a name for a device, with any suffix."""
    return _DEVICES.match(name) is not None


def too_long(path: str) -> str | None:
    """Return the reason why some systems can't store a file with this path below a game's folder, or None."""
    longest = max(len(part.encode("utf-8", "replace")) for part in path.split("/"))
    if len(path) <= MAX_PATH and longest <= MAX_NAME:
        return None
    return f"has a name that is too long: {MAX_NAME} bytes, and {MAX_PATH} characters with its folders, are the most"


def unportable(paths: Iterable[str]) -> dict[str, str]:
    """Return the paths that can't be copied to every system, each with the reason."""
    paths = list(paths)
    reasons = {path: reason for path in paths if (reason := too_long(path) or _wrong_name(path)) is not None}
    if (same := same_names(paths)) is not None:
        reasons.setdefault(same[1], f"is the same file as {same[0]} on some systems")
    return reasons


def same_names(paths: Iterable[str]) -> tuple[str, str] | None:
    """Return two paths of which some systems take one for the other, or for a folder of the other; None if all differ.

    They are compared without regard to upper case and the forms of Unicode.
    """
    files: dict[str, str] = {}
    folders: dict[str, str] = {}
    for path in paths:
        key = folded(path)
        if key in files or key in folders:
            return files.get(key) or folders[key], path
        files[key] = path
        parts = path.split("/")
        for count in range(1, len(parts)):
            folder = "/".join(parts[:count])
            key = folded(folder)
            if key in files or folders.setdefault(key, folder) != folder:
                return files.get(key) or folders[key], path
    return None


def folded(path: str) -> str:
    """Return a text that is equal for paths of which some systems take one for the other."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", path).casefold())


def folder_name(title: str) -> str:
    """Return the name of a game's folder: its title in lower case, with `-` for what is no letter or digit.

    A title that is the name of a device, such as Nul, gets `-` at its end.
    """
    name = re.sub(r"\W+", "-", title).strip("-").lower() or "game"
    return f"{name}-" if is_device(name) else name


def new_id(title: str) -> str:
    """Return an identifier for a new game that no other game has: `folder_name`, and eight random digits."""
    import secrets

    return f"{folder_name(title).strip('-')}-{secrets.token_hex(4)}"
