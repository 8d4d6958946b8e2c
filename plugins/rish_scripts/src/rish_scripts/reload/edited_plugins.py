"""Installed plugins that are edited while a game runs: the folders of their code, and the plugins that changed."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from rish_ecs import did_you_mean
from rish_reload import modules_of

from .sorting import Digests, resolved

if TYPE_CHECKING:
    from rish_core import App

_log = logging.getLogger("rish.reload")


class Developed:
    """The plugins of `settings: scripts: develop:`.

    folders: by plugin, the folder of its package, or of its module if it has no package. modules: by plugin, the name
    of the module that declares it.
    """

    def __init__(self, app: App, names: Iterable[str]) -> None:
        self.folders: dict[str, Path] = {}
        self.modules: dict[str, str] = {}
        loaded = {plugin.name: plugin.module for plugin in app.plugins}
        for name in names:
            what = f"no plugin of this name is loaded{did_you_mean(name, loaded)}"
            if name in loaded:
                what = self._note(name, loaded[name])
            if what:
                _log.warning("settings.scripts.develop: %r can't be reloaded: %s", name, what)
        self._digests = Digests(path for name in self.modules for path in self.files(name))

    def _note(self, name: str, module: object) -> str:
        """Store the folder of a plugin; return the reason if it can't be reloaded, otherwise ""."""
        if not isinstance(module, ModuleType) or module.__name__ not in sys.modules:
            return "it is no module of a package"
        package = sys.modules[module.__name__.partition(".")[0]]
        if not package.__file__:
            return "its package has no file"
        file = Path(package.__file__).resolve()
        if "site-packages" in file.parts:
            return f"it is installed as a copy in {file.parent}. Install it with pip install -e"
        self.modules[name] = module.__name__
        self.folders[name] = file.parent
        return ""

    def files(self, name: str) -> list[Path]:
        """Return the files of a plugin's loaded modules."""
        loaded = modules_of(self.modules[name].partition(".")[0]).values()
        return [Path(file).resolve() for module in loaded if (file := getattr(module, "__file__", None))]

    def sort(self, paths: Iterable[Path]) -> list[str]:
        """Return the plugins whose code has changed. paths: files that may have changed."""
        plugins: list[str] = []
        for path in map(resolved, paths):
            if path.suffix == ".py" and self._digests.has_changed(path):
                plugins += [name for name, folder in self.folders.items() if path.is_relative_to(folder)]
        return list(dict.fromkeys(plugins))
