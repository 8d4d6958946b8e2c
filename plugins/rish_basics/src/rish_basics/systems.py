"""The systems of rish_basics, one for each component."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from rish_core import Stage, Transform, UsageError, World, system, world_matrices
from rish_jit import Array, maths

from .components import Follow, Lifetime, Timer, Wrap
from .events import Expired, TimerFired


@system(Stage.UPDATE, writes=(Timer, TimerFired))
def fire_timers(world: World, dt: float) -> None:
    """Advance the timers, and emit `TimerFired` for timers whose period has ended."""
    timers = world.query(Timer)
    period = timers[Timer.seconds].astype(np.float64)
    counts = timers[Timer.running] & (period > 0)
    if not counts.any():
        return
    with timers.edit(Timer.elapsed, Timer.running) as (elapsed, running):
        elapsed[counts] += np.float32(dt)
        early = 0.5 * np.minimum(dt, period)  # fire at the nearest tick, not at the next one
        due = counts & (elapsed + early >= period)
        if not due.any():
            return
        repeats = due & timers[Timer.repeat]
        times = np.ones(len(due), np.int64)
        times[repeats] = np.maximum(maths.floor((elapsed + early)[repeats] / period[repeats]), 1)
        elapsed[due] = np.where(repeats, elapsed - times * period, 0)[due]
        running[due & ~repeats] = False
    world.emit(TimerFired, entity=timers.entities[due].copy(), times=times[due])


@system(Stage.UPDATE, writes=(Lifetime, Expired))
def expire(world: World, dt: float) -> None:
    """Reduce lifetimes, and despawn the entities whose lifetime is over."""
    mortal = world.query(Lifetime)
    if not len(mortal):
        return
    with mortal.edit(Lifetime.seconds) as seconds:
        seconds -= np.float32(dt)
        over = seconds <= 0.5 * dt
    if over.any():
        handles = mortal.entities[over].copy()
        world.emit(Expired, entity=handles)
        world.despawn(handles)


@system(Stage.UPDATE, reads=Follow, writes=Transform, after="scripts.*", marks=True)
def follow(world: World, dt: float) -> None:
    """Move followers towards their targets."""
    followers, table = world.query(Follow, Transform), world.table(Transform)
    target, follower_rows = table.rows_of(followers[Follow.target]), table.rows_of(followers.entities)
    moving = (target >= 0) & (target != follower_rows)
    if not moving.any():
        return
    target, follower_rows = target[moving], follower_rows[moving]
    have_parents = bool(table.parent[target].any() or table.parent[follower_rows].any())
    positions = world_matrices(world)[:, 4:] if have_parents else table.position
    gap = (positions[target] + followers[Follow.offset][moving] - positions[follower_rows]).astype(np.float64)
    share = _shares(followers[Follow.smoothing][moving], followers[Follow.distance][moving], gap, dt)
    movement = gap * share[:, None]
    table.position[follower_rows] += _below_parents(world, follower_rows, movement) if have_parents else movement
    table.mark(follower_rows[share > 0])


def _shares(smoothing: Array, distance: Array, gap: Array, dt: float) -> Array:
    """Return the fraction of its gap (n, 2) that each follower closes in a tick, as float64 (n,)."""
    length = maths.hypot(gap[:, 0], gap[:, 1])
    smooth = smoothing > 0
    share = np.ones(len(gap))
    share[smooth] = 1 - maths.exp(-dt / smoothing[smooth].astype(np.float64))
    beyond = np.maximum(length - distance, 0)
    return share * np.divide(beyond, length, out=np.zeros(len(gap)), where=length > 0)


def _below_parents(world: World, rows: Array, way: Array) -> Array:
    """Return displacements (n, 2) of the world in the coordinates of the parents of the given rows of Transform.

    Rows without a parent keep the displacement. A parent that is scaled to a flat line gives (0, 0).
    """
    table = world.table(Transform)
    parents = table.rows_of(table.parent[rows])
    with_parent = np.flatnonzero(parents >= 0)
    a, b, c, d = world_matrices(world)[parents[with_parent], :4].astype(np.float64).T
    area = a * d - b * c
    x, y = way[with_parent].T
    result = way.copy()
    flat = area == 0
    area[flat] = 1
    result[with_parent, 0] = np.where(flat, 0, (d * x - c * y) / area)
    result[with_parent, 1] = np.where(flat, 0, (a * y - b * x) / area)
    return result


def _picture_size(world: World) -> tuple[int, int]:
    """Return the width and height of the game's view. Raises UsageError if no plugin draws the game."""
    with suppress(ImportError):  # games without graphics run without it
        from rish_frame import Frame

        if Frame in world:
            return world[Frame].design
    what = "a Wrap whose low and high are equal uses the size of the game's view, but no plugin of the game draws it"
    raise UsageError(what, hint="Give both in the manifest, as in Wrap: {low: [0, 0], high: [960, 540]}")


@system(Stage.UPDATE, reads=Wrap, writes=Transform, after=("scripts.*", "follow"), marks=True)
def wrap(world: World, dt: float) -> None:
    """Move entities that left their rectangle to its opposite side."""
    wrapped = world.query(Wrap, Transform)
    if not len(wrapped):
        return
    low, high = wrapped[Wrap.low].astype(np.float64), wrapped[Wrap.high].astype(np.float64)
    uses_view = (low == high).all(axis=1)
    if uses_view.any():
        high[uses_view] = _picture_size(world)
    margin = wrapped[Wrap.margin][:, None]
    low, high, position = low - margin, high + margin, wrapped[Transform.position].astype(np.float64)
    outside = (position < low) | (position > high)
    if not outside.any():
        return
    span = high - low
    outside &= np.column_stack([wrapped[Wrap.x], wrapped[Wrap.y]]) & (span > 0) & np.isfinite(position)
    moved = outside.any(axis=1)
    if not moved.any():
        return
    turns = np.where(outside, maths.floor((position - low) / np.where(span > 0, span, 1)), 0)
    table = world.table(Transform)
    rows = table.rows_of(wrapped.entities[moved])
    shift = (turns * span)[moved].astype(np.float32)
    table.position[rows] -= shift
    table.last_position[rows] -= shift  # so that no frame shows a movement across the view
    table.mark(rows)
