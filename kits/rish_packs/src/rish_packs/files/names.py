"""Which names the files of a pack may have, beside the rules of `rish_system` for every system."""

from __future__ import annotations

from rish_system import too_long, wrong_path

CODE = (".py", ".pyw")
"""The suffixes of Python code."""
COMPILED = (
    ".bat", ".cmd", ".com", ".dll", ".dylib", ".egg", ".exe", ".image", ".jar", ".kernel", ".lnk", ".pickle", ".pkl",
    ".pth", ".pyc", ".pyd", ".pyo", ".pyz", ".sh", ".so", ".whl",
)  # fmt: skip
"""The suffixes of files that no pack contains: machine code, programs, and data that runs code when it is read."""


def wrong_name(path: str) -> str | None:
    """Return the reason why no file of a pack may have a path, or None. path: relative, with `/` between folders."""
    mistake = too_long(path) or wrong_path(path)
    if mistake is None and any(part in ("", ".") for part in path.split("/")):
        return "has an empty part or a dot in its path"
    return mistake or unwanted(path)


def unwanted(path: str) -> str | None:
    """Return the reason why no pack contains a file, whatever system it is for, or None."""
    parts = path.split("/")
    if any(part.startswith((".", "~")) for part in parts):
        return "is hidden"
    if any(part.startswith("__pycache__") for part in parts):
        return "is a file that Python makes again"
    if path.lower().endswith(COMPILED):
        return "is a program or machine code"
    return None


def is_code(path: str) -> bool:
    """Whether a file is Python code."""
    return path.lower().endswith(CODE)
