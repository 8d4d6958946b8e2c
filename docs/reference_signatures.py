"""The page of docs/reference with the signature of each public name, one line a name.

A change of this page is a change of what plugins and games are written against.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from enum import EnumType
from pathlib import Path
from types import ModuleType
from typing import Any

from reference_methods import KERNELS

ROOT = Path(__file__).parents[1]
LONG = 40
"""The number of characters of a default that are shown."""
INTRO = """# Signatures

The stable names of each package ([stability](../stability.md)): functions and classes with their parameters, methods
and properties of classes, constants, and public modules, whose own names are provisional. What they mean is in
[names](names.md), [methods](methods.md), [components](components.md) and [resources](resources.md).
"""


def signatures_page() -> str:
    """Return the page. Names that a package hands on from another package of this repository are under that one."""
    folders = [*ROOT.glob("[klp]*s/*/src/rish_*"), *ROOT.glob("rish_core/src/rish_*")]
    return "\n".join([INTRO, *(_chapter(name) for name in sorted(folder.name for folder in folders))])


def _chapter(package: str) -> str:
    module = importlib.import_module(package)
    lines = [line for name in module.__all__ for line in _lines(module, name)]
    return f"## of `{package}`\n\n```text\n" + "".join(f"{line}\n" for line in lines) + "```\n"


def _lines(module: ModuleType, name: str) -> Iterator[str]:
    """Yield the lines of a public name of a package or module."""
    thing: Any = getattr(module, name)
    root = module.__name__.partition(".")[0]
    if getattr(thing, "__module__", root).partition(".")[0] != root:
        return
    if isinstance(thing, ModuleType):
        yield f"{name} (module)"
    elif isinstance(thing, EnumType):
        yield f"{name}: {', '.join(thing.__members__)}"
    elif isinstance(thing, type):
        yield name + _arguments(thing)
        yield from _members(name, thing)
    else:
        yield name + (_arguments(thing) if inspect.isroutine(thing) else "")


def _members(name: str, cls: type) -> Iterator[str]:
    """Yield the lines of the public methods and properties of a class, also of those from bases of ours.

    Those that only the kernel calls, and the tests of contracts, are left out.
    """
    bases = [base for base in cls.__mro__ if base.__module__.startswith("rish_")]
    members = {key: value for base in reversed(bases) for key, value in vars(base).items()}
    kernels = {key for base in bases for key in KERNELS.get(base, "").split()}
    for key, member in sorted(members.items()):
        if key.startswith(("_", "test_")) or key in kernels:
            continue
        if isinstance(member, (classmethod, staticmethod)) or inspect.isroutine(member):
            bound = isinstance(member, (classmethod, staticmethod))
            yield f"{name}.{key}{_arguments(getattr(cls, key), first=0 if bound else 1)}"
        elif isinstance(member, property):
            yield f"{name}.{key}"


def _arguments(thing: Any, first: int = 0) -> str:
    """Return the parameters from the first on, without types, with their defaults; nothing if they can't be read."""
    try:
        parameters = [each.replace(annotation=each.empty) for each in inspect.signature(thing).parameters.values()]
        del parameters[:first]
    except (TypeError, ValueError):
        return ""
    shown = [each.replace(default=_default(each.default)) for each in parameters]
    return str(inspect.Signature(shown))


class _Shown:
    """A default whose `repr` is the text that is shown."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _default(value: Any) -> Any:
    if value is inspect.Parameter.empty:
        return value
    text = re.sub(r" at 0x[0-9a-f]+|\s*\n\s*", "", getattr(value, "__name__", None) or repr(value))
    return _Shown(text if len(text) <= LONG else f"{text[:LONG]}...")
