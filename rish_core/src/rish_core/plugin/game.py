"""A game's own plugin: the `plugin.py` beside its `game.yaml`, loaded from its path under a name of its own.

The folder is loaded like a package whose first module is `plugin.py`, so `from .levels import LEVELS` finds
`levels.py` beside it, and two games with a `levels.py` each don't meet. Python's search path stays as it is.

Loading it again while the game runs reads the texts themselves: Python's cache of compiled modules knows a file by the
second of its last change and its size, so of two saves within a second it would load the first.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from functools import lru_cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from rish_ecs import shorten_path

from ..errors import AssetError

NAME = "game"
_PREFIX = "_rish_game_"


def load_game_plugin(path: Path, *, afresh: bool = False) -> ModuleType:
    """Run a game's `plugin.py` and return it as a module. Raises what it raises, and AssetError where it is missing.

    Loading the same file again gives a new module with new classes; `forget_game_plugin` lets the old one go.
    afresh: pass over Python's cache of compiled modules, for files that have just been saved.
    """
    if not path.is_file():
        raise AssetError("the game's plugin is missing", where=shorten_path(path))
    path = path.resolve()
    name = _free_name(path.parent.name)
    spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=[str(path.parent)])
    if spec is None or spec.loader is None:
        raise AssetError("the game's plugin is no Python file", where=shorten_path(path))
    if afresh:
        spec.loader = _FromText(name, str(path))
        sys.meta_path.insert(0, TextFinder(name))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.modules[f"{name}.{path.stem}"] = module  # `from .plugin import x` is this very module
    importlib.invalidate_caches()
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        forget_game_plugin(module)
        _explain_import(error, path.parent)
        raise
    return module


def load_in_worker(path: str) -> None:
    """Make the modules of a game importable in a process that compiles its kernels."""
    load_game_plugin(Path(path))


def forget_game_plugin(module: ModuleType) -> None:
    """Take a game's modules out of `sys.modules`; what still refers to them keeps working."""
    name = module.__name__
    sys.meta_path[:] = [one for one in sys.meta_path if not (isinstance(one, TextFinder) and one.package == name)]
    for loaded in [key for key in sys.modules if key == name or key.startswith(f"{name}.")]:
        del sys.modules[loaded]


class _FromText(SourceFileLoader):
    """Loads a module from its text, whatever the cache says, and leaves no compiled file behind."""

    def get_code(self, fullname: str) -> CodeType:
        """The code of the text as it is now. Raises SyntaxError with the file, whatever is wrong with it."""
        return _compiled(self.get_data(self.path), self.path)


@lru_cache(maxsize=256)
def _compiled(text: bytes, path: str) -> CodeType:
    """The code of a text; of a folder of many files, few are edited at a time."""
    try:
        return compile(text, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        if isinstance(error, SyntaxError) and error.filename:
            raise
        raise SyntaxError(str(error), (path, 1, 1, None)) from None  # zero bytes in the text


class TextFinder:
    """Finds the modules of one package as Python does, to be loaded from their texts (`sys.meta_path`)."""

    def __init__(self, package: str) -> None:
        self.package = package

    def find_spec(self, fullname: str, path: Any, target: ModuleType | None = None) -> Any:
        """The spec that Python finds, with our loader; None for modules of other packages."""
        if fullname != self.package and not fullname.startswith(f"{self.package}."):
            return None
        others = (finder for finder in sys.meta_path if finder is not self)
        found = next((spec for each in others if (spec := each.find_spec(fullname, path, target)) is not None), None)
        if found is not None and type(found.loader) is SourceFileLoader:
            found.loader = _FromText(fullname, found.loader.path)
        return found


def _free_name(folder: str) -> str:
    """A module name that says which game it is, and that no loaded module has."""
    base = _PREFIX + re.sub(r"\W", "_", folder)
    name, count = base, 1
    while name in sys.modules:
        count += 1
        name = f"{base}_{count}"
    return name


def _explain_import(error: BaseException, folder: Path) -> None:
    """`import levels` looks along Python's path, where a game's folder is not; say what to write."""
    if isinstance(error, ModuleNotFoundError) and error.name:
        top = error.name.partition(".")[0]
        if (folder / f"{top}.py").is_file() or (folder / top).is_dir():
            error.msg += f". It lies beside plugin.py: write from . import {top}, or from .{top} import ..."
