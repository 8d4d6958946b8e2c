"""Breakout's components, events and resources: the things in play, the match, and the events."""

from __future__ import annotations

from enum import Enum

from rish_core import Color, Entity, Str, Vec2, component, event, field, resource


class Effect(Enum):
    """The kinds of power-up."""

    WIDE = 0
    SLOW = 1
    MULTI = 2
    LIFE = 3
    STICKY = 4
    FIRE = 5


class Phase(Enum):
    """The phases of a match: waiting for the serve, in play, between two levels, over."""

    SERVE = 0
    PLAY = 1
    CLEARED = 2
    OVER = 3


@component
class Paddle:
    """The player's bat."""

    width: float = field(120.0, unit="units", low=20)
    speed: float = field(780.0, unit="units/s", low=0)
    velocity: float = field(0.0, unit="units/s")
    follows: bool = field(False, doc="the paddle follows the pointer until a key is pressed")


@component
class Ball:
    """A ball; while it is held it sits on the paddle."""

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
    steel: bool = field(False, doc="never breaks, and does not have to be broken")
    bomb: bool = field(False, doc="breaks its neighbors when it breaks")
    fuse: float = field(
        0.0, unit="s", low=0, doc="until it breaks, after a bomb next to it exploded", meanings={0: "no fuse burns"}
    )
    home: Vec2 = field((0, 0), unit="units", doc="its place in the wall")
    color: Color = field((1, 1, 1, 1), doc="of its particles")


@component
class PowerUp:
    """A capsule that falls out of a brick."""

    effect: Effect = Effect.WIDE
    speed: float = field(150.0, unit="units/s", low=0)


@component
class Popup:
    """A small text that rises and fades; the one that was used the longest time ago is used again."""


@component
class Glow:
    """A shape that lights up when something touches it and fades back to its color at rest."""

    heat: float = field(0.0, low=0, high=1)
    rest: Color = field((1, 1, 1, 1), doc="its color at rest")
    hot: Color = field((1, 1, 1, 1), doc="its color when it was just touched")


@component
class Ghost:
    """One bead of the tail that a ball draws behind it."""

    of: Entity = field(0, doc="the ball")
    place: int = field(0, low=0, doc="how many beads are before it")


@event
class BallBounced:
    """A ball met the paddle or a wall."""

    x: float = field(unit="units")
    y: float = field(unit="units")
    what: Str = field("wall", choices=("wall", "paddle"))


@event
class BrickHit:
    """A ball or a bomb hit a brick; `broken` is True if the brick broke, `color` is that of its particles."""

    brick: Entity = 0
    x: float = field(unit="units")
    y: float = field(unit="units")
    points: int = 0
    broken: bool = False
    color: Color = (1, 1, 1, 1)


@event
class PowerTaken:
    """A power-up was caught."""

    effect: Effect = Effect.WIDE
    x: float = field(unit="units")


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


@event(view=True)
class Served:
    """A ball was served."""

    x: float = field(unit="units")
    y: float = field(unit="units")


@event(view=True)
class Exploded:
    """A bomb exploded."""

    x: float = field(unit="units")
    y: float = field(unit="units")


@event(view=True)
class Paused:
    """The match was paused, or goes on."""

    on: bool = False


@resource
class Settings:
    """The game's settings, `settings: game:` in the manifest."""

    lives: int = field(3, low=1, high=9)
    ball_speed: float = field(440.0, unit="units/s", low=50, high=1500, doc="on the first level")
    top_speed: float = field(800.0, unit="units/s", low=50, high=2000)
    power_up_chance: float = field(0.18, low=0, high=1)
    attract_after: float = field(12.0, unit="s", low=0, doc="without input on the title, a demo begins after this time")
    relieve_after: float = field(
        30.0, unit="s", low=0, doc="without input in a match, the autopilot takes over after this time"
    )
    nudge_after: float = field(
        10.0, unit="s", low=1, doc="without a hit on a brick, balls are turned a little after this time"
    )


@resource
class Match:
    """One match, from the first serve to the last life.

    timer: seconds until the phase ends. intro: seconds until the wall is in place. wide, sticky, fire: seconds for
    which the power-up still works. dull: seconds since a brick was hit. by_hand: a person began the match. paused:
    whether sounds know that the match is paused.
    """

    phase: Phase = Phase.SERVE
    score: int = 0
    best: int = 0
    lives: int = 3
    level: int = 1
    combo: int = 0
    timer: float = 0.0
    intro: float = 0.0
    wide: float = 0.0
    sticky: float = 0.0
    fire: float = 0.0
    dull: float = 0.0
    by_hand: bool = False
    paused: bool = False


@resource
class Pilot:
    """The autopilot.

    idle: seconds since the last input of a person or since the title appeared, large at the start. wait: seconds until
    it presses a key or leaves a screen. aim: -1..1, the part of the paddle that the ball should hit.
    """

    active: bool = False
    idle: float = 3600.0
    wait: float = 0.0
    aim: float = 0.0


@resource
class Scenery:
    """The state of the effects: strength of the camera's shake, last popup, whether balls are fiery."""

    shake: float = 0.0
    popup: int = 0
    fiery: bool = False
