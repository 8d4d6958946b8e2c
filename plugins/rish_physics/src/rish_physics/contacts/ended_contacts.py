"""Contacts that were removed while they touched, in the table `Ended`, until the step reports them.

A contact is removed when its boxes separate, and when a body or a collider is removed, teleported or changed. In the
last two cases the colliders often touch again in the next step, as a new contact. So a removal is stored with the
entities of both colliders, and `changes` compares it with what touches at the end of the step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_jit import Array

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
        table, pairs = state.ended, pairs_of(state, rows)
        new_rows = table.resize(len(table) + len(rows))
        for k, name in enumerate(table.schema.fields):
            table.column(name)[new_rows] = pairs[:, k]


def take_ended(state: State) -> Array:
    """Return the stored pairs as rows of `pairs_of`, and clear the table."""
    table = state.ended
    pairs = np.empty((len(table), _COLUMNS), np.int64)
    for k, name in enumerate(table.schema.fields):
        pairs[:, k] = table.column(name)
    table.resize(0)
    return pairs


def pairs_of(state: State, rows: Array) -> Array:
    """Return the colliders of contacts, int64 (n, 7). The columns are the entities A and B, their bodies, the flags of
    both shapes combined with OR, which of both are sensors, and 1 if no event was emitted when the contact began.
    """
    shapes, contacts = state.shapes, state.contacts
    pair = contacts.pair[rows]
    flags = shapes.flags[pair[:, :2]]
    sensors = (flags & SENSOR) != 0
    pairs = np.empty((len(rows), _COLUMNS), np.int64)
    pairs[:, A : B + 1] = shapes.entity[pair[:, :2]]
    pairs[:, BODY_A : BODY_B + 1] = state.bodies.entity[pair[:, 2:]]
    pairs[:, FLAGS] = flags[:, 0] | flags[:, 1]
    pairs[:, SENSORS] = SENSOR_A * sensors[:, 0] + SENSOR_B * sensors[:, 1]
    pairs[:, QUIET] = (contacts.info[rows, 1] & SILENT) != 0
    return pairs
