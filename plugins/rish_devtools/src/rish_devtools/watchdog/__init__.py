"""The plugin `watchdog`: names plugins that hang, flood the log, raise, leak or use up the frame.

`rish run GAME --with watchdog` prints what it found at the end; `world[Watchdog].reports` has it at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rish_core import About, Stage, hookimpl, system
from rish_ecs import add_engine

from .reports import CallStopped, Report, WatchdogError
from .resource import Watchdog
from .settings import WatchdogSettings

__all__ = ["CallStopped", "Report", "Watchdog", "WatchdogError"]

add_engine("rish_devtools")


@system(Stage.LAST)
def look(world: Any, dt: float) -> None:
    """Check the times of the last frames, the log and growing data; apply the policies to the reports."""
    world[Watchdog].look()


def rish_about() -> About:
    """Describe the plugin; it requires no other plugin."""
    return About(description="names plugins that hang, flood the log, raise, leak or are slow", view=True)


def rish_settings() -> type:
    """Return the class of `settings: watchdog:`."""
    return WatchdogSettings


def rish_resources() -> list[type]:
    """Return the resource with the reports."""
    return [Watchdog]


def rish_systems() -> list[Callable[..., None]]:
    """Return the system that checks once in each frame."""
    return [look]


@hookimpl(tryfirst=True)
def rish_ready(app: Any) -> None:
    """Begin to watch the game, before the other plugins are called."""
    from .watching import Watching

    app.world[Watchdog].begin(Watching(app))


def rish_reloaded(app: Any, plugins: tuple[str, ...]) -> None:
    """Look up the files of all plugins again."""
    app.world[Watchdog].renew()


@hookimpl(tryfirst=True)
def rish_system_failed(system: str, error: BaseException, world: Any) -> str | None:
    """Count the failure; decide only about calls and games that the watchdog itself ends."""
    return world[Watchdog].failed(system, error)


@hookimpl(tryfirst=True)
def rish_shutdown(world: Any) -> None:
    """Stop watching, and print the summary to standard error; after all others, because this hook goes backwards."""
    world[Watchdog].end()


@hookimpl(optional=True)
def rish_editor_panels() -> list[type]:
    """Return the panel."""
    from .panel import WatchdogPanel

    return [WatchdogPanel]


@hookimpl(optional=True)
def rish_editor_texts() -> Path:
    """Return the folder with translations of the panel's texts."""
    return Path(__file__).parent / "texts"
