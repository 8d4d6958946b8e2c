"""The system that advances Animators and writes the fields of their clips, before forces and physics."""

from __future__ import annotations

from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING

import numpy as np

from rish_core import Stage, World, system
from rish_ecs import Inputs, resource
from rish_jit import Array

from ..clips.clip_library import ClipLibrary
from .clock import Players, advance, begin_clips
from .components import Animator, FadingClips
from .sources import sources_of
from .writing import write_sources

if TYPE_CHECKING:
    from rish_core import Table


def _numbers() -> Array:
    return np.zeros(0, np.int64)


@resource(derived=True)
class ClipsOfAnimators:
    """The clip of each row of Animator, cached until a name or the library changes.

    names: int64 (n,), the text numbers of file and clip. clips: int64 (n,), indices in `ClipLibrary.ready`. library:
    the library of clips.
    """

    names: Array = dataclass_field(default_factory=_numbers)
    clips: Array = dataclass_field(default_factory=_numbers)
    library: Inputs = dataclass_field(default_factory=lambda: Inputs((ClipLibrary,)))

    def get(self, world: World, library: ClipLibrary, table: Table) -> Array:
        """Return int64 (n,): the clip of each row; -1 where there is none."""
        names = table.clips.astype(np.int64) << 32 | table.clip
        if self.library.changed(world) or not np.array_equal(names, self.names):
            self.names = names
            distinct, place = np.unique(names, return_inverse=True)
            pairs = [(name >> 32, name & 0xFFFFFFFF) for name in distinct.tolist()]
            self.clips = np.array([library.find(world, *pair) for pair in pairs], np.int64)[place]
        return self.clips


def _clips_of(world: World, rows: Array) -> Array:
    """Return int64 (n,): the clips of n rows of Animator; -1 where there is none."""
    table, library = world.table(Animator), world[ClipLibrary]
    pairs = zip(table.clips[rows].tolist(), table.clip[rows].tolist(), strict=True)
    return np.array([library.find(world, *pair) for pair in pairs], np.int64)


PLAYERS = Players(Animator, FadingClips, lambda world: world[ClipLibrary].timings, _clips_of)


def _any_animator(world: World) -> bool:
    return len(world.table(Animator)) > 0


@system(Stage.PRE, writes=World, events=(), after="scripts.*", run_if=_any_animator)
def advance_animators(world: World, dt: float) -> None:
    """Advance all playing Animators, write the values of their clips, and emit their events."""
    table, library = world.table(Animator), world[ClipLibrary]
    _drop_orphans(world)
    clips = world[ClipsOfAnimators].get(world, library, table)
    rows = world.query(Animator).rows(Animator)
    rows = rows[table.playing[rows] & (clips[rows] >= 0)]
    if not len(rows):
        return
    way = table.speed[rows].astype(np.float64) * dt
    fresh = begin_clips(table, library.timings, rows, clips[rows], way)
    moving = np.flatnonzero((way != 0) | fresh | (table.time[rows] >= library.timings.seconds[clips[rows]]))
    if len(moving):
        advance(world, PLAYERS, rows[moving], clips[rows[moving]], way[moving], fresh[moving])
        table.mark(rows[moving])
        clips = world[ClipsOfAnimators].get(world, library, table)
        rows = rows[clips[rows] >= 0]
    write_sources(world, library, sources_of(world, library, rows, clips[rows], dt))


def _drop_orphans(world: World) -> None:
    """Remove the fading clips of animators that no longer exist or have stopped."""
    fading, table = world[FadingClips], world.table(Animator)
    if len(fading):
        rows = table.rows_of(fading.animator)
        fading.keep_rows((rows >= 0) & table.playing[rows])
