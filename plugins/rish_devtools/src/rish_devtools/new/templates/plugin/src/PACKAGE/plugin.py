"""The hooks: Rish calls these functions once, and checks what they return."""

from collections.abc import Callable

from rish_core import About

from .components import Beat, Pulse, Settings
from .systems import pulse


def rish_about() -> About:
    """Describe the plugin, and name the version of the plugin API that it is written for."""
    return About(description="entities that pulse, and an event at each beat", api=">=1,<2")


def rish_settings() -> type:
    """Return the settings of the plugin."""
    return Settings


def rish_components() -> list[type]:
    """Return the components of the plugin."""
    return [Pulse]


def rish_events() -> list[type]:
    """Return the events of the plugin."""
    return [Beat]


def rish_systems() -> list[Callable[..., None]]:
    """Return the systems of the plugin."""
    return [pulse]
