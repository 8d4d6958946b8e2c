"""Finds the plugin to which a file, a module or a running function belongs."""

from __future__ import annotations

import os
import sys
from types import FrameType, ModuleType
from typing import Any

from rish_core import Place, shorten_path
from rish_ecs import in_engine

CORE, ME = "core", "watchdog"


class Owners:
    """Finds the plugin of a file: that of the innermost folder or file that belongs to a plugin's module.

    Files of the kernel belong to `core`. A plugin that is an object in memory has no files.
    """

    def __init__(self, app: Any) -> None:
        self._app = app
        self.renew()

    def renew(self) -> None:
        """Read the plugins again."""
        self._by_path: dict[str, str] = {}
        self._cache: dict[str, str | None] = {}
        for plugin in self._app.plugins:
            module = plugin.module
            if isinstance(module, ModuleType) and plugin.name != CORE:
                for path in _paths(module):
                    self._by_path.setdefault(path, plugin.name)

    def is_plugin(self, name: str) -> bool:
        """Return whether a running plugin has this name."""
        return name in self._app.plugins

    def of_file(self, path: str) -> str | None:
        """Return the plugin of a file, None if no plugin is known to have it."""
        if path not in self._cache:
            self._cache[path] = self._find(path)
        return self._cache[path]

    def of_module(self, name: str) -> str | None:
        """Return the plugin of a module."""
        file = getattr(sys.modules.get(name), "__file__", None)
        return self.of_file(file) if isinstance(file, str) else None

    def line(self, frame: FrameType | None, plugin: str | None = None) -> tuple[Place | None, str | None]:
        """Return the deepest line of a plugin in a stack of calls, and that plugin; (None, None) if there is none.

        plugin: prefer this one. Without a line of any plugin, return the deepest line outside the engine.
        """
        in_plugin: FrameType | None = None
        outside: FrameType | None = None
        while frame is not None:
            file = frame.f_code.co_filename
            owner = self.of_file(file)
            if owner == plugin and owner is not None:
                return _place(frame), owner
            if owner not in (None, CORE, ME) and in_plugin is None:
                in_plugin = frame
            if outside is None and owner is None and not in_engine(file) and not file.startswith("<"):
                outside = frame
            frame = frame.f_back
        deepest = outside if plugin is not None and outside is not None else in_plugin or outside
        return (_place(deepest), self.of_file(deepest.f_code.co_filename)) if deepest is not None else (None, None)

    def outermost(self, frame: FrameType | None) -> tuple[str | None, Place | None]:
        """Return the outermost plugin in a stack of calls, and its function; (None, None) if there is none."""
        result: tuple[str | None, Place | None] = None, None
        while frame is not None:
            owner = self.of_file(frame.f_code.co_filename)
            if owner not in (None, CORE):
                result = owner, Place(shorten_path(frame.f_code.co_filename), frame.f_code.co_firstlineno)
            frame = frame.f_back
        return result

    def _find(self, path: str) -> str | None:
        inner = ""
        current = path
        while current != inner:
            if current in self._by_path:
                return self._by_path[current]
            inner, current = current, os.path.dirname(current)
        return CORE if in_engine(path) else None


def _place(frame: FrameType) -> Place:
    return Place(shorten_path(frame.f_code.co_filename), frame.f_lineno)


def _paths(module: ModuleType) -> list[str]:
    """Return the files that belong to a plugin's module: its own, its folder, and the folder of its whole package."""
    file: str | None = getattr(module, "__file__", None)
    top = sys.modules.get(module.__name__.partition(".")[0])
    folders = [*getattr(module, "__path__", ()), *(getattr(top, "__path__", ()) if top is not module else ())]
    return [str(path) for path in (*([file] if file else []), *folders)]
