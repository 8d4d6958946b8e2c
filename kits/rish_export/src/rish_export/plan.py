"""What a program of a game needs: the plugins that the game uses, the distributions of these, and its languages."""

from __future__ import annotations

import argparse
import ast
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Any

from rish_cli import build_app
from rish_core import RishError, UsageError
from rish_core.manifest import YamlMap, load_yaml
from rish_core.plugin import installed_modules
from rish_ecs import is_ours, shorten_path
from rish_jit.errors.metadata import plain_name
from rish_system import source_files, unportable

from .distributions import Wanted, files_of, needed, owners
from .unused import unused_requirements

_BASE = ("rish-core", "rish-cli", "rish-history")
"""The distributions of each program: they play the game, and log its input for reports of crashes."""
_NAME = re.compile(r"[^\s./\\:*?\"<>|\x00-\x1f][^/\\:*?\"<>|\x00-\x1f]{0,79}")


@dataclass(frozen=True)
class Plan:
    """What goes into a program.

    folder: of the game. name: of the program. identity: see `Manifest`. author, license: as `page.yaml` of the game
    says, or "". files: of the game, relative to its folder. plugins: name to `package version`. others: the plugins
    that are not of this project, in the order of the game. others_are_optional: whether the game can do without them.
    distributions: by plain name. imported: the top-level modules that code of the game and of other people's packages
    imports. languages: their tags. windowed: whether the game has a window.
    """

    folder: Path
    name: str
    title: str
    identity: str
    version: str
    author: str
    license: str
    files: tuple[str, ...]
    plugins: dict[str, str]
    others: tuple[str, ...]
    others_are_optional: bool
    distributions: dict[str, Distribution]
    imported: frozenset[str]
    python_modules: frozenset[str]
    languages: frozenset[str]
    windowed: bool


def make_plan(game: str, name: str | None = None, version: str = "1.0") -> Plan:
    """Read and check a game, and return what a program of it needs. name: of the program; None: that of its folder.

    Raises ManifestError with all mistakes of the game, such as a missing file, and RishError for what can't be packed.
    """
    arguments = argparse.Namespace(game=game, overrides=[], more="", without="")
    with build_app(arguments, headless=True, policy="raise", open_assets=True, warm_up=False) as app:
        folder = (app.manifest.root or Path(game)).resolve()
        plugins = {each.name: each for each in app.plugins if each.distribution is not None and each.name != "core"}
        manifest, optional = app.manifest, set(app.plugins.optional)
    files = _checked_files(folder)
    others = tuple(plugin for plugin, each in plugins.items() if not is_ours(str(each.distribution)))
    every = {*_imports(folder, files), *imports_of({str(plugins[each].distribution) for each in others})}
    imported = frozenset(every - sys.stdlib_module_names)
    roots = {plain_name(str(each.distribution)) for each in plugins.values()}
    roots.update(_BASE, (plain_name(owners()[module]) for module in imported if module in owners()))
    distributions = needed(map(Wanted, roots), unused_requirements(imported))
    return Plan(
        folder=folder,
        name=checked_name(name or folder.name),
        title=manifest.title,
        identity=manifest.identity,
        version=version,
        author=_told(folder, "author"),
        license=_told(folder, "license"),
        files=files,
        plugins={plugin: f"{each.distribution} {each.version}" for plugin, each in plugins.items()},
        others=others,
        others_are_optional=optional.issuperset(others),
        distributions=distributions,
        imported=imported,
        python_modules=frozenset(every & sys.stdlib_module_names),
        languages=frozenset({"en", *(Path(file).stem for file in files if "locale" in Path(file).parts)}),
        windowed=any(each.name in plugins for each in installed_modules("rish.windows")),
    )


def _told(folder: Path, key: str) -> str:
    """Return what the description of the game's page says, as far as it is a text."""
    path = folder / "page.yaml"
    told: Any = load_yaml(path).data if path.is_file() else None
    return str(told.get(key) or "").strip() if isinstance(told, YamlMap) else ""


def _checked_files(folder: Path) -> tuple[str, ...]:
    """Return the names of a game's files.

    Raises RishError for a name that some systems can't have, and for a symbolic link that leads out of the folder.
    """
    names = tuple(source_files(folder))
    for name, reason in unportable(names).items():
        raise RishError(f"{shorten_path(folder / name)} {reason}", hint="Rename the file")
    for name in names:
        if not (folder / name).resolve().is_relative_to(folder):
            raise RishError(f"{name} is a link that leads out of the game's folder", hint="Copy the file there")
    return names


def checked_name(name: str) -> str:
    """Return the name of a program. Raises UsageError for one that can't be the name of a file on some system."""
    if not _NAME.fullmatch(name) or name.endswith((" ", ".")):
        raise UsageError(f"{name!r} can't be the name of a program", hint="Use --name with letters, digits and spaces")
    return name


def _imports(folder: Path, files: Iterable[str]) -> Iterator[str]:
    """Yield the top-level modules that the game's code imports.

    Raises RishError for a text in the code that is the absolute path of a file.
    """
    for name in (each for each in files if each.endswith(".py")):
        try:
            tree = ast.parse((folder / name).read_bytes(), name)
        except (SyntaxError, ValueError) as error:
            raise RishError(f"{name} can't be read: {error}") from None
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and _is_file(node.value):
                what = f"{name}:{node.lineno}: {node.value!r} is the path of a file on this machine"
                raise RishError(what, hint="Copy the file into the game's folder, and load it as an asset")
            yield from imported_by(node)


def _is_file(text: str) -> bool:
    """Return whether a text is the absolute path of an existing file."""
    return len(text) < 1000 and "\0" not in text and os.path.isabs(text) and os.path.isfile(text)


def imports_of(packages: Iterable[str]) -> Iterator[str]:
    """Yield the top-level modules that the code of distributions imports."""
    for package in packages:
        for name, path in files_of(distribution(package)):
            if name.endswith(".py"):
                with suppress(SyntaxError, ValueError):  # a template, which is never run
                    for node in ast.walk(ast.parse(path.read_bytes())):
                        yield from imported_by(node)


def imported_by(node: ast.AST) -> Iterator[str]:
    """Yield the top-level modules that a node of a module's tree imports."""
    if isinstance(node, ast.Import):
        yield from (alias.name.partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
        yield node.module.partition(".")[0]
