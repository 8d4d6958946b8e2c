"""Brings the voices of `AudioSource` components up to date with their fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import Transform
from rish_ecs.declarations import members_of
from rish_jit import maths

from ..components.settings import AudioSettings
from ..components.source import AudioSource, Rolloff
from ..components.tables import Voices
from ..sounds import bank as facts
from ..sounds.bank import SoundBank
from .commands import resume_rows
from .fades import fade_to
from .places import angles_of, jumped, places_of
from .spatialization import NO_CONE
from .states import PAUSED, PLAYING, STOPPED
from .voice_start import begin, end_voices

if TYPE_CHECKING:
    from rish_core import World

Array = npt.NDArray[Any]
_SAME = ("pan", "walls", "doppler", "rolloff_factor")
"""Fields that a voice takes over as they are."""
_CHOSEN = {"low_pass": facts.LOW_PASS, "min_distance": facts.MIN_DISTANCE, "max_distance": facts.MAX_DISTANCE}
"""Fields that are those of the sound if the source has none."""


def follow_sources(world: World) -> None:
    """Start, pause and end the voices of sources, and give them the present values of their fields."""
    voices = world[Voices]
    found = world.query(AudioSource)
    table, rows = world.table(AudioSource), found.rows(AudioSource)
    rows = np.asarray(rows) if not isinstance(rows, slice) else np.arange(rows.start, rows.stop)
    fresh = rows[~table.began[rows]]
    if len(fresh):
        table.state[fresh[table.autoplay[fresh]]] = PLAYING
        table.began[fresh] = True
        table.mark(fresh)
    _end_loops(world)
    mine = _voice_rows(world, rows)
    if len(voices) and (mine >= 0).sum() != voices.bound.sum():
        _end_orphans(world, found.entities)
        mine = _voice_rows(world, rows)
    mine = _start_and_end(world, rows, mine)
    rows, mine = rows[mine >= 0], mine[mine >= 0]
    if len(rows):
        paused = table.state[rows] == PAUSED
        resumed = mine[voices.paused[mine] & ~paused]
        if len(resumed):
            resume_rows(world, resumed, 0.0)
        voices.paused[mine] = paused
        _take_fields(world, rows, mine)


def _voice_rows(world: World, rows: Array) -> Array:
    """Return the rows of the voices of sources, -1 for none; serials increase with the rows of voices."""
    table, voices = world.table(AudioSource), world[Voices]
    if not len(voices):
        return np.full(len(rows), -1)
    known, serials = voices.serial, table.voice[rows]
    found = np.minimum(np.searchsorted(known, serials), len(known) - 1)
    same = (known[found] == serials) & (voices.source[found] == table.entities[rows])
    return np.where(same, found, -1)


def _end_loops(world: World) -> None:
    """End the loops that `play` began for an entity that no longer exists; one-shots go on to their end."""
    voices = world[Voices]
    follows = voices.loop & ~voices.bound & (voices.source != 0)
    if follows.any():
        gone = [row for row in np.flatnonzero(follows).tolist() if not world.alive(int(voices.source[row]))]
        end_voices(world, np.array(gone, np.int64), stopped=True)


def _end_orphans(world: World, entities: Array) -> None:
    """End the voices whose source lost its component, was disabled or despawned."""
    voices = world[Voices]
    lost = voices.bound & ~np.isin(voices.source, entities)
    if lost.any():
        table, rows = world.table(AudioSource), np.flatnonzero(lost)
        at = table.rows_of(voices.source[rows])
        table.began[at[at >= 0]] = False
        end_voices(world, rows, stopped=True)


def _start_and_end(world: World, rows: Array, mine: Array) -> Array:
    """Start the sources that should play and have no voice; end those that were stopped or got another clip.

    mine: the rows of the voices of sources, -1 for none; returns these rows afterwards.
    """
    table, voices = world.table(AudioSource), world[Voices]
    state, clips = table.state[rows], table.column("clip")[rows]
    has, wanted = mine >= 0, state != STOPPED
    if not has.any() and not wanted.any():
        return mine
    keeps = wanted & has
    if keeps.any():
        keeps &= voices.column("sound")[mine] == clips
    ended = has & ~keeps
    if ended.any():
        end_voices(world, mine[ended], stopped=True)
        table.state[rows] = state
    starts = rows[wanted & ~keeps]
    if not len(starts):
        return _voice_rows(world, rows) if ended.any() else mine
    for row in starts.tolist():
        _start(world, row)
    return _voice_rows(world, rows)


def _start(world: World, row: int) -> None:
    """Begin the voice of a source; one that can't begin now is stopped."""
    table = world.table(AudioSource)
    serial = begin(
        world, world.text(int(table.column("clip")[row])), source=int(table.entities[row]), bound=True,
        loop=bool(table.loop[row]), bus=world.text(int(table.column("bus")[row])), priority=int(table.priority[row]),
    )  # fmt: skip
    table.voice[row] = serial
    table.mark(row)
    if not serial:
        table.state[row] = STOPPED
    elif table.fade_in[row] > 0:
        voices = world[Voices]
        voices.fade[-1] = 0
        fade_to(world, np.array([len(voices) - 1]), 1.0, float(table.fade_in[row]))


def _take_fields(world: World, rows: Array, mine: Array) -> None:
    """Copy the fields of sources to their voices. rows: of the sources; mine: of their voices."""
    table, voices, settings = world.table(AudioSource), world[Voices], world[AudioSettings]
    bank: SoundBank = world[SoundBank]
    known = bank.facts(world, voices.column("sound")[mine]).T
    own = voices.own[mine]
    voices.gain[mine] = own[:, 0] * table.gain[rows]
    voices.pitch[mine] = own[:, 1] * table.pitch[rows]
    for name in _SAME:
        voices.column(name)[mine] = table.column(name)[rows]
    for name, fact in _CHOSEN.items():
        given = table.column(name)[rows]
        chosen = np.where(given > 0, given, known[fact])
        usual = getattr(settings, name, 0.0)
        voices.column(name)[mine] = np.where(chosen > 0, chosen, usual) if usual else chosen
    voices.loop[mine] = table.loop[rows] | (known[facts.LOOP] != 0)
    placed = world.table(Transform).rows_of(table.entities[rows]) >= 0
    voices.spatial[mine] = table.spatial[rows] & (known[facts.SPATIAL] != 0) & placed
    voices.echo[mine] = np.maximum(table.echo[rows], known[facts.ECHO])
    priority, buses, model = table.priority[rows], table.column("bus")[rows], table.column("rolloff")[rows]
    voices.priority[mine] = np.where(priority != 0, priority, known[facts.PRIORITY])
    voices.column("bus")[mine] = np.where(buses != 0, buses, known[facts.BUS])
    usual_model = members_of(Rolloff).index(settings.rolloff)
    voices.column("rolloff")[mine] = np.where(model != 0, model, usual_model)
    cone = voices.cone
    cone[mine, 0], cone[mine, 1] = table.cone_inner[rows], table.cone_outer[rows]
    cone[mine, 2] = table.cone_outer_gain[rows]


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
        own = table.rows_of(voices.source[rows])
        voices.position[rows, 2] = np.where(own >= 0, table.height[own], 0)
    else:
        voices.position[rows, 2] = 0
    if voices.cone[rows, 0].min(initial=maths.TAU) < NO_CONE:
        angle = angles_of(world, at)
        voices.forward[rows, :2] = np.column_stack([maths.cos(angle), maths.sin(angle)])
