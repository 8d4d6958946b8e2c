"""Named sounds: what a name means that `play`, an `AudioSource` or a rule gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

SUFFIXES = (".wav", ".ogg", ".mp3", ".flac")
"""The sound files that can be played."""


@dataclass(frozen=True)
class Sound:
    """A named sound.

    clips: files or made clips, of which one is chosen at random each time. made: what the clip is made of, a `Synth` or
    a `Tune`; None if it is a file. gain, pitch: factors. gain_spread: the gain varies by up to this share. pitch_spread:
    the pitch varies by up to so many semitones. cooldown: seconds in which it is not played again. most: the most
    voices that play it at once, 0 for any number. streamed: whether its files are streamed; None: by their length.
    markers: names and seconds. loop_from, loop_to: seconds of the repeated part; below 0: as the file says, or all.
    """

    name: str
    clips: tuple[str, ...] = ()
    made: Any = None
    bus: str = "effects"
    gain: float = 1.0
    pitch: float = 1.0
    gain_spread: float = 0.0
    pitch_spread: float = 0.0
    priority: int = 0
    loop: bool = False
    cooldown: float = 0.0
    most: int = 0
    spatial: bool = True
    min_distance: float = 0.0
    max_distance: float = 0.0
    low_pass: float = 0.0
    echo: float = 0.0
    streamed: bool | None = None
    markers: tuple[tuple[str, float], ...] = ()
    loop_from: float = -1.0
    loop_to: float = -1.0
