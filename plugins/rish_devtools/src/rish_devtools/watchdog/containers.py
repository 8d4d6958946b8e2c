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


def sizes_of_containers(app: Any, owners: Owners) -> dict[tuple[str, str, Place | None], int]:
    """Return the number of items of each container, by plugin, name and place."""
    found: dict[tuple[str, str, Place | None], int] = {}
    for plugin, module in _modules(app, owners):
        for name, held in _containers(vars(module)):
            found[plugin, f"{type(held).__name__} {name}", _line_of(module, name)] = len(held)
    for cls, instance in app.world.resources.items():
        spec = resource_spec(cls)
        if spec is not None and spec.owner not in ("", CORE):
            for name, held in _containers(getattr(instance, "__dict__", {})):
                what = f"{type(held).__name__} {cls.__name__}.{name}"
                found[spec.owner, what, place_of(cls)] = len(held)
    return found


def _modules(app: Any, owners: Owners) -> Iterator[tuple[str, ModuleType]]:
    """Yield the modules that belong to plugins, and the modules that were given to the App as plugins."""
    seen: set[int] = set()
    given = [(plugin.name, plugin.module) for plugin in app.plugins if plugin.name != CORE]
    loaded = [(owners.of_module(name), module) for name, module in list(sys.modules.items())]
    for plugin, module in (*given, *loaded):
        if isinstance(module, ModuleType) and plugin not in (None, CORE) and id(module) not in seen:
            seen.add(id(module))
            yield str(plugin), module


def _containers(names: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in list(names.items()):
        if type(value) in _KINDS and not name.startswith("__"):
            yield name, value


def _line_of(module: ModuleType, name: str) -> Place | None:
    """Return the line that sets a global for the first time, or the module's file."""
    file = getattr(module, "__file__", None)
    if not file:
        return None
    sets = re.compile(rf"{re.escape(name)}\s*[:=]")
    lines = linecache.getlines(file)
    return Place(shorten_path(file), next((number for number, line in enumerate(lines, 1) if sets.match(line)), 0))
