"""The gallery's own components and resources: visual effects, moving parts, and the state of the visit."""

from __future__ import annotations

from rish_core import Color, Entity, Vec2, component, field, resource


@component
class Flash:
    """A shape whose outline lights up when its body is hit."""

    heat: float = field(0.0, low=0, high=1)
    rest: Color = field((1, 1, 1, 1), doc="the outline's color at rest")


@component
class Spark:
    """A spark; if it is older than its life, it is unused."""

    velocity: Vec2 = field((0, 0), unit="units/s")
    age: float = field(1.0, unit="s", low=0)
    life: float = field(0.4, unit="s", low=0.01)


@component
class Ring:
    """A ring that grows and fades at an explosion."""

    age: float = field(0.0, unit="s", low=0)
    reach: float = field(120.0, unit="units", low=1)


@component
class Link:
    """A bar that is drawn from a point of one body to a point of another; 0 is the world."""

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
    """A kinematic body that swings about a position."""

    home: Vec2 = field((0, 0), unit="units")
    swing: Vec2 = field((0, 0), unit="units", doc="how far it goes to either side")
    period: float = field(6.0, unit="s", low=0.1)


@component
class Portal:
    """A sensor that teleports its visitors to a position."""

    to: Vec2 = field((0, 0), unit="units")


@component
class Swinging:
    """A motor or target of the joints exhibit that swings to and fro."""

    reach: float = field(1.0, doc="greatest speed of a motor, rad/s, or radius of a target's circle, units")
    period: float = field(2.0, unit="s", low=0.1)


@component
class Fleeting:
    """Something that was thrown in and is removed after a while."""

    left: float = field(8.0, unit="s", low=0)


@resource
class Settings:
    """`settings: game:` in the manifest."""

    tour_after: float = field(20.0, unit="s", low=0, doc="time without input before the tour starts")
    tour_time: float = field(0.0, unit="s", low=0, doc="for each exhibit", meanings={0: "its own duration"})
    slow: float = field(0.2, low=0.01, high=1, doc="speed of slow motion")


@resource
class Visit:
    """The state of the current visit.

    number: of the exhibit, from 1. time: seconds that it has run, in its own time. paused, slow, debug: whether they
    are on. spark: the index of the next spark to use.
    """

    number: int = 1
    time: float = 0.0
    paused: bool = False
    slow: bool = False
    debug: bool = False
    spark: int = 0


@resource
class Pilot:
    """The state of the tour, which shows the gallery when there is no input.

    idle: seconds since the last input; the start value means that there was none yet. time: seconds of the tour in this
    exhibit.
    """

    active: bool = True
    idle: float = 3600.0
    time: float = 0.0
