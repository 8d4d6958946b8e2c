"""Calls the hooks of plugins that begin or end while a game runs."""

from __future__ import annotations

import logging
from collections.abc import Collection
from typing import TYPE_CHECKING

from rish_core import PluginError, Scenes

if TYPE_CHECKING:
    from rish_core import App

_log = logging.getLogger("rish.reload")


def begin(app: App, plugins: Collection[str]) -> None:
    """Call `rish_ready` and `rish_scene_loaded` of plugins and put them on trial, see `Plugins.trial`.

    Raises the first PluginError.
    """
    trial = app.plugins.trial
    trial.update(dict.fromkeys(plugins))
    app.plugins.tell(plugins, "rish_ready", app=app)
    scene: str = app.world[Scenes].current
    if scene:
        app.plugins.tell(plugins, "rish_scene_loaded", world=app.world, scene=scene)
    for name in plugins:
        error = trial[name]
        if error is not None:
            raise error


def begin_again(app: App, plugins: Collection[str]) -> None:
    """Call the hooks of plugins whose state was kept, so that they open their devices again.

    What the hooks write into the World is undone. A plugin that fails is logged and set aside.
    """
    if not plugins:
        return
    state = app.world.snapshot()
    try:
        begin(app, plugins)
    except PluginError as error:
        _log.error("%s", error)
    finally:
        for name in plugins:
            app.plugins.trial.pop(name, None)
    app.world.restore(state)


def end(app: App, plugins: Collection[str]) -> None:
    """Call `rish_shutdown` of plugins. A failure is only logged."""
    try:
        app.plugins.tell(plugins, "rish_shutdown", world=app.world)
    except PluginError as error:
        _log.error("%s", error)
