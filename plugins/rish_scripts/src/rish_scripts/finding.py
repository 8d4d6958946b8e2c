"""Finds the scripts of a package, so that a new file does not have to be listed anywhere."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType

from .script import Script


def scripts_in(package: ModuleType) -> list[type]:
    """Return the script classes defined in a module, or in all modules of a package, by module name and line.

    Classes that start with an underscore (base classes) and imported classes are left out::

        from . import scripts

        def rish_scripts():
            return scripts_in(scripts)
    """
    modules = [package]
    for found in sorted(pkgutil.iter_modules(getattr(package, "__path__", ())), key=lambda each: each.name):
        modules.append(importlib.import_module(f"{package.__name__}.{found.name}"))
    return [thing for module in modules for thing in vars(module).values() if _is_of(thing, module)]


def _is_of(thing: object, module: ModuleType) -> bool:
    return (
        isinstance(thing, type)
        and issubclass(thing, Script)
        and thing.__module__ == module.__name__
        and not thing.__name__.startswith("_")
    )
