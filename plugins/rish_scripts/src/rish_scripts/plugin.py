"""The hooks of rish_scripts: its settings, resources and systems, and the hook for scripts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from rish_core import About, hookimpl

from . import hooks
from .calls.lifecycle import Simulation, stop
from .calls.registry import Scripts
from .calls.systems import create_scripts, fixed_update, show_frame, tell_events, tell_timers, update
from .faults import Faults
from .reload import Reload, is_watched, look_for_edits, notify_scripts
from .settings import ScriptSettings
from .timers import TimerCount, Timers


def rish_about() -> About:
    """Describe the plugin; it requires no other plugin."""
    return About(description="game logic attached to entities, edited while the game runs")


def rish_hookspecs() -> ModuleType:
    """Add the hook `rish_scripts`, with which plugins and games declare scripts."""
    return hooks


def rish_settings() -> type:
    """Return the class of `settings: scripts:`."""
    return ScriptSettings


def rish_resources() -> list[type]:
    """Return the resources and tables of scripts: timers, faults, and the script objects."""
    return [Timers, TimerCount, Faults, Simulation, Scripts, Reload]


def rish_systems() -> list[Callable[..., None]]:
    """Return the systems that call scripts."""
    return [look_for_edits, create_scripts, fixed_update, tell_events, tell_timers, update, show_frame]


def rish_ready(app: Any) -> None:
    """Use the error policy of the App, and start the watchdog and, if enabled, hot reload."""
    scripts: Scripts = app.world[Scripts]
    settings: ScriptSettings = app.world[ScriptSettings]
    scripts.policy = app.plugins.policy
    scripts.watchdog.start(settings.watchdog, settings.interrupt)
    watch = is_watched(settings.reload, windowed=app.windowed)
    if watch or not app.watches:  # a tool that decides about the files passes changes on
        app.world[Reload].begin(app, watch=watch, poll=settings.reload == "poll", develop=settings.develop)


def rish_reloaded(app: Any, plugins: tuple[str, ...]) -> None:
    """Call `on_reload` of the scripts of the reloaded plugins."""
    notify_scripts(app.world, plugins)


def rish_shutdown(world: Any) -> None:
    """Call `on_stop` of all scripts, and stop the watchdog and hot reload."""
    try:
        stop(world)
    finally:
        world[Scripts].watchdog.close()
        world[Reload].end()


@hookimpl(optional=True)
def rish_editor_inspectors() -> Mapping[type, Callable[..., None]]:
    """Return the function that draws scripts in the editor's inspector."""
    from .editing import INSPECTORS

    return INSPECTORS


@hookimpl(optional=True)
def rish_editor_commands() -> Mapping[str, Mapping[str, Any]]:
    """Return the commands of the editor for scripts."""
    from .editing import COMMANDS

    return COMMANDS


@hookimpl(optional=True)
def rish_editor_reload(editor: Any, paths: Sequence[Path]) -> bool:
    """Load changed code again, and keep the state of scripts."""
    from .editing import take_changes

    return take_changes(editor, paths)


@hookimpl(optional=True)
def rish_editor_templates() -> Mapping[str, Mapping[str, Any]]:
    """Return the kinds of new assets: scripts."""
    from .editing import TEMPLATES

    return TEMPLATES


@hookimpl(optional=True)
def rish_editor_texts() -> Path:
    """Return the folder with translations of the texts for the editor."""
    return Path(__file__).parent / "editing" / "texts"
