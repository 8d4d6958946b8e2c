"""Brings the voices of `AudioSource` components up to date with their fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_core import Transform
from rish_ecs.declarations import members_of
from rish_jit import Array, maths

from ..components.settings import AudioSettings
from ..components.source import AudioSource, Rolloff
from ..components.tables import Voices
from ..sounds import bank as facts
from ..sounds.bank import SoundBank
from .commands import resume_rows
from .positions import angles_of, jumped, places_of
from .spatialization import NO_CONE
from .states import PAUSED, PLAYING, STOPPED
from .voice_end import end_voices
from .voice_start import start_voices

if TYPE_CHECKING:
    from rish_core import World

_COPIED = ("pan", "walls", "doppler", "rolloff_factor")
"""Fields that are copied to the voice unchanged."""
_FROM_SOUND = {"low_pass": facts.LOW_PASS, "min_distance": facts.MIN_DISTANCE, "max_distance": facts.MAX_DISTANCE}
"""Fields that have the value of the sound if the source gives none."""


def follow_sources(world: World) -> None:
    """Start, pause and end the voices of sources, and copy the current values of their fields."""
    voices = world[Voices]
    query = world.query(AudioSource)
    table, rows = world.table(AudioSource), query.rows(AudioSource)
    rows = np.asarray(rows) if not isinstance(rows, slice) else np.arange(rows.start, rows.stop)
    added = rows[~table.began[rows]]
    if len(added):
        table.state[added[table.autoplay[added]]] = PLAYING
        table.began[added] = True
        table.mark(added)
    _end_loops(world)
    voice_rows = _voice_rows(world, rows)
    if len(voices) and (voice_rows >= 0).sum() != voices.bound.sum():
        _end_orphans(world, query.entities)
        voice_rows = _voice_rows(world, rows)
    voice_rows = _start_and_end(world, rows, voice_rows)
    rows, voice_rows = rows[voice_rows >= 0], voice_rows[voice_rows >= 0]
    if len(rows):
        paused = table.state[rows] == PAUSED
        resumed = voice_rows[voices.paused[voice_rows] & ~paused]
        if len(resumed):
            resume_rows(world, resumed, 0.0)
        voices.paused[voice_rows] = paused
        _take_fields(world, rows, voice_rows)


def _voice_rows(world: World, rows: Array) -> Array:
    """Return the rows of the voices of sources, -1 for none; serials increase with the rows of voices."""
    table, voices = world.table(AudioSource), world[Voices]
    if not len(voices):
        return np.full(len(rows), -1)
    voice_serials, serials = voices.serial, table.voice[rows]
    index = np.minimum(np.searchsorted(voice_serials, serials), len(voice_serials) - 1)
    same = (voice_serials[index] == serials) & (voices.source[index] == table.entities[rows])
    return np.where(same, index, -1)


def _end_loops(world: World) -> None:
    """End the loops that `play` began for an entity that no longer exists; sounds without a loop continue to their
    end.
    """
    voices = world[Voices]
    follows = voices.loop & ~voices.bound & (voices.source != 0)
    if follows.any():
        orphans = [row for row in np.flatnonzero(follows).tolist() if not world.alive(int(voices.source[row]))]
        end_voices(world, np.array(orphans, np.int64), stopped=True)


def _end_orphans(world: World, entities: Array) -> None:
    """End the voices whose source lost its component, was disabled or despawned."""
    voices = world[Voices]
    lost = voices.bound & ~np.isin(voices.source, entities)
    if lost.any():
        table, rows = world.table(AudioSource), np.flatnonzero(lost)
        at = table.rows_of(voices.source[rows])
        table.began[at[at >= 0]] = False
        end_voices(world, rows, stopped=True)


def _start_and_end(world: World, rows: Array, voice_rows: Array) -> Array:
    """Start the sources that should play and have no voice; end those that were stopped or got another clip.

    voice_rows: the rows of the voices of sources, -1 for none; returns these rows afterwards.
    """
    table, voices = world.table(AudioSource), world[Voices]
    state, clips = table.state[rows], table.column("clip")[rows]
    has, should_play = voice_rows >= 0, state != STOPPED
    if not has.any() and not should_play.any():
        return voice_rows
    keeps = should_play & has
    if keeps.any():
        keeps &= voices.column("sound")[voice_rows] == clips
    ending = has & ~keeps
    if ending.any():
        end_voices(world, voice_rows[ending], stopped=True)
        table.state[rows] = state
    starts = rows[should_play & ~keeps]
    if not len(starts):
        return _voice_rows(world, rows) if ending.any() else voice_rows
    _start(world, starts)
    return _voice_rows(world, rows)


def _start(world: World, rows: Array) -> None:
    """Start the voices of sources. Sources whose sound cannot be played now are stopped."""
    table = world.table(AudioSource)
    serials = start_voices(
        world, sound=table.column("clip")[rows], source=table.entities[rows], bound=True, loop=table.loop[rows],
        bus=table.column("bus")[rows], priority=table.priority[rows], fade=table.fade_in[rows],
    )  # fmt: skip
    table.voice[rows] = serials
    table.state[rows[serials == 0]] = STOPPED
    table.mark(rows)


def _take_fields(world: World, rows: Array, voice_rows: Array) -> None:
    """Copy the fields of sources to their voices. rows: of the sources; voice_rows: of their voices."""
    table, voices, settings = world.table(AudioSource), world[Voices], world[AudioSettings]
    bank: SoundBank = world[SoundBank]
    sound_facts = bank.facts(world, voices.column("sound")[voice_rows]).T
    random_factors = voices.own[voice_rows]
    voices.gain[voice_rows] = random_factors[:, 0] * table.gain[rows]
    voices.pitch[voice_rows] = random_factors[:, 1] * table.pitch[rows]
    for name in _COPIED:
        voices.column(name)[voice_rows] = table.column(name)[rows]
    for name, fact in _FROM_SOUND.items():
        from_source = table.column(name)[rows]
        chosen_values = np.where(from_source > 0, from_source, sound_facts[fact])
        usual = getattr(settings, name, 0.0)
        voices.column(name)[voice_rows] = np.where(chosen_values > 0, chosen_values, usual) if usual else chosen_values
    voices.loop[voice_rows] = table.loop[rows] | (sound_facts[facts.LOOP] != 0)
    has_position = world.table(Transform).rows_of(table.entities[rows]) >= 0
    voices.spatial[voice_rows] = table.spatial[rows] & (sound_facts[facts.SPATIAL] != 0) & has_position
    voices.echo[voice_rows] = np.maximum(table.echo[rows], sound_facts[facts.ECHO])
    priority, buses, model = table.priority[rows], table.column("bus")[rows], table.column("rolloff")[rows]
    voices.priority[voice_rows] = np.where(priority != 0, priority, sound_facts[facts.PRIORITY])
    voices.column("bus")[voice_rows] = np.where(buses != 0, buses, sound_facts[facts.BUS])
    usual_model = members_of(Rolloff).index(settings.rolloff)
    voices.column("rolloff")[voice_rows] = np.where(model != 0, model, usual_model)
    cone = voices.cone
    cone[voice_rows, 0], cone[voice_rows, 1] = table.cone_inner[rows], table.cone_outer[rows]
    cone[voice_rows, 2] = table.cone_outer_gain[rows]


def place_voices(world: World) -> None:
    """Move the voices to their entities; those whose entity is gone stay where they are."""
    voices = world[Voices]
    follows = voices.spatial & ~voices.placed & (voices.source != 0)
    rows = np.flatnonzero(follows)
    if not len(rows):
        return
    at = world.table(Transform).rows_of(voices.source[rows])
    rows, at = rows[at >= 0], at[at >= 0]
    before, place = voices.position[rows, :2], places_of(world, at)
    voices.position[rows, :2] = place
    voices.moved[rows[jumped(world, at, before, place)]] = False
    table = world.table(AudioSource)
    if len(table) and table.height.any():
        transform_rows = table.rows_of(voices.source[rows])
        voices.position[rows, 2] = np.where(transform_rows >= 0, table.height[transform_rows], 0)
    else:
        voices.position[rows, 2] = 0
    if voices.cone[rows, 0].min(initial=maths.TAU) < NO_CONE:
        voices.forward[rows, :2] = forward_of(world, at)


def forward_of(world: World, at: Array) -> Array:
    """Return where the cones of sources point, float32 (n, 2). at: rows of their Transforms."""
    angle = angles_of(world, at)
    return np.column_stack([maths.cos(angle), maths.sin(angle)]).astype(np.float32)
