"""The table of tweens, the component that starts one from a manifest, and the event at the end.

sign:
  Transform: {position: [80, 40]}
  Tween: {field: Transform.position.y, to: [48], seconds: 0.8, easing: sine_in_out, mode: ping_pong}
"""

from __future__ import annotations

from rish_ecs import Entity, Str, Vec4, component, event, table
from rish_ecs import field as column

from ..clips.model import PlayMode

_LOOPS = "rounds of loop and ping_pong (there and back); 0: without end"


@component
class Tween:
    """Starts a tween when it is added to an entity; for several fields at once, use a clip of an Animator."""

    field: Str = column("", doc="the field that moves, such as Transform.position.y or Sprite.color")
    to: list[float] = column((), doc="its value at the end, in the unit of code: angles in radians")
    seconds: float = column(1.0, low=0, high=3600, unit="s", doc="how long it takes, of ping_pong one way")
    easing: Str = column(
        "linear", names="easings", doc="how it gets there, such as cubic_out, bezier(0.4, 0, 0.2, 1), spring"
    )
    delay: float = column(0.0, low=0, high=3600, unit="s", doc="time before it starts")
    mode: PlayMode = column(PlayMode.ONCE, doc="once, loop, or there and back")
    loops: int = column(0, low=0, doc=_LOOPS)
    then: Str = column("", doc="the name in the event TweenFinished")


@table
class Tweens:
    """The tweens that wait or run, in the order in which they were added."""

    entity: Entity = column(doc="the entity whose field moves")
    field: Str = column("", doc="the field")
    begin: Vec4 = column((0, 0, 0, 0), doc="value at the beginning, as stored; read when the delay is over")
    end: Vec4 = column((0, 0, 0, 0), doc="value at the end, as stored; before the beginning, what was asked for")
    relative: bool = column(False, doc="whether the end was given as a difference")
    running: bool = column(False, doc="whether the delay is over")
    ticks: int = column(0, unit="ticks", doc="since the tween was added")
    delay: int = column(0, unit="ticks", doc="before it starts")
    seconds: float = column(1.0, unit="s", doc="how long it takes, one way")
    easing: Str = column("linear", names="easings", doc="how it gets there")
    mode: PlayMode = column(PlayMode.ONCE, doc="once, loop, or there and back")
    loops: int = column(0, doc=_LOOPS)
    then: Str = column("", doc="the name in the event TweenFinished")


@event(script="on_tween_finished")
class TweenFinished:
    """A tween reached its end."""

    entity: Entity = column(doc="the entity whose field moved")
    field: Str = column(doc="the field")
    then: Str = column("", doc="the name that was given")
