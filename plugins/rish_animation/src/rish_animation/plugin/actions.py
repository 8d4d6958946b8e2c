"""The actions that rules may use: `tween` and `animate`."""

from __future__ import annotations

from dataclasses import field as dataclass_field

from rish_core import Entity, Str, World, field, resource
from rish_expressions import Action, Scope, Setting
from rish_jit import easing

from ..animators.playing import play
from ..clips.model import PlayMode
from ..tweens.tweens import tween


@resource
class TweenAction:
    """The parameters of `tween`. All except `to` are the same as in the component `Tween`.

    to: the fields and values, `{door.Transform.position.y: 120}`.
    """

    to: list[Setting] = dataclass_field(default_factory=list[Setting])
    seconds: float = field(1.0, low=0, high=3600, unit="s", doc="how long it takes")
    easing: Str = field("linear", names="easings", doc="how it gets there, such as cubic_out")
    delay: float = field(0.0, low=0, high=3600, unit="s", doc="time before it starts")
    mode: PlayMode = field(PlayMode.ONCE, doc="once, loop, or there and back")
    loops: int = field(0, low=0, doc="rounds of loop and ping_pong", meanings={0: "without end"})
    then: Str = field("", doc="the name in the event TweenFinished")
    relative: bool = field(False, doc="whether the values are differences to the present ones")


def start(world: World, arguments: TweenAction, scope: Scope) -> None:
    """Start a tween of each field."""
    names = ("seconds", "easing", "delay", "mode", "loops", "then")
    options = {name: getattr(arguments, name) for name in names}
    for setting in arguments.to:
        value = {"by" if arguments.relative else "to": setting.value}
        tween(world, setting.entity, setting.target.name, **value, **options)


@resource
class Animate:
    """The parameters of `animate`, which plays a clip of tracks."""

    target: Entity = field(0, doc="the entity with the Animator")
    clip: Str = field("", doc="the clip")
    fade: float = field(0.0, low=0, unit="s", doc="how long it takes to replace what was before")
    restart: bool = field(False, doc="whether a clip that plays already begins again")
    after: bool = field(False, doc="whether it waits until the present clip ends")


def animate(world: World, arguments: Animate, scope: Scope) -> None:
    """Play a clip."""
    options = {name: getattr(arguments, name) for name in ("fade", "restart", "after")}
    play(world, arguments.target, arguments.clip, **options)


ACTIONS = [
    Action("tween", TweenAction, start, settings="to", checks={"easing": easing}),
    Action("animate", Animate, animate),
]
