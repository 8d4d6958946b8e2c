"""Reads the strings of a game or package: those of its YAML files and of its Python code."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rish_core.manifest import read_yaml
from rish_core.plugin import MAX_CODE
from rish_system import read_whole


def strings_of(folder: Path, without: Sequence[Path] = ()) -> Iterator[str]:
    """Yield every string in a folder's YAML and Python files, except keys, docstrings and comments.

    Hidden folders and files that can't be read are skipped. without: folders and files that are skipped too.
    """
    for path in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if hidden or any(path.is_relative_to(other) for other in without):
            continue
        if path.suffix in (".yaml", ".yml"):
            yield from _inside(read_yaml(path).data)
        elif path.suffix == ".py":
            yield from _of_python(path)


def _inside(data: Any) -> Iterator[str]:
    """Yield the strings in nested data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        for item in data.values() if isinstance(data, dict) else data:
            yield from _inside(item)


def _of_python(path: Path) -> Iterator[str]:
    """Yield the string constants of a program. A string that is a statement of its own is documentation."""
    try:
        nodes = list(ast.walk(ast.parse(read_whole(path, MAX_CODE))))
    except (OSError, ValueError, SyntaxError, RecursionError):
        return
    documentation = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield node.value
