"""What the keep is made of: who walks in it, what burns, what can be moved, and the quest as a resource."""

from __future__ import annotations

from enum import Enum

from rish_core import Entity, Vec2, component, event, field, resource


class Phase(Enum):
    """Where a quest stands: it goes on, all is lit, or the dark has won."""

    SEEK = 0
    WON = 1
    LOST = 2


class Facing(Enum):
    """Where a walker looks; to the left is to the right, mirrored. The order is that of the pictures."""

    SOUTH = 0
    NORTH = 1
    EAST = 2


class Fate(Enum):
    """Where an ember is: where it was found, behind the hero, on its way into the brazier, in it."""

    WAITS = 0
    FOLLOWS = 1
    FLIES = 2
    BURNS = 3


@component
class Hero:
    """Who carries the lantern. step: of the walk, in pictures. hurt: seconds in which nothing can happen again."""

    facing: Facing = Facing.SOUTH
    left: bool = False
    step: float = 0.0
    hurt: float = field(0.0, unit="s", low=0)


@component
class Lantern:
    """What the hero holds: the thing that is seen, or with `shines` the light in it."""

    shines: bool = False


@component
class Fire:
    """A torch or the great brazier. heat: 0 cold, 1 in full flames; reach: how far it keeps the dark away."""

    lit: bool = False
    heat: float = field(0.0, low=0, high=1)
    bright: float = field(2.6, low=0, doc="intensity of its light in full flames")
    reach: float = field(58.0, unit="units", low=0)
    great: bool = field(False, doc="the brazier, which needs embers")


@component
class Ember:
    """One of three embers. number: 0 to 2. trail: how far behind the hero it floats, in ticks."""

    number: int = field(0, low=0, high=2)
    fate: Fate = Fate.WAITS
    velocity: Vec2 = field((0, 0), unit="units/s")
    home: Vec2 = field((0, 0), unit="units")


@component
class Jar:
    """Oil for the lantern."""

    oil: float = field(45.0, low=0, high=100)


@component
class Crate:
    """What can be pushed, and holds a plate down."""


@component
class Plate:
    """Opens the gates while something heavy lies on it."""

    down: bool = False


@component
class Gate:
    """Iron bars; they rise while a plate is down. open: 0 to 1."""

    open: float = field(0.0, low=0, high=1)
    home: Vec2 = field((0, 0), unit="units")


@component
class Wraith:
    """Hunts in the dark and shuns light. seed: makes its ways its own. away: seconds in which it keeps off."""

    home: Vec2 = field((0, 0), unit="units")
    velocity: Vec2 = field((0, 0), unit="units/s")
    seed: float = 0.0
    away: float = field(0.0, unit="s", low=0)
    fade: float = field(0.0, low=0, high=1, doc="how much of it is there")


@component
class Rat:
    """Runs about, and away from whoever comes. wait: seconds until it thinks again."""

    heading: Vec2 = field((0, 0))
    wait: float = field(0.0, unit="s", low=0)
    step: float = 0.0


@component
class Swing:
    """Hangs on a chain and sways. home: where it hangs at rest; reach: how far it sways.

    chain: how long that is where it is seen from the side, so that what hangs on it leans; 0: it is seen from above.
    """

    home: Vec2 = field((0, 0), unit="units")
    reach: Vec2 = field((9, 4), unit="units")
    pace: float = field(1.7, unit="rad/s")
    chain: float = field(0.0, unit="units", low=0)
    phase: float = field(0.0, unit="rad")


@component
class StandIn:
    """A light for what glows, as long as global illumination is off."""


@component
class Icon:
    """A sign on the screen. what: 0 a life, 1 an ember, 2 the oil, 3 the lantern itself. number: which one of them."""

    what: int = field(0, low=0, high=3)
    number: int = field(0, low=0)


@component
class Words:
    """A line of words on the screen. what: 0 the hint, 1 large words, 2 those below them. shown: its number."""

    what: int = field(0, low=0, high=2)
    shown: int = -1


@event
class Kindled:
    """A fire was lit."""

    fire: Entity
    x: float = field(unit="units")
    y: float = field(unit="units")


@event
class EmberTaken:
    """The hero found an ember, or with `given` the brazier has it."""

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
    """`settings: game:` in the manifest."""

    burn: float = field(1.25, low=0, high=100, doc="oil that the lantern burns in a second, of 100")
    lives: int = field(3, low=1, high=5)
    title_time: float = field(4.0, unit="s", low=0, doc="the autopilot looks at the title for so long")
    relieve_after: float = field(20.0, unit="s", low=0, doc="in a keep that nobody touches it takes over")


@resource
class Quest:
    """One visit to the keep.

    oil: 0 to 100. given: embers in the brazier. since: seconds in this phase. seconds: of the quest. bright: the light
    of the lantern, 0 to 1. gi: whether light of what glows is worked out. by_hand: a person plays.
    """

    phase: Phase = Phase.SEEK
    oil: float = 100.0
    lives: int = 3
    given: int = 0
    since: float = 0.0
    seconds: float = 0.0
    bright: float = 1.0
    gi: bool = False
    by_hand: bool = False


@resource
class Pilot:
    """The autopilot. idle: seconds since a person did anything; at the start nobody ever did. wait: until it goes on.

    stuck: seconds without a step. x, y: where it stood.
    """

    active: bool = False
    idle: float = 3600.0
    wait: float = 0.0
    stuck: float = 0.0
    x: float = 0.0
    y: float = 0.0
