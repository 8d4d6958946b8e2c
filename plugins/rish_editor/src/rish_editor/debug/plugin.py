"""The plugin `debug`, for `rish run GAME --debug`: panels of the editor over the running game, on one key."""

from __future__ import annotations

import logging
from typing import Any

from rish_core import About, Str, field, resource

from ..session.log import LogBuffer

_log = logging.getLogger("rish.editor")


@resource(derived=True)
class DebugSettings:
    """The settings `settings: debug:` of a manifest."""

    key: Str = field("F12", doc="the key that shows and hides the overlay; the game does not receive it")
    open: bool = field(True, doc="whether the overlay is shown when the game begins")


@resource(derived=True)
class Debug:
    """The resource of the overlay. switch: shows and hides it, as in `world[Debug].switch.show()`; None without a
    window. app: the game."""

    switch: Any = None
    app: Any = None


def rish_about() -> About:
    """Describe the plugin."""
    return About(requires=["editor"], description="panels for developers over the running game", view=True)


def rish_settings() -> type:
    """The settings of the plugin: `key` and `open`."""
    return DebugSettings


def rish_resources() -> list[type]:
    """Return the resource that holds the overlay."""
    return [Debug]


def rish_ready(app: Any) -> None:
    """Store the App in the resource `Debug`, for the overlay."""
    app.world[Debug].app = app


def rish_device_ready(backend: Any, world: Any) -> None:
    """Listen to the key of the overlay if the game is drawn with OpenGL; called again when another backend replaces the
    first one."""
    from ..session.game.surface import Surface
    from .overlay_switch import Switch

    debug, settings = world[Debug], world[DebugSettings]
    shown = bool(settings.open) if debug.switch is None else debug.switch.shown
    rish_shutdown(world)
    if isinstance(backend, Surface):
        return  # the game runs in the editor, which has these panels
    if not hasattr(backend, "over"):
        _log.warning(
            "--debug draws over a window with OpenGL, and the game is shown by '%s': use --backend arcade", backend.name
        )
        return
    debug.switch = Switch(debug.app, LogBuffer(), str(settings.key), shown=shown)


def rish_shutdown(world: Any) -> None:
    """Close the overlay."""
    if world[Debug].switch is not None:
        world[Debug].switch.close()
        world[Debug].switch = None


def rish_editor_panels() -> list[type]:
    """Return the panel Plugins."""
    from .plugins_panel import PluginsPanel

    return [PluginsPanel]
