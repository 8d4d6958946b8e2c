"""One step of the simulation, as the list of its stages.

The step works only on the tables: the columns of components were read into them before (`sync`), and the results are
written back afterwards. Each stage is timed (`timings`), and a stage without work is not called, so that a world in
which everything sleeps costs almost nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_ecs.declarations import distinct

from ..components.notices import warn_of_overflow, warn_of_set_aside, warn_of_slowed
from ..components.tables import AWAKE, DRIVEN, QUARANTINED
from ..contacts import islands, narrow, pairs
from ..contacts import rows as contacts
from ..contacts.state import NONE, State
from ..solver import ccd
from ..solver.finalize import finish
from ..solver.solve import solve
from . import fast_path
from .joints import clear_impulses

if TYPE_CHECKING:
    from ..components.links import Links


def begin(state: State) -> None:
    """Begin a step: find the pairs of shapes that have come near each other, and build the lists."""
    state.changed, state.removed_before = NONE, len(state.ended)
    if len(state.moved):
        pairs.update(state)
        state.moved = NONE
    state.timings.lap("pairs")
    state.refresh()


def step(state: State, links: Links | None = None, reached: int | None = None) -> int:
    """Advance the simulation by `state.dt` seconds; return the stage that `fast_path` has reached.

    reached: the result of `fast_path.advance` for this step, after `begin`; the stages up to it are skipped. None: the
    step has not begun.
    """
    lap = state.timings.lap
    state.timings.start()
    # A kinematic body that the game has moved gets its pose after the step, before the columns are written.
    writes = links if links is not None and links.tick.driven is None else None
    if reached is None:
        begin(state)
        reached = fast_path.advance(state, writes)
    if len(state.active) and reached < fast_path.SETTLED:
        narrow.collide(state, state.course.met() if reached else None)
        _wake(state, links)
        if state.fresh:
            state.stale(awake=False, joints=False)
        state.refresh()
        reached = fast_path.advance(state, writes, fast_path.MET)
    lap("collide")
    if len(state.awake):
        if reached < fast_path.SETTLED:
            solve(state)
            finish(state)
        lap("finalize")
        if state.slowed:
            warn_of_slowed(state.world, float(state.scaled.max_speed))
        if len(state.fast):
            ccd.sweep(state)
        lap("continuous")
        if len(state.quarantined):
            _set_aside(state)
        _rest(state)
        lap("sleep")
    return reached


def _wake(state: State, links: Links | None) -> None:
    """Wake sleeping bodies that are touched or pushed. In this step they get the forces of areas that they had when
    they fell asleep.
    """
    before = len(state.woken)
    islands.wake_touched(state)
    if links is None or len(state.woken) == before:
        return
    woken, bodies = state.woken.slot[before:], state.bodies
    pushed = woken[bodies.rest_force[woken].any(axis=1)]
    if len(pushed):
        bodies.drive[pushed, 4:7] = bodies.rest_force[pushed]
        bodies.flags[pushed] |= DRIVEN
        forced = links.tick.forced
        links.tick.forced = pushed if forced is None else distinct(np.concatenate([forced, pushed]))


def _rest(state: State) -> None:
    """Put the islands to sleep that have rested for long enough.

    The contacts of an island were evaluated before it moved for the last time, so the next step evaluates them again.
    """
    slept = islands.put_to_sleep(state)
    if len(slept):
        state.bodies.rest_force[slept] = 0
        contacts.request_update(state, slept)
    stop_movers(state)


def stop_movers(state: State) -> None:
    """Put kinematic bodies to sleep that did not move in this step, because their contacts are up to date."""
    if len(state.movers):
        still = state.movers[~state.bodies.state[state.movers, :3].any(axis=1)]
        if len(still):
            state.bodies.flags[still] &= ~AWAKE
            state.stale(joints=False)


def _set_aside(state: State) -> None:
    """Remove the contacts of bodies that were quarantined or stopped, and clear the impulses of their joints.

    The lists of this step are rebuilt, since the events are written from them.
    """
    bodies, lost = state.bodies, state.quarantined
    away = (bodies.flags[lost] & QUARANTINED) != 0
    warn_of_set_aside(state.world, bodies.entity[lost[away]].tolist(), float(state.scaled.reach))
    warn_of_overflow(state.world, bodies.entity[lost[~away]].tolist())
    islands.wake(state, contacts.rows_and_others(state, lost)[1])
    contacts.remove_of_bodies(state, lost)
    clear_impulses(state.joints, lost)
    state.stale()
    state.refresh()
