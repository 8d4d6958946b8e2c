"""The pages of docs/reference for people who write code: the command line, drawing, public names."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable, Hashable, Iterable
from types import ModuleType
from typing import Any, Literal, get_args, get_origin

from reference_text import as_fences, code, first_sentence, prose, table

import rish_ecs
from rish_core.plugin import installed_commands
from rish_ecs.declarations import column_type
from rish_frame import backend as contract
from rish_frame.frame import STANDARD_KINDS, batches

MANY = 8
"""The number of items of a constant that are shown."""

# The command line


def command_page() -> str:
    """Return the page of all commands with their arguments."""
    parts = [
        "# The command line\n\nExit codes: 0 fine, 2 a mistake of the user, a game or a plugin, 1 a fault of Rish, 130 "
        "interrupted by Ctrl-C.\n`python -m rish_core` is the same as `rish`.\n",
        table(("command", "of", "what"), ((f"[`rish {n}`](#rish-{n})", code(o), text) for n, o, text in packaged())),
    ]
    modules = {name: (_of_package(name), f"{text} (`{owner}`)") for name, owner, text in packaged()}
    for name, (module, text) in modules.items():
        parser = argparse.ArgumentParser(prog=f"rish {name}", add_help=False)
        importlib.import_module(module).add_arguments(parser)
        parts.append(f"## rish {name}\n\n{text[:1].upper()}{text[1:]}.\n")
        rows = [(argument_text(action), action.help or "") for action in parser._actions]  # pyright: ignore[reportPrivateUsage]
        parts.append(table(("argument", "what"), rows) if rows else "It takes no arguments.\n")
    parts.append(
        "## Environment\n\n"
        + table(
            ("variable", "what"),
            (
                ("`RISH_BACKEND`", "the backend to draw with, where `--backend` and `--headless` are not given"),
                (
                    "`RISH_NO_JIT=1`",
                    "run every kernel as plain Python: slow, the same bits; numba's `NUMBA_DISABLE_JIT=1` as well",
                ),
                ("`RISH_THREADS`", "how many threads draw in `software`, where the settings say nothing"),
                ("`RISH_CACHE_DIR`", "a folder for compiled kernels, instead of the package's own or the user's cache"),
                ("`RISH_SAVE_PICTURES=1`", "tests write their reference pictures anew"),
            ),
        )
    )
    return "\n".join(parts)


def packaged() -> list[tuple[str, str, str]]:
    """Return the commands of the packages of this repository: name, package, and summary."""
    found = [one for one in installed_commands() if one.distribution.startswith("rish-")]
    return [(one.name, one.distribution, one.summary()) for one in found]


def _of_package(name: str) -> str:
    return next(one.value for one in installed_commands() if one.name == name)


def argument_text(action: argparse.Action) -> str:
    """Return an argument as it is typed."""
    value = action.metavar or (action.dest.upper() if action.nargs != 0 else "")
    if action.choices:
        value = ",".join(str(choice) for choice in action.choices)
    if not action.option_strings:
        return code(value + (" ..." if action.nargs == "+" else ""))
    return ", ".join(code(f"{option} {value}".strip()) for option in action.option_strings)


# Drawing


def drawing_page() -> str:
    """Return the page of the backend's contract and the kinds of batches."""
    verbs = (
        (code(f"{name}({', '.join(parameters)})"), " ".join(prose(getattr(contract.Backend, name).__doc__).split()))
        for name, parameters in contract.VERBS.items()
    )
    parts = [
        "# Drawing\n\nWhat a backend must do, and what it is given. How to write one: "
        "[write a backend](../how-to/write-a-backend.md).\n",
        "## Verbs\n",
        table(("verb", "what"), verbs),
        "## Capabilities\n",
        table(("name", "what"), ((code(k), v) for k, v in contract.CAPABILITIES.items())),
        "## Options of `configure`\n",
        table(("name", "what"), ((code(k), v) for k, v in contract.OPTIONS.items())),
        "## Blend modes\n",
        as_fences("With " + prose(batches.__doc__).partition("Blend modes, with ")[2]).replace("```python", "```"),
        "## Kinds of batches\n",
    ]
    for name, kind in sorted(STANDARD_KINDS.items()):
        parts.append(f"### {name}\n\n{kind.doc}\n")
        rows = (
            (code(key), str(spec), spec.doc + (" (may be left out)" if spec.optional else ""))
            for key, spec in kind.arrays.items()
        )
        parts.append(table(("array", "form", "what"), rows))
    return "\n".join(parts)


# Names


def names_page(packages: Iterable[str]) -> str:
    """Return the page of all public names with their first sentences; re-exported names are under their own package."""
    ecs: list[str] = rish_ecs.__all__
    parts = [
        "# Public names\n\nNames of a package itself are [stable](../stability.md). Those of its modules"
        " (`rish_core.manifest`) are provisional: a minor version may\nchange them. The docstring of each says more."
        " `rish_core` hands on the names of `rish_ecs`, so that one import is enough.\n"
    ]
    for package in ("rish_ecs", "rish_core", *packages):
        module = importlib.import_module(package)
        parts += _names_of(package, [name for name in module.__all__ if package != "rish_core" or name not in ecs])
        inner = [name for name in module.__all__ if isinstance(getattr(module, name), ModuleType)]
        for name in inner:
            names: list[str] = getattr(getattr(module, name), "__all__", [])
            parts += _names_of(f"{package}.{name}", names) if names else []
    return "\n".join(parts)


def _names_of(package: str, names: Iterable[str]) -> list[str]:
    """Return a chapter about the names of one package or module."""
    names = list(names)
    module = __import__(package, fromlist=names)  # imports those that are modules too
    rows = ((code(name), _what(name, getattr(module, name))) for name in names)
    return [f"## of `{package}`\n\n`from {package} import ...`\n", table(("name", "what"), rows)]


def _what(name: str, thing: Any) -> str:
    """Return a sentence about a public name; for an object that may change while a program runs, its type."""
    column = column_type(thing) if isinstance(thing, Hashable) and not isinstance(thing, (type, ModuleType)) else None
    if column is not None:
        return f"column type: {column.dtype.name}" + (f" x {column.width}" if column.width > 1 else "")
    if isinstance(thing, (str, tuple, int, float)) and (name.isupper() or isinstance(thing, (str, tuple))):
        return code(shown_constant(thing))
    if get_origin(thing) is Literal:
        return "one of " + ", ".join(code(word) for word in get_args(thing))
    if get_origin(thing) is Callable:
        return f"the type of a function with {len(get_args(thing)[0])} arguments"
    own = isinstance(thing, type | ModuleType) or callable(thing)
    return first_sentence(thing.__doc__) if own else type(thing).__name__


def shown_constant(value: Any) -> str:
    """Return a constant as text; for a long tuple, the first items and their number."""
    if not isinstance(value, tuple):
        return str(value)
    shown = [str(getattr(item, "name", item)) for item in value]
    return ", ".join(shown if len(shown) <= MANY else [*shown[:MANY], f"... ({len(shown)} in all)"])
