"""What the gallery is made of, beside bodies, colliders and joints: things for the eye, and who is showing it."""

from __future__ import annotations

from enum import Enum

from rish_core import Color, Entity, Vec2, component, field, resource


class Show(Enum):
    """What a readout shows."""

    NUMBER = 0
    MODE = 1


@component
class Flash:
    """A shape whose outline lights up when its body is hit."""

    heat: float = field(0.0, low=0, high=1)
    rest: Color = field((1, 1, 1, 1), doc="the outline's colour at rest")


@component
class Spark:
    """A spark; one that is older than its life waits to be used again."""

    velocity: Vec2 = field((0, 0), unit="units/s")
    age: float = field(1.0, unit="s", low=0)
    life: float = field(0.4, unit="s", low=0.01)


@component
class Ring:
    """A ring that grows and fades, where something went off."""

    age: float = field(0.0, unit="s", low=0)
    reach: float = field(120.0, unit="units", low=1)


@component
class Link:
    """A bar that is drawn from a point of one body to a point of another; 0 stands for the world."""

    a: Entity = field(0)
    b: Entity = field(0)
    anchor_a: Vec2 = field((0, 0), unit="units", doc="relative to a, turned with it; of the world, a place")
    anchor_b: Vec2 = field((0, 0), unit="units", doc="likewise")
    width: float = field(2.0, unit="units", low=0)
    joint: Entity = field(0, doc="goes when this one is gone; 0: stays")


@component
class Hand:
    """The joint with which the pointer holds a body."""


@component
class Lift:
    """A kinematic body that swings about a place."""

    home: Vec2 = field((0, 0), unit="units")
    swing: Vec2 = field((0, 0), unit="units", doc="how far it goes to either side")
    period: float = field(6.0, unit="s", low=0.1)


@component
class Portal:
    """A sensor that sends its visitors to a place."""

    to: Vec2 = field((0, 0), unit="units")


@component
class Swinging:
    """A motor or target of the exhibit of joints that goes to and fro."""

    reach: float = field(1.0, doc="greatest speed of a motor, rad/s, or radius of a target's circle, units")
    period: float = field(2.0, unit="s", low=0.1)


@component
class Fleeting:
    """Something that was thrown in, and goes again."""

    left: float = field(8.0, unit="s", low=0)


@component
class Readout:
    """A text that follows the state of the gallery."""

    show: Show = Show.NUMBER
    shown: int = field(-1, doc="the number that the text stands for")


@resource
class Settings:
    """`settings: game:` in the manifest."""

    tour_after: float = field(20.0, unit="s", low=0, doc="untouched for so long, the gallery shows itself")
    tour_time: float = field(0.0, unit="s", low=0, doc="for each exhibit; 0: as long as it wants")
    slow: float = field(0.2, low=0.01, high=1, doc="speed of slow motion")


@resource
class Visit:
    """What is going on.

    time: seconds that the exhibit has run, in its own time. paused, slow, debug: switched on. spark: whose turn it is.
    """

    time: float = 0.0
    paused: bool = False
    slow: bool = False
    debug: bool = False
    spark: int = 0


@resource
class Pilot:
    """The one who shows the gallery when nobody touches it.

    idle: seconds since a person did anything; at the start nobody ever did. time: seconds before this exhibit.
    """

    active: bool = True
    idle: float = 3600.0
    time: float = 0.0
