"""Lantern's components, events and resources: creatures, fires, things that can be moved, and the quest."""

from __future__ import annotations

from enum import Enum

from rish_core import Entity, Str, Vec2, component, event, field, resource


class Phase(Enum):
    """The phases of a quest: searching, won, or lost."""

    SEEK = 0
    WON = 1
    LOST = 2


class Facing(Enum):
    """The direction a walker faces, in the order of the sprite's rows of frames; west is EAST mirrored."""

    SOUTH = 0
    NORTH = 1
    EAST = 2


class Fate(Enum):
    """The state of an ember: waiting where it was placed, following the hero, flying to the brazier, burning in it."""

    WAITS = 0
    FOLLOWS = 1
    FLIES = 2
    BURNS = 3


@component
class Hero:
    """The player's character. step: the frame of the walk cycle, 0 to 4. hurt: seconds until it can be hit again."""

    facing: Facing = Facing.SOUTH
    left: bool = False
    step: float = 0.0
    hurt: float = field(0.0, unit="s", low=0)


@component
class Lantern:
    """The lantern that the hero holds: its sprite, or with `shines` its light."""

    shines: bool = False


@component
class Fire:
    """A torch or the great brazier. reach: how far it keeps wraiths away."""

    lit: bool = False
    bright: float = field(2.6, low=0, doc="intensity of its light in full flames")
    reach: float = field(58.0, unit="units", low=0)
    great: bool = field(False, doc="the brazier, which needs embers")


@component
class Ember:
    """One of three embers. number: 0 to 2. home: where it was placed."""

    number: int = field(0, low=0, high=2)
    fate: Fate = Fate.WAITS
    velocity: Vec2 = field((0, 0), unit="units/s")
    home: Vec2 = field((0, 0), unit="units")


@component
class Jar:
    """A jar of oil for the lantern."""

    oil: float = field(45.0, low=0, high=100)


@component
class Crate:
    """A crate that can be pushed, and holds a plate down."""


@component
class Plate:
    """A pressure plate that opens the gates while a crate or the hero is on it."""

    down: bool = False


@component
class Gate:
    """A gate of iron bars, which rise while a plate is down."""

    raised: bool = field(False, doc="whether it rises or is open")
    home: Vec2 = field((0, 0), unit="units")


@component
class Wraith:
    """A ghost that hunts the hero and avoids light. seed: varies its path. away: seconds during which it stays away."""

    home: Vec2 = field((0, 0), unit="units")
    velocity: Vec2 = field((0, 0), unit="units/s")
    seed: float = 0.0
    away: float = field(0.0, unit="s", low=0)
    fade: float = field(0.0, low=0, high=1, doc="its opacity")


@component
class Rat:
    """A rat that runs about, and away from the hero. wait: seconds until it chooses a new heading."""

    heading: Vec2 = field((0, 0))
    wait: float = field(0.0, unit="s", low=0)
    step: float = 0.0


@component
class StandIn:
    """A light in the place of something that glows, used while global illumination is off."""


@component
class Icon:
    """An image of the readouts. what: 0 a life, 1 an ember. number: index within its kind."""

    what: int = field(0, low=0, high=1)
    number: int = field(0, low=0)


@component
class Hint:
    """The line with hints. shown: the name of the hint among the texts `hints` of the translations; empty: none."""

    shown: Str = ""


@component
class Shows:
    """A screen or widget that is shown only in one phase of a quest, that many seconds after the phase began."""

    phase: Phase = Phase.SEEK
    after: float = field(0.0, unit="s", low=0)


@event
class Kindled:
    """A fire was lit."""

    fire: Entity
    x: float = field(unit="units")
    y: float = field(unit="units")


@event
class EmberTaken:
    """The hero found an ember, or with `given` an ember reached the brazier."""

    number: int = 0
    given: bool = False
    x: float = field(unit="units")
    y: float = field(unit="units")


@event
class Refilled:
    """A jar of oil was found."""

    x: float = field(unit="units")
    y: float = field(unit="units")


@event
class Touched:
    """A wraith reached the hero."""

    x: float = field(unit="units")
    y: float = field(unit="units")
    left: int = 0


@resource
class Settings:
    """The game's settings, `settings: game:` in the manifest."""

    burn: float = field(1.25, low=0, high=100, doc="oil that the lantern burns in a second, of 100")
    lives: int = field(3, low=1, high=5)
    title_time: float = field(4.0, unit="s", low=0, doc="how long the autopilot stays on the title")
    relieve_after: float = field(20.0, unit="s", low=0, doc="without input for this time, the autopilot takes over")


@resource
class Quest:
    """The state of one quest.

    oil: 0 to 100. given: embers in the brazier. since: seconds in this phase. seconds: of the quest. bright: the light
    of the lantern, 0 to 1. gi: whether global illumination is on.
    """

    phase: Phase = Phase.SEEK
    oil: float = 100.0
    lives: int = 3
    given: int = 0
    since: float = 0.0
    seconds: float = 0.0
    bright: float = 1.0
    gi: bool = False


@resource
class Pilot:
    """The autopilot. idle: seconds since the last input of a person, large at the start. wait: seconds to wait.

    stuck: seconds without a step. x, y: the hero's previous place.
    """

    active: bool = False
    idle: float = 3600.0
    wait: float = 0.0
    stuck: float = 0.0
    x: float = 0.0
    y: float = 0.0
