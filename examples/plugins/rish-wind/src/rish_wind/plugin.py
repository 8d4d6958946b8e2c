"""The hooks of rish_wind."""

from __future__ import annotations

from collections.abc import Callable

from rish_core import About

from .components import Drag, GustBegan, WindSettings, WindZone
from .forces import blow
from .gusts import advance_gusts
from .particles import blow_particles


def rish_about() -> About:
    """Describe the plugin; particles are optional."""
    description = "zones of wind with gusts, turbulence and shelter"
    return About(description=description, api=">=1,<2", requires=["physics>=0.1"], optional=["particles>=0.1"])


def rish_settings() -> type:
    """Return the class of `settings: wind:`."""
    return WindSettings


def rish_components() -> list[type]:
    """Return the components of the plugin."""
    return [WindZone, Drag]


def rish_events() -> list[type]:
    """Return the events of the plugin."""
    return [GustBegan]


def rish_systems() -> list[Callable[..., None]]:
    """Return the systems of the plugin."""
    return [advance_gusts, blow, blow_particles]
