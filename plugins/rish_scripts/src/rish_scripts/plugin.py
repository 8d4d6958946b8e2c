"""What rish_scripts declares."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from rish_core import About

from . import hooks
from .calls.lifecycle import Simulation, stop
from .calls.registry import Scripts
from .calls.systems import create_scripts, fixed_update, show_frame, tell_events, tell_timers, update
from .faults import Faults
from .reload import Reload, look_for_edits, notify_scripts, wanted
from .settings import ScriptSettings
from .timers import TimerCount, Timers


def rish_about() -> About:
    """Needs nothing but the kernel."""
    return About(description="game logic attached to entities, edited while the game runs")


def rish_hookspecs() -> ModuleType:
    """`rish_scripts`, by which other plugins and games bring theirs."""
    return hooks


def rish_settings() -> type:
    """`settings: scripts:` in a manifest."""
    return ScriptSettings


def rish_resources() -> list[type]:
    """The resources and tables of scripts: timers, faults, and their objects."""
    return [Timers, TimerCount, Faults, Simulation, Scripts, Reload]


def rish_systems() -> list[Callable[..., None]]:
    """When scripts are called."""
    return [look_for_edits, create_scripts, fixed_update, tell_events, tell_timers, update, show_frame]


def rish_ready(app: Any) -> None:
    """Take over the error policy of the App, and start the watchdog."""
    scripts: Scripts = app.world[Scripts]
    settings: ScriptSettings = app.world[ScriptSettings]
    scripts.policy = app.plugins.policy
    scripts.watchdog.start(settings.watchdog, settings.interrupt)
    if wanted(settings.reload, windowed=app.windowed):
        app.world[Reload].begin(app, poll=settings.reload == "poll", develop=settings.develop)


def rish_reloaded(app: Any, plugins: tuple[str, ...]) -> None:
    """Call `on_reload` of the scripts whose code is new."""
    notify_scripts(app.world, plugins)


def rish_shutdown(world: Any) -> None:
    """Call scripts for the last time, and stop the watchdog."""
    try:
        stop(world)
    finally:
        world[Scripts].watchdog.close()
        world[Reload].end()
