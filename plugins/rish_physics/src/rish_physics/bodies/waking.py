"""Wakes the bodies that touch a body which is changed, moved or removed between two steps."""

from __future__ import annotations

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


def disturb(state: State, slots: Array) -> Array:
    """Wake the neighbors of bodies that are teleported, changed or removed, before their contacts are removed.

    Returns the rows of the contacts of these bodies.
    """
    rows, others = contacts.rows_and_others(state, slots)
    if len(others):
        wake(state, others)
    return rows


def disturb_shapes(state: State, slots: Array) -> None:
    """Wake the bodies that touch single shapes, and remove the contacts of these shapes. slots: int32, of shapes."""
    rows = contacts.rows_of_slots(state, slots, 0)
    if len(rows):
        solid = rows[(state.contacts.info[rows, 1] & IS_SENSOR) == 0]
        others = distinct(state.contacts.pair[solid, 2:])
        contacts.remove(state, rows)
        wake(state, others)
