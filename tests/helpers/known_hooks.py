"""The hooks of all packages of this repository."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from rish_core.plugin import hooks
from rish_core.plugin.discovery import installed_plugins


def specified(modules: Any) -> dict[str, Callable[..., Any]]:
    """Return the hooks of a module, or of several, by name."""
    return {
        name: function
        for module in (modules if isinstance(modules, list) else [modules])
        for name, function in vars(module).items()
        if name.startswith(hooks.PREFIX) and hasattr(function, "rish_spec")
    }


def hooks_by_package() -> dict[str, dict[str, Callable[..., Any]]]:
    """Return the hooks of the kernel, then those of each plugin that adds some, by package, sorted."""
    plugins = sorted({each.value for each in installed_plugins() if each.value.startswith("rish_")})
    modules = [importlib.import_module(value.partition(":")[0]) for value in plugins]
    adding = [module for module in modules if hasattr(module, "rish_hookspecs")]
    added = {module.__name__.partition(".")[0]: specified(module.rish_hookspecs()) for module in adding}
    return {"rish_core": specified(hooks), **added}
