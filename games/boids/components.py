"""The falcon, which is state of the game, and the settings."""

from __future__ import annotations

from rish_core import component, field, resource


@component
class Falcon:
    """Flies after the pointer; without one, on a round of its own."""

    speed: float = field(260.0, unit="units/s", low=0)
    idle: float = field(9.0, unit="s", low=0, doc="since the pointer was moved")
    calls: bool = field(False, doc="birds fly to it, not away from it")


@resource
class Settings:
    """The game's settings, `settings: game:` in the manifest."""

    birds: int = field(6000, low=1, high=200_000, doc="where they are computed on the graphics card")
    without_compute: int = field(1500, low=1, high=200_000, doc="where they are computed in numpy")
