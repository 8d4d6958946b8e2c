"""The tables of the sound system: voices, buses and their changes. All of it is view state: saved, never hashed."""

from __future__ import annotations

from dataclasses import field as dataclass_field

from rish_core import Array, Entity, Str, Vec3, field, resource, table

from .source import Rolloff


@table(view=True)
class Voices:
    """One row for each sound that plays or pauses, in the order in which they began.

    A position in a clip is `frame` + `fraction`, in frames of the clip since the start, so it grows over loops. `rate`
    is the speed of the clip as a factor. The fields `last_...` hold the values at the beginning of the tick; the block
    of the tick interpolates from them to the current values.
    """

    serial: int = field(hidden=True, doc="its number, which no other voice has")
    source: Entity = field(hidden=True, doc="the entity that plays it; 0: none")
    tag: Str = field(hidden=True)
    sound: Str = field(hidden=True, doc="what was asked for")
    clip: Str = field(hidden=True, doc="what is played: a file, or the name of a made clip")
    bus: Str = field(hidden=True)
    priority: int = field(hidden=True)
    paused: bool = field(hidden=True)
    loop: bool = field(hidden=True)
    spatial: bool = field(hidden=True)
    placed: bool = field(hidden=True, doc="whether it stays at `position` whatever its source does")
    bound: bool = field(hidden=True, doc="whether an AudioSource plays it, whose fields it follows")
    gain: float = field(1.0, hidden=True, doc="of the voice, with that of its sound and its source")
    pitch: float = field(1.0, hidden=True)
    pan: float = field(hidden=True)
    own: Array[float, 2] = field((1, 1), hidden=True, doc="gain and pitch that the command and the variation gave")
    low_pass: float = field(hidden=True, unit="Hz")
    echo: float = field(hidden=True)
    walls: float = field(hidden=True)
    doppler: float = field(hidden=True)
    min_distance: float = field(hidden=True, unit="units")
    max_distance: float = field(hidden=True, unit="units")
    rolloff: Rolloff = field(Rolloff.INVERSE, hidden=True)
    rolloff_factor: float = field(1.0, hidden=True)
    cone: Array[float, 3] = field((6.2831855, 6.2831855, 1), hidden=True, doc="inner, outer angle, gain outside")
    forward: Vec3 = field(hidden=True, doc="where its cone points")
    position: Vec3 = field(hidden=True, unit="units")
    last_position: Vec3 = field(hidden=True, unit="units")
    moved: bool = field(hidden=True, doc="whether last_position is that of the tick before")
    fade: float = field(1.0, hidden=True, doc="present factor of its fade")
    fade_to: float = field(1.0, hidden=True)
    fade_step: float = field(hidden=True, doc="in a tick")
    crossfade: bool = field(hidden=True, doc="whether the gain is the sine of the fade: two have equal power together")
    ending: int = field(hidden=True, doc="at the end of the fade: 0 goes on, 1 stops, 2 pauses; 3: the clip has ended")
    muffled: float = field(hidden=True, doc="by walls, 0..1; follows them smoothly")
    clip_rate: float = field(hidden=True, unit="Hz", doc="of its clip, as the fields up to `marked`")
    length: int = field(hidden=True, doc="frames")
    repeats: Array[int, 2] = field((0, 1), hidden=True, doc="the frames that a loop repeats: the first, and the end")
    marked: bool = field(hidden=True, doc="whether it has markers")
    frame: int = field(hidden=True)
    fraction: float = field(hidden=True)
    rate: float = field(hidden=True)
    last_frame: int = field(hidden=True)
    last_fraction: float = field(hidden=True)
    last_rate: float = field(hidden=True)
    slot: int = field(-1, hidden=True, doc="of the mixer; -1: virtual, it goes on unheard")
    level: float = field(hidden=True, doc="the gain with distance, cone, walls and fade")
    direction: Vec3 = field(hidden=True, doc="towards it in the listener's frame, of length 0 (near) to 1")
    cutoff: float = field(hidden=True, unit="Hz", doc="of its low-pass with walls and air; 0: none")


@table(view=True)
class Buses:
    """One row for each bus; the first is `master`, and a parent comes before its children."""

    name: Str = field("", doc="what sources and effects call it")
    parent: Str = field("", doc="the bus that gets its sound; empty for `master`")
    gain: float = field(1.0, low=0, high=16, doc="factor")
    muted: bool = field(False, doc="whether it is silent")
    low_pass: float = field(0.0, unit="Hz", low=0, doc="frequencies above are taken away", meanings={0: "none"})
    high_pass: float = field(0.0, unit="Hz", low=0, doc="frequencies below are taken away", meanings={0: "none"})
    delay: float = field(0.25, unit="s", low=0.001, high=2, doc="between echoes")
    delay_feedback: float = field(0.35, low=0, high=0.95, doc="of an echo in the next one")
    delay_mix: float = field(0.0, low=0, high=1, doc="share of the echoes; 0: none")
    reverb_mix: float = field(0.0, low=0, high=1, doc="share of the reverb; 0: none")
    reverb_room: float = field(0.6, low=0, high=1, doc="size of the room")
    reverb_damp: float = field(0.4, low=0, high=1, doc="how much the walls take from high frequencies")
    limit: float = field(0.0, low=0, high=4, doc="the greatest sample", meanings={0: "none"})
    duck_by: Str = field("", doc="the bus whose sounds lower this one; empty: none")
    duck_gain: float = field(0.4, low=0, high=1, doc="factor while that is loud")
    duck_threshold: float = field(0.05, low=0, high=1, doc="the level from which it counts as loud")
    duck_attack: float = field(0.05, unit="s", low=0.001, high=10, doc="how quickly this one is lowered")
    duck_release: float = field(0.5, unit="s", low=0.001, high=10, doc="how quickly it comes back")


@table(view=True)
class BusFades:
    """Parameters of buses that change over time, one row each."""

    bus: Str = field("", hidden=True)
    parameter: Str = field("", hidden=True)
    target: float = field(0.0, hidden=True)
    left: float = field(0.0, unit="s", hidden=True)


@resource(view=True)
class AudioState:
    """The other state of the sound system.

    serial: of the last voice. mix: the mix that was set last. stolen: the number of voices that were ended to make
    room for others. ears: the position of the listener in the previous tick, for its speed. began: the scene that
    begins with this tick. played: by sound, the tick in which it was last played. drawn: by sound, the number of random
    numbers that it has drawn.
    """

    serial: int = 0
    mix: str = ""
    stolen: int = 0
    ears: tuple[float, ...] = ()
    began: str = ""
    played: dict[str, int] = dataclass_field(default_factory=dict[str, int])
    drawn: dict[str, int] = dataclass_field(default_factory=dict[str, int])
