"""Finds imports of names that another package of Rish does not offer.

A name is public if a package lists it in `__all__`. It is also public if the package's public modules and sub-packages
list it, or define it without an underscore where they have no list.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from functools import cache
from types import ModuleType


@cache
def _module(name: str) -> ModuleType | None:
    """Return a module, or None if there is none of that name."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        return None


@cache
def _is_public(name: str) -> bool:
    """Return True if a module can be reached by listed names."""
    above, _, last = name.rpartition(".")
    return not above or (_is_public(above) and last in getattr(_module(above), "__all__", ()))


def _has(name: str, what: str) -> bool:
    """Return True if a public module offers a name."""
    module = _module(name)
    listed = getattr(module, "__all__", None)
    return what in listed if listed is not None else hasattr(module, what) and not what.startswith("_")


def _instead(package: str, what: str) -> str:
    """Return the place where a name is public, as a part of a sentence."""
    tops = [package, *(f"{package}.{inner}" for inner in getattr(_module(package), "__all__", ()))]
    homes = [name for name in tops if _is_public(name) and isinstance(_module(name), ModuleType) and _has(name, what)]
    return f"write `from {homes[0]} import {what}`" if homes else f"{what} is not public anywhere in {package}"


def private_imports(text: str, own: str) -> Iterator[tuple[int, str]]:
    """Yield the line and a sentence for each import of something of another package of Rish that is not public.

    text: source code. own: the package that it belongs to, "" for none. Packages that are not installed are skipped.
    """
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                if top.startswith("rish_") and top != own and _module(top) and not _is_public(alias.name):
                    yield node.lineno, f"import {alias.name}: it is not public"
        if not isinstance(node, ast.ImportFrom) or node.level or not (node.module or "").startswith("rish_"):
            continue
        name = node.module or ""
        package = name.partition(".")[0]
        if package == own or _module(package) is None:
            continue
        for alias in node.names:
            inner = f"{name}.{alias.name}"
            if not (_is_public(name) and (_has(name, alias.name) or alias.name == "*")) and not _is_public(inner):
                yield node.lineno, f"from {name} import {alias.name}: {_instead(package, alias.name)}"
