"""The kernels of a scene: calls the functions of plugins that prepare them (`rish_warm_up`), one feature at a time."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import rish_ecs
from rish_jit import Features, package_folder

from .declaration_checks import declared_mapping
from .game import GAME, load_game_plugin
from .plugins import Plugins

Functions: TypeAlias = dict[tuple[str, str], Callable[[], object]]
"""Functions that call kernels, by the plugin and the name of a feature."""


class SceneKernels(Features):
    """Prepares the kernels of a game's scenes. wanted: the functions of the plugins for the current scene."""

    def __init__(self, plugins: Plugins) -> None:
        files = {"rish_ecs": rish_ecs.__file__, **{one.name: getattr(one.module, "__file__", None) for one in plugins}}
        loads = [(load_game_plugin.__module__, load_game_plugin.__name__, file)] if (file := files.get(GAME)) else []
        super().__init__({name: package_folder(file) for name, file in files.items() if file}, loads)
        self.wanted: Functions = {}
        self._plugins = plugins

    def gather(self, world: Any) -> None:
        """Collect the functions for the scene by `rish_warm_up`. A result that is no dict of functions is a failure."""
        self.wanted = {}
        for plugin, answer in self._plugins.gather("rish_warm_up", world=world):
            try:
                functions = declared_mapping("rish_warm_up", answer, "a function for each name of a feature", callable)
                self.wanted |= {(plugin, name): call for name, call in functions}
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                self._plugins.fail(plugin, "rish_warm_up", error)

    def prepare_scene(self, features: Functions, watch: Callable[[int, int], bool]) -> Iterator[tuple[str, str]]:
        """Prepare one feature for each step (see `prepare`); an error in a function is a failure of its plugin."""
        calls = {name: functools.partial(self._call, name[0], call) for name, call in features.items()}
        return self.prepare(calls, watch)

    def _call(self, plugin: str, call: Callable[[], object]) -> None:
        try:
            if plugin in self._plugins:
                call()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self._plugins.fail(plugin, "rish_warm_up", error)
