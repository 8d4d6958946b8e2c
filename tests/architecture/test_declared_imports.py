"""A package imports only what its own pyproject declares.

Modules import its dependencies; functions, and modules and folders with the name of an extra, also what is in extras.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

from source_index import source

ROOT = Path(__file__).parents[2]
PROJECTS = sorted([*ROOT.glob("*/*/pyproject.toml"), *ROOT.glob("examples/plugins/*/pyproject.toml"),
                   ROOT / "rish_core" / "pyproject.toml"])  # fmt: skip
IMPORTED = {
    name: {dist.lower().replace("_", "-") for dist in dists} for name, dists in packages_distributions().items()
}
"""The distributions that bring a top-level package, by its name."""


def requirements(project: dict[str, Any]) -> tuple[set[str], set[str]]:
    """Return the names of the distributions that a project depends on, and of those in its extras."""

    def names(lines: list[str]) -> set[str]:
        return {re.split(r"[^\w.-]", line, maxsplit=1)[0].lower().replace("_", "-") for line in lines}

    extras = project.get("optional-dependencies", {}).values()
    return names(project.get("dependencies", [])), names([line for lines in extras for line in lines])


def imports(path: Path) -> Iterator[tuple[int, str, bool]]:
    """Yield line, top-level package, and whether it is imported later than the module: within a function or `try`."""
    for each in source(path).imports:
        node = each.node
        if each.for_types:
            continue
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.partition(".")[0], each.later) for alias in node.names)
        elif not node.level and node.module:
            yield node.lineno, node.module.partition(".")[0], each.later


def undeclared(folder: Path) -> list[str]:
    """Return the imports of a project's source that its pyproject does not declare, with file and line."""
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    always, extras = requirements(project)
    chosen = project.get("optional-dependencies", {}).keys()
    wrong: list[str] = []
    for path in sorted((folder / "src").rglob("*.py")):
        if "templates" in path.parts:
            continue
        for line, name, later in imports(path):
            if name in sys.stdlib_module_names or f"src/{name}/" in path.as_posix():
                continue
            later |= not chosen.isdisjoint([*path.relative_to(folder).parts, path.stem])
            if not IMPORTED.get(name, {name.replace("_", "-")}) & (always | extras if later else always):
                wrong.append(f"{path.relative_to(folder)}:{line}: {name}")
    return wrong


@pytest.mark.parametrize("path", PROJECTS, ids=lambda path: path.parent.name)
def test_a_package_imports_only_what_it_declares(path: Path) -> None:
    """Modules import dependencies; functions and `try` also what is in an extra."""
    assert undeclared(path.parent) == []


def test_what_is_not_declared_is_found(tmp_path: Path) -> None:
    """Imports for type checkers are free; an extra may be imported in a function, and not by the module."""
    source = tmp_path / "src" / "own"
    source.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text(
        '[project]\ndependencies = ["numpy>=1"]\noptional-dependencies = {more = ["pillow>=9"]}\n'
    )
    (source / "__init__.py").write_text(
        "import os\nimport numpy.linalg\nimport own.inner\nfrom typing import TYPE_CHECKING\nimport PIL\n"
        "if TYPE_CHECKING:\n    import yaml\ndef f():\n    import PIL\n    from yaml import load\n"
    )
    assert undeclared(tmp_path) == ["src/own/__init__.py:5: PIL", "src/own/__init__.py:10: yaml"]
