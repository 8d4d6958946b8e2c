"""Rewind's components and events."""

from __future__ import annotations

from rish_core import Str, Vec2, component, event, field, resource


@component
class Hero:
    """The player's character. late: seconds since it left the ground; a jump still counts within GRACE of that."""

    velocity: Vec2 = field((0, 0), unit="units/s")
    grounded: bool = False
    late: float = field(0.0, unit="s", low=0)
    facing: float = field(1.0, doc="1 looks right, -1 left")
    squash: float = field(0.0, doc="how much the hero is flattened after a landing")


@component
class Eye:
    """An eye of the hero, which looks where it goes. home: its x at rest."""

    home: float = field(5.0, unit="units")


@component
class Block:
    """A solid obstacle: the rectangle of its Shape."""


@component
class Key:
    """A key, which opens the door. taken: it floats behind the hero from then on."""

    taken: bool = False


@component
class Gate:
    """A gate that is open while `left` is above zero. left: seconds until it closes. lift: how far up it is, 0 to 1.

    home: its y when closed. known: True once `home` is stored.
    """

    left: float = field(0.0, unit="s", low=0)
    lift: float = field(0.0, low=0, high=1)
    home: float = field(0.0, unit="units")
    known: bool = False


@component
class Plate:
    """A pressure plate, which opens every gate. seconds: how long after the press they stay open."""

    seconds: float = field(2.0, unit="s", low=0)
    down: bool = False


@component
class Door:
    """A door to the next level, which opens once every key is taken. open: 0 to 1."""

    open: float = field(0.0, low=0, high=1)


@component
class Drift:
    """A cloud that drifts across the sky. speed: to the right."""

    speed: float = field(5.0, unit="units/s")


@component
class Pilot:
    """The autopilot. step: index in its plan. ticks: since the step began. idle: seconds since the last input."""

    step: int = 0
    ticks: int = field(0, low=0)
    idle: float = field(0.0, unit="s", low=0)
    active: bool = False


@resource
class Visit:
    """Who plays. by_hand: a person has done something since the autopilot played."""

    by_hand: bool = False


@event
class Opened:
    """The door opened."""


@event(view=True)
class Noise:
    """Something was heard. strength: of a landing, 0 to 1; of a tick, the seconds that are left."""

    what: Str = field("step", choices=("step", "jump", "land", "key", "press", "release", "lift", "lower", "tick"))
    x: float = field(0.0, unit="units")
    y: float = field(0.0, unit="units")
    strength: float = 1.0
