"""Starts sounds one by one: the plain form of `start_voices`, which starts them together."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_audio import AudioSettings, AudioSource, AudioState, ClipLibrary, SoundBank, Voices
from rish_audio.sounds.bank import SILENCE
from rish_audio.voices import admission
from rish_audio.voices.fades import fade_to
from rish_audio.voices.voice_end import end_voices
from rish_audio.voices.voice_start import MAX_GAIN, MAX_PITCH, MIN_PITCH, frame_of, loop_of
from rish_core import World
from rish_ecs.random import Stream, stream_key
from rish_jit import maths


def start_one_by_one(world: World, **columns: Any) -> Any:
    """Start sounds in their order, each with the table of voices as the former ones left it."""
    serials: list[int] = []
    for row in range(len(columns["sound"])):
        given = {name: value[row] if isinstance(value, np.ndarray) else value for name, value in columns.items()}
        serial = _start(world, **given)
        if given.get("bound"):
            table = world.table(AudioSource)
            table.voice[table.row_of(int(given["source"]))] = serial
        serials.append(serial)
    return np.where(np.isin(serials, world[Voices].serial), serials, 0)


def _start(world: World, *, fade: Any, crossfade: Any = False, **given: Any) -> int:
    given |= {name: world.text(int(given[name])) for name in ("sound", "tag", "bus") if name in given}
    sound_name = given["sound"]
    sound, state, voices = world[SoundBank].sound(world, sound_name), world[AudioState], world[Voices]
    if sound is SILENCE or not sound.clips or not _passes_limits(world, sound, sound_name):
        return 0
    if len(voices) >= admission.MAX_VOICES and not _make_room(world, int(given["priority"] or sound.priority)):
        return 0
    state.serial += 1
    if sound.cooldown > 0:
        state.played[sound_name] = world.tick
    clip, gain, pitch = _varied(world, sound)
    gain, pitch = gain * float(given.pop("gain", 1.0)), pitch * float(given.pop("pitch", 1.0))
    gain, pitch = min(max(gain, 0.0), MAX_GAIN), min(max(pitch, MIN_PITCH), MAX_PITCH)
    info, settings = world[ClipLibrary].info(world, clip), world[AudioSettings]
    row = {
        **given, "frame": frame_of(info, float(given.pop("start", 0.0))), "serial": state.serial, "clip": clip,
        "own": (gain, pitch), "gain": gain, "pitch": pitch, "clip_rate": info.rate, "length": info.frames,
        "repeats": loop_of(sound, info), "marked": bool(sound.markers or info.markers), "rolloff": settings.rolloff,
        "doppler": 1.0, "loop": bool(given["loop"]) or sound.loop, "bus": given["bus"] or sound.bus,
        "priority": given["priority"] or sound.priority, "low_pass": sound.low_pass, "echo": sound.echo,
        "spatial": bool(given.get("spatial")) and sound.spatial,
        "min_distance": sound.min_distance or settings.min_distance,
        "max_distance": sound.max_distance or settings.max_distance,
    }  # fmt: skip
    row.pop("start", None)
    voices.append(1, **{name: _plain(value) for name, value in row.items()})
    if fade > 0:
        voices.fade[-1] = 0
        fade_to(world, np.array([len(voices) - 1]), 1.0, float(fade), crossfade=bool(crossfade))
    return state.serial


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.generic | np.ndarray) else value


def _passes_limits(world: World, sound: Any, name: str) -> bool:
    last = world[AudioState].played.get(name)
    if sound.cooldown > 0 and last is not None and 0 <= (world.tick - last) * world.dt < sound.cooldown:
        return False
    same = np.flatnonzero(world[Voices].column("sound") == world.intern(name))
    if sound.most and len(same) >= sound.most:
        end_voices(world, same[: len(same) - sound.most + 1], stolen=True)
    return True


def _make_room(world: World, priority: int) -> bool:
    voices = world[Voices]
    row = int(np.lexsort((voices.serial, voices.level, voices.priority))[0])
    if voices.priority[row] > priority:
        return False
    end_voices(world, np.array([row]), stolen=True)
    return True


def _varied(world: World, sound: Any) -> tuple[str, float, float]:
    clip, gain, pitch = sound.clips[0], sound.gain, sound.pitch
    if len(sound.clips) > 1 or sound.gain_spread or sound.pitch_spread:
        key = stream_key(world.seed, f"audio.{sound.name}")
        stream = Stream(key, name=sound.name, counters=world[AudioState].drawn)
        clip = sound.clips[int(stream.integers(0, len(sound.clips)))]
        gain *= 1 + sound.gain_spread * stream.uniform(-1, 1)
        pitch *= float(maths.exp(maths.log(2.0) * (1 / 12) * sound.pitch_spread * stream.uniform(-1, 1)))
    return clip, gain, pitch
