"""Contacts that were removed while they touched, in the table `Ended`, until the step reports them.

A contact is removed when its boxes separate, and when a body or a collider is removed, teleported or changed. In the
last two cases the colliders often touch again in the next step, as a new contact. So a removal is stored with the
entities of both colliders, and `changes` compares it with what touches at the end of the step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_jit import Array, njit

from ..components.tables import SENSOR, SILENT, TOUCHING

if TYPE_CHECKING:
    from .state import State

SENSOR_A, SENSOR_B = 1, 2
"""The bits of the column SENSORS: collider A is a sensor, collider B is a sensor."""
A, B, BODY_A, BODY_B, FLAGS, SENSORS, QUIET = range(7)
"""The columns of `pairs_of`, in the order of the fields of `Ended`."""
_COLUMNS = 7


def store_ended(state: State, rows: Array) -> None:
    """Store the contacts among `rows` (of `Contacts`) that touch. Call it before the rows are removed."""
    rows = rows[(state.flats(state.contacts).info[2 * rows + 1] & TOUCHING) != 0]
    if len(rows):
        table = state.ended
        new_rows = table.flat_rows(table.resize(len(table) + len(rows)))
        for column, values in zip(new_rows, pairs_of(state, rows).T, strict=True):
            column[:] = values


def ended_pairs(state: State) -> Array:
    """Return the stored pairs as rows of `pairs_of`."""
    return np.array([state.ended.column(name) for name in state.ended.schema.fields], np.int64).T


def pairs_of(state: State, rows: Array) -> Array:
    """Return the colliders of contacts, int64 (n, 7). The columns are the entities A and B, their bodies, the flags of
    both shapes combined with OR, which of both are sensors, and 1 if no event was emitted when the contact began.
    """
    shapes, contacts = state.flats(state.shapes), state.flats(state.contacts)
    pairs = np.empty((_COLUMNS, len(rows)), np.int64)
    name_pairs(
        np.asarray(rows, np.int32), contacts.pair, contacts.info, shapes.flags, shapes.entity,
        state.flats(state.bodies).entity, pairs.ravel(),
    )  # fmt: skip
    return pairs.T


@njit(borrows=True)
def name_pairs(
    rows: Array, pair: Array, info: Array, flags: Array, entity: Array, body_entity: Array, pairs: Array
) -> None:
    """Write the columns of `pairs_of` one after the other. flags, entity: of the shapes."""
    n = len(rows)
    for k in range(n):
        c = np.int64(rows[k])
        u, v = np.int64(pair[4 * c]), np.int64(pair[4 * c + 1])
        sensors = (SENSOR_A if flags[u] & SENSOR else 0) | (SENSOR_B if flags[v] & SENSOR else 0)
        pairs[A * n + k], pairs[B * n + k] = entity[u], entity[v]
        pairs[BODY_A * n + k] = body_entity[np.int64(pair[4 * c + 2])]
        pairs[BODY_B * n + k] = body_entity[np.int64(pair[4 * c + 3])]
        pairs[FLAGS * n + k], pairs[SENSORS * n + k] = flags[u] | flags[v], sensors
        pairs[QUIET * n + k] = 1 if info[2 * c + 1] & SILENT else 0
