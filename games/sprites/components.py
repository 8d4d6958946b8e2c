"""The game's components and resources: hoppers, and the player's choices."""

from __future__ import annotations

from typing import Any

from rish_core import Vec2, component, field, resource


@component
class Hopper:
    """A sprite that hops along its row for ever."""

    velocity: Vec2 = field((0, 0), unit="units/s")
    spin: float = field(0.0, unit="rad/s", doc="its rotation speed while turning is on")
    floor: float = field(0.0, unit="units", doc="where it lands")
    spring: float = field(300.0, unit="units/s", low=0, doc="how fast it leaves the floor")
    row: int = field(0, low=0, high=7, doc="from the back to the front")


@resource
class Settings:
    """The game's settings, `settings: game:` in the manifest."""

    burst: int = field(25, low=1, high=10000, doc="hoppers added or removed in a tick")
    gravity: float = field(-900.0, unit="units/s²")
    most: int = field(200_000, low=1, high=2_000_000, doc="the largest number of hoppers")
    relieve_after: float = field(30.0, unit="s", low=0, doc="without input for this time, the autopilot plays")


@resource
class Choice:
    """The modes that are on: moving, turning, sorted by row, zooming. swing: the phase of the camera's swing.

    layered, upright: whether the crowd is on layers by row, and stands upright, as it was last lined up.
    """

    moving: bool = True
    turning: bool = True
    sorted: bool = True
    zooming: bool = False
    swing: float = 0.0
    layered: bool = True
    upright: bool = False


@resource
class Pilot:
    """The autopilot. idle: seconds since the last input, large at the start. time: seconds that it has played."""

    active: bool = False
    idle: float = 3600.0
    time: float = 0.0


@resource(derived=True)
class Meter:
    """The app whose frame rate is measured."""

    app: Any = None
