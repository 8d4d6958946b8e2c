"""The components: sources of sound, and the listener."""

from __future__ import annotations

import math
from enum import Enum

from rish_core import Str, Vec3, component, field


class Rolloff(Enum):
    """The formula by which the gain of a source falls between its least and its greatest distance (OpenAL 1.1, clamped
    models).
    """

    DEFAULT = "default"
    NONE = "none"
    INVERSE = "inverse"
    LINEAR = "linear"
    EXPONENTIAL = "exponential"


class SoundState(Enum):
    """The state of a source. A script may write it: PLAYING starts or continues, STOPPED stops and returns to the
    beginning.
    """

    STOPPED = "stopped"
    PLAYING = "playing"
    PAUSED = "paused"


@component(view=True)
class AudioListener:
    """The place from which the game is heard, at its Transform. The first enabled listener is used.

    Without one, the main camera of the plugin render is the listener. In 2D the right is +x, the front +y and the top
    +z, all turned by the Transform's rotation; `forward` and `up` give another orientation.
    """

    enabled: bool = field(True, doc="whether it listens")
    gain: float = field(1.0, low=0, high=100, doc="times everything that has a place")
    height: float = field(0.0, unit="units", doc="above the plane, towards the viewer")
    forward: Vec3 = field((0, 1, 0), doc="where it faces")
    up: Vec3 = field((0, 0, 1), doc="where its top is")


@component(view=True)
class AudioSource:
    """Plays a clip, at its Transform if it is spatial. A script may change every field while it plays."""

    clip: Str = field("", names="sounds", doc="a sound file, a named sound, or a sound that ships (coin, laser, ...)")
    state: SoundState = field(SoundState.STOPPED, doc="what it does now; autoplay starts it")
    autoplay: bool = field(True, doc="whether it begins to play when it appears")
    loop: bool = field(False, doc="whether it begins again at its end")
    bus: Str = field("", names="buses", doc="what it is mixed into; empty: as the sound says, or effects")
    gain: float = field(1.0, low=0, high=100, step=0.02, doc="factor")
    pitch: float = field(1.0, low=0.01, high=16, step=0.01, doc="speed of the clip as a factor; 2: an octave higher")
    pan: float = field(0.0, low=-1, high=1, step=0.02, doc="of a source that is not spatial: -1 left, 1 right")
    priority: int = field(0, low=-100, high=100, doc="higher ones keep their voice when too many sound at once")
    fade_in: float = field(0.0, unit="s", low=0, doc="from silence, each time it starts")
    spatial: bool = field(True, doc="whether place and distance matter; needs a Transform")
    min_distance: float = field(
        0.0, unit="units", low=0, doc="up to which it has its full gain", meanings={0: "as in the settings"}
    )
    max_distance: float = field(
        0.0, unit="units", low=0, doc="at which it is silent", meanings={0: "as in the settings"}
    )
    rolloff: Rolloff = field(Rolloff.DEFAULT, doc="how it gets quieter with distance")
    rolloff_factor: float = field(1.0, low=0, high=100, doc="how quickly")
    cone_inner: float = field(2 * math.pi, unit="rad", angle=True, low=0, high=2 * math.pi, doc="its cone, full angle")
    cone_outer: float = field(2 * math.pi, unit="rad", angle=True, low=0, high=2 * math.pi, doc="full angle; outside:")
    cone_outer_gain: float = field(0.0, low=0, high=1, doc="gain outside the outer cone, which points to its x axis")
    doppler: float = field(1.0, low=0, high=10, doc="times the Doppler effect of the settings")
    height: float = field(0.0, unit="units", doc="above the plane, towards the viewer")
    walls: float = field(1.0, low=0, high=1, doc="times how much walls muffle it")
    low_pass: float = field(0.0, unit="Hz", low=0, doc="frequencies above are taken away", meanings={0: "none"})
    echo: float = field(0.0, low=0, high=1, doc="how much of it the bus `echo` gets, whatever the distance")
    voice: int = field(0, hidden=True, doc="the serial of the voice that plays it; 0: none")
    began: bool = field(False, hidden=True, doc="whether autoplay was done")
