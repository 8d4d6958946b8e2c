"""The clock: advances the times of clips, finds the markers that were reached, and the clips that ended.

The times of all animators are advanced in one pass; for those whose clip ended and is followed by another one, the rest
of the tick counts for the following clip. A marker is reached exactly once per pass of a clip: what a tick counts up to
its end is, to the last bit, what the next tick begins with. The clock serves every component that plays clips: see
`Players`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..clips.curves import EARLY
from ..clips.timing import Timing, Timings
from .components import AnimatorFinished, AnimatorMarker

if TYPE_CHECKING:
    from rish_core import Table
    from rish_ecs import World

Array = npt.NDArray[Any]
_HOPS = 8
"""The most clips that may follow one another within one tick."""


@dataclass(frozen=True)
class Players:
    """A component that plays clips.

    cls: has the fields `clips, clip, speed, playing, time, queued, fade, faded, shown, began` of Animator. fading: a
    table with the fields of FadingClips. timings: returns the times of its clips. clips_of: returns for some rows of
    the component the index of the clip, int64 n; -1: not known.
    """

    cls: type
    fading: type
    timings: Callable[[World], Timings]
    clips_of: Callable[[World, Array], Array]


class Span(NamedTuple):
    """A part of a tick for some rows, n each: seconds float64.

    begin, end: times within the pass, as stored. passes: whole passes between them. forward, fresh: bool, whether time
    rises, and whether the clip begins with this tick, so that a marker at its beginning counts.
    """

    begin: Array
    end: Array
    passes: Array
    forward: Array
    fresh: Array

    def of(self, chosen: Array) -> Span:
        """Return the part for some of the rows."""
        return Span(*(column[chosen] for column in self))


class Passed(NamedTuple):
    """A part of a tick in which some animators (rows of the table) played one clip each (indices)."""

    rows: Array
    clips: Array
    span: Span


def begin_clips(table: Table, timings: Timings, rows: Array, clips: Array, way: Array) -> Array:
    """Prepare the animators (rows of the table) whose clip begins now; return which those are, bool n."""
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
    """Advance animators by `way` (seconds, n, signed), and emit the events; return what was played, in order.

    clips: indices in the timings. fresh: see `begin_clips`.
    """
    table, timings = world.table(players.cls), players.timings(world)
    passed: list[Passed] = []
    for _ in range(_HOPS):
        if not len(rows):
            break
        held = table.fade[rows] - table.faded[rows] > world.dt * 1.001  # it does not end before its fade does
        span, ended, rest = _pass(timings, clips, table.time[rows], way, fresh, table.queued[rows] != 0, held)
        table.time[rows] = span.end
        passed.append(Passed(rows, clips, span))
        marked = np.flatnonzero(timings.marked[clips])
        if len(marked):
            _tell_markers(world, timings, table.entities[rows[marked]], clips[marked], span.of(marked))
        over = np.flatnonzero(ended)
        if not len(over):
            break
        rows, clips, way = rows[over], clips[over], rest[over]
        rows, clips, way = _follow(world, players, rows, clips, way, span.forward[over])
        fresh = np.ones(len(rows), np.bool_)
    return passed


def _pass(
    timings: Timings, clips: Array, time: Array, way: Array, fresh: Array, queued: Array, held: Array
) -> tuple[Span, Array, Array]:
    """Return the spans of some animators, whether their clips ended (bool), and the rest of the tick after the end.

    held: whether a clip that is played once stays at its end.
    """
    seconds, once = timings.seconds[clips], timings.once[clips]
    period = np.where(timings.bounces[clips], 2 * seconds, seconds)
    begin = time.astype(np.float64)
    end, forward = begin + way, way >= 0
    passes = np.floor(np.where(once, 0.0, end) / period)
    past = np.where(forward, end >= period - EARLY, end <= EARLY)
    ended = np.where(once, past & (way != 0) & ~held, queued & (passes != 0))
    border = np.where(forward, period, 0.0)
    rest = np.where(ended, end - border, 0.0)
    rest = np.where(forward, np.maximum(rest, 0.0), np.minimum(rest, 0.0))
    inside = np.where(ended, border, np.where(once, np.clip(end, 0.0, seconds), end - passes * period))
    stored = inside.astype(np.float32).astype(np.float64)
    return Span(begin, stored, np.where(ended, 0.0, passes), forward, fresh), ended, rest


def _follow(
    world: World, players: Players, rows: Array, clips: Array, rest: Array, forward: Array
) -> tuple[Array, Array, Array]:
    """Emit the ends of clips, and start those that follow; return the rows, clips and ways of these."""
    table, timings = world.table(players.cls), players.timings(world)
    names = np.array([timings.rows[clip].name for clip in clips.tolist()], np.int32)
    world.emit(AnimatorFinished, entity=table.entities[rows].copy(), clip=names)
    after = np.array([timings.rows[clip].next for clip in clips.tolist()], np.int32)
    after = np.where(table.queued[rows] != 0, table.queued[rows], np.where(forward, after, 0)).astype(np.int32)
    table.playing[rows[after == 0]] = False
    goes = np.flatnonzero(after)
    rows, after, rest, forward = rows[goes], after[goes], rest[goes], forward[goes]
    ended = {name: table.column(name)[rows] for name in ("clips", "clip", "time")}
    world[players.fading].append(len(rows), animator=table.entities[rows], speed=0.0, **ended)
    table.clip[rows] = table.shown[rows] = after
    table.queued[rows] = 0
    found = players.clips_of(world, rows)
    known = found >= 0
    rows, found, rest, forward = rows[known], found[known], rest[known], forward[known]
    table.time[rows] = np.where(forward, 0.0, players.timings(world).seconds[found])
    table.fade[rows] = table.faded[rows] = 0
    return rows, found, rest


def _tell_markers(world: World, timings: Timings, entities: Array, clips: Array, span: Span) -> None:
    """Emit the markers that were reached, for each animator in the order in which they were."""
    found: list[tuple[Array, Array, Array, Array]] = []
    for clip in np.unique(clips).tolist():
        mine = np.flatnonzero(clips == clip)
        timing = timings.rows[clip]
        for which, when, text in reached(timing, span.of(mine)):
            found.append((mine[which], when, np.full(len(which), text), np.full(len(which), timing.name)))
    if not found:
        return
    which, when, text, name = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.lexsort((np.where(span.forward[which], when, -when), which))
    if len(which):
        world.emit(AnimatorMarker, entity=entities[which[order]], clip=name[order], marker=text[order])


def reached(clip: Timing, span: Span) -> list[tuple[Array, Array, int]]:
    """Return for each marker of a clip: the indices of the animators that reached it (repeated if several times), when
    (seconds, unwrapped) and the number of its name.
    """
    seconds = clip.seconds
    once, bounces = clip.mode.value == "once", clip.mode.value == "ping-pong"
    period = np.inf if once else 2 * seconds if bounces else seconds
    found: list[tuple[Array, Array, int]] = []
    for at, text in clip.markers:
        for phase in [at, 2 * seconds - at] if bounces and 0 < at < seconds else [at]:
            first, count = _times_passed(span, phase, period)
            which = np.repeat(np.arange(len(count)), count)
            turn = np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)
            turn = np.where(span.forward[which], turn, -turn)
            laps = 0.0 if once else (first[which] + turn) * period
            found.append((which, phase + np.zeros(len(which)) + laps, text))
    return found


def _times_passed(span: Span, phase: float, period: float) -> tuple[Array, Array]:
    """Return the number of the first lap in which a phase is reached, and how often it is, int64 n each."""
    sign = np.where(span.forward, 1.0, -1.0)
    begin = sign * (span.begin - phase) + np.where(span.fresh, -EARLY, EARLY)
    end = sign * (span.end - phase) + EARLY
    if period == np.inf:
        return np.zeros(len(begin), np.int64), ((end >= 0) & (begin < 0)).astype(np.int64)
    before, after = np.floor(begin / period), np.floor(end / period) + sign * span.passes
    return (sign * (before + 1)).astype(np.int64), np.maximum(after - before, 0).astype(np.int64)
