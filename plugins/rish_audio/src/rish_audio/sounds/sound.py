"""Named sounds: the meaning of a name that is given to `play`, an `AudioSource` or a rule."""

from __future__ import annotations

from typing import Any

from rish_core import Str, field, resource

SUFFIXES = (".wav", ".ogg", ".mp3", ".flac")
"""The sound files that can be played."""


@resource
class Sound:
    """A named sound: files or a generated clip, and how they are played.

    name: its name in the settings. made: the `Synth` or `Tune` that generates the clip; None for files. markers: names
    and seconds. streamed: None decides by the length.
    """

    clips: list[Str] = field((), doc="files, of which one is chosen at random each time")
    bus: Str = field("effects", names="buses", doc="what it is mixed into")
    gain: float = field(1.0, low=0, high=100, doc="factor")
    gain_spread: float = field(0.0, low=0, high=1, doc="the gain varies by up to this share")
    pitch: float = field(1.0, low=0.01, high=16, doc="speed as a factor; 2: an octave higher")
    pitch_spread: float = field(0.0, low=0, high=24, unit="semitones", doc="the pitch varies by up to so much")
    priority: int = field(0, low=-100, high=100, doc="higher ones keep their voice when too many sound at once")
    loop: bool = field(False, doc="whether it begins again at its end; a `synth` with `loop` does")
    loop_from: float = field(
        -1.0, unit="s", doc="where the repeated part begins", meanings={-1: "as the file says, or 0"}
    )
    loop_to: float = field(
        -1.0, unit="s", doc="where the repeated part ends", meanings={-1: "as the file says, or the end"}
    )
    cooldown: float = field(0.0, unit="s", low=0, doc="in which it is not played again")
    most: int = field(0, low=0, high=256, doc="the most voices that play it at once", meanings={0: "any number"})
    spatial: bool = field(True, doc="false: it is heard everywhere alike, even if it has a place")
    min_distance: float = field(
        0.0, unit="units", low=0, doc="up to which it has its full gain", meanings={0: "as in the settings"}
    )
    max_distance: float = field(
        0.0, unit="units", low=0, doc="at which it is silent", meanings={0: "as in the settings"}
    )
    low_pass: float = field(0.0, unit="Hz", low=0, doc="frequencies above are taken away", meanings={0: "none"})
    echo: float = field(0.0, low=0, high=1, doc="how much of it the bus `echo` gets")

    def __post_init__(self) -> None:
        """Set the attributes that are not fields of a resource."""
        self.name = ""
        self.made: Any = None
        self.streamed: bool | None = None
        self.markers: tuple[tuple[str, float], ...] = ()
