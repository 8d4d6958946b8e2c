"""The public names of the packages: two equal lists, importable names, and an explanation of each."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from source_index import source

ROOT = Path(__file__).parents[2]
PACKAGES = [
    ".".join(path.parent.relative_to(source).parts)
    for source in sorted([*ROOT.glob("*/*/src"), ROOT / "rish_core" / "src"])
    for path in sorted(source.rglob("__init__.py"))
    if "lazy_names(" in path.read_text(encoding="utf-8")
]
"""Packages whose names are imported on first use."""
VALUES = {"API", "INSTANCE", "KEY_INDEX", "TICK_STAGES", "hookimpl", "hookspec", "rish_app", "rish_world"}
"""Public names that are values. Their module documents them."""
TYPES = {
    "Asset",
    "Blend",
    "Chars",
    "Condition",
    "Filter",
    "Fallback",
    "Color",
    "Entity",
    "Mat4",
    "Pixels",
    "Quat",
    "Str",
    "Vec2",
    "Vec3",
    "Vec4",
    "Array",
}
"""Types without a docstring of their own, most of them annotations of columns."""


def file_of(package: str) -> Path:
    """Return the package's `__init__`."""
    file = importlib.import_module(package).__file__
    assert file is not None
    return Path(file)


def typed_names(package: str) -> dict[str, str]:
    """Return the names below `if TYPE_CHECKING`, each with its module; modules of the package have their own name."""
    found: dict[str, str] = {}
    for node in (each.node for each in source(file_of(package)).imports if each.for_types):
        assert isinstance(node, ast.ImportFrom)
        for alias in node.names:
            above = package.rpartition(".")[0]
            home = {0: f"={node.module}", 1: node.module or "", 2: f"={above}.{node.module}"}[node.level]
            found[alias.asname or alias.name] = home
    return found


@cache
def listed_names(package: str) -> list[tuple[str, str]]:
    """Return the names in the table passed to `lazy_names`, each with its module, including repetitions."""
    text = source(file_of(package)).text
    call = next(node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
    table: dict[str, str] = ast.literal_eval(call.args[1])
    modules = [ast.literal_eval(keyword.value) for keyword in call.keywords if keyword.arg == "modules"]
    names = [(name, module) for module, names in table.items() for name in names.split()]
    return names + [(name, "") for group in modules for name in group]


def explained_names(package: str) -> Iterator[tuple[str, Any]]:
    """Yield the names that a package defines and that have a docstring of their own, with their objects."""
    for name, module in listed_names(package):
        if module[:1] != "=" and name not in VALUES | TYPES:
            yield f"{package}.{name}", getattr(importlib.import_module(package), name)


def test_there_are_packages() -> None:
    """The packages are found by these tests."""
    assert {"rish_core", "rish_ecs", "rish_frame", "rish_physics"} <= set(PACKAGES)


def test_the_two_lists_are_equal() -> None:
    """The names for type checkers equal the names at run time, and are from the same modules."""
    for package in PACKAGES:
        listed = listed_names(package)
        assert typed_names(package) == dict(listed), package
        assert len(dict(listed)) == len(listed), f"{package} lists a name twice"
        there = importlib.import_module(package)
        assert sorted(dict(listed)) == there.__all__ == dir(there), package


def test_every_name_is_explained() -> None:
    """Each name can be imported and has a first sentence of its own, not one made by a decorator or inherited."""
    bare: list[str] = []
    for place, found in [pair for package in PACKAGES for pair in explained_names(package)]:
        doc = found.__doc__ or ""
        first = doc.strip().partition("\n")[0]
        made = first.startswith(f"{place.rpartition('.')[2]}(")  # by @dataclass
        inherited = inspect.isclass(found) and len(found.__mro__) > 1 and doc == found.__mro__[1].__doc__
        if len(first) <= 12 or made or inherited:
            bare.append(place)
    assert not bare


def test_public_methods_are_explained() -> None:
    """Every public method and property of a public class has a docstring."""
    bare: list[str] = []
    for place, found in [pair for package in PACKAGES for pair in explained_names(package)]:
        for key, value in vars(found).items() if inspect.isclass(found) else ():
            method = inspect.isfunction(value) or isinstance(value, (property, staticmethod, classmethod))
            doc = getattr(value, "__doc__", None) or getattr(getattr(value, "__func__", None), "__doc__", None)
            if not key.startswith("_") and method and not doc:
                bare.append(f"{place}.{key}")
    assert not bare


def test_a_wrong_name_is_answered_with_the_nearest() -> None:
    """A wrong name raises an error with the nearest name."""
    with pytest.raises(AttributeError, match=r"rish_core has no 'Stagex' \(did you mean 'Stage'\?\)"):
        getattr(importlib.import_module("rish_core"), "Stagex")  # noqa: B009
    with pytest.raises(ImportError):
        exec("from rish_core import nothing_like_that")
