"""The public names of the packages: two lists that are equal, importable, and each name explained."""

from __future__ import annotations

import ast
import importlib
import inspect
from pathlib import Path
from typing import Any

import pytest

PACKAGES = (
    "rish_core",
    "rish_core.commands",
    "rish_core.common",
    "rish_core.loop",
    "rish_core.manifest",
    "rish_core.plugin",
    "rish_devtools",
    "rish_ecs",
    "rish_ecs.declarations",
    "rish_ecs.snapshots",
    "rish_ecs.storage",
    "rish_frame",
    "rish_frame.frame",
    "rish_frame.pictures",
    "rish_frame.poses",
    "rish_history",
    "rish_physics",
)
"""The packages whose names are imported when they are first used."""
VALUES = {"API", "INSTANCE", "KEY_INDEX", "TICK_STAGES", "hookimpl", "hookspec", "rish_app", "rish_world"}
"""Public names that are values; their module says what they are."""
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


def source(package: str) -> ast.Module:
    """The package's `__init__`, parsed."""
    file = importlib.import_module(package).__file__
    assert file is not None
    return ast.parse(Path(file).read_text(encoding="utf-8"))


def typed_names(package: str) -> dict[str, str]:
    """The names below `if TYPE_CHECKING`, each with its module; modules of the package have their own name."""
    block = next(node for node in source(package).body if isinstance(node, ast.If))
    found: dict[str, str] = {}
    for node in block.body:
        assert isinstance(node, ast.ImportFrom)
        for alias in node.names:
            above = package.rpartition(".")[0]
            home = {0: f"={node.module}", 1: node.module or "", 2: f"={above}.{node.module}"}[node.level]
            found[alias.asname or alias.name] = home
    return found


def listed_names(package: str) -> list[tuple[str, str]]:
    """The names in the table that `lazy_names` gets, each with its module, as often as they stand there."""
    call = next(node for node in ast.walk(source(package)) if isinstance(node, ast.Call))
    table: dict[str, str] = ast.literal_eval(call.args[1])
    modules = [ast.literal_eval(keyword.value) for keyword in call.keywords if keyword.arg == "modules"]
    names = [(name, module) for module, names in table.items() for name in names.split()]
    return names + [(name, "") for group in modules for name in group]


def every_name(*left_out: set[str]) -> list[tuple[str, str]]:
    """Package and name of everything public; a name that is handed on is left to the package that defines it."""
    pairs = [(package, name) for package in PACKAGES for name, module in listed_names(package) if module[:1] != "="]
    return [(package, name) for package, name in pairs if not any(name in out for out in left_out)]


@pytest.mark.parametrize("package", PACKAGES)
def test_the_two_lists_are_equal(package: str) -> None:
    """What a type checker sees is what there is, from the same modules."""
    listed = listed_names(package)
    assert typed_names(package) == dict(listed)
    assert len(dict(listed)) == len(listed), "a name stands twice"
    there = importlib.import_module(package)
    assert sorted(dict(listed)) == there.__all__ == dir(there)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_name_is_there(package: str) -> None:
    """And is what its module has."""
    there = importlib.import_module(package)
    for name, module in listed_names(package):
        found = getattr(there, name)
        if module:
            home = module[1:] if module.startswith("=") else f"{package}.{module}"
            assert found is getattr(importlib.import_module(home), name)
        else:
            assert inspect.ismodule(found)


@pytest.mark.parametrize(("package", "name"), every_name(VALUES, TYPES))
def test_every_name_is_explained(package: str, name: str) -> None:
    """A first sentence of its own, not one that a decorator or a base made."""
    found: Any = getattr(importlib.import_module(package), name)
    doc = found.__doc__ or ""
    first = doc.strip().partition("\n")[0]
    assert len(first) > 12, f"{name} has no docstring"
    assert not first.startswith(f"{name}("), f"{name} has only what @dataclass made"
    if inspect.isclass(found) and len(found.__mro__) > 1:
        assert doc != found.__mro__[1].__doc__


@pytest.mark.parametrize("package", PACKAGES)
def test_public_methods_are_explained(package: str) -> None:
    """Every public method and property of a public class."""
    bare: list[str] = []
    for _, name in [pair for pair in every_name(VALUES, TYPES) if pair[0] == package]:
        found: Any = getattr(importlib.import_module(package), name)
        for key, value in vars(found).items() if inspect.isclass(found) else ():
            method = inspect.isfunction(value) or isinstance(value, (property, staticmethod, classmethod))
            doc = getattr(value, "__doc__", None) or getattr(getattr(value, "__func__", None), "__doc__", None)
            if not key.startswith("_") and method and not doc:
                bare.append(f"{name}.{key}")
    assert not bare


@pytest.mark.parametrize("package", PACKAGES)
def test_a_wrong_name_is_answered_with_the_nearest(package: str) -> None:
    """As everywhere."""
    there = importlib.import_module(package)
    name = there.__all__[-1]
    with pytest.raises(AttributeError, match=rf"{package} has no '{name}x' \(did you mean '{name}'\?\)"):
        getattr(there, f"{name}x")
    with pytest.raises(ImportError):
        exec(f"from {package} import nothing_like_that")


@pytest.mark.parametrize("package", PACKAGES)
def test_a_star_brings_them_all(package: str) -> None:
    """For a session at the prompt."""
    space: dict[str, Any] = {}
    exec(f"from {package} import *", space)
    assert set(importlib.import_module(package).__all__) <= set(space)
