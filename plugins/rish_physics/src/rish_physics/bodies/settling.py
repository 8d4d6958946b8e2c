"""Updates the neighbours of a body that changes between steps: contacts end, and bodies that touched it wake."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..components.bodies import Body
from ..components.links import Links
from ..components.tables import AWAKE, DYNAMIC, QUARANTINED, TOUCHING, TYPE
from ..contacts import islands
from ..contacts import rows as contacts
from ..contacts.events import keep_ended
from ..contacts.state import State

Array = npt.NDArray[Any]


def wake(state: State, slots: Array) -> None:
    """Wake bodies and their islands; those that are not dynamic, or awake already, are skipped.

    The columns are written immediately; otherwise they would read as a request to sleep.
    """
    flags = state.bodies.flags[slots]
    slots = slots[((flags & TYPE) == DYNAMIC) & ((flags & (AWAKE | QUARANTINED)) == 0)]
    if len(slots):
        before = len(state.woken)
        islands.wake(state, slots)
        rows = state.world[Links].body_row[state.woken.slot[before:]]
        state.world.tables[Body].asleep[rows[rows >= 0]] = False


def stir(state: State, slots: Array) -> None:
    """Reset the rest time of bodies."""
    state.bodies.rest[slots, 0] = 0


def neighbours(state: State, slots: Array) -> tuple[Array, Array]:
    """Return the rows of the contacts of some bodies, and the slots of the other bodies of these contacts."""
    mark = np.zeros(len(state.bodies), np.bool_)
    mark[slots] = True
    pair = state.contacts.pair
    first, second = mark[pair[:, 2]], mark[pair[:, 3]]
    rows = np.flatnonzero(first | second)
    return rows, np.unique(np.concatenate([pair[first, 3], pair[second, 2]]))


def disturb(state: State, slots: Array) -> bool:
    """Prepare bodies for a teleport, a change or a removal: store the contacts that end, and wake the neighbours.

    Call it before the contacts are removed. Returns True if there are any.
    """
    rows, others = neighbours(state, slots)
    if len(rows):
        touching = rows[(state.contacts.info[rows, 1] & TOUCHING) != 0]
        if len(touching):
            keep_ended(state, state.contacts.pair[touching, :2])
        wake(state, others)
    return len(rows) > 0


def disturb_shapes(state: State, slots: Array) -> None:
    """Do as `disturb` for single shapes, and remove their contacts."""
    pair, rows = state.contacts.pair, contacts.rows_of_slots(state, slots, 0)
    if len(rows):
        touching = rows[(state.contacts.info[rows, 1] & TOUCHING) != 0]
        keep_ended(state, pair[touching, :2])
        others = np.unique(pair[rows, 2:])
        contacts.remove(state, rows)
        wake(state, others)
