"""Finds the pairs of colliders that began or stopped touching in a step, from the contacts that were added, changed
and removed.

A contact is of two shapes, and an event is of two colliders. They differ in two cases. A collider cut into several
pieces touches another as long as one of its pieces does. And a contact that was removed between two steps, because a
collider was changed or a body was teleported, is often replaced by another one in the same step. In both cases the pair
is compared as a whole: it touched before if one of its contacts lasted or ended, and touches now if one of them lasts
or began.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_jit import Array

from ..components.tables import BEGAN, PIECE, SILENT, TOUCHING
from .ended_contacts import FLAGS, QUIET, SENSORS, A, B, pairs_of

if TYPE_CHECKING:
    from .state import State


def changes_of_pairs(state: State, rows: Array, removed: Array) -> tuple[Array, Array]:
    """Return the changed contacts and the removed contacts that stand for a pair of colliders which began or stopped
    touching: one contact for each such pair.

    rows: the contacts with the flag BEGAN or ENDED. removed: rows of `pairs_of`. If a pair touched before and still
    touches, the flag BEGAN of its new contact is cleared, and SILENT is copied from its old contact.
    """
    info = state.contacts.info
    began = (info[rows, 1] & BEGAN) != 0
    changed = pairs_of(state, rows)
    lasting = np.zeros((0, changed.shape[1]), np.int64)
    if ((np.concatenate([changed, removed])[:, FLAGS] & PIECE) != 0).any():
        lasting = pairs_of(state, lasting_pieces(state))
    everything = np.concatenate([changed, removed, lasting])
    group = groups_of(everything)
    n, ended = len(rows), len(rows) + len(removed)
    came = np.zeros(len(everything), np.bool_)
    came[:n] = began
    went = ~came
    went[ended:] = False
    lasts = np.arange(len(everything)) >= ended
    touched, touches = _any(group, went | lasts), _any(group, came | lasts)
    quiet = _any(group, ~came & (everything[:, QUIET] != 0))
    stays = came[:n] & touched[:n]
    info[rows[stays], 1] &= ~(BEGAN | SILENT)
    info[rows[stays & quiet[:n]], 1] |= SILENT
    # The first contact of each pair that began, and of each that ended.
    real = np.where(came, ~touched, went & ~touches)
    first = np.zeros(len(everything), np.bool_)
    indices = np.flatnonzero(real)
    first[indices[np.unique(group[indices], return_index=True)[1]]] = True
    info[rows[first[:n] & ~came[:n] & quiet[:n]], 1] |= SILENT
    removed[:, QUIET] |= quiet[n:ended]
    return rows[first[:n]], removed[first[n:ended]]


def lasting_pieces(state: State) -> Array:
    """Return the contacts of pieces that touch and did not begin in this step."""
    info, flags = state.contacts.info[:, 1], state.shapes.flags
    rows = np.flatnonzero((info & (TOUCHING | BEGAN)) == TOUCHING)
    pair = state.contacts.pair[rows]
    return rows[((flags[pair[:, 0]] | flags[pair[:, 1]]) & PIECE) != 0]


def groups_of(pairs: Array) -> Array:
    """Return a group number for each row of `pairs_of`, int (n,). Rows of the same two colliders, in either order,
    have the same number.
    """
    keys = np.column_stack([pairs[:, : B + 1].min(axis=1), pairs[:, A : B + 1].max(axis=1), pairs[:, SENSORS] != 0])
    order = np.lexsort(keys.T)
    is_first = np.append(True, (keys[order][1:] != keys[order][:-1]).any(axis=1))[: len(keys)]
    group = np.empty(len(keys), np.int64)
    group[order] = np.cumsum(is_first) - 1
    return group


def _any(group: Array, marked: Array) -> Array:
    """Return for each row whether any row of its group is marked, bool (n,)."""
    return np.bincount(group, weights=marked, minlength=1)[group] > 0
