"""What rish_basics declares."""

from __future__ import annotations

from collections.abc import Callable

from rish_core import About

from .components import Follow, Lifetime, Timer, Wrap
from .events import Expired, TimerFired
from .systems import expire, fire_timers, follow, wrap


def rish_about() -> About:
    """Needs nothing but the kernel."""
    return About(description="lifetimes, timers, followers, and places that wrap around")


def rish_components() -> list[type]:
    """The components of the plugin."""
    return [Lifetime, Timer, Wrap, Follow]


def rish_events() -> list[type]:
    """The events of the plugin."""
    return [Expired, TimerFired]


def rish_systems() -> list[Callable[..., None]]:
    """One for each component, once a tick."""
    return [fire_timers, expire, follow, wrap]
