"""What a change outside the step does to the neighbours: contacts end, and bodies that leaned on them wake."""

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
    """Wake bodies, with all that rest with them; those that are not dynamic, or awake already, are passed over.

    The columns are written at once; otherwise they would read as a request to sleep.
    """
    flags = state.bodies.flags[slots]
    slots = slots[((flags & TYPE) == DYNAMIC) & ((flags & (AWAKE | QUARANTINED)) == 0)]
    if len(slots):
        before = len(state.woken)
        islands.wake(state, slots)
        rows = state.world[Links].body_row[state.woken.slot[before:]]
        state.world.tables[Body].asleep[rows[rows >= 0]] = False


def stir(state: State, slots: Array) -> None:
    """Start the time again after which bodies at rest may sleep."""
    state.bodies.rest[slots, 0] = 0


def neighbours(state: State, slots: Array) -> tuple[Array, Array]:
    """The rows of the contacts of some bodies, and the slots of the bodies on their other sides."""
    mark = np.zeros(len(state.bodies), np.bool_)
    mark[slots] = True
    pair = state.contacts.pair
    first, second = mark[pair[:, 2]], mark[pair[:, 3]]
    rows = np.flatnonzero(first | second)
    return rows, np.unique(np.concatenate([pair[first, 3], pair[second, 2]]))


def disturb(state: State, slots: Array) -> bool:
    """Bodies are about to jump, change or go: note the contacts that end with that, and wake their neighbours.

    To be called before the contacts are taken out; gives whether there are any.
    """
    rows, others = neighbours(state, slots)
    if len(rows):
        touching = rows[(state.contacts.info[rows, 1] & TOUCHING) != 0]
        if len(touching):
            keep_ended(state, state.contacts.pair[touching, :2])
        wake(state, others)
    return len(rows) > 0


def disturb_shapes(state: State, slots: Array) -> None:
    """The same for single shapes; their contacts are taken out."""
    mark = np.zeros(len(state.shapes) + 1, np.bool_)
    mark[slots] = True
    pair = state.contacts.pair
    rows = np.flatnonzero(mark[pair[:, 0]] | mark[pair[:, 1]])
    if len(rows):
        touching = rows[(state.contacts.info[rows, 1] & TOUCHING) != 0]
        keep_ended(state, pair[touching, :2])
        others = np.unique(pair[rows, 2:])
        contacts.remove(state, rows)
        wake(state, others)
