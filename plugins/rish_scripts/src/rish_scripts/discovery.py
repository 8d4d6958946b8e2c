"""Finds the scripts of a package, so that a new file does not have to be listed anywhere."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from pathlib import Path
from types import ModuleType

from rish_core import read_asset
from rish_core.plugin import MAX_CODE

from .script import Script


def scripts_in(package: ModuleType) -> list[type]:
    """Return the script classes defined in a module, or in all modules of a package, by module name and line.

    Classes that start with an underscore (base classes) and imported classes are left out::

        from . import scripts

        def rish_scripts():
            return scripts_in(scripts)
    """
    modules = [package]
    for module_info in sorted(pkgutil.iter_modules(getattr(package, "__path__", ())), key=lambda info: info.name):
        name = f"{package.__name__}.{module_info.name}"
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin is not None and spec.has_location:
            read_asset(Path(spec.origin), MAX_CODE)  # a larger one is refused before Python reads it
        modules.append(importlib.import_module(name))
    return [value for module in modules for value in vars(module).values() if _is_of(value, module)]


def _is_of(thing: object, module: ModuleType) -> bool:
    """Return whether an object is a script class that a module defines, and no base class."""
    return (
        isinstance(thing, type)
        and issubclass(thing, Script)
        and thing.__module__ == module.__name__
        and not thing.__name__.startswith("_")
    )
