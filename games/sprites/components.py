"""What the game is made of: hoppers, what the player chose, and the readouts."""

from __future__ import annotations

from enum import Enum
from typing import Any

from rish_core import Vec2, component, field, resource


class Show(Enum):
    """What a readout shows."""

    COUNT = 0
    MODES = 1


@component
class Hopper:
    """Hops along its row for ever."""

    velocity: Vec2 = field((0, 0), unit="units/s")
    spin: float = field(0.0, unit="rad/s", doc="how fast it turns, where that is on")
    floor: float = field(0.0, unit="units", doc="where it lands")
    spring: float = field(300.0, unit="units/s", low=0, doc="how fast it leaves the floor")
    row: int = field(0, low=0, high=7, doc="from the back to the front")


@component
class Readout:
    """A text that shows a number or what is switched on."""

    show: Show = Show.COUNT
    shown: int = field(-1, doc="the number that the text stands for")


@resource
class Settings:
    """`settings: game:` in the manifest."""

    burst: int = field(25, low=1, high=10000, doc="hoppers that come or go in a tick")
    gravity: float = field(-900.0, unit="units/s²")
    most: int = field(200_000, low=1, high=2_000_000, doc="hoppers at once")
    relieve_after: float = field(30.0, unit="s", low=0, doc="untouched for so long, it plays by itself")


@resource
class Choice:
    """What is switched on: moving, turning, drawn in order of rows, a camera that swings; and since when it swings."""

    moving: bool = True
    turning: bool = True
    sorted: bool = True
    zooming: bool = False
    swing: float = 0.0


@resource
class Pilot:
    """The autopilot. idle: seconds since a person did anything; at the start nobody ever did. time: it has played."""

    active: bool = False
    idle: float = 3600.0
    time: float = 0.0


@resource(derived=True)
class Meter:
    """The app that is measured, and the places of segments of the last number shown."""

    app: Any = None

    def rebuild(self, world: Any) -> None:
        """Nothing to make again."""
