"""The clock: advances the times of clips, finds the markers that were reached, and the clips that ended.

The times of all animators are advanced in one pass; for those whose clip ended and is followed by another one, the rest
of the tick counts for the following clip. A marker is reached exactly once per pass of a clip: what a tick counts up to
its end is, to the last bit, what the next tick begins with. The clock serves every component that plays clips: see
`Players`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rish_ecs.declarations import distinct
from rish_jit import Array

from ..clips.curves import TIME_TOLERANCE
from ..clips.timing import Timing, Timings
from .components import AnimatorFinished, AnimatorMarker

if TYPE_CHECKING:
    from rish_core import Table
    from rish_ecs import World

_MAX_CLIPS_PER_TICK = 8
"""The maximum number of clips that follow one another within one tick."""


@dataclass(frozen=True)
class Players:
    """A component that plays clips.

    cls: the component, with the fields `clips, clip, speed, playing, time, queued, fade, faded, shown, began` of
    Animator. fading: a table with the fields of FadingClips. timings: returns the times of its clips. clips_of: returns
    int64 (n,), the index of the clip of each of n rows of the component, -1 if it is unknown.
    """

    cls: type
    fading: type
    timings: Callable[[World], Timings]
    clips_of: Callable[[World, Array], Array]


class Span(NamedTuple):
    """A part of a tick for n rows. All are (n,), float64 seconds unless stated otherwise.

    begin, end: times within the pass, as stored. passes: the number of whole passes between them. forward: bool,
    whether time rises. fresh: bool, whether the clip begins in this tick, so that a marker at its beginning counts.
    """

    begin: Array
    end: Array
    passes: Array
    forward: Array
    fresh: Array

    def of(self, rows: Array) -> Span:
        """Return the same part of a tick for some of the rows. rows: int64 or bool, an index of the columns."""
        return Span(*(column[rows] for column in self))


class Passed(NamedTuple):
    """A part of a tick in which animators played clips. rows: int64 (n,) of the table. clips: int64 (n,), indices."""

    rows: Array
    clips: Array
    span: Span


def begin_clips(table: Table, timings: Timings, rows: Array, clips: Array, way: Array) -> Array:
    """Prepare the animators whose clip begins now; return bool (n,), which ones these are. rows: int64 (n,)."""
    fresh = ~table.began[rows] | (table.shown[rows] != table.clip[rows])
    if fresh.any():
        new, seconds = rows[fresh], timings.seconds[clips[fresh]]
        changed = table.began[new]  # `clip` was written; otherwise `time` says where the clip begins
        time = np.where(changed, 0.0, table.time[new])
        table.time[new] = np.where((way[fresh] < 0) & (time == 0), seconds, np.minimum(time, 2 * seconds))
        table.shown[new] = table.clip[new]
        table.began[new] = True
    return fresh


def advance(world: World, players: Players, rows: Array, clips: Array, way: Array, fresh: Array) -> list[Passed]:
    """Advance animators and emit the events; return what was played, in order. way: float64 (n,), signed seconds.

    clips: indices in the timings. fresh: see `begin_clips`.
    """
    table, timings = world.table(players.cls), players.timings(world)
    passed: list[Passed] = []
    for _ in range(_MAX_CLIPS_PER_TICK):
        if not len(rows):
            break
        is_held = table.fade[rows] - table.faded[rows] > world.dt * 1.001  # it does not end before its fade does
        span, ended, remainder = _pass(timings, clips, table.time[rows], way, fresh, table.queued[rows] != 0, is_held)
        table.time[rows] = span.end
        passed.append(Passed(rows, clips, span))
        marked = np.flatnonzero(timings.marked[clips])
        if len(marked):
            _emit_markers(world, timings, table.entities[rows[marked]], clips[marked], span.of(marked))
        ended_indices = np.flatnonzero(ended)
        if not len(ended_indices):
            break
        rows, clips, way = rows[ended_indices], clips[ended_indices], remainder[ended_indices]
        rows, clips, way = _follow(world, players, rows, clips, way, span.forward[ended_indices])
        fresh = np.ones(len(rows), np.bool_)
    return passed


def _pass(
    timings: Timings, clips: Array, time: Array, way: Array, fresh: Array, queued: Array, is_held: Array
) -> tuple[Span, Array, Array]:
    """Return the spans of animators, whether their clips ended, bool (n,), and the seconds after that, float64 (n,).

    is_held: bool (n,), whether a clip with the mode ONCE stays at its end.
    """
    seconds, once = timings.seconds[clips], timings.once[clips]
    period = np.where(timings.bounces[clips], 2 * seconds, seconds)
    begin = time.astype(np.float64)
    end, forward = begin + way, way >= 0
    passes = np.floor(np.where(once, 0.0, end) / period)
    past = np.where(forward, end >= period - TIME_TOLERANCE, end <= TIME_TOLERANCE)
    ended = np.where(once, past & (way != 0) & ~is_held, queued & (passes != 0))
    border = np.where(forward, period, 0.0)
    remainder = np.where(ended, end - border, 0.0)
    remainder = np.where(forward, np.maximum(remainder, 0.0), np.minimum(remainder, 0.0))
    inside = np.where(ended, border, np.where(once, np.clip(end, 0.0, seconds), end - passes * period))
    stored = inside.astype(np.float32).astype(np.float64)
    return Span(begin, stored, np.where(ended, 0.0, passes), forward, fresh), ended, remainder


def _follow(
    world: World, players: Players, rows: Array, clips: Array, remainder: Array, forward: Array
) -> tuple[Array, Array, Array]:
    """Emit the ends of clips and start the clips that follow; return rows, clips and remaining seconds of these."""
    table, timings = world.table(players.cls), players.timings(world)
    names = np.array([timings.rows[clip].name for clip in clips.tolist()], np.int32)
    world.emit(AnimatorFinished, entity=table.entities[rows].copy(), clip=names)
    after = np.array([timings.rows[clip].next for clip in clips.tolist()], np.int32)
    after = np.where(table.queued[rows] != 0, table.queued[rows], np.where(forward, after, 0)).astype(np.int32)
    table.playing[rows[after == 0]] = False
    continuing = np.flatnonzero(after)
    rows, after, remainder, forward = rows[continuing], after[continuing], remainder[continuing], forward[continuing]
    ended = {name: table.column(name)[rows] for name in ("clips", "clip", "time")}
    world[players.fading].append(len(rows), animator=table.entities[rows], speed=0.0, **ended)
    table.clip[rows] = table.shown[rows] = after
    table.queued[rows] = 0
    next_clips = players.clips_of(world, rows)
    known = next_clips >= 0
    rows, next_clips, remainder, forward = rows[known], next_clips[known], remainder[known], forward[known]
    table.time[rows] = np.where(forward, 0.0, players.timings(world).seconds[next_clips])
    table.fade[rows] = table.faded[rows] = 0
    return rows, next_clips, remainder


def _emit_markers(world: World, timings: Timings, entities: Array, clips: Array, span: Span) -> None:
    """Emit the markers that were reached, for each animator in the order in which it reached them."""
    parts: list[tuple[Array, Array, Array, Array]] = []
    for clip in distinct(clips).tolist():
        indices = np.flatnonzero(clips == clip)
        timing = timings.rows[clip]
        for which, when, text in reached(timing, span.of(indices)):
            parts.append((indices[which], when, np.full(len(which), text), np.full(len(which), timing.name)))
    if not parts:
        return
    which, when, text, name = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.lexsort((np.where(span.forward[which], when, -when), which))
    if len(which):
        world.emit(AnimatorMarker, entity=entities[which[order]], clip=name[order], marker=text[order])


def reached(clip: Timing, span: Span) -> list[tuple[Array, Array, int]]:
    """Return for each marker of a clip the animators that reached it, the times, and the marker's text number.

    The animators are int64 (m,), indices into the span, repeated if they reached it several times. The times are
    float64 (m,), seconds, counted over all passes.
    """
    seconds = clip.seconds
    once, bounces = clip.mode.value == "once", clip.mode.value == "ping-pong"
    period = np.inf if once else 2 * seconds if bounces else seconds
    result: list[tuple[Array, Array, int]] = []
    for at, text in clip.markers:
        for phase in [at, 2 * seconds - at] if bounces and 0 < at < seconds else [at]:
            first, count = _times_passed(span, phase, period)
            which = np.repeat(np.arange(len(count)), count)
            turn = np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)
            turn = np.where(span.forward[which], turn, -turn)
            laps = 0.0 if once else (first[which] + turn) * period
            result.append((which, phase + np.zeros(len(which)) + laps, text))
    return result


def _times_passed(span: Span, phase: float, period: float) -> tuple[Array, Array]:
    """Return int64 (n,) twice: the number of the first lap in which a phase is reached, and how often it is reached."""
    sign = np.where(span.forward, 1.0, -1.0)
    begin = sign * (span.begin - phase) + np.where(span.fresh, -TIME_TOLERANCE, TIME_TOLERANCE)
    end = sign * (span.end - phase) + TIME_TOLERANCE
    if period == np.inf:
        return np.zeros(len(begin), np.int64), ((end >= 0) & (begin < 0)).astype(np.int64)
    before, after = np.floor(begin / period), np.floor(end / period) + sign * span.passes
    return (sign * (before + 1)).astype(np.int64), np.maximum(after - before, 0).astype(np.int64)
