"""A plugin's package loaded again, for an author who edits it while a game runs.

All modules of the package are loaded from their texts, as a whole that takes the place of the old in `sys.modules`.
Other packages that imported from it keep the old functions; old component classes mean the new ones once the change is
taken over (`ecs/redeclare.py`).
"""

from __future__ import annotations

import importlib
import sys
from importlib.machinery import SourceFileLoader
from types import ModuleType
from typing import Any

from .game import FromText


def modules_of(package: str) -> dict[str, ModuleType]:
    """The loaded modules of a package, by name."""
    return {key: found for key, found in sys.modules.items() if key == package or key.startswith(f"{package}.")}


def reload_package(name: str) -> tuple[ModuleType, dict[str, ModuleType]]:
    """Load a module anew with all modules of its package; gives it, and the modules that were there before.

    Raises whatever the code raises; then the old modules are in their places.
    """
    package = name.partition(".")[0]
    before = modules_of(package)
    for key in before:
        del sys.modules[key]
    finder = _Finder(package)
    sys.meta_path.insert(0, finder)
    importlib.invalidate_caches()
    try:
        return importlib.import_module(name), before
    except BaseException:
        put_back(package, before)
        raise
    finally:
        sys.meta_path.remove(finder)


def put_back(package: str, before: dict[str, ModuleType]) -> None:
    """Let the modules of a package be those that were there before it was loaded again."""
    for key in modules_of(package):
        del sys.modules[key]
    sys.modules.update(before)


class _Finder:
    """Finds the modules of one package as Python does, to be loaded from their texts."""

    def __init__(self, package: str) -> None:
        self.package = package

    def find_spec(self, fullname: str, path: Any, target: ModuleType | None = None) -> Any:
        """What Python would find, with another loader; None for modules of other packages."""
        if fullname.partition(".")[0] != self.package:
            return None
        others = (finder for finder in sys.meta_path if finder is not self)
        found = next((spec for each in others if (spec := each.find_spec(fullname, path, target)) is not None), None)
        if found is not None and type(found.loader) is SourceFileLoader:
            found.loader = FromText(fullname, found.loader.path)
        return found
