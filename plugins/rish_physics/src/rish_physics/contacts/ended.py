"""Contacts that were removed while they touched, in the table `Ended`, until the step reports them.

A contact is removed when its boxes separate, and when a body or a collider is removed, teleported or changed. In the
last two cases the colliders often touch again in the next step, as a new contact. So a removal is stored with the
entities of both colliders, and `changes` compares it with what touches at the end of the step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..components.tables import SENSOR, SILENT, TOUCHING

if TYPE_CHECKING:
    from .state import State

Array = npt.NDArray[Any]
SENSOR_A, SENSOR_B = 1, 2
"""The bits of the column SENSORS: which of both colliders are sensors."""
A, B, BODY_A, BODY_B, FLAGS, SENSORS, QUIET = range(7)
"""The columns of `pairs_of`, in the order of the fields of `Ended`."""
_COLUMNS = 7


def store_ended(state: State, rows: Array) -> None:
    """Store those of some contacts (rows of `Contacts`) that touch; call it before they are removed."""
    rows = rows[(state.flats(state.contacts).info[2 * rows + 1] & TOUCHING) != 0]
    if len(rows):
        ended, pairs = state.ended, pairs_of(state, rows)
        added = ended.resize(len(ended) + len(rows))
        for k, name in enumerate(ended.schema.fields):
            ended.column(name)[added] = pairs[:, k]


def take_ended(state: State) -> Array:
    """Return the stored pairs as rows of `pairs_of`, and clear the table."""
    ended = state.ended
    pairs = np.empty((len(ended), _COLUMNS), np.int64)
    for k, name in enumerate(ended.schema.fields):
        pairs[:, k] = ended.column(name)
    ended.resize(0)
    return pairs


def pairs_of(state: State, rows: Array) -> Array:
    """Return the colliders of some contacts, int64 (n, 7): the entities of both, of both bodies, the flags of both
    shapes combined with OR, which are sensors, and whether the begin was not reported.
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
