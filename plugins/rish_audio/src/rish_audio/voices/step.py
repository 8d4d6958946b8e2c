"""The step of a tick: everything that the World decides about sound.

commands ─► sources ─► places ─► fades ─► hearing ─► pool ─► positions, markers, ends
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_core import Edges, Stage, Transform, system

from ..components.commands import DelayedCommands, SoundCommand, SoundEnded, SoundMarker
from ..components.settings import AudioSettings
from ..components.source import AudioListener, AudioSource
from ..components.tables import AudioState, Buses, BusFades, Voices
from ..sounds.bank import SoundBank
from .advance import advance_voices
from .commands import carry_out
from .fades import advance_buses, advance_fades, put_buses
from .pool import give_slots
from .reactions import react
from .sources import follow_sources, place_voices
from .spatialization import hear
from .states import OVER
from .voice_end import end_voices

if TYPE_CHECKING:
    from rish_core import World

_READS = (SoundCommand, AudioSettings, AudioListener, Transform, Edges)
_WRITES = (AudioSource, Voices, Buses, BusFades, AudioState, DelayedCommands, SoundEnded, SoundMarker, SoundCommand)


@system(Stage.UPDATE, name="step", reads=_READS, writes=_WRITES, after=("*.*", "rules.run"), marks=True, always=True)
def step_audio(world: World, dt: float) -> None:
    """The system `audio.step`: carries out commands and advances all voices by a tick."""
    voices = world[Voices]
    if world[SoundBank].of_world(world).bus_inputs.changed(world):
        put_buses(world)
    if len(voices):
        _begin_tick(world)
    if world[AudioSettings].on:
        react(world)
    carry_out(world)
    follow_sources(world)
    advance_buses(world)
    if len(voices):
        end_voices(world, advance_fades(world), stopped=True)
    if len(voices):
        place_voices(world)
        hear(world, dt)
        started = voices.last_rate == 0
        voices.last_rate[started] = voices.rate[started]
        give_slots(world)
        advance_voices(world, dt)
    voices.mark()


def _begin_tick(world: World) -> None:
    """Remove the voices that ended in the previous tick, and store the rates of the others as `last_rate`."""
    voices = world[Voices]
    if (voices.ending == OVER).any():
        voices.keep_rows(voices.ending != OVER)
    voices.last_rate[: len(voices)] = np.where(voices.paused, 0, voices.rate)
