"""The actions that rules may use: `play`, `music`, `stop_sound`, `pause_sound`, `resume_sound`, `set_bus`, `mix`."""

from __future__ import annotations

from typing import Any

from rish_core import Entity, Str, UsageError, Vec2, World, field, resource
from rish_expressions import Action, Scope

from ..voices import playing

_NOWHERE = -1e30
"""The coordinate that stands for a place that is not given."""


@resource
class Play:
    """The parameters of the action `play`, which are those of the function `play`."""

    sound: Str = field("", names="sounds", doc="a file, a named sound, or one that ships")
    at: Vec2 = field((_NOWHERE, _NOWHERE), unit="units", doc="where it is heard; without it, everywhere or at `source`")
    source: Entity = field(0, doc="the entity that it follows")
    gain: float = field(1.0, low=0, doc="factor")
    pitch: float = field(1.0, low=0.01, high=16, doc="factor")
    pan: float = field(0.0, low=-1, high=1, doc="without a place: -1 left, 1 right")
    loop: bool = field(False, doc="whether it begins again at its end")
    bus: Str = field("", names="buses", doc="what it is mixed into")
    tag: Str = field("", doc="a name for later commands")
    priority: int = field(0, low=-100, high=100, doc="higher ones keep their voice")
    fade: float = field(0.0, unit="s", low=0, doc="from silence")
    start: float = field(0.0, unit="s", low=0, doc="in the clip")
    delay: float = field(0.0, unit="s", low=0, doc="before it begins")


@resource
class Music:
    """The parameters of `music`; an empty sound fades the music out."""

    sound: Str = field("", names="sounds", doc="a file, a named sound, or a tune that ships")
    fade: float = field(1.0, unit="s", low=0, doc="how long the change takes")
    gain: float = field(1.0, low=0, doc="factor")


@resource
class Chosen:
    """The parameters of actions on voices: the voices that fulfill all given conditions."""

    tag: Str = field("", doc="of voices that were played with this tag")
    sound: Str = field("", names="sounds", doc="that they play")
    source: Entity = field(0, doc="that they follow")
    bus: Str = field("", names="buses", doc="that they are mixed into")
    fade: float = field(0.0, unit="s", low=0, doc="how long the change takes")


@resource
class BusChange:
    """The parameters of `set_bus`."""

    bus: Str = field("master", names="buses", doc="which bus")
    parameter: Str = field("gain", choices=playing.BUS_PARAMETERS, doc="which of its parameters")
    value: float = field(1.0, doc="the new value")
    fade: float = field(0.0, unit="s", low=0, doc="how long the change takes")


@resource
class Mix:
    """The parameters of `mix`."""

    mix: Str = field("", doc="a mix of the settings; empty: the buses as they were at the start")
    fade: float = field(0.5, unit="s", low=0, doc="how long the change takes")


_PLAY = ("source", "gain", "pitch", "pan", "loop", "bus", "tag", "priority", "fade", "start", "delay")


def _play(world: World, arguments: Play, scope: Scope) -> None:
    x, y = arguments.at
    at = None if x <= _NOWHERE / 2 else (x, y)
    playing.play(world, arguments.sound, at, **{name: getattr(arguments, name) for name in _PLAY})


def _music(world: World, arguments: Music, scope: Scope) -> None:
    if arguments.sound:
        playing.play_music(world, arguments.sound, fade=arguments.fade, gain=arguments.gain)
    else:
        playing.stop_music(world, arguments.fade)


def _for_chosen(do: Any) -> Any:
    def perform(world: World, arguments: Chosen, scope: Scope) -> None:
        do(world, **{name: getattr(arguments, name) for name in ("tag", "sound", "source", "bus", "fade")})

    return perform


def _set_bus(world: World, arguments: BusChange, scope: Scope) -> None:
    playing.set_bus(world, arguments.bus, arguments.fade, **{arguments.parameter: arguments.value})


def _mix(world: World, arguments: Mix, scope: Scope) -> None:
    playing.set_mix(world, arguments.mix, arguments.fade)


def _named(text: str) -> None:
    if not text:
        raise UsageError("needs the name of a sound")


ACTIONS = [
    Action("play", Play, _play, checks={"sound": _named}),
    Action("music", Music, _music),
    Action("stop_sound", Chosen, _for_chosen(playing.stop)),
    Action("pause_sound", Chosen, _for_chosen(playing.pause)),
    Action("resume_sound", Chosen, _for_chosen(playing.resume)),
    Action("set_bus", BusChange, _set_bus),
    Action("mix", Mix, _mix),
]
