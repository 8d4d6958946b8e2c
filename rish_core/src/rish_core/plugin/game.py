"""Loads a game's own plugin, the `plugin.py` beside its `game.yaml`, from its path under a unique module name.

The folder is loaded like a package whose first module is `plugin.py`, so `from .levels import LEVELS` finds the
`levels.py` beside it, and two games can both have a `levels.py`. Python's search path is not changed.

A reload while the game runs compiles the texts and ignores Python's cache of compiled modules. The cache identifies a
file by its size and the second of its last change, so it may miss a second save within a second.
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from functools import lru_cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from rish_ecs import shorten_path
from rish_system import check_size

from ..errors import AssetError
from ..manifest.data_only import is_data_only

GAME = "game"
"""The name of the plugin that is a game's own `plugin.py`."""
PREFIX = "_rish_game_"
"""The beginning of the names of games' modules."""
MAX_CODE = 2**22
"""The largest file of a game's code, in bytes."""


def load_game_plugin(path: str | Path, *, afresh: bool = False) -> ModuleType:
    """Run a game's `plugin.py`, return the module. Raises its errors, and AssetError if it is missing or may not run.

    Loading the same file again gives a new module with new classes; `forget_game_plugin` removes the old one. afresh:
    ignore Python's cache of compiled modules, for files that were just saved.
    """
    path = Path(path)
    if not os.path.isfile(path):
        raise AssetError("the game's plugin is missing", where=shorten_path(path))
    path = path.resolve()
    if is_data_only(path.parent):
        raise AssetError("the game's Python code may not run: it is opened as data only", where=shorten_path(path))
    try:
        check_size(path, MAX_CODE)
    except OSError as error:
        raise AssetError(f"the game's plugin can't be read: {error.strerror}", where=shorten_path(path)) from None
    name = _free_name(path.parent.name)
    spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=[str(path.parent)])
    if spec is None or spec.loader is None:
        raise AssetError("the game's plugin is no Python file", where=shorten_path(path))
    if afresh:
        spec.loader = _FromText(name, str(path))
        sys.meta_path.insert(0, TextFinder(name))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.modules[f"{name}.{path.stem}"] = module  # `from .plugin import x` uses this module
    importlib.invalidate_caches()
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        forget_game_plugin(module)
        _explain_import(error, path.parent)
        raise
    return module


def forget_game_plugin(module: ModuleType) -> None:
    """Remove a game's modules from `sys.modules`; existing references to them stay valid."""
    name = module.__name__
    sys.meta_path[:] = [f for f in sys.meta_path if not (isinstance(f, TextFinder) and f.package == name)]
    for loaded in [key for key in sys.modules if key == name or key.startswith(f"{name}.")]:
        del sys.modules[loaded]


class _FromText(SourceFileLoader):
    """Loads a module from its text, without reading or writing a compiled file."""

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of the current text. Raises SyntaxError with the file name if it can't be compiled."""
        return _compiled(self.get_data(self.path), self.path)


@lru_cache(maxsize=256)
def _compiled(text: bytes, path: str) -> CodeType:
    """Compile a text; cached, because only few files of a game are edited at a time."""
    try:
        return compile(text, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        if isinstance(error, SyntaxError) and error.filename:
            raise
        raise SyntaxError(str(error), (path, 1, 1, None)) from None  # zero bytes in the text


class TextFinder:
    """A finder for `sys.meta_path` whose modules of one package are loaded from their texts."""

    def __init__(self, package: str) -> None:
        self.package = package

    def find_spec(self, fullname: str, path: Any, target: ModuleType | None = None) -> Any:
        """Return the spec from the other finders with a loader that reads the text; None for other packages."""
        if fullname != self.package and not fullname.startswith(f"{self.package}."):
            return None
        others = (finder for finder in sys.meta_path if finder is not self)
        spec = next((spec for finder in others if (spec := finder.find_spec(fullname, path, target)) is not None), None)
        if spec is not None and type(spec.loader) is SourceFileLoader:
            spec.loader = _FromText(fullname, spec.loader.path)
        return spec


def _free_name(folder: str) -> str:
    """Return an unused module name that contains the name of the game's folder."""
    base = PREFIX + re.sub(r"\W", "_", folder)
    name, count = base, 1
    while name in sys.modules:
        count += 1
        name = f"{base}_{count}"
    return name


def _explain_import(error: BaseException, folder: Path) -> None:
    """Add a hint to the error of `import levels`: a game's folder is not in Python's search path."""
    if isinstance(error, ModuleNotFoundError) and isinstance(error.name, str):
        top = error.name.partition(".")[0]
        if (folder / f"{top}.py").is_file() or (folder / top).is_dir():
            error.msg += f". It is beside plugin.py: write from . import {top}, or from .{top} import ..."
