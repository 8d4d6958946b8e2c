"""The kernel that finds which single bodies come and go, see `single_bodies`. It plans, and `update_bodies` acts."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_ecs.storage import INDEX_MASK
from rish_jit import Array, njit

from ..components.slots import BODY, SHAPE
from ..components.tables import AWAKE, DYNAMIC, ENABLED, IMPLICIT, QUARANTINED, STATIC, TOUCHING, TYPE, USED
from ..contacts.rows import list_contacts

_0 = np.float32(0)
HANDLE, PLACE, BODY_ROW, FORM, SLOT, CHANGE = range(6)
"""The numbers of an entity in `plan`: its handle, its rows of Transform, Body and Collider (-1 for none), the slot of
its body (0 for none), and what happens to it."""
PLAN = 6
NOTHING, STAYS, BARE, GOES, COMES, COMES_IMPLICIT = range(6)
"""What happens to an entity: it has no body; its body stays, with its collider or without one; its body goes; a body
comes, with a Body or as a collider alone."""
REMOVED, GONE, ADDED, CONTACTS, TOUCHED, OTHERS, SLEEPERS, STILL, FREE_BODIES, FREE_SHAPES = range(10)
"""The counts of `find_changes`: bodies removed, their shapes, bodies added, contacts of removed bodies, how many of
these touch, their other bodies, how many of these sleep, static bodies removed, and free slots."""
COUNTS = 10
MAX_ENTITIES = 256
"""The number of entities, and of shapes of removed bodies, above which `find_changes` gives up."""


@njit(borrows=True, inline="always")
def row_of(handle: Any, handles: Array, index: Array) -> Any:
    """Return the row of an entity in a table, -1 for none, int64. handles, index: `entities` and `row_index`."""
    i = handle & INDEX_MASK
    row = np.int64(index[i]) if i < len(index) else np.int64(-1)
    return row if row >= 0 and handles[row] == handle else np.int64(-1)


@njit(borrows=True, inline="always")
def insert(handle: Any, plan: Array, n: Any) -> Any:
    """Insert a handle into the first `n` of a plan, ascending; return their new number."""
    k = n
    while k > 0 and plan[PLAN * (k - 1)] > handle:
        k -= 1
    if k > 0 and plan[PLAN * (k - 1)] == handle:
        return n
    for m in range(n, k, -1):
        plan[PLAN * m] = plan[PLAN * (m - 1)]
    plan[PLAN * k] = handle
    return n + 1


@njit(borrows=True, inline="always")
def is_among(handle: Any, plan: Array, n: Any) -> bool:
    """Return True if a handle is among the first `n` of a plan."""
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        if plan[PLAN * middle] < handle:
            low = middle + 1
        else:
            high = middle
    return low < n and plan[PLAN * low] == handle


@njit(borrows=True, inline="always")
def list_entities(handles: Array, entities: Any, parent: Array, plan: Array) -> int:
    """Write the handles and those of all entities below them to a plan, ascending; return their number.

    Returns -1 if there are too many, or if one below them that is not among the handles has a Body or a Collider.
    entities: see `find_changes`.
    """
    places, _, bodies, body_index, forms, form_index, _, _ = entities
    n = 0
    for k in range(len(handles)):
        if n == MAX_ENTITIES:
            return -1
        n = insert(handles[k], plan, n)
    before = -1
    while before < n:
        before = n
        for row in range(len(parent)):
            if parent[row] == 0 or not is_among(parent[row], plan, n) or is_among(places[row], plan, n):
                continue
            below = places[row]
            if n == MAX_ENTITIES or row_of(below, bodies, body_index) >= 0 or row_of(below, forms, form_index) >= 0:
                return -1
            n = insert(below, plan, n)
    return n


@njit(borrows=True, inline="always")
def change_of(wanted: Any, has_form: Any, slot: Any, owner: Any, flags: Any) -> Any:
    """Return what happens to an entity, -1 if that is more than a body that comes or goes.

    wanted: COMES or COMES_IMPLICIT if it needs a body, otherwise NOTHING. has_form: whether its collider takes part.
    slot: of its body. owner: the body of its shapes, 0 for none. flags: of its body.
    """
    if slot == 0:
        return -1 if owner != 0 or (wanted != NOTHING and not has_form) else wanted
    if wanted == NOTHING:
        return GOES if owner == 0 or owner == slot else -1
    if (wanted == COMES_IMPLICIT) != (flags & IMPLICIT != 0) or owner != (slot if has_form else 0):
        return -1
    return STAYS if has_form else BARE


@njit(borrows=True, inline="always")
def put(slot: Any, slots: Array, n: Any) -> Any:
    """Insert a slot into the first `n` of a list, ascending; return their new number."""
    k = n
    while k > 0 and slots[k - 1] > slot:
        slots[k] = slots[k - 1]
        k -= 1
    slots[k] = slot
    return n + 1


@njit(borrows=True, inline="always")
def place_added(number: Any, plan: Array, added: Array, n: Any) -> Any:
    """Insert an entity of the plan into the first `n` added ones, in the order in which slots are assigned: those with
    a Body by its row, then those without by the row of their Collider. Return their new number.
    """
    o, k = PLAN * number, n
    row = plan[o + (BODY_ROW if plan[o + CHANGE] == COMES else FORM)]
    while k > 0:
        p = PLAN * np.int64(added[k - 1])
        if plan[p + CHANGE] < plan[o + CHANGE]:
            break
        if plan[p + CHANGE] == plan[o + CHANGE] and plan[p + (BODY_ROW if plan[p + CHANGE] == COMES else FORM)] < row:
            break
        added[k] = added[k - 1]
        k -= 1
    added[k] = number
    return n + 1


@njit(borrows=True)
def find_changes(
    handles: Array, entities: Any, columns: Any, maximum: Any, links: Any, bodies: Any, shapes: Any, contacts: Any,
    free: Array, plan: Array, lists: Any, counts: Array,
) -> int:  # fmt: skip
    """Find the single bodies that come and go; return the number of entities in `plan`, -1 if there is more to do.

    Then nothing was written but working memory. Otherwise `Links.body_row` and `place_row` are up to date, and awake
    bodies beside removed ones rest anew.

    handles: int64, the entities whose rows have changed. entities: `entities` and `row_index` of Transform, Body,
    Collider and Disabled. columns: parents, `enabled` of Body and Collider, and velocities. maximum: the square of the
    maximum speed. links: body_of, shape_of, body_row, place_row. bodies, shapes, contacts: the columns unpacked here.
    free: `Free.table`. plan: int64, `PLAN` numbers for each entity. lists: int32: the slots of removed bodies and of
    their shapes, the added ones by their number in `plan`, then the contacts of removed bodies and the other bodies of
    these, with room for all; uint8 by slot of a body, zeros. counts: int64, `COUNTS`.
    """
    places, place_index, bodied, body_index, formed, form_index, disabled, disabled_index = entities
    parent, body_enabled, form_enabled, velocity = columns
    body_of, shape_of, body_row, place_row = links
    owners, flags, rest, first_shape = bodies
    shape_owners, shape_body, following = shapes
    pair, info = contacts
    removed, gone, added, rows, others, marks = lists
    n = list_entities(handles, entities, parent, plan)
    n_removed, n_gone, n_added, still = 0, 0, 0, 0
    for k in range(n):
        o = PLAN * k
        handle = plan[o]
        index = handle & INDEX_MASK
        place, body = row_of(handle, places, place_index), row_of(handle, bodied, body_index)
        form = row_of(handle, formed, form_index)
        slot = np.int64(body_of[index]) if index < len(body_of) else np.int64(0)
        if owners[slot] != handle:
            slot = np.int64(0)
        shape = np.int64(shape_of[index]) if index < len(shape_of) else np.int64(-1)
        owner = np.int64(0)
        if 0 <= shape < len(shape_owners) and shape_owners[shape] == handle:
            owner = np.int64(shape_body[shape])
        is_solid = body >= 0 or form >= 0
        if (place < 0 and is_solid) or (place >= 0 and (is_solid or slot) and parent[place] != 0):
            return -1
        wanted, has_form = NOTHING, False
        if place >= 0 and row_of(handle, disabled, disabled_index) < 0:
            if body >= 0 and body_enabled[body]:
                wanted = COMES
            elif body < 0 and form >= 0 and form_enabled[form]:
                wanted = COMES_IMPLICIT
            has_form = wanted != NOTHING and form >= 0 and form_enabled[form]
        change = change_of(wanted, has_form, slot, owner, flags[slot])
        if change < 0:
            return -1
        plan[o + PLACE], plan[o + BODY_ROW], plan[o + FORM] = place, body, form
        plan[o + SLOT], plan[o + CHANGE] = slot, change
        if change == GOES:
            still += flags[slot] & TYPE == STATIC
            n_removed = put(np.int32(slot), removed, n_removed)
            shape = np.int64(first_shape[slot])
            while shape >= 0:
                if n_gone == MAX_ENTITIES:
                    return -1
                n_gone = put(np.int32(shape), gone, n_gone)
                shape = np.int64(following[shape])
        elif change >= COMES:
            if body >= 0:
                x, y = np.float64(velocity[2 * body]), np.float64(velocity[2 * body + 1])
                if not x * x + y * y <= maximum:
                    return -1
            n_added = place_added(k, plan, added, n_added)
    if n < 0:
        return -1
    n_rows, n_others, sleepers, touched, n_bodies = 0, 0, 0, 0, 0
    if n_removed:
        n_rows, n_others = list_contacts(removed[:n_removed], pair, info, np.int64(2), marks, rows, others)
    for k in range(n_rows):
        touched += info[2 * rows[k] + 1] & TOUCHING != 0
    for k in range(n_others):
        look = flags[others[k]]
        if look & (TYPE | QUARANTINED) == DYNAMIC:
            if not look & AWAKE:
                sleepers += 1
            elif look & (USED | ENABLED) == USED | ENABLED:
                rest[2 * others[k]] = _0
    for k in range(n):
        slot = plan[PLAN * k + SLOT]
        if slot:
            body_row[slot], place_row[slot] = plan[PLAN * k + BODY_ROW], plan[PLAN * k + PLACE]
    for k in range(len(free)):
        n_bodies += free[k] == BODY
        counts[FREE_SHAPES] += free[k] == SHAPE
    counts[REMOVED], counts[GONE], counts[ADDED], counts[CONTACTS] = n_removed, n_gone, n_added, n_rows
    counts[TOUCHED], counts[OTHERS], counts[SLEEPERS], counts[STILL] = touched, n_others, sleepers, still
    counts[FREE_BODIES] = n_bodies
    return n
