"""Tunes: music from notes as text, for several instruments.

A `Tune` has tracks, a `Track` has one sound and its notes (`rish_audio.synth.notation` describes their language). Equal
notes are rendered only once. Notes and tunes are in files: those of a minute need 30 MB.
"""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from rish_core import Str, field, resource
from rish_jit import Array, maths

from ..clips.sample_file import SampleFile
from .notation import Note, pitch_hertz, read_notes
from .parameters import Synth, copy_synth, duration
from .presets import DRUMS
from .render import synthesize

DRUM_WORDS = {
    "k": "kick", "s": "snare", "h": "hat", "o": "open_hat", "t": "tom", "p": "clap", "c": "crash",
    **{name: name for name in DRUMS},
}  # fmt: skip
"""The drums of a track by the words of its notes."""
_MAX_ECHOES = 8
"""The greatest number of repetitions of an echo."""
_MIN_ECHO = 0.02
"""An echo below this share of its note is left out."""
_PART = 1 << 15
"""The frames of a tune that are mixed at a time."""


@resource
class Track:
    """One instrument of a tune, and its notes."""

    notes: Str = field("", doc="what it plays, such as `c4 e4 g4:2 r`")
    drums: Str = field("", doc="what it plays on drums instead, such as `k h s h`")
    step: Str = field("1", doc="beats of a note without a length: 1, 1/2, 0.25")
    volume: float = field(0.5, low=0, high=1, doc="level of its notes")
    pan: float = field(0.0, low=-1, high=1, doc="-1 is left, 1 is right")
    transpose: int = field(0, low=-48, high=48, unit="semitones", doc="added to each note")
    gate: float = field(0.9, low=0, high=1, doc="share of a note's length that is held, if the sound has a hold")
    echo: float = field(0.0, low=0, high=0.9, doc="level of each repetition beside the one before; 0: none")
    echo_time: float = field(0.75, low=0.05, high=16, unit="beats", doc="between repetitions")
    synth: Synth = dataclasses.field(default_factory=Synth)
    """The sound of the notes, which set its frequency and its hold; one without a hold is plucked."""


@resource
class Tune:
    """A piece of music."""

    tempo: float = field(120.0, low=20, high=400, unit="beats/min", doc="speed")
    meter: int = field(
        4, low=0, high=32, unit="beats", doc="of a bar, to check bar lines", meanings={0: "they may be anywhere"}
    )
    swing: float = field(0.0, low=0, high=0.9, doc="how late the second half of each beat is; 0.33: triplets")
    loop: bool = field(True, doc="the tails of the last notes sound at the begin, so that it repeats without a gap")
    gain: float = field(0.6, low=0, high=1, doc="the greatest sample")
    tracks: dict[str, Track] = dataclasses.field(default_factory=dict)


def notes_of(track: Track, meter: int = 0) -> tuple[list[Note], Fraction]:
    """Return the notes of a track and its length in beats. Raises WrongNotes."""
    return _read(track.drums or track.notes, read_step(track.step), meter, bool(track.drums))


@lru_cache(64)
def _read(text: str, step: Fraction, meter: int, drums: bool) -> tuple[list[Note], Fraction]:
    return read_notes(text, step, meter, DRUM_WORDS if drums else None)


def read_step(text: str) -> Fraction:
    """Return beats written as `1/2` or `0.5`. Raises ValueError for a text that is not a number above 0."""
    try:
        step = Fraction(str(text))
    except (ValueError, ZeroDivisionError):
        step = Fraction(0)
    if not 0 < step <= 64:
        raise ValueError(f"must be beats such as 1, 1/2 or 0.25, not {text!r}")
    return step


def beats_of(tune: Tune) -> Fraction:
    """Return the length of a tune in beats: that of its longest track; shorter tracks repeat. Raises WrongNotes."""
    return max((notes_of(track, tune.meter)[1] for track in tune.tracks.values()), default=Fraction(0))


def tune_duration(tune: Tune) -> float:
    """Return the length of a tune in seconds; without `loop`, with the tails of its last notes. Raises WrongNotes."""
    beat = 60.0 / tune.tempo
    end = float(beats_of(tune)) * beat
    if tune.loop:
        return end
    tracks = tune.tracks.values()
    tails = [_end(note, track) + _echo_time(track) * beat for track in tracks for note in _placed(track, tune)]
    return max([end, *tails])


def tune_frames(tune: Tune, rate: int) -> int:
    """Return the number of frames of a tune at a sample rate, at least 2."""
    return max(round(tune_duration(tune) * rate), 2)


@dataclasses.dataclass(frozen=True)
class _Placed:
    """A note with begin and length in seconds."""

    begin: float
    length: float
    pitch: int | str
    level: float


def _placed(track: Track, tune: Tune) -> list[_Placed]:
    """Return the notes of a track, repeated up to the end of the tune."""
    total, second = beats_of(tune), 60.0 / tune.tempo
    notes, length = notes_of(track, tune.meter)
    placed_notes: list[_Placed] = []
    for again in range(-(-total // length) if length else 0):
        for note in notes:
            begin = note.begin + again * length
            if begin < total:
                start, end = (_swung(beat, tune.swing) * second for beat in (begin, begin + note.length))
                placed_notes.append(_Placed(start, end - start, note.pitch, note.level))
    return placed_notes


def _swung(beat: Fraction, swing: float) -> float:
    """Return the beat at which a note begins: the half of a beat is at (1 + swing) / 2."""
    start = beat // 1
    part = float(beat - start)
    half = 0.5 * (1.0 + swing)
    return start + (part * 2.0 * half if part < 0.5 else half + (part - 0.5) * 2.0 * (1.0 - half))


def _sound(note: _Placed, track: Track) -> Synth:
    """Return the parameters of a note's sound."""
    if isinstance(note.pitch, str):
        return copy_synth(DRUMS[note.pitch], gain=1.0)
    hertz = min(max(pitch_hertz(note.pitch + track.transpose), 1.0), 20_000.0)
    plucked = track.synth.hold == 0
    hold = 0.0 if plucked else min(max(track.gate * note.length - track.synth.attack, 0.0), 30.0)
    return copy_synth(track.synth, frequency=hertz, hold=hold, gain=1.0, loop=False)


def _end(note: _Placed, track: Track) -> float:
    return note.begin + duration(_sound(note, track))


def _echo_time(track: Track) -> float:
    """Return the beats from a note to its last echo."""
    return track.echo_time * len(_echoes(track))


def _echoes(track: Track) -> list[float]:
    """Return the levels of the repetitions."""
    levels, level = list[float](), track.echo
    while level > _MIN_ECHO and len(levels) < _MAX_ECHOES:
        levels.append(level)
        level *= track.echo
    return levels


def render_tune(tune: Tune, rate: int = 44_100) -> SampleFile:
    """Return the samples of a tune in a file, float32 (n, 2), n = `round(tune_duration(tune) * rate)`.

    The greatest absolute sample is the gain. Raises WrongNotes for notes that can't be read.
    """
    notes = SampleFile(rate, 1)
    lines = [_Line(track, tune, notes) for track in tune.tracks.values()]
    count = tune_frames(tune, rate)
    parts = [slice(begin, min(begin + _PART, count)) for begin in range(0, count, _PART)]
    peak = max(float(np.abs(_mix(lines, part)).max()) for part in parts)
    factor = tune.gain / peak if peak > 0 else 0.0
    samples = SampleFile(rate, 2)
    for part in parts:  # mixed again, because the whole as float64 is twice as large as the result
        samples.append((_mix(lines, part) * factor).T.astype(np.float32, "C"))
    return samples


def _mix(lines: list[_Line], part: slice) -> Array:
    """Return a part of the sum of all tracks, float64 (2, n)."""
    mix = np.zeros((2, part.stop - part.start))
    for line in lines:
        echoed = line.samples(part.start, part.stop)
        for k, level in enumerate(line.echoes):
            delay = line.delay * (k + 1)
            echoed += level * line.samples(part.start - delay, part.stop - delay)
        for side, factor in zip(mix, line.sides, strict=True):
            side += echoed * factor
    return mix


class _Line:
    """The rendered notes of one track. rendered: the file to which their samples are appended."""

    def __init__(self, track: Track, tune: Tune, rendered: SampleFile) -> None:
        rate = rendered.rate
        self.sides = [factor * track.volume for factor in _sides(track.pan)]
        self.echoes = _echoes(track)
        self.delay = round(track.echo_time * 60.0 / tune.tempo * rate)
        self._count = tune_frames(tune, rate)
        self._rendered = rendered
        spans: dict[Any, tuple[int, int]] = {}
        self._notes: list[tuple[int, float, int, int]] = []
        for note in _placed(track, tune):
            key = (note.pitch, round(note.length * rate))
            if key not in spans:
                samples = synthesize(_sound(note, track), rate)
                spans[key] = rendered.append(samples), len(samples)
            self._notes.append((round(note.begin * rate) % self._count, note.level, *spans[key]))

    def samples(self, start: int, stop: int) -> Array:
        """Return the sum of the notes from one frame to another, float64 (n,). The track repeats without end."""
        line, buffer = np.zeros(stop - start), np.empty(stop - start, np.float32)
        for begin, level, place, length in self._notes:
            # The first repetition whose end is behind `start`.
            first = begin - (begin + length - start - 1) // self._count * self._count
            for at in range(first, stop, self._count):
                low, high = max(at, start), min(at + length, stop)
                note = buffer[: high - low]
                self._rendered.read(place + low - at, note)
                line[low - start : high - start] += note.astype(np.float64) * level
        return line


def _sides(pan: float) -> tuple[float, float]:
    """Return the factors of left and right, with constant power: 0.707 in the middle."""
    sine, cosine = maths.sincos((pan + 1.0) * (maths.PI / 4.0))
    return cosine, sine
