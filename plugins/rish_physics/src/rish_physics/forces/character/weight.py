"""Switches off the contact between a character and the dynamic body that it stands on, so that the character has no
weight.

The character follows that body as a kinematic body, so its mass is infinite for the solver: it would hold a lift that
begins to rise, and press down a crate that it follows. So the solver skips their contact.
"""

from __future__ import annotations

import numpy as np

from rish_jit import Array

from ...components.tables import DYNAMIC, ONE_WAY, PASSES_THROUGH, POINT0, POINT1, TYPE
from ...contacts.state import State

_IMPULSES = [POINT0 + 6, POINT0 + 7, POINT1 + 6, POINT1 + 7]
"""The indices of the impulses in a manifold."""


def release_grounds(state: State, slots: Array, grounds: Array) -> None:
    """Set the flag PASSES_THROUGH on the contacts of characters with the bodies on which they stand, so that the
    solver skips them; clear it on their other contacts.

    slots, grounds: int32 (n,), the bodies of the characters and of their grounds; 0 for none.
    """
    pair, info = state.contacts.pair, state.contacts.info
    skipped = (info[:, 1] & PASSES_THROUGH) != 0
    dynamic = (state.bodies.flags[grounds] & TYPE) == DYNAMIC
    if not dynamic.any() and not skipped.any():
        return
    below = np.full(len(state.bodies), -1, np.int32)
    below[slots[dynamic]] = grounds[dynamic]
    stands = (below[pair[:, 2]] == pair[:, 3]) | (below[pair[:, 3]] == pair[:, 2])
    one_way = (state.shapes.flags[pair[:, :2]] & ONE_WAY).any(axis=1)
    info[skipped & ~stands & ~one_way, 1] &= ~PASSES_THROUGH
    released = np.flatnonzero(stands & ~skipped)
    info[released, 1] |= PASSES_THROUGH
    state.contacts.manifold[released[:, None], _IMPULSES] = 0
