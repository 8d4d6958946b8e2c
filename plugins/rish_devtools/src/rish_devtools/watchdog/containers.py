"""The sizes of containers that plugins keep: globals of their modules, and fields of their resources."""

from __future__ import annotations

import linecache
import re
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

from rish_core import Place, place_of, shorten_path
from rish_ecs.declarations import resource_spec

from .owners import CORE, Owners

_KINDS = (list, dict, set, deque, bytearray)


Where = Place | type | tuple[ModuleType, str] | None
"""A place, or the class or global of a module whose place `line_of` finds; that takes milliseconds."""
Key = tuple[str, str, Where]
"""The plugin, a description of what is counted, and where it is."""


def sizes_of_containers(app: Any, owners: Owners) -> dict[Key, int]:
    """Return the number of items of each container."""
    sizes: dict[Key, int] = {}
    for plugin, module in _modules(app, owners):
        for name, container in _containers(vars(module)):
            sizes[plugin, f"{type(container).__name__} {name}", (module, name)] = len(container)
    for cls, instance in app.world.resources.items():
        spec = resource_spec(cls)
        if spec is not None and spec.owner not in ("", CORE):
            for name, container in _containers(getattr(instance, "__dict__", {})):
                what = f"{type(container).__name__} {cls.__name__}.{name}"
                sizes[spec.owner, what, cls] = len(container)
    return sizes


def _modules(app: Any, owners: Owners) -> Iterator[tuple[str, ModuleType]]:
    """Yield the modules that belong to plugins, and the modules that were given to the App as plugins."""
    seen: set[int] = set()
    from_app = [(plugin.name, plugin.module) for plugin in app.plugins if plugin.name != CORE]
    loaded = [(owners.of_module(name), module) for name, module in list(sys.modules.items())]
    for plugin, module in (*from_app, *loaded):
        if isinstance(module, ModuleType) and plugin not in (None, CORE) and id(module) not in seen:
            seen.add(id(module))
            yield str(plugin), module


def _containers(names: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in list(names.items()):
        if type(value) in _KINDS and not name.startswith("__"):
            yield name, value


def line_of(where: Where) -> Place | None:
    """Return the place of a class, or of the line that sets a global of a module for the first time."""
    if isinstance(where, type):
        return place_of(where)
    if not isinstance(where, tuple):
        return where
    module, name = where
    file = getattr(module, "__file__", None)
    if not file:
        return None
    sets = re.compile(rf"(?:\w+\s*,\s*)*{re.escape(name)}\s*(?:,\s*\w+\s*)*(?::[^=]+)?=")
    lines = linecache.getlines(file)
    return Place(shorten_path(file), next((number for number, line in enumerate(lines, 1) if sets.match(line)), 0))
