"""The contacts of characters with the bodies on which they stand.

A character is a kinematic body, so its mass is infinite for the solver: it would hold a lift that begins to rise, and
press down a crate that it follows. So the solver skips these contacts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array

from ..components.characters import Character3D
from ..components.manifold import FIRST, IMPULSE, POINT, SLIDE, TWIST

if TYPE_CHECKING:
    from rish_core import World

_IMPULSES = [TWIST, SLIDE, SLIDE + 1, SLIDE + 2, *(FIRST + POINT * k + IMPULSE for k in range(4))]


def release_grounds(world: World, contacts: Any) -> Array | None:
    """Return 1 for contacts of a character and its ground, int32, and set their impulses to 0; None for none."""
    table = world.table(Character3D)
    if not len(table) or not table.grounded.any():
        return None
    stands = np.zeros(len(contacts), np.bool_)
    for own, other in ((contacts.a, contacts.b), (contacts.b, contacts.a)):
        rows = table.rows_of(own)
        stands |= (rows >= 0) & table.grounded[rows] & (table.ground[rows] == other)
    rows = np.flatnonzero(stands)
    contacts.manifold[rows[:, None], _IMPULSES] = 0
    return stands.astype(np.int32)
