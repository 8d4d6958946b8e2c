"""The public names: one list for people and one for type checkers, equal, importable, and each explained."""

from __future__ import annotations

import ast
import importlib
import inspect
from pathlib import Path
from typing import Any

import pytest

import rish_core

WHERE: dict[str, str] = rish_core._WHERE  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]
VALUES = {"API", "TICK_STAGES", "hookimpl", "hookspec"}
"""Public names that are values; their module says what they are."""
TYPES = {"Asset", "Chars", "Color", "Entity", "Mat4", "Quat", "Str", "Vec2", "Vec3", "Vec4", "Array"}
"""Column types, which are annotations."""


def typed_names() -> dict[str, str]:
    """The names below `if TYPE_CHECKING`, each with its module."""
    tree = ast.parse(Path(rish_core.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    found: dict[str, str] = {}
    for node in block.body:
        assert isinstance(node, ast.ImportFrom)
        for alias in node.names:
            found[alias.asname or alias.name] = node.module or ""
    return found


def test_the_two_lists_are_equal() -> None:
    """What a type checker sees is what there is, from the same modules."""
    listed = {name: module for module, names in WHERE.items() for name in names.split()}
    listed |= dict.fromkeys(("jit", "maths"), "")
    assert typed_names() == listed
    assert sorted(listed) == rish_core.__all__ == dir(rish_core)


def test_no_name_stands_twice() -> None:
    """Every name has one home."""
    names = [name for names in WHERE.values() for name in names.split()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", rish_core.__all__)
def test_every_name_is_there(name: str) -> None:
    """And is what its module has."""
    found = getattr(rish_core, name)
    module = next((module for module, names in WHERE.items() if name in names.split()), None)
    if module is not None:
        assert found is getattr(importlib.import_module(f"rish_core.{module}"), name)
    else:
        assert inspect.ismodule(found)


@pytest.mark.parametrize("name", sorted(set(rish_core.__all__) - VALUES - TYPES))
def test_every_name_is_explained(name: str) -> None:
    """A first sentence of its own, not one that a decorator or a base made."""
    found: Any = getattr(rish_core, name)
    doc = found.__doc__ or ""
    first = doc.strip().partition("\n")[0]
    assert len(first) > 12, f"{name} has no docstring"
    assert not first.startswith(f"{name}("), f"{name} has only what @dataclass made"
    if inspect.isclass(found) and len(found.__mro__) > 1:
        assert doc != found.__mro__[1].__doc__


@pytest.mark.parametrize("name", sorted(set(rish_core.__all__) - VALUES - TYPES - {"jit", "maths"}))
def test_public_methods_are_explained(name: str) -> None:
    """Every public method and property of a public class."""
    found: Any = getattr(rish_core, name)
    members = vars(found).items() if inspect.isclass(found) else ()
    bare = [
        key
        for key, value in members
        if not key.startswith("_")
        and (inspect.isfunction(value) or isinstance(value, (property, staticmethod, classmethod)))
        and not (getattr(value, "__doc__", None) or getattr(getattr(value, "__func__", None), "__doc__", None))
    ]
    assert not bare


def test_a_wrong_name_is_answered_with_the_nearest() -> None:
    """As everywhere."""
    with pytest.raises(AttributeError, match=r"rish_core has no 'componnent' \(did you mean 'component'\?\)"):
        rish_core.componnent  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(ImportError):
        exec("from rish_core import nothing_like_that")


def test_a_star_brings_them_all() -> None:
    """For a session at the prompt."""
    space: dict[str, Any] = {}
    exec("from rish_core import *", space)
    assert set(rish_core.__all__) <= set(space)
