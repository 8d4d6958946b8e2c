"""What Rewind is made of."""

from __future__ import annotations

from rish_core import Vec2, component, event, field


@component
class Hero:
    """Who walks and jumps. late: seconds since the ground was left, within which a jump still counts."""

    velocity: Vec2 = field((0, 0), unit="units/s")
    grounded: bool = False
    late: float = field(0.0, unit="s", low=0)
    facing: float = field(1.0, doc="1 looks right, -1 left")
    squash: float = field(0.0, doc="how much the landing presses it flat")


@component
class Eye:
    """Looks where the hero goes. home: where it sits."""

    home: float = field(5.0, unit="units")


@component
class Block:
    """What can't be walked through: the rectangle of its Shape."""


@component
class Key:
    """Opens the door. taken: it floats behind the hero from then on."""

    taken: bool = False


@component
class Gate:
    """Opens while time is left. left: seconds that it stays open. lift: how far it is up. home: where it stands."""

    left: float = field(0.0, unit="s", low=0)
    lift: float = field(0.0, low=0, high=1)
    home: float = field(0.0, unit="units")
    known: bool = False


@component
class Button:
    """Opens every gate. seconds: for so long."""

    seconds: float = field(2.0, unit="s", low=0)
    down: bool = False


@component
class Door:
    """Leads to the next level, once every key is there."""

    open: float = field(0.0, low=0, high=1)


@component
class Drift:
    """Drifts across the sky. speed: to the right."""

    speed: float = field(5.0, unit="units/s")


@component
class Pilot:
    """Plays when nobody does. step: of its plan. ticks: since the step began. idle: since somebody touched a key."""

    step: int = 0
    ticks: int = field(0, low=0)
    idle: float = field(0.0, unit="s", low=0)
    active: bool = False


@event
class Opened:
    """The door opened."""
