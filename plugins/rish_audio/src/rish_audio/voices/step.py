"""The step of a tick: everything that the World decides about sound.

commands ─► sources ─► places ─► fades ─► hearing ─► pool ─► positions, markers, ends
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rish_core import Edges, Stage, Transform, system

from ..components.commands import DelayedCommands, SoundCommand, SoundEnded, SoundMarker
from ..components.settings import AudioSettings
from ..components.source import AudioListener, AudioSource
from ..components.tables import AudioState, Buses, BusFades, Voices
from ..sounds.bank import SoundBank
from .advance import advance_voices
from .commands import Commands, carry_out, due_commands
from .fades import advance_buses, advance_fades, put_buses
from .pool import give_slots
from .reactions import react
from .sources import follow_sources, place_voices
from .spatialization import Ears, hear
from .states import OVER
from .steady import Steady
from .voice_end import end_voices

if TYPE_CHECKING:
    from rish_core import World

_READS = (SoundCommand, AudioSettings, AudioListener, Transform, Edges)
_WRITES = (AudioSource, Voices, Buses, BusFades, AudioState, DelayedCommands, SoundEnded, SoundMarker, SoundCommand)


@system(Stage.UPDATE, name="step", reads=_READS, writes=_WRITES, after=("*.*", "rules.run"), marks=True, always=True)
def step_audio(world: World, dt: float) -> None:
    """The system `audio.step`: carries out commands and advances all voices by a tick."""
    voices, steady = world[Voices], world[Steady]
    if world[SoundBank].of_world(world).bus_inputs.changed(world):
        put_buses(world)
    if world[AudioSettings].on:
        react(world)
    commands, ears = due_commands(world), None
    holds = steady.holds(world, len(commands) > 0)
    if not holds:
        ears = _compute(world, dt, commands)
    advance_buses(world)
    ended = len(voices) > 0 and advance_voices(world, dt, steady=holds)
    if len(voices) or not holds:
        voices.mark()
    steady.note(world, ended=ended, ears=ears, computed=not holds)


def _compute(world: World, dt: float, commands: Sequence[Commands]) -> Ears | None:
    """Carry out commands, and compute how all voices sound; return the listener, None if no voice has a place."""
    voices = world[Voices]
    if len(voices):
        _begin_tick(world)
    for each in commands:
        carry_out(world, each)
    follow_sources(world)
    if len(voices):
        end_voices(world, advance_fades(world), stopped=True)
    if not len(voices):
        return None
    place_voices(world)
    ears = hear(world, dt)
    started = voices.last_rate == 0
    voices.last_rate[started] = voices.rate[started]
    give_slots(world)
    return ears


def _begin_tick(world: World) -> None:
    """Remove the voices that ended in the previous tick, and store the rates of the others as `last_rate`."""
    voices = world[Voices]
    if (voices.ending == OVER).any():
        voices.keep_rows(voices.ending != OVER)
    voices.last_rate[: len(voices)] = np.where(voices.paused, 0, voices.rate)
