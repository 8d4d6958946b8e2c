"""Adds new voices: selects the clips of their sounds, varies gains and pitches, and writes the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs.declarations import members_of
from rish_ecs.random import Stream, stream_key
from rish_jit import Array, maths

from ..clips.clip_library import ClipLibrary
from ..components.settings import AudioSettings
from ..components.source import Rolloff
from ..components.tables import AudioState, Voices
from ..sounds import bank as facts
from ..sounds.bank import SILENCE, SoundBank
from ..sounds.sound import Sound
from .admission import Admission
from .voice_end import end_voices

if TYPE_CHECKING:
    from rish_core import World

    from ..clips.info import ClipInfo

MAX_GAIN, MIN_PITCH, MAX_PITCH = 100.0, 0.01, 16.0
"""The limits of a voice's gain and pitch."""
_SEMITONE = maths.log(2.0) * (1 / 12)
"""The natural logarithm of the factor of a semitone."""
_CLIP, _RATE, _FRAMES, _LOOP_BEGIN, _LOOP_END, _MARKED = range(6)
"""The columns of `_Starting.clips`."""


def start_voices(
    world: World, *, sound: Array, priority: Array, bus: Array, fade: Array, gain: Any = 1.0, pitch: Any = 1.0,
    start: Any = 0.0, crossfade: Any = False, spatial: Any = False, loop: Any = False, **columns: Any,
) -> Array:  # fmt: skip
    """Add the voices of sounds that play from this tick on, as if they were started one after another.

    All arguments have a row for each sound. sound, bus: numbers of texts. priority, bus: 0 for those of the sound.
    gain, pitch: factors. start: the position in the clip, seconds. fade: seconds of the fade-in. crossfade: see
    `fade_to`. columns: other fields of `Voices`. Returns the serials of the voices, int64 (n,): 0 for a sound that is
    not played now, or whose voice has ended for a later one.
    """
    starting = _Starting(world)
    serials = np.array([starting.start(*each) for each in zip(sound.tolist(), priority.tolist(), strict=True)])
    rows = np.flatnonzero(serials)
    if len(rows):
        given = {
            "sound": sound, "priority": priority, "bus": bus, "gain": gain, "pitch": pitch, "start": start,
            "fade": fade, "crossfade": crossfade, "spatial": spatial, "loop": loop, **columns,
        }  # fmt: skip
        given = {name: value[rows] if isinstance(value, np.ndarray) else value for name, value in given.items()}
        _append(world, starting, serials[rows], given)
    if starting.admission.ended:
        ended = np.array([*starting.admission.ended])
        serials[np.isin(serials, world[Voices].serial[ended])] = 0
        end_voices(world, ended, stolen=True)
    return serials


class _Starting:
    """The sounds that begin: for each the number of its row in `clips`, its gain and its pitch.

    clips: rows of the numbers of `_CLIP` to `_MARKED`, one for each sound and clip.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._bank: SoundBank = world[SoundBank]
        self._clip_rows: dict[tuple[int, str], int] = {}
        self.admission = Admission(world)
        self.clips: list[tuple[int, ...]] = []
        self.chosen: list[tuple[int, float, float]] = []

    def start(self, number: int, priority: int) -> int:
        """Return the serial of the voice of a sound, 0 if it is not played now. number: of its text."""
        world = self._world
        name = world.texts.texts[number]
        sound = self._bank.sound(world, name)
        if sound is SILENCE or not sound.clips or not self.admission.admit(number, name, sound, priority):
            return 0
        clip, gain, pitch = _varied(world, sound)
        row = self._clip_rows.get((number, clip))
        if row is None:
            row = self._clip_rows[number, clip] = self._read_clip(sound, clip)
        self.chosen.append((row, gain, pitch))
        world[AudioState].serial += 1
        return world[AudioState].serial

    def _read_clip(self, sound: Sound, clip: str) -> int:
        info = self._world[ClipLibrary].info(self._world, clip)
        marked = bool(sound.markers or info.markers)
        self.clips.append((self._world.intern(clip), info.rate, info.frames, *loop_of(sound, info), marked))
        return len(self.clips) - 1


def _append(world: World, starting: _Starting, serials: Array, given: dict[str, Any]) -> None:
    """Append the rows of new voices. given: the arguments of `start_voices`."""
    voices, settings = world[Voices], world[AudioSettings]
    row, gain, pitch = np.array(starting.chosen).T
    clip = np.array(starting.clips)[row.astype(np.int64)].T
    fact = world[SoundBank].facts(world, given["sound"]).T
    gain = np.clip(gain * given.pop("gain"), 0.0, MAX_GAIN)
    pitch = np.clip(pitch * given.pop("pitch"), MIN_PITCH, MAX_PITCH)
    frame = np.trunc(np.multiply(given.pop("start"), clip[_RATE], dtype=np.float64))
    near, far = fact[facts.MIN_DISTANCE], fact[facts.MAX_DISTANCE]
    values: dict[str, Any] = {
        **given, **_fade_in(world, given["fade"], given["crossfade"]),
        "serial": serials, "clip": clip[_CLIP], "own": np.column_stack([gain, pitch]), "gain": gain, "pitch": pitch,
        "clip_rate": clip[_RATE], "length": clip[_FRAMES], "repeats": clip[_LOOP_BEGIN : _LOOP_END + 1].T,
        "marked": clip[_MARKED], "frame": np.maximum(np.minimum(frame, clip[_FRAMES] - 1), 0),
        "rolloff": members_of(Rolloff).index(settings.rolloff), "doppler": 1.0,
        "loop": given["loop"] | (fact[facts.LOOP] != 0),
        "bus": np.where(given["bus"] != 0, given["bus"], fact[facts.BUS]),
        "priority": np.where(given["priority"] != 0, given["priority"], fact[facts.PRIORITY]),
        "spatial": given["spatial"] & (fact[facts.SPATIAL] != 0),
        "min_distance": np.where(near != 0, near, settings.min_distance),
        "max_distance": np.where(far != 0, far, settings.max_distance),
        "low_pass": fact[facts.LOW_PASS], "echo": np.maximum(fact[facts.ECHO], 0),
    }  # fmt: skip
    rows = voices.resize(len(voices) + len(serials))
    for name, default in voices.defaults().items():
        voices.column(name)[rows] = values.get(name, default)


def _fade_in(world: World, seconds: Array, crossfade: Any) -> dict[str, Array]:
    """Return the columns of voices that fade in from silence; where `seconds` is 0, they begin at their gain."""
    fades = seconds > 0
    ticks = np.maximum(seconds.astype(np.float64) / world.dt, 1.0).astype(np.float32)
    step = np.maximum(np.float32(1) / ticks, np.float32(1e-7))
    return {"fade": ~fades, "fade_step": np.where(fades, step, 0), "crossfade": fades & crossfade}


def _varied(world: World, sound: Sound) -> tuple[str, float, float]:
    """Return a clip of the sound, its gain and pitch; random numbers are drawn only if something varies."""
    clip, gain, pitch = sound.clips[0], sound.gain, sound.pitch
    if len(sound.clips) == 1 and not sound.gain_spread and not sound.pitch_spread:
        return clip, gain, pitch
    key = stream_key(world.seed, f"audio.{sound.name}")
    stream = Stream(key, name=sound.name, counters=world[AudioState].drawn)
    clip = sound.clips[int(stream.integers(0, len(sound.clips)))]
    gain *= 1 + sound.gain_spread * stream.uniform(-1, 1)
    pitch *= float(maths.exp(_SEMITONE * sound.pitch_spread * stream.uniform(-1, 1)))
    return clip, gain, pitch


def frame_of(info: ClipInfo, seconds: float) -> int:
    """Return the frame of a clip at a time in seconds, limited to the clip."""
    return max(0, min(int(seconds * info.rate), info.frames - 1))


def loop_of(sound: Sound, info: ClipInfo) -> tuple[int, int]:
    """Return the frames (begin, end) of a clip that a loop repeats: those of the named sound, otherwise of the file,
    otherwise all.
    """
    first, last = info.loop or (0, info.frames)
    if sound.loop_from >= 0:
        first = int(sound.loop_from * info.rate)
    if sound.loop_to > 0:
        last = int(sound.loop_to * info.rate)
    last = min(last, info.frames)
    return (first, last) if 0 <= first < last else (0, max(info.frames, 1))
