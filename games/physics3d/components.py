"""The gallery's own components and resources: the camera, colors, bars between bodies, and the state of the visit."""

from __future__ import annotations

from rish_core import Color, Entity, Vec3, component, field, resource


@component
class Orbit:
    """A camera that circles around a place, or around an entity."""

    target: Vec3 = field((0, 0, 0), unit="m", doc="the place that it looks at, relative to `follow`")
    follow: Entity = field(0, doc="the entity that it follows; 0: none")
    yaw: float = field(0.0, unit="rad", angle=True, doc="around the vertical axis; 0 looks along -z")
    pitch: float = field(0.35, unit="rad", angle=True, low=0.02, high=1.5, doc="above the horizon")
    distance: float = field(12.0, unit="m", low=2, high=80)


@component
class Paint:
    """The color of a body while it is awake; it is darker while it sleeps."""

    color: Color = field((1, 1, 1, 1))


@component
class Link:
    """A bar that is drawn from a point of one body to a point of another; 0 is the world."""

    a: Entity = field(0)
    b: Entity = field(0)
    anchor_a: Vec3 = field((0, 0, 0), unit="m", doc="relative to a, turned with it; of the world, a place")
    anchor_b: Vec3 = field((0, 0, 0), unit="m", doc="likewise")
    width: float = field(0.05, unit="m", low=0)
    joint: Entity = field(0, doc="goes when this one is gone; 0: stays")


@component
class Knot:
    """A body that is a corner of the cloth's mesh."""

    number: int = field(0, low=0, doc="of the corner")


@component
class Hand:
    """The joint with which the pointer holds a body."""

    distance: float = field(10.0, unit="m", doc="from the camera to the point that is held")


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

    number: of the exhibit, from 1. count: of all exhibits. time: seconds that it has run, in its own time. paused,
    slow: whether they are on. solver: the index of the solver's setting, see `gallery.SOLVERS`. taught: whether
    `teach3d` moves the bodies. passed: how many marbles the sensor counted.
    """

    number: int = 1
    count: int = 1
    time: float = 0.0
    paused: bool = False
    slow: bool = False
    solver: int = 0
    taught: bool = False
    passed: int = 0


@resource
class Pilot:
    """The state of the tour, which shows the gallery when there is no input.

    idle: seconds since the last input; the start value means that there was none yet. time: seconds of the tour in this
    exhibit.
    """

    active: bool = True
    idle: float = 3600.0
    time: float = 0.0
