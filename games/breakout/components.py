"""What Breakout is made of: components of things in play, the match as a resource, and events for sounds to come."""

from __future__ import annotations

from enum import Enum

from rish_core import Color, Entity, Str, Vec2, component, event, field, resource


class Effect(Enum):
    """What a power-up does."""

    WIDE = 0
    SLOW = 1
    MULTI = 2
    LIFE = 3
    STICKY = 4
    FIRE = 5


class Phase(Enum):
    """Where a match stands: waiting for the serve, in play, between two levels, over."""

    SERVE = 0
    PLAY = 1
    CLEARED = 2
    OVER = 3


class Show(Enum):
    """What a readout shows."""

    SCORE = 0
    BEST = 1
    LEVEL = 2
    MESSAGE = 3
    HINT = 4


@component
class Paddle:
    """The player's bat."""

    width: float = field(120.0, unit="units", low=20)
    speed: float = field(760.0, unit="units/s", low=0)
    velocity: float = field(0.0, unit="units/s", doc="of the last tick")


@component
class Ball:
    """The ball; while it is held it sits on the paddle."""

    velocity: Vec2 = field((0, 0), unit="units/s")
    radius: float = field(8.0, unit="units", low=1)
    held: bool = field(True, doc="sits on the paddle until it is served")
    offset: float = field(0.0, unit="units", doc="where on the paddle it sits, from the middle")


@component
class Brick:
    """A brick of the wall."""

    hits: int = field(1, low=0, doc="how often it must still be hit")
    points: int = field(10, low=0)
    size: Vec2 = field((66, 22), unit="units")
    steel: bool = field(False, doc="never breaks and need not")
    bomb: bool = field(False, doc="takes its neighbours along")
    colour: Color = field((1, 1, 1, 1), doc="of its shards")


@component
class PowerUp:
    """A capsule that falls out of a brick."""

    effect: Effect = Effect.WIDE
    speed: float = field(150.0, unit="units/s", low=0)


@component
class Shard:
    """A splinter of a brick, for the eye."""

    velocity: Vec2 = field((0, 0), unit="units/s")
    spin: float = field(0.0, unit="rad/s")
    age: float = field(0.0, unit="s", low=0)
    life: float = field(0.6, unit="s", low=0.01)


@component
class Glow:
    """A shape that flares up when something touches it and calms down again."""

    heat: float = field(0.0, low=0, high=1)
    rest: Color = field((1, 1, 1, 1), doc="its colour at rest")
    hot: Color = field((1, 1, 1, 1), doc="its colour when it was just touched")


@component
class Ghost:
    """One bead of the tail that a ball draws behind it."""

    of: Entity = field(0, doc="the ball")
    place: int = field(0, low=0, doc="how many beads are before it")


@component
class Readout:
    """A text that shows a number of the match."""

    show: Show = Show.SCORE


@component
class LifeIcon:
    """A small ball in the corner, one for each life."""

    number: int = field(0, low=0)


@component
class Drift:
    """Something on the title screen that sways."""

    home: Vec2 = field((0, 0), unit="units")
    swing: float = field(6.0, unit="units")
    phase: float = field(0.0, unit="rad")


@event
class BallBounced:
    """A ball met the paddle or a wall."""

    x: float = field(unit="units")
    y: float = field(unit="units")
    what: Str = "wall"


@event
class BrickHit:
    """A ball met a brick; `broken` says whether that was the end of it."""

    brick: Entity = 0
    x: float = field(unit="units")
    y: float = field(unit="units")
    points: int = 0
    broken: bool = False


@event
class PowerTaken:
    """A power-up was caught."""

    effect: Effect = Effect.WIDE


@event
class LifeLost:
    """The last ball fell."""

    left: int = 0


@event
class LevelCleared:
    """The last breakable brick of a level is gone."""

    level: int = 1


@event
class MatchOver:
    """The match ended."""

    score: int = 0
    won: bool = False


@resource
class Settings:
    """`settings: game:` in the manifest."""

    lives: int = field(3, low=1, high=9)
    ball_speed: float = field(380.0, unit="units/s", low=50, high=1500)
    top_speed: float = field(760.0, unit="units/s", low=50, high=2000)
    power_up_chance: float = field(0.16, low=0, high=1)
    attract_after: float = field(8.0, unit="s", low=0, doc="without a player for so long, the autopilot takes over")


@resource
class Match:
    """One match, from the first serve to the last life.

    wide, sticky, fire: seconds that the power-up still works. idle: seconds since a person did anything.
    """

    phase: Phase = Phase.SERVE
    score: int = 0
    best: int = 0
    lives: int = 3
    level: int = 1
    combo: int = 0
    timer: float = 0.0
    wide: float = 0.0
    sticky: float = 0.0
    fire: float = 0.0
    shake: float = 0.0
    idle: float = 6.4
    autopilot: bool = False
    aim: float = 0.0
