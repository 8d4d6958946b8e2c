"""Which names the files of a pack may have: the same file on every system, and inside its folder."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from rish_ecs.declarations import wrong_path

MAX_NAME = 120
"""The longest name of a file or folder, in bytes of UTF-8."""
MAX_PATH = 180
"""The longest path in a pack, in characters; Windows allows 260 with the folder around it."""
CODE = (".py", ".pyw")
"""The suffixes of Python code."""
COMPILED = (
    ".bat", ".cmd", ".com", ".dll", ".dylib", ".egg", ".exe", ".image", ".jar", ".kernel", ".lnk", ".pickle", ".pkl",
    ".pth", ".pyc", ".pyd", ".pyo", ".pyz", ".sh", ".so", ".whl",
)  # fmt: skip
"""The suffixes of files that no pack contains: machine code, programs, and data that runs code when it is read."""


def wrong_name(path: str) -> str | None:
    """Return the reason why no file of a pack may have a path, or None. path: relative, with `/` between folders."""
    parts = path.split("/")
    longest = max(len(part.encode("utf-8", "replace")) for part in parts)
    if len(path) > MAX_PATH or longest > MAX_NAME:
        return (
            f"has a name that is too long: {MAX_NAME} bytes, and {MAX_PATH} characters with its folders, are the most"
        )
    for spelling in (path, unicodedata.normalize("NFKC", path)):
        if mistake := wrong_path(spelling):
            return mistake
    if any(part in ("", ".") for part in parts):
        return "has an empty part or a dot in its path"
    if any(part.startswith(".") for part in parts):
        return "is hidden"
    if any(part.startswith("__pycache__") for part in parts):
        return "is a file that Python makes again"
    if path.lower().endswith(COMPILED):
        return "is a program or machine code"
    return None


def is_code(path: str) -> bool:
    """Whether a file is Python code."""
    return path.lower().endswith(CODE)


def same_names(paths: Iterable[str]) -> tuple[str, str] | None:
    """Return two paths of which some systems take one for the other, or for a folder of the other; None if all differ.

    They are compared without regard to upper case and the forms of Unicode.
    """
    files: dict[str, str] = {}
    folders: dict[str, str] = {}
    for path in paths:
        key = _folded(path)
        if key in files or key in folders:
            return files.get(key) or folders[key], path
        files[key] = path
        parts = path.split("/")
        for count in range(1, len(parts)):
            folder = "/".join(parts[:count])
            key = _folded(folder)
            if key in files or folders.setdefault(key, folder) != folder:
                return files.get(key) or folders[key], path
    return None


def _folded(path: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", path).casefold())
