"""Loads a plugin's package again after an edit while a game runs.

All modules of the package are loaded from their source and replace the old ones in `sys.modules`. Other packages that
imported from it keep the old functions. Old component classes refer to the new ones once the change is applied
(`World.redeclare`).
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

from rish_core.plugin import TextFinder


def modules_of(package: str) -> dict[str, ModuleType]:
    """Return the loaded modules of a package, by name."""
    return {key: found for key, found in sys.modules.items() if key == package or key.startswith(f"{package}.")}


def reload_package(name: str) -> tuple[ModuleType, dict[str, ModuleType]]:
    """Load a module again with all modules of its package; return it, and the old modules.

    Raises any exception of the code; the old modules are then put back.
    """
    package = name.partition(".")[0]
    before = modules_of(package)
    for key in before:
        del sys.modules[key]
    finder = TextFinder(package)
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
    """Restore the modules of a package from before its reload."""
    for key in modules_of(package):
        del sys.modules[key]
    sys.modules.update(before)
