"""Wakes the bodies that touch a body which is changed, moved or removed between two steps."""

from __future__ import annotations

import numpy as np

from rish_ecs.declarations import distinct
from rish_jit import Array

from ..components.bodies import Body
from ..components.links import Links
from ..components.tables import DYNAMIC, IS_SENSOR, QUARANTINED, TYPE
from ..contacts import islands
from ..contacts import rows as contacts
from ..contacts.state import State


def wake(state: State, slots: Array) -> None:
    """Wake bodies and their islands between steps; for those that are already awake, the time at rest starts again.

    Bodies that are not dynamic are skipped. The column `asleep` is written immediately; otherwise the next step would
    take its old value as a request to sleep.
    """
    flags = state.bodies.flags[slots]
    slots = slots[((flags & TYPE) == DYNAMIC) & ((flags & QUARANTINED) == 0)]
    if len(slots):
        before = len(state.woken)
        islands.wake(state, slots)
        rows = state.world[Links].body_row[state.woken.slot[before:]]
        state.world.tables[Body].asleep[rows[rows >= 0]] = False


def neighbors(state: State, slots: Array) -> tuple[Array, Array]:
    """Return the rows of the contacts of some bodies, and the slots of the bodies that are not in a sensor contact."""
    mark = np.zeros(len(state.bodies), np.bool_)
    mark[slots] = True
    pair, solid = state.contacts.pair, (state.contacts.info[:, 1] & IS_SENSOR) == 0
    first, second = mark[pair[:, 2]], mark[pair[:, 3]]
    rows = np.flatnonzero(first | second)
    return rows, distinct(np.concatenate([pair[first & solid, 3], pair[second & solid, 2]]))


def disturb(state: State, slots: Array) -> Array:
    """Wake the neighbors of bodies that are teleported, changed or removed, before their contacts are removed.

    Returns the rows of the contacts of these bodies.
    """
    rows, others = neighbors(state, slots)
    if len(others):
        wake(state, others)
    return rows


def disturb_shapes(state: State, slots: Array) -> None:
    """Wake the bodies that touch single shapes, and remove the contacts of these shapes. slots: int32, of shapes."""
    rows = contacts.rows_of_slots(state, slots, 0)
    if len(rows):
        solid = rows[(state.contacts.info[rows, 1] & IS_SENSOR) == 0]
        others = np.unique(state.contacts.pair[solid, 2:])
        contacts.remove(state, rows)
        wake(state, others)
