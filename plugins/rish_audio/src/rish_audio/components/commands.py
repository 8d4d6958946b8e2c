"""Commands to the sound system, and the events that it emits."""

from __future__ import annotations

from enum import Enum

from rish_core import Entity, Str, Vec3, event, field, table


class Verb(Enum):
    """The kind of a command."""

    PLAY = "play"
    PAUSE = "pause"
    RESUME = "resume"
    STOP = "stop"
    SEEK = "seek"
    SET = "set"
    BUS = "bus"
    MIX = "mix"


@event(view=True)
class SoundCommand:
    """A command, which the step of this tick carries out. It is written by `play`, `stop` and the other functions.

    A command is for the voices that fulfill all given conditions: of the entity `source`, with the tag `tag`, of the
    sound `sound`, on the bus `bus`.
    """

    verb: Verb = field(Verb.PLAY, doc="what to do")
    sound: Str = field("", names="sounds", doc="a file or a named sound; of MIX: the mix")
    source: Entity = field(0, doc="the entity that it belongs to; of PLAY: also where it is heard")
    tag: Str = field("", doc="a name under which later commands find it")
    bus: Str = field("", names="buses", doc="what it is mixed into; empty: as the sound says")
    position: Vec3 = field((0, 0, 0), unit="units", doc="where it is heard, if `placed`")
    placed: bool = field(False, doc="whether `position` counts")
    gain: float = field(1.0, doc="factor")
    pitch: float = field(1.0, doc="factor")
    pan: float = field(0.0, doc="-1 left, 1 right, if it has no place")
    loop: bool = field(False, doc="whether it begins again at its end")
    replace: bool = field(False, doc="of PLAY: whether the other voices with its tag fade out meanwhile")
    priority: int = field(0, doc="of the voice; commands of a higher priority are carried out first")
    start: float = field(0.0, unit="s", doc="of PLAY and SEEK: where in the clip")
    fade: float = field(0.0, unit="s", doc="how long the change takes")
    delay: float = field(0.0, unit="s", doc="after which it is carried out")
    parameter: Str = field("", doc="of SET: gain, pitch, pan or low_pass; of BUS: a parameter of the bus")
    value: float = field(0.0, doc="of SET and BUS: the new value; of SET with `relative`: a factor")
    relative: bool = field(False, doc="whether `value` is a factor of the present value")


@table(view=True)
class DelayedCommands(SoundCommand):
    """Commands that are carried out later. due: the tick in which they are carried out."""

    due: int = field(0, hidden=True)


@event(view=True, script="on_sound_ended")
class SoundEnded:
    """A sound ended, was stopped, or lost its voice to another sound."""

    source: Entity = field(0, doc="the entity that played it; 0: none")
    sound: Str = field("", doc="the file or the named sound")
    tag: Str = field("", doc="its tag")
    stolen: bool = field(False, doc="whether more important sounds took its voice")
    stopped: bool = field(False, doc="whether it was stopped before its end")


@event(view=True, script="on_sound_marker")
class SoundMarker:
    """A sound reached a marker of its file or of the named sound."""

    source: Entity = field(0, doc="the entity that plays it; 0: none")
    sound: Str = field("", doc="the file or the named sound")
    marker: Str = field("", doc="its name")
    tag: Str = field("", doc="its tag")
