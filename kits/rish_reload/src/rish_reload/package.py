"""Loads a plugin's package again after an edit while a game runs.

All modules of the package are loaded from their source and replace the old ones in `sys.modules`. Other packages that
imported from it keep the old functions. Old component classes refer to the new ones once the change is applied
(`World.redeclare`).
"""

from __future__ import annotations

import importlib
import sys
from enum import Enum
from types import ModuleType
from typing import Any, cast

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


def shared_class(package: str) -> str | None:
    """Return a clause about a class of a package that another package uses, so that a reload would make two of it.

    Components, events, tables and resources are no such classes, because the old ones forward to the new ones, and
    neither are enums, whose members are compared by name, nor exceptions. None if there is none.
    """
    for name, module in [*sys.modules.items()]:
        if name.partition(".")[0] == package:
            continue
        for key, value in [*vars(module).items()] if type(module) is ModuleType else ():
            if isinstance(value, type) and _belongs(cast("type[Any]", value), package):
                return f"'{name}' uses its class {key}"
    return None


def _belongs(cls: type[Any], package: str) -> bool:
    """Whether a class is of a package and would not forward to a new one."""
    if str(cls.__module__).partition(".")[0] != package or issubclass(cls, (Enum, BaseException)):
        return False
    return "__kind__" not in vars(cls) and "__resource__" not in vars(cls)
