"""The hooks of rish_basics: its components, events and systems."""

from __future__ import annotations

from collections.abc import Callable

from rish_core import About

from .components import Follow, Lifetime, Timer, Wrap
from .events import Expired, TimerFired
from .systems import expire, fire_timers, follow, wrap


def rish_about() -> About:
    """Describe the plugin; it requires no other plugin."""
    return About(description="lifetimes, timers, followers, and places that wrap around")


def rish_components() -> list[type]:
    """Return the components of the plugin."""
    return [Lifetime, Timer, Wrap, Follow]


def rish_events() -> list[type]:
    """Return the events of the plugin."""
    return [Expired, TimerFired]


def rish_systems() -> list[Callable[..., None]]:
    """Return the systems of the plugin: one for each component, each run once a tick."""
    return [fire_timers, expire, follow, wrap]
