"""Adds and removes the rows of contacts, and keeps the set of pairs in agreement with them.

The table is packed, and its order is state: solver and narrow phase process it row by row. Rows are added at the end,
in the order in which they are given. When rows are removed, the last row moves into each gap, from the highest gap
down. Both depend only on the table, so a restored World continues with the same order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array, njit

from ..broad.pair_set import PairSet, delete_key, key_of
from ..components.tables import COLD, HIT_EVENTS, IS_COLD, IS_SENSOR, NEEDS_UPDATE, SENSOR
from .ended_contacts import store_ended

if TYPE_CHECKING:
    from .state import State


_LISTED = 1 << 30
"""A flag in `Contacts.info` of the rows in `State.changed`, set only while rows are moved."""
_CHOSEN, _OTHER = 1, 2
"""The marks of `list_contacts`."""
_1, _32 = np.uint64(1), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


def append(state: State, keys: Array) -> None:
    """Add a contact for each pair of shapes, in this order; none of the pairs may be a contact already.

    keys: uint64, the numbers of the pairs (`pair_set.key_of`).
    """
    contacts, shapes = state.contacts, state.shapes
    first = len(contacts)
    contacts.resize(first + len(keys))
    _write_rows(
        keys, first, shapes.flat("body"), shapes.flat("flags"), contacts.flat("pair"), contacts.flat("manifold"),
        contacts.flat("ids"), contacts.flat("info"), contacts.flat("cold"),
    )  # fmt: skip
    state.index.pairs.add(keys)
    state.stale(awake=False, joints=False)


def remove(state: State, rows: Array) -> None:
    """Remove contacts. Touching ones are stored in `Ended`, and `state.changed` is updated.

    rows: int, ascending, without duplicates.
    """
    if not len(rows):
        return
    store_ended(state, rows)
    table, flats, changed, before = state.contacts, state.flats(state.contacts), state.changed, len(state.contacts)
    pairs: PairSet = state.index.pairs
    n_changed = drop_rows(
        rows.astype(np.int32), changed, pairs.keys, flats.pair, flats.manifold, flats.ids, flats.info, flats.cold
    )
    if len(changed):
        state.changed = np.sort(changed[:n_changed])
    pairs.count -= len(rows)
    table.resize(before - len(rows))
    if len(state.active) == before and not state.stale_active:
        state.active = state.active[: len(table)]  # all contacts are active, so the list is 0, 1, 2, ...
    else:
        state.stale(awake=False, joints=False)


def rows_of_slots(state: State, slots: Array, column: int) -> Array:
    """Return the contacts of some shapes (column 0) or bodies (column 2), by their slots, int32 ascending."""
    return rows_and_others(state, slots, column)[0]


def rows_and_others(state: State, slots: Array, column: int = 2) -> tuple[Array, Array]:
    """Return the contacts of some bodies (column 2) or shapes (column 0), and the slots of those that they touch or may
    touch, without those of sensor contacts; both int32 ascending.
    """
    contacts, room = state.flats(state.contacts), (state.bodies if column else state.shapes).used
    rows, others = np.empty(len(state.contacts), np.int32), np.empty(room, np.int32)
    count, n_others = list_contacts(
        np.asarray(slots, np.int32), contacts.pair, contacts.info, column, np.zeros(room, np.uint8), rows, others
    )
    return rows[:count], others[:n_others]


def request_update(state: State, bodies: Array) -> None:
    """Mark all contacts of these bodies (int slots) so that the next step evaluates them, because the bodies have
    moved since the last evaluation and may be asleep now.
    """
    rows = rows_of_slots(state, bodies, 2)
    if len(rows):
        state.contacts.info[rows, 1] |= NEEDS_UPDATE
        state.stale(awake=False, joints=False)


def remove_of_shapes(state: State, shapes: Array) -> None:
    """Remove all contacts of these shapes (int slots). The caller wakes the bodies that touched them."""
    remove(state, rows_of_slots(state, shapes, 0))


def remove_of_bodies(state: State, bodies: Array) -> None:
    """Remove all contacts of these bodies (int slots). The caller wakes the bodies that touched them."""
    remove(state, rows_of_slots(state, bodies, 2))


def remove_between(state: State, pairs: Array) -> None:
    """Remove all contacts between pairs of bodies, except those of sensors, because a joint now disables them. The
    caller wakes the bodies.

    pairs: int (n, 2), slots of bodies.
    """
    bodies = np.sort(state.contacts.pair[:, 2:], axis=1).astype(np.int64)
    ordered = np.sort(pairs, axis=1).astype(np.int64)
    room = len(state.bodies)
    solid = (state.contacts.info[:, 1] & IS_SENSOR) == 0
    remove(state, np.flatnonzero(solid & np.isin(bodies @ (room, 1), ordered @ (room, 1))))


@njit(borrows=True, inline="always")
def list_contacts(
    slots: Array, pair: Array, info: Array, column: Any, marks: Array, rows: Array, others: Array
) -> tuple[int, int]:
    """List the contacts of some slots, and the other slots of those that are no sensors; return the lengths of both
    lists. marks: uint8 by slot, zeros.
    """
    count, n_others = 0, 0
    for k in range(len(slots)):
        marks[slots[k]] = _CHOSEN
    for c in range(len(info) // 2):
        a, b = np.int64(pair[4 * c + column]), np.int64(pair[4 * c + column + 1])
        if not (marks[a] | marks[b]) & _CHOSEN:
            continue
        rows[count] = c
        count += 1
        if not info[2 * c + 1] & IS_SENSOR:
            if marks[a] & _CHOSEN:
                marks[b] |= _OTHER
            if marks[b] & _CHOSEN:
                marks[a] |= _OTHER
    if count:
        for k in range(len(marks)):
            if marks[k] & _OTHER:
                others[n_others] = k
                n_others += 1
    return count, n_others


@njit(borrows=True)
def _write_rows(
    keys: Array, first: int, shape_body: Array, shape_flags: Array, pair: Array, manifold: Array, ids: Array,
    info: Array, cold: Array,
) -> None:  # fmt: skip
    zero = np.float32(0)
    for k in range(len(keys)):
        row = first + k
        a = np.int64((keys[k] - _1) >> _32)
        b = np.int64((keys[k] - _1) & _LOW)
        pair[4 * row], pair[4 * row + 1] = a, b
        pair[4 * row + 2], pair[4 * row + 3] = shape_body[a], shape_body[b]
        for c in range(24):
            manifold[24 * row + c] = zero
        for c in range(8):
            cold[8 * row + c] = zero
        ids[2 * row], ids[2 * row + 1] = 0, 0
        either = shape_flags[a] | shape_flags[b]
        info[2 * row] = 0
        kind = (IS_SENSOR if either & SENSOR else 0) | (IS_COLD if either & (COLD | HIT_EVENTS) else 0)
        info[2 * row + 1] = NEEDS_UPDATE | kind


@njit(borrows=True, inline="always")
def drop_rows(
    rows: Array, changed: Array, keys: Array, pair: Array, manifold: Array, ids: Array, info: Array, cold: Array
) -> int:
    """Remove rows and their keys. `changed` is updated, but not sorted; returns the number of its remaining rows."""
    last, n_changed = len(ids) // 2, 0
    for k in range(len(changed)):
        info[2 * changed[k] + 1] |= _LISTED
    for k in range(len(rows)):
        info[2 * rows[k] + 1] &= ~_LISTED
    # Move the last row into each gap, from the highest gap down.
    for k in range(len(rows) - 1, -1, -1):
        row = rows[k]
        delete_key(keys, key_of(np.uint64(pair[4 * row]), np.uint64(pair[4 * row + 1])))
        last -= 1
        if row != last:
            for c in range(4):
                pair[4 * row + c] = pair[4 * last + c]
            for c in range(24):
                manifold[24 * row + c] = manifold[24 * last + c]
            for c in range(8):
                cold[8 * row + c] = cold[8 * last + c]
            for c in range(2):
                ids[2 * row + c] = ids[2 * last + c]
                info[2 * row + c] = info[2 * last + c]
    # A listed row is at its old index or in a gap that it was moved to.
    for part in (changed, rows):
        for k in range(len(part)):
            c = part[k]
            if c < last and info[2 * c + 1] & _LISTED:
                info[2 * c + 1] &= ~_LISTED
                changed[n_changed] = c
                n_changed += 1
    return n_changed
