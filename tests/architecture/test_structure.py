"""Every package has few folders and files, and there are no circular imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from source_index import source

ROOT = Path(__file__).parents[2]
PACKAGES = {
    path.name: path
    for folder in ("libs/*", "rish_core", "kits/*", "plugins/*", "examples/plugins/*")
    for path in ROOT.glob(f"{folder}/src/*")
    if (path / "__init__.py").is_file()
}
TREES = {**PACKAGES, "benchmarks": ROOT / "benchmarks"}
MAX_ENTRIES = dict.fromkeys(PACKAGES, 14) | {"rish_physics": 12, "rish_render": 12}
UNCOUNTED = ("__pycache__", "py.typed", "kernels.txt")

Edges = dict[str, dict[str, bool]]
"""For each module the modules that it imports, and whether the import is only for type checkers."""


def modules() -> dict[str, Path]:
    """Return the files of all packages and of the benchmarks, by dotted name."""
    found: dict[str, Path] = {}
    for name, folder in TREES.items():
        for path in folder.rglob("*.py"):
            parts = [name, *path.relative_to(folder).with_suffix("").parts]
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(module: str, path: Path, known: dict[str, Path]) -> Iterator[tuple[str, bool]]:
    """Yield every module of the repository that a file imports, wherever the statement is."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for each in source(path).imports:
        node = each.node
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            names = [f"{base}.{alias.name}" for alias in node.names]
        for name in names:
            target = name
            while target and target not in known:
                target = target.rpartition(".")[0]
            if target and target != module:
                yield target, each.for_types


@cache
def edges() -> Edges:
    """Return the imports of each module."""
    known = modules()
    made: Edges = {}
    for module, path in known.items():
        found = made[module] = dict[str, bool]()
        for target, for_types in imported(module, path, known):
            found[target] = for_types and found.get(target, True)
    return made


def circles(graph: dict[str, list[str]]) -> list[list[str]]:
    """Return the sets of modules that reach one another (Tarjan's strongly connected components)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph[node]:
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            ring = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(ring) > 1:
                found.append(sorted(ring))

    for node in graph:
        if node not in index:
            visit(node)
    return found


def test_circles_are_found() -> None:
    """A cycle of three is found in a graph with edges into and out of it."""
    graph = {"in": ["a"], "a": ["b"], "b": ["c"], "c": ["a", "out"], "out": []}
    assert circles(graph) == [["a", "b", "c"]]


@pytest.mark.slow
def test_nothing_imports_in_a_circle() -> None:
    """There is no import cycle, including imports in functions and for type checkers.

    An import only for types may go back to a file that imports this one.
    """
    known = edges()
    graph = {
        module: [target for target, for_types in targets.items() if not for_types or module not in known[target]]
        for module, targets in known.items()
    }
    assert not circles(graph)


@pytest.mark.parametrize("package", PACKAGES)
def test_the_top_level_is_a_table_of_contents(package: str) -> None:
    """A package has at most fourteen top-level entries, twelve in the two largest plugins."""
    entries = [path.name for path in PACKAGES[package].iterdir() if path.name not in UNCOUNTED]
    assert len(entries) <= MAX_ENTRIES[package], sorted(entries)


@pytest.mark.parametrize("package", PACKAGES)
def test_no_folder_has_too_many_entries(package: str) -> None:
    """A folder has at most 17 entries, not counting data, so that a file is found quickly."""
    for folder in (PACKAGES[package], *(path for path in PACKAGES[package].rglob("*") if path.is_dir())):
        code = [path for path in folder.iterdir() if path.suffix == ".py"]
        assert len(code) <= 17, folder
