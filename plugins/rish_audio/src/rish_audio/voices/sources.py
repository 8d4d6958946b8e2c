"""Brings the voices of `AudioSource` components up to date with their fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import Transform, world_matrices
from rish_ecs.declarations import members_of

from ..components.settings import AudioSettings
from ..components.source import AudioSource, Rolloff, SoundState
from ..components.tables import Voices
from ..sounds.bank import SoundBank
from .birth import begin, end_voices
from .fades import fade_to

if TYPE_CHECKING:
    from rish_core import World

Array = npt.NDArray[Any]
STOPPED, PLAYING, PAUSED = (members_of(SoundState).index(state) for state in SoundState)
_SAME = ("pan", "priority", "walls", "doppler", "rolloff_factor")
"""Fields that a voice takes over as they are."""


def follow_sources(world: World) -> None:
    """Start, pause and end the voices of sources, and give them the present values of their fields."""
    voices = world[Voices]
    found = world.query(AudioSource)
    table, rows = world.table(AudioSource), found.rows(AudioSource)
    if len(voices) and voices.bound.any():
        _end_orphans(world, found.entities)
    if not len(rows):
        return
    rows = np.asarray(rows) if not isinstance(rows, slice) else np.arange(rows.start, rows.stop)
    fresh = rows[~table.began[rows]]
    if len(fresh):
        table.state[fresh[table.autoplay[fresh]]] = PLAYING
        table.began[fresh] = True
    _start_and_end(world, rows)
    mine = _voice_rows(world, table.voice[rows])
    rows, mine = rows[mine >= 0], mine[mine >= 0]
    if len(rows):
        voices.paused[mine] = table.state[rows] == PAUSED
        _take_fields(world, rows, mine)


def _voice_rows(world: World, serials: Array) -> Array:
    """Return the rows of voices by their serials, -1 for none; serials increase with the rows."""
    known = world[Voices].serial
    if not len(known):
        return np.full(len(serials), -1)
    found = np.minimum(np.searchsorted(known, serials), len(known) - 1)
    return np.where((known[found] == serials) & (serials > 0), found, -1)


def _end_orphans(world: World, entities: Array) -> None:
    """End the voices whose source lost its component, was disabled or despawned."""
    voices = world[Voices]
    lost = voices.bound & ~np.isin(voices.source, entities)
    if lost.any():
        end_voices(world, np.flatnonzero(lost), stopped=True)


def _start_and_end(world: World, rows: Array) -> None:
    """Start the sources that should play and have no voice; end those that were stopped or got another clip."""
    table, voices = world.table(AudioSource), world[Voices]
    mine = _voice_rows(world, table.voice[rows])
    has = mine >= 0
    wanted = table.state[rows] != STOPPED
    clips = table.column("clip")[rows]
    other = has & (voices.column("sound")[mine] != clips) if len(voices) else has
    ended = has & (~wanted | other)
    if ended.any():
        end_voices(world, mine[ended], stopped=True)
        table.voice[rows[ended]] = 0
    for row in rows[wanted & (~has | ended) & (clips != 0)].tolist():
        _start(world, row)


def _start(world: World, row: int) -> None:
    """Begin the voice of a source; one that can't begin now is stopped."""
    table = world.table(AudioSource)
    name = world.text(int(table.column("clip")[row]))
    spatial = bool(table.spatial[row]) and world.has(int(table.entities[row]), Transform)
    serial = begin(
        world, name, source=int(table.entities[row]), bound=True, loop=bool(table.loop[row]),
        bus=world.text(int(table.column("bus")[row])), priority=int(table.priority[row]), spatial=spatial,
    )  # fmt: skip
    table.voice[row] = serial
    if not serial:
        table.state[row] = STOPPED
    elif table.fade_in[row] > 0:
        voices = world[Voices]
        voices.fade[-1] = 0
        fade_to(world, np.array([len(voices) - 1]), 1.0, float(table.fade_in[row]))


def _take_fields(world: World, rows: Array, mine: Array) -> None:
    """Copy the fields of sources to their voices. rows: of the sources; mine: of their voices."""
    table, voices, settings = world.table(AudioSource), world[Voices], world[AudioSettings]
    own = voices.own[mine]
    voices.gain[mine] = own[:, 0] * table.gain[rows]
    voices.pitch[mine] = own[:, 1] * table.pitch[rows]
    for name in _SAME:
        voices.column(name)[mine] = table.column(name)[rows]
    bank: SoundBank = world[SoundBank]
    texts = world.texts.texts
    sounds = [bank.sound(world, texts[number]) for number in voices.column("sound")[mine].tolist()]
    voices.loop[mine] = table.loop[rows] | np.array([sound.loop for sound in sounds])
    voices.spatial[mine] &= table.spatial[rows]
    voices.echo[mine] = np.maximum(table.echo[rows], [sound.echo for sound in sounds])
    for name in ("min_distance", "max_distance", "low_pass"):
        given, of_sound = table.column(name)[rows], np.array([getattr(sound, name) for sound in sounds], np.float32)
        chosen = np.where(given > 0, given, of_sound)
        voices.column(name)[mine] = np.where(chosen > 0, chosen, getattr(settings, name, 0.0))
    buses = table.column("bus")[rows]
    usual = np.array([world.intern(sound.bus) for sound in sounds], np.int32)
    voices.column("bus")[mine] = np.where(buses != 0, buses, usual)
    model, usual_model = table.column("rolloff")[rows], members_of(Rolloff).index(settings.rolloff)
    voices.column("rolloff")[mine] = np.where(model != 0, model, usual_model)
    voices.cone[mine] = np.column_stack([table.cone_inner[rows], table.cone_outer[rows], table.cone_outer_gain[rows]])


def place_voices(world: World) -> None:
    """Move the voices to their entities; those whose entity is gone stay where they are."""
    voices = world[Voices]
    follows = voices.spatial & ~voices.placed & (voices.source != 0)
    if not follows.any():
        return
    rows = np.flatnonzero(follows)
    at = world.table(Transform).rows_of(voices.source[rows])
    rows, at = rows[at >= 0], at[at >= 0]
    matrices = world_matrices(world, at)
    voices.position[rows, :2] = matrices[:, 4:]
    table = world.table(AudioSource)
    own = table.rows_of(voices.source[rows])
    voices.position[rows, 2] = np.where(own >= 0, table.height[np.maximum(own, 0)], 0) if len(table) else 0
    voices.forward[rows, :2] = matrices[:, :2]


def report_states(world: World) -> None:
    """Write the state of sources whose voice has ended: they are stopped."""
    table = world.table(AudioSource)
    if not len(table):
        return
    over = (table.voice != 0) & (_voice_rows(world, table.voice) < 0)
    if over.any():
        table.voice[over] = 0
        table.state[over] = STOPPED
