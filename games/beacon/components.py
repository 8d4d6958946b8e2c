"""The components of Beacon."""

from __future__ import annotations

from rish_core import Entity, Str, Vec3, component, event, field


@component
class Robot:
    """A robot: a Character3D that the keys move; the lantern in its hand burns oil."""

    facing: float = field(0.0, unit="rad", angle=True, doc="turn around y that it turns towards")
    fell: float = field(0.0, unit="s", doc="how long it had been in the air in the last tick")
    landed: float = field(1.0, unit="s", doc="since it landed")
    oil: float = field(1.0, low=0, high=1, doc="what is left in the lantern")
    burns: float = field(0.012, unit="1/s", low=0, high=1, doc="oil that is used in a second")
    height: float = field(0.0, unit="m", doc="of its feet above the quay")
    flasks: int = field(0, doc="that it has found")
    done: bool = field(False, doc="whether the beacon is lit, or the lantern is out")


@component
class Pile:
    """A pile of crates on a grid of one meter. Each row is a text with the number of crates in each column."""

    rows: list[Str] = field((), doc="from the back (-z) to the front")
    crate: Str = field("crate", doc="prefab of a crate")
    lean: float = field(0.08, low=0, high=1, doc="how far crates are turned, in radians")
    built: bool = field(False, doc="whether the crates are there")


@component
class Flask:
    """Oil that fills the lantern when the robot reaches it."""

    reach: float = field(0.8, unit="m", low=0)
    fills: float = field(0.5, low=0, high=1)


@component
class Gull:
    """A bird that circles around a point."""

    center: Vec3 = field((0, 9, -6), unit="m")
    radius: float = field(12.0, unit="m", low=0.1)
    height: float = field(0.0, unit="m", doc="above the center")
    angle: float = field(0.0, unit="rad", angle=True)
    speed: float = field(0.0, unit="m/s", doc="0: it gets a way of its own in the next tick")
    alarm: float = field(0.0, low=0, high=1, doc="how much the light of the beacon excites it")


@component
class Beam:
    """The light of the beacon, which turns around y."""

    speed: float = field(0.5, unit="rad/s", doc="of the turn")
    turn: float = field(0.0, unit="rad", angle=True)
    tilt: float = field(-0.16, unit="rad", angle=True, doc="of the beam against the horizon")
    lit: float = field(0.0, low=0, high=1, doc="0: it glows, 1: the robot has lit it")
    dim: float = field(30.0, low=0, doc="intensity of its lamp while it only glows")
    bright: float = field(900.0, low=0, doc="intensity of its lamp when it is lit")


@component
class Hanging:
    """Hangs upright, however what holds it is turned."""


@component
class Goal:
    """The place that the lantern must be brought to."""

    reach: float = field(1.35, unit="m", low=0)


@component
class Follow3D:
    """A camera that follows an entity smoothly without turning."""

    target: Entity = field(0)
    offset: Vec3 = field((0, 2, 8), unit="m")
    smoothing: float = field(0.35, unit="s", low=0.001)


@component
class Afloat:
    """Something that the sea lifts and rolls."""

    rest: float = field(0.0, unit="m", doc="height at rest")
    lift: float = field(0.08, unit="m", low=0)
    roll: float = field(0.035, unit="rad", angle=True, low=0)
    turn: float = field(0.0, unit="rad", angle=True, doc="turn around y")
    period: float = field(3.7, unit="s", low=0.1)


@component
class Pilot:
    """Plays while there is no player."""

    step: int = field(0, doc="of its way")
    idle: float = field(0.0, unit="s", doc="without a player")


@event
class Noise:
    """Something that is heard. what: jump, land, step, flask, win, lose."""

    what: Str
    x: float
    y: float
