"""The kernels of the contact events: they select the contacts with events and write the event columns.

In every step of a falling pile about a hundred contacts begin or end. Emitting them with numpy takes longer than
solving them, so these kernels write each event column directly from the tables.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import Array, njit

from ..components.tables import (
    BEGAN,
    CONTACT_EVENTS,
    ENDED,
    HIT_EVENTS,
    IS_SENSOR,
    MANIFOLD,
    PIECE,
    POINT0,
    POINT1,
    SENSOR,
    SILENT,
    TOUCHING,
)

BEGUN, OVER, ENTERED, LEFT = range(4)
"""The lists of `sort_changes`: contacts that began, contacts that ended, overlaps with sensors that began, and such
overlaps that ended.
"""
_ZERO, _HALF = np.float32(0), np.float32(0.5)


@njit(borrows=True)
def sort_changes(rows: Array, pair: Array, info: Array, flags: Array, lists: Array) -> Any:
    """Sort contacts into the four lists, which are stored one after the other in `lists`, int32 (4 · len(rows),).
    Return the length of each list, the number of contacts that began, and the number of contacts of a PIECE.

    flags: of the shapes. Overlaps with sensors are always listed. A contact that began is listed if one of its shapes
    has CONTACT_EVENTS; otherwise it is marked SILENT. A contact that ended is listed if it is not SILENT.
    """
    room = len(rows)
    begun, over, entries, exits, began, pieces = 0, 0, 0, 0, 0, 0
    for k in range(room):
        c = np.int64(rows[k])
        marks = info[2 * c + 1]
        either = flags[np.int64(pair[4 * c])] | flags[np.int64(pair[4 * c + 1])]
        if either & PIECE:
            pieces += 1
        if marks & BEGAN:
            began += 1
            info[2 * c + 1] = marks & ~SILENT
        if either & SENSOR:
            if marks & BEGAN:
                lists[ENTERED * room + entries] = c
                entries += 1
            if marks & ENDED:
                lists[LEFT * room + exits] = c
                exits += 1
        elif marks & BEGAN:
            if either & CONTACT_EVENTS:
                lists[BEGUN * room + begun] = c
                begun += 1
            else:
                info[2 * c + 1] = marks | SILENT
        elif marks & ENDED and not marks & SILENT:
            lists[OVER * room + over] = c
            over += 1
    return begun, over, entries, exits, began, pieces


@njit(borrows=True)
def list_hits(
    active: Array, pair: Array, info: Array, cold: Array, flags: Array, least: Any, rows: Array, speeds: Array,
    impulses: Array,
) -> Any:  # fmt: skip
    """List the contacts of shapes with HIT_EVENTS that met faster than `least`, in units/s, and push each other; with
    their speed and impulse, float32. Return their number, and the number of those of a PIECE. flags: of the shapes.
    """
    count, pieces = 0, 0
    for k in range(len(active)):
        c = np.int64(active[k])
        either = flags[np.int64(pair[4 * c])] | flags[np.int64(pair[4 * c + 1])]
        if (info[2 * c + 1] & (TOUCHING | IS_SENSOR)) != TOUCHING or not either & HIT_EVENTS:
            continue
        speed, impulse = max(cold[8 * c + 3], cold[8 * c + 4]), cold[8 * c + 1] + cold[8 * c + 2]
        if speed > least and impulse > _ZERO:
            rows[count], speeds[count], impulses[count] = c, speed, impulse
            count += 1
            pieces += 1 if either & PIECE else 0
    return count, pieces


@njit(borrows=True)
def write_contacts(
    rows: Array, pair: Array, info: Array, manifold: Array, entity: Array, body: Array, body_entity: Array, pose: Array,
    a: Array, b: Array, body_a: Array, body_b: Array, point: Array, normal: Array,
) -> None:  # fmt: skip
    """Write for each contact the entities of both colliders and of both bodies, int64. If `point` is not empty, write
    also the mean contact point in the world and the normal, two float32 each. entity, body: of the shapes.
    """
    for k in range(len(rows)):
        c = np.int64(rows[k])
        u, v = np.int64(pair[4 * c]), np.int64(pair[4 * c + 1])
        a[k], b[k] = entity[u], entity[v]
        body_a[k], body_b[k] = body_entity[np.int64(body[u])], body_entity[np.int64(body[v])]
        o, p = MANIFOLD * c, 4 * np.int64(pair[4 * c + 2])
        for axis in range(min(2, len(point))):
            at = manifold[o + POINT0 + axis]
            if info[2 * c] > 1:
                at = _HALF * (at + manifold[o + POINT1 + axis])
            point[2 * k + axis] = pose[p + axis] + at
            normal[2 * k + axis] = manifold[o + axis]
