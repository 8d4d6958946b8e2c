"""A game's own plugin: the `plugin.py` beside its `game.yaml`, loaded from its path under a name of its own.

The folder is loaded like a package whose first module is `plugin.py`, so `from .levels import LEVELS` finds
`levels.py` beside it, and two games with a `levels.py` each don't meet. Python's search path stays as it is.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

from ..errors import AssetError, shorten_path

NAME = "game"
_PREFIX = "_rish_game_"


def load_game_plugin(path: Path) -> ModuleType:
    """Run a game's `plugin.py` and return it as a module. Raises what it raises, and AssetError where it is
    missing.

    Loading the same file again gives a new module with new classes; `forget_game_plugin` lets the old one go.
    """
    if not path.is_file():
        raise AssetError("the game's plugin is missing", where=shorten_path(path))
    path = path.resolve()
    name = _free_name(path.parent.name)
    spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=[str(path.parent)])
    if spec is None or spec.loader is None:
        raise AssetError("the game's plugin is no Python file", where=shorten_path(path))
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


def forget_game_plugin(module: ModuleType) -> None:
    """Take a game's modules out of `sys.modules`; what still refers to them keeps working."""
    name = module.__name__
    for loaded in [key for key in sys.modules if key == name or key.startswith(f"{name}.")]:
        del sys.modules[loaded]


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
