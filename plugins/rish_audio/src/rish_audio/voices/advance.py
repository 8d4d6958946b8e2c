"""Advances the positions of voices in their clips by a tick, and emits events for markers and ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_jit import Array

from ..clips.clip_library import ClipLibrary
from ..components.commands import SoundMarker
from ..components.tables import Voices
from ..sounds.bank import SoundBank
from .states import OVER
from .voice_end import report_end
from .voice_start import loop_of

if TYPE_CHECKING:
    from rish_core import World

    from ..clips.info import ClipInfo
    from ..sounds.sound import Sound

_MAX_FRAME = 2**30
"""The greatest frame of a loop. After it, which takes hours, the position is set back by whole repetitions; the
samples are the same.
"""


def advance_voices(world: World, dt: float) -> bool:
    """Move all voices that are not paused; return whether a clip has ended. The fields `last_...` are set to the values
    at the beginning of the tick.
    """
    voices = world[Voices]
    before = voices.frame.copy()
    voices.last_frame[:] = before
    voices.last_fraction[:] = voices.fraction
    moves = (voices.last_rate + voices.rate.astype(np.float64)) * (0.5 * dt) * voices.clip_rate
    on = voices.fraction + np.where(voices.paused, 0.0, moves)
    steps = np.floor(on)
    fraction = (on - steps).astype(np.float32)
    rounded = fraction >= 1  # a number just below 1 is rounded to 1 in float32
    frame = before + steps.astype(np.int64) + rounded
    voices.fraction[:] = np.where(rounded, 0, fraction)
    over = ~voices.loop & (frame >= voices.length) & ~voices.paused
    over |= voices.length == 0
    if frame.max() > _MAX_FRAME:
        repeated = voices.repeats[:, 1] - voices.repeats[:, 0]
        frame = np.where(frame > _MAX_FRAME, frame - _MAX_FRAME // repeated * repeated, frame)
    voices.frame[:] = frame
    if voices.marked.any():
        _report_markers(world, before)
    ended = bool(over.any())
    if ended:
        report_end(world, np.flatnonzero(over))
        voices.ending[over] = OVER
    return ended


def _report_markers(world: World, before: Array) -> None:
    voices, bank, library = world[Voices], world[SoundBank], world[ClipLibrary]
    texts = world.texts.texts
    for row in np.flatnonzero(voices.marked).tolist():
        sound = bank.sound(world, texts[voices.column("sound")[row]])
        info = library.info(world, texts[voices.column("clip")[row]])
        for name in _passed(sound, info, bool(voices.loop[row]), int(before[row]), int(voices.frame[row])):
            fields = {key: voices.column(key)[row : row + 1] for key in ("source", "sound", "tag")}
            world.emit(SoundMarker, marker=name, **fields)


def _passed(sound: Sound, info: ClipInfo, loop: bool, begin: int, end: int) -> list[str]:
    """Return the markers between two positions, in order; in a loop a marker may occur several times."""
    first, last = loop_of(sound, info)
    markers: list[tuple[int, str]] = []
    for name, frame in (*info.markers, *((name, int(at * info.rate)) for name, at in sound.markers)):
        places = [frame]
        if loop and first <= frame < last:
            turns = max((begin - frame) // (last - first), 0)
            places = [frame + turn * (last - first) for turn in range(turns, turns + 3)]
        markers += [(place, name) for place in places if begin <= place < end]
    return [name for _, name in sorted(markers)]
