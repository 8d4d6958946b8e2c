"""Moves the voices on through their clips by a tick; reports markers and ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..clips.library import ClipLibrary
from ..components.commands import SoundMarker
from ..components.tables import Voices
from ..sounds.bank import SoundBank
from .birth import report_end

if TYPE_CHECKING:
    from rish_core import World

    from ..clips.info import ClipInfo
    from ..sounds.sound import Sound

Array = npt.NDArray[Any]
OVER = 3
"""`Voices.ending` of a voice that has come to its end; it is removed in the next tick, when it has been mixed."""


def advance_voices(world: World, dt: float) -> None:
    """Move all voices that are not paused; the fields `last_...` get the values of the beginning of the tick."""
    voices, library = world[Voices], world[ClipLibrary]
    texts = world.texts.texts
    infos = [library.info(world, texts[number]) for number in voices.column("clip").tolist()]
    voices.last_frame[:] = voices.frame
    voices.last_fraction[:] = voices.fraction
    rates = np.array([info.rate for info in infos], np.float64)
    speed = 0.5 * (voices.last_rate.astype(np.float64) + voices.rate)
    on = voices.fraction + np.where(voices.paused, 0.0, speed * rates * dt)
    whole = np.floor(on)
    before = voices.frame.copy()
    voices.frame[:] = before + whole.astype(np.int32)
    voices.fraction[:] = on - whole
    length = np.array([info.frames for info in infos], np.int64)
    over = ~voices.loop & (voices.frame >= length) & ~voices.paused
    over |= length == 0
    _report_markers(world, infos, before)
    if over.any():
        report_end(world, np.flatnonzero(over))
        voices.ending[over] = OVER


def _report_markers(world: World, infos: list[ClipInfo], before: Array) -> None:
    voices, bank = world[Voices], world[SoundBank]
    texts = world.texts.texts
    for row, number in enumerate(voices.column("sound").tolist()):
        sound, info = bank.sound(world, texts[number]), infos[row]
        if not sound.markers and not info.markers:
            continue
        for name in _passed(sound, info, bool(voices.loop[row]), int(before[row]), int(voices.frame[row])):
            found = {key: voices.column(key)[row : row + 1] for key in ("source", "sound", "tag")}
            world.emit(SoundMarker, marker=name, **found)


def _passed(sound: Sound, info: ClipInfo, loop: bool, begin: int, end: int) -> list[str]:
    """Return the markers between two positions, in order; a loop passes them again."""
    first, last = loop_of(sound, info)
    found: list[tuple[int, str]] = []
    for name, frame in (*info.markers, *((name, int(at * info.rate)) for name, at in sound.markers)):
        places = [frame]
        if loop and first <= frame < last:
            turns = max((begin - frame) // (last - first), 0)
            places = [frame + turn * (last - first) for turn in range(turns, turns + 3)]
        found += [(place, name) for place in places if begin <= place < end]
    return [name for _, name in sorted(found)]


def loop_of(sound: Sound, info: ClipInfo) -> tuple[int, int]:
    """Return the frames of a clip that a loop repeats: those of the named sound, of the file, or all."""
    first, last = info.loop or (0, info.frames)
    if sound.loop_from >= 0:
        first = int(sound.loop_from * info.rate)
    if sound.loop_to > 0:
        last = int(sound.loop_to * info.rate)
    last = min(last, info.frames)
    return (first, last) if 0 <= first < last else (0, max(info.frames, 1))
