"""One step of the simulation, as the list of its stages.

The step works only on the tables: the columns of components were read into them before (`sync`), and the results are
written back afterwards. Each stage is timed (`timings`), and a stage without work is not called, so that a world in
which everything sleeps costs almost nothing.
"""

from __future__ import annotations

from ..components.notices import tell_set_aside, tell_slowed, warn_of_overflow
from ..components.tables import QUARANTINED
from ..contacts import islands, narrow, pairs
from ..contacts import rows as contacts
from ..contacts.state import NO_PAIRS, NONE, State
from ..solver import ccd
from ..solver.finalize import finish
from ..solver.solve import solve
from . import plain
from .joints import clear_impulses


def step(state: State, reached: int = plain.IDLE) -> None:
    """Advance the simulation by `state.dt` seconds. reached: how far `plain.advance` has come with this step."""
    lap = state.timings.lap
    state.timings.start()
    if not reached:
        state.parted, state.changed = NO_PAIRS, NONE
        if len(state.moved):
            pairs.update(state)
            state.moved = NONE
        lap("pairs")
        state.refresh()
        reached = plain.advance(state)
    if len(state.active) and reached < plain.SETTLED:
        narrow.collide(state, state.course.met() if reached else None)
        islands.wake_touched(state)
        state.refresh()
    lap("collide")
    if len(state.awake):
        if reached < plain.SETTLED:
            solve(state)
            finish(state)
        lap("finalize")
        if state.slowed:
            tell_slowed(state.world, float(state.scaled.max_speed))
        if len(state.fast):
            ccd.sweep(state)
        lap("continuous")
        if len(state.quarantined):
            _set_aside(state)
        islands.put_to_sleep(state)
        lap("sleep")


def _set_aside(state: State) -> None:
    """Remove the contacts of bodies that were quarantined or stopped, and clear the impulses of their joints.

    The lists of this step are rebuilt, since the events are written from them.
    """
    bodies, lost = state.bodies, state.quarantined
    away = (bodies.flags[lost] & QUARANTINED) != 0
    tell_set_aside(state.world, bodies.entity[lost[away]].tolist(), float(state.scaled.reach))
    warn_of_overflow(state.world, bodies.entity[lost[~away]].tolist())
    contacts.remove_of_bodies(state, state.quarantined)
    clear_impulses(state.joints, state.quarantined)
    state.stale()
    state.refresh()
