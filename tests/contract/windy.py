"""Data for the tests of hooks: components, events and resources of a plugin, and plugins in memory."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from rish_core import App, component, event, field, resource, table
from rish_core.plugin import hooks

MakeApp = Callable[..., App]
HOOKS = sorted(
    name for name, function in vars(hooks).items() if name.startswith(hooks.PREFIX) and hasattr(function, "rish_spec")
)
SCENES = {"scenes": {"main": [{"Transform": {"position": [1, 2]}}], "other": []}}


@component
class Wind:
    """The strength of the wind."""

    strength: float = field(4.0, low=0)


@event
class Gust:
    """A gust of wind."""

    strength: float = 0.0


@table
class Leaves:
    """A table of leaves."""

    x: float = 0.0


@resource
class Settings:
    """The plugin's settings."""

    direction: float = field(1.0, low=-1, high=1)


@resource
class Weather:
    """The weather, a resource."""

    rain: int = 3


def plugin(**functions: Any) -> SimpleNamespace:
    """Return a plugin in memory; the hooks are named without the prefix."""
    return SimpleNamespace(**{f"rish_{name}": function for name, function in functions.items()})
