"""The system that advances Animator3Ds: their clips, their fades, and the entities that a root moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_animation import Passed, Players, Span, advance, begin_clips
from rish_core import Stage, World, system
from rish_jit import Array

from ..components.animation import Animator3D, FadingClips3D
from .clip_library import ClipLibrary3D
from .moving import move_roots
from .sources import ClipsOfAnimators3D, find_clips, keys_of

if TYPE_CHECKING:
    from rish_core import Table


def _clips_of(world: World, rows: Array) -> Array:
    """Return the clips of these rows of Animator3D, int64 (n,); -1 where there is none."""
    table, assets = world.table(Animator3D), world[ClipsOfAnimators3D].assets
    return find_clips(world, keys_of(table, assets[rows], table.clips[rows], table.clip[rows], rows))


PLAYERS_3D = Players(Animator3D, FadingClips3D, lambda world: world[ClipLibrary3D].timings, _clips_of)


def any_animator(world: World) -> bool:
    """Return whether any entity has an Animator3D."""
    return len(world.table(Animator3D)) > 0


@system(Stage.PRE, writes=World, events=(), after=("scripts.*", "animation.advance_animators"), run_if=any_animator)
def advance_animators_3d(world: World, dt: float) -> None:
    """Advance all playing Animator3Ds, emit their events, and move the entities whose roots move."""
    table, timings = world.table(Animator3D), world[ClipLibrary3D].timings
    _drop_covered(world, table, dt)
    clips = world[ClipsOfAnimators3D].get(world)
    rows = world.query(Animator3D).rows(Animator3D)
    rows = rows[table.playing[rows] & (clips[rows] >= 0)]
    for animators in (table, world[FadingClips3D]):
        if len(animators) and animators.went.any():
            animators.went[:] = 0
    if not len(rows):
        return
    distance = table.speed[rows].astype(np.float64) * dt
    begun = begin_clips(table, timings, rows, clips[rows], distance)
    passed = advance(world, PLAYERS_3D, rows, clips[rows], distance, begun)
    for part in passed:
        table.went[part.rows] = _seconds(timings.seconds[part.clips], timings.bounces[part.clips], part.span)
    _fade(table, rows, dt)
    table.mark(rows)
    below = _advance_below(world, table, rows, dt)
    move_roots(world, passed, below)


def _seconds(seconds: Array, bounces: Array, span: Span) -> Array:
    """Return the seconds that parts of a tick have advanced their clips, signed."""
    period = np.where(bounces, 2 * seconds, seconds)
    return span.end - span.begin + span.passes * period


def _drop_covered(world: World, table: Table, dt: float) -> None:
    """Remove the fading clips of removed animators, and those that the clip above has covered for a tick."""
    fading = world[FadingClips3D]
    if not len(fading):
        return
    above = table.rows_of(fading.animator)
    is_kept = above >= 0
    if len(table):
        is_kept &= ~(table.playing[above] & (table.faded[above] >= table.fade[above] + np.float32(dt * 0.5)))
    if not is_kept.all():
        fading.keep_rows(is_kept)


def _fade(table: Any, rows: Array, dt: float) -> None:
    """Advance fades; they run on for one tick, so that a frame between two ticks can show their ends."""
    fade = table.fade[rows].astype(np.float64)
    table.faded[rows] = np.minimum(table.faded[rows] + dt, fade + dt)


def _advance_below(world: World, table: Table, rows: Array, dt: float) -> Passed | None:
    """Advance the clips that fade out below playing animators; `rows` of the result are those of FadingClips3D."""
    fading, timings = world[FadingClips3D], world[ClipLibrary3D].timings
    if not len(fading):
        return None
    above = table.rows_of(fading.animator)
    indices = np.flatnonzero(np.isin(above, rows))
    clips = world[ClipsOfAnimators3D].get_below(world, above)[indices]
    indices, clips = indices[clips >= 0], clips[clips >= 0]
    begin, distance = fading.time[indices].astype(np.float64), fading.speed[indices].astype(np.float64) * dt
    end = timings.carried_on(clips, begin, distance)
    period = np.where(timings.bounces[clips], 2.0, 1.0) * timings.seconds[clips]
    passes = np.where(timings.once[clips], 0.0, np.floor((begin + distance) / period))
    fading.time[indices] = end
    rounded_end, none = end.astype(np.float32).astype(np.float64), np.zeros(len(indices), np.bool_)
    span = Span(begin, rounded_end, passes, distance >= 0, none)
    fading.went[indices] = _seconds(timings.seconds[clips], timings.bounces[clips], span)
    _fade(fading, indices, dt)
    fading.mark()
    return Passed(indices, clips, span)
