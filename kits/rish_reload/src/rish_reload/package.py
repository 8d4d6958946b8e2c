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
    return {key: module for key, module in sys.modules.items() if key == package or key.startswith(f"{package}.")}


def reload_package(name: str) -> tuple[ModuleType, dict[str, ModuleType]]:
    """Load a module again with all modules of its package; return the new module and the old modules by name.

    Raises any exception of the code; then the old modules are in `sys.modules` again.
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
    """Put the old modules of a package into `sys.modules` again. before: as returned by `reload_package`."""
    for key in modules_of(package):
        del sys.modules[key]
    sys.modules.update(before)


def shared_class(package: str) -> str | None:
    """Return a clause for an error message, if another package uses a class of this package; None if none does.

    After a reload there would be two versions of that class. Components, events, tables and resources are excluded,
    because their old classes forward to the new ones. Enums are excluded, because members are compared by name, and
    so are exceptions.
    """
    for name, module in [*sys.modules.items()]:
        if name.partition(".")[0] == package:
            continue
        for key, value in [*vars(module).items()] if type(module) is ModuleType else ():
            if isinstance(value, type) and _belongs(cast("type[Any]", value), package):
                return f"'{name}' uses its class {key}"
    return None


def _belongs(cls: type[Any], package: str) -> bool:
    """Return whether a class is defined in a package and its old version would not forward to the new one."""
    if str(cls.__module__).partition(".")[0] != package or issubclass(cls, (Enum, BaseException)):
        return False
    return "__kind__" not in vars(cls) and "__resource__" not in vars(cls)
