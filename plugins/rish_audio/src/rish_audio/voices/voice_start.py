"""Adds new voices: selects a clip of the sound, varies gain and pitch, and writes the row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs.random import Stream, stream_key
from rish_jit import Array, maths

from ..clips.clip_library import ClipLibrary
from ..components.commands import SoundEnded
from ..components.settings import AudioSettings
from ..components.tables import AudioState, Voices
from ..sounds.bank import SILENCE, SoundBank
from ..sounds.sound import Sound
from .states import STOPPED, write_states

if TYPE_CHECKING:
    from rish_core import World

    from ..clips.info import ClipInfo

MAX_VOICES = 1024
"""The greatest number of voices of a World, including virtual ones. If it is reached, a new voice ends the least
important one.
"""
MAX_GAIN, MIN_PITCH, MAX_PITCH = 100.0, 0.01, 16.0
"""The limits of a voice's gain and pitch."""
_SEMITONE = 1 / 12


def begin(world: World, name: str, **given: Any) -> int:
    """Add a voice that plays a sound from this tick on; return its serial, 0 if the sound is not played now.

    given: fields of `Voices`; `gain` and `pitch` are factors that the command gives, `start` is in seconds.
    """
    sound = world[SoundBank].sound(world, name)
    state, voices = world[AudioState], world[Voices]
    if sound is SILENCE or not sound.clips or not _may_begin(world, sound, name):
        return 0
    if len(voices) >= MAX_VOICES and not _make_room(world, int(given.get("priority") or sound.priority)):
        return 0
    state.serial += 1
    if sound.cooldown > 0:
        state.played[name] = world.tick
    clip, gain, pitch = _varied(world, sound)
    gain, pitch = gain * given.pop("gain", 1.0), pitch * given.pop("pitch", 1.0)
    gain, pitch = min(max(gain, 0.0), MAX_GAIN), min(max(pitch, MIN_PITCH), MAX_PITCH)
    info = world[ClipLibrary].info(world, clip)
    frame = frame_of(info, given.pop("start", 0.0))
    near, far = given.get("min_distance") or sound.min_distance, given.get("max_distance") or sound.max_distance
    settings = world[AudioSettings]
    row: dict[str, Any] = {
        "serial": state.serial, "sound": name, "clip": clip, "own": (gain, pitch), "gain": gain, "pitch": pitch,
        "clip_rate": info.rate, "length": info.frames, "repeats": loop_of(sound, info),
        "marked": bool(sound.markers or info.markers), "frame": frame, "rolloff": settings.rolloff, "doppler": 1.0,
        **given,
        "loop": bool(given.get("loop")) or sound.loop,
        "bus": given.get("bus") or sound.bus,
        "priority": given.get("priority") or sound.priority,
        "spatial": bool(given.get("spatial")) and sound.spatial,
        "min_distance": near or settings.min_distance, "max_distance": far or settings.max_distance,
        "low_pass": given.get("low_pass") or sound.low_pass,
        "echo": max(given.get("echo", 0.0), sound.echo),
    }  # fmt: skip
    voices.append(1, **row)
    return state.serial


def _may_begin(world: World, sound: Sound, name: str) -> bool:
    """Return True if the cooldown of a sound has passed. If the sound already has its greatest number of voices, the
    oldest one is ended.
    """
    last = world[AudioState].played.get(name)
    if sound.cooldown > 0 and last is not None and 0 <= (world.tick - last) * world.dt < sound.cooldown:
        return False
    if sound.most:
        voices = world[Voices]
        same_sound = np.flatnonzero(voices.column("sound") == world.intern(name))
        if len(same_sound) >= sound.most:
            end_voices(world, same_sound[: len(same_sound) - sound.most + 1], stolen=True)
    return True


def _make_room(world: World, priority: int) -> bool:
    """End the least important voice, the oldest among equals; return False if all are more important."""
    voices = world[Voices]
    row = int(np.lexsort((voices.serial, voices.level, voices.priority))[0])
    if voices.priority[row] > priority:
        return False
    end_voices(world, np.array([row]), stolen=True)
    return True


def end_voices(world: World, rows: Array, *, stolen: bool = False, stopped: bool = False) -> None:
    """Remove voices immediately, and emit their events. The mixer fades them out."""
    voices = world[Voices]
    if not len(rows):
        return
    report_end(world, rows, stolen=stolen, stopped=stopped)
    world[AudioState].stolen += len(rows) * stolen
    remaining = np.ones(len(voices), np.bool_)
    remaining[rows] = False
    voices.keep_rows(remaining)


def report_end(world: World, rows: Array, *, stolen: bool = False, stopped: bool = False) -> None:
    """Emit `SoundEnded` for voices, and stop their sources."""
    voices = world[Voices]
    texts = {name: voices.column(name)[rows] for name in ("source", "sound", "tag")}
    world.emit(SoundEnded, **texts, stolen=stolen, stopped=stopped)
    write_states(world, rows, STOPPED)


def _varied(world: World, sound: Sound) -> tuple[str, float, float]:
    """Return a clip of the sound, its gain and pitch; random numbers are drawn only if something varies."""
    clip, gain, pitch = sound.clips[0], sound.gain, sound.pitch
    if len(sound.clips) == 1 and not sound.gain_spread and not sound.pitch_spread:
        return clip, gain, pitch
    counters = world[AudioState].drawn
    counter = counters.get(sound.name, 0)
    stream = Stream(stream_key(world.seed, f"audio.{sound.name}"), counter)
    clip = sound.clips[int(stream.integers(0, len(sound.clips)))]
    gain *= 1 + sound.gain_spread * stream.uniform(-1, 1)
    pitch *= float(maths.exp(maths.log(2.0) * _SEMITONE * sound.pitch_spread * stream.uniform(-1, 1)))
    counters[sound.name] = stream.counter
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
