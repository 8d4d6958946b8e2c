"""The kernels that remove and add single bodies with their shapes and contacts, see `single_bodies`."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from rish_ecs.storage import INDEX_MASK
from rish_jit import Array, maths, njit

from ..components.slots import BODY, SHAPE
from ..components.tables import (  # fmt: skip
    AWAKE,
    DYNAMIC,
    FIXED_ROTATION,
    HIT_EVENTS,
    PUT_TO_SLEEP,
    SENSOR,
    SILENT,
    STATIC,
    STAY_EVENTS,
    TOUCHING,
    TYPE,
)
from ..contacts.ended_contacts import SENSOR_A, SENSOR_B
from ..contacts.rows import drop_rows
from ..geometry.aabb import fit_boxes
from .change_kernels import BODY_ROW, CHANGE, COMES, FORM, PLACE, PLAN, SLOT, STAYS, put

_BODY_NUMBERS = ("pose", "state", "extent", "drive", "seen", "given", "rest", "rest_force")
_SHAPE_NUMBERS = ("hull", "size", "middle", "surface", "tight", "fat")
_BODY_WIDTHS = (4, 8, 4, 8, 8, 4, 2, 3)
_SHAPE_WIDTHS = (32, 4, 2, 8, 4, 4)
_FILTER, _KNOWN = 3, 2
_0 = np.float32(0)
BodyArrays: TypeAlias = tuple[tuple[Array, ...], Array, Array, Array]
ShapeArrays: TypeAlias = tuple[tuple[Array, ...], Array, Array, Array, Array, Array, Array]


def body_arrays(table: Any) -> BodyArrays:
    """Return the columns of `Bodies` that are copied: float32, then flags, island and first shape."""
    flat = table.flat
    return tuple([flat(name) for name in _BODY_NUMBERS]), flat("flags"), flat("island"), flat("first_shape")


def shape_arrays(table: Any) -> ShapeArrays:
    """Return the columns of `Shapes`: float32, then flags, filter, known, entity, body and next."""
    others = [table.flat(name) for name in ("flags", "filter", "known", "entity", "body", "next")]
    return tuple([table.flat(name) for name in _SHAPE_NUMBERS]), *others  # pyright: ignore[reportReturnType]


@njit(borrows=True, inline="always")
def copy_numbers(numbers: Any, slot: Any, old_numbers: Any, row: Any, widths: Any) -> None:
    """Copy a row of float32 columns. widths: the numbers in a row of each column."""
    for f in range(len(widths)):
        width = widths[f]
        for c in range(width):
            numbers[f][width * slot + c] = old_numbers[f][width * row + c]


@njit(borrows=True, inline="always")
def start(i: Any, place: Any, row: Any, numbers: Any, look: Any, places: Any, speeds: Any) -> Any:
    """Write the pose and the velocities of a body; return its flags. place, row: of Transform and Body, -1 for none."""
    pose, state, extent, _, seen, _, _, _ = numbers
    position, rotation, scale = places
    velocity, angular_velocity, asleep = speeds
    vx, vy, spin = _0, _0, _0
    if row >= 0:
        vx, vy, spin = velocity[2 * row], velocity[2 * row + 1], angular_velocity[row]
    p, s, angle = 4 * i, 8 * i, rotation[place]
    seen[s], seen[s + 1], seen[s + 2] = position[2 * place], position[2 * place + 1], angle
    seen[s + 3], seen[s + 4], seen[s + 5] = vx, vy, spin
    seen[s + 6], seen[s + 7] = scale[2 * place], scale[2 * place + 1]
    sin, cos = maths.sincos(np.float64(angle))
    pose[p + 2], pose[p + 3] = cos, sin
    # The center of mass in the frame of the body, rotated.
    x, y, c, s_ = np.float64(extent[p]), np.float64(extent[p + 1]), np.float64(pose[p + 2]), np.float64(pose[p + 3])
    pose[p] = np.float64(position[2 * place]) + (c * x - s_ * y)
    pose[p + 1] = np.float64(position[2 * place + 1]) + (s_ * x + c * y)
    if look & TYPE == STATIC:
        return look
    spin = _0 if look & FIXED_ROTATION else spin
    state[s], state[s + 1], state[s + 2] = vx, vy, spin
    if vx != _0 or vy != _0 or spin != _0:
        return look | AWAKE
    if look & TYPE == DYNAMIC:
        return look | (PUT_TO_SLEEP if asleep[row] else AWAKE)
    return look


@njit(borrows=True, inline="always")
def clear_numbers(numbers: Any, slot: Any, widths: Any) -> None:
    """Set a row of float32 columns to zero. widths: the numbers in a row of each column."""
    for f in range(len(widths)):
        width = widths[f]
        for c in range(width):
            numbers[f][width * slot + c] = _0


@njit(borrows=True, inline="always")
def clear_body(i: Any, entity: Array, bodies: Any) -> None:
    """Set a row of Bodies to zero."""
    numbers, flags, island, first_shape = bodies
    clear_numbers(numbers, i, _BODY_WIDTHS)
    entity[i], flags[i], island[i], first_shape[i] = 0, 0, 0, 0


@njit(borrows=True, inline="always")
def clear_shape(i: Any, shapes: Any) -> None:
    """Set a row of Shapes to zero."""
    numbers, flags, filters, known, owner, body, following = shapes
    clear_numbers(numbers, i, _SHAPE_WIDTHS)
    for c in range(_FILTER):
        filters[_FILTER * i + c] = 0
    for c in range(_KNOWN):
        known[_KNOWN * i + c] = 0
    owner[i], flags[i], body[i], following[i] = 0, 0, 0, 0


@njit(borrows=True, inline="always")
def take_slot(number: Any, free: Any, count: Any) -> Any:
    """Take the last free slot of a table from the first `count` rows of Free; return it, -1 for none, and their new
    number. See `slots.take_slots`.
    """
    tables, slots = free
    k = count - 1
    while k >= 0 and tables[k] != number:
        k -= 1
    if k < 0:
        return np.int64(-1), count
    slot = np.int64(slots[k])
    for m in range(k, count - 1):
        tables[m], slots[m] = tables[m + 1], slots[m + 1]
    return slot, count - 1


@njit(borrows=True, inline="always")
def store_ended(rows: Array, contacts: Any, bodies: Array, shape_flags: Array, owner: Array, ended: Any) -> None:
    """Write the contacts among `rows` that touch to new rows of Ended. bodies, owner: entities of bodies and shapes."""
    pair, _, _, info, _ = contacts
    a, b, body_a, body_b, flags, sensors, silent = ended
    n = 0
    for k in range(len(rows)):
        c = np.int64(rows[k])
        if info[2 * c + 1] & TOUCHING:
            u, v = np.int64(pair[4 * c]), np.int64(pair[4 * c + 1])
            a[n], b[n] = owner[u], owner[v]
            body_a[n], body_b[n] = bodies[np.int64(pair[4 * c + 2])], bodies[np.int64(pair[4 * c + 3])]
            flags[n] = shape_flags[u] | shape_flags[v]
            sensors[n] = (SENSOR_A if shape_flags[u] & SENSOR else 0) | (SENSOR_B if shape_flags[v] & SENSOR else 0)
            silent[n] = info[2 * c + 1] & SILENT != 0
            n += 1


@njit(borrows=True, inline="always")
def remove_bodies(
    removed: Array, gone: Array, rows: Array, entity: Array, body_of: Array, contacts: Any, keys: Array, ended: Any,
    bodies: Any, shapes: Any, free: Any, count: int,
) -> int:  # fmt: skip
    """Remove bodies with their shapes and contacts, and free their slots; return the new number of rows of Free.

    rows: of their contacts. entity: of the bodies. contacts: pair, manifold, ids, info, cold. keys: the set of pairs.
    ended: the new rows of Ended. count: the number of rows of Free that are in use.
    """
    tables, slots = free
    _, shape_flags, _, _, owner, _, _ = shapes
    pair, manifold, ids, info, cold = contacts
    store_ended(rows, contacts, entity, shape_flags, owner, ended)
    drop_rows(rows, rows[:0], keys, pair, manifold, ids, info, cold)
    for k in range(len(gone) - 1, -1, -1):
        clear_shape(np.int64(gone[k]), shapes)
        tables[count], slots[count] = SHAPE, gone[k]
        count += 1
    for k in range(len(removed) - 1, -1, -1):
        i = np.int64(removed[k])
        body_of[entity[i] & INDEX_MASK] = 0
        clear_body(i, entity, bodies)
        tables[count], slots[count] = BODY, removed[k]
        count += 1
    return count


@njit(borrows=True, inline="always")
def add_bodies(
    copies: Array, plan: Array, added: Array, shape_slots: Array, new: Any, entity: Array, links: Any, bodies: Any,
    shapes: Any, old_bodies: Any, old_shapes: Any, places: Any, speeds: Any, free: Any, count: int,
) -> int:  # fmt: skip
    """Take slots for new bodies and their shapes, and fill them with cached rows, and with pose and velocity from the
    columns; return the new number of rows of Free.

    copies: int64, of the cached body its row, the first row of its shapes and their number, for each of `added`.
    shape_slots: int32, receives the slots of the new shapes. new: the first rows of Bodies and Shapes that are new.
    links: body_of, body_row, place_row. bodies, shapes: see `body_arrays` and `shape_arrays`; old_bodies, old_shapes:
    those of the cache. places: position, rotation and scale of Transform. speeds: velocity, angular velocity and
    `asleep` of Body. free, count: see `remove_bodies`.
    """
    body_of, body_row, place_row = links
    numbers, flags, island, first_shape = bodies
    old_numbers, old_flags, old_island, _ = old_bodies
    shape_numbers, shape_flags, filters, known, owner, body, following = shapes
    old_shape_numbers, old_shape_flags, old_filters, old_known, _, _, _ = old_shapes
    new_body, new_shape = new
    for k in range(len(added)):
        o = PLAN * np.int64(added[k])
        i, count = take_slot(BODY, free, count)
        if i < 0:
            i = np.int64(new_body)
            new_body += 1
            clear_body(i, entity, bodies)
        handle = plan[o]
        plan[o + SLOT] = i
        entity[i], body_of[handle & INDEX_MASK] = handle, i
        body_row[i], place_row[i] = plan[o + BODY_ROW], plan[o + PLACE]
    total = 0
    for k in range(len(added)):
        total += copies[3 * k + 2]
    for k in range(total):
        shape, count = take_slot(SHAPE, free, count)
        if shape < 0:
            shape = np.int64(new_shape)
            new_shape += 1
            clear_shape(shape, shapes)
        shape_slots[k] = shape
    taken, last = 0, np.int64(-1)
    for _ in range(len(added)):
        # The shapes take their slots in the order of their colliders.
        k = np.int64(-1)
        for m in range(len(added)):
            form = plan[PLAN * np.int64(added[m]) + FORM]
            if form > last and (k < 0 or form < plan[PLAN * np.int64(added[k]) + FORM]):
                k = np.int64(m)
        o = PLAN * np.int64(added[k])
        last, i = plan[o + FORM], plan[o + SLOT]
        row, first, n = copies[3 * k], copies[3 * k + 1], copies[3 * k + 2]
        copy_numbers(numbers, i, old_numbers, row, _BODY_WIDTHS)
        island[i] = old_island[row]
        flags[i] = start(i, plan[o + PLACE], plan[o + BODY_ROW], numbers, old_flags[row], places, speeds)
        for old in range(first, first + n):
            shape = np.int64(shape_slots[taken])
            taken += 1
            copy_numbers(shape_numbers, shape, old_shape_numbers, old, _SHAPE_WIDTHS)
            for c in range(_FILTER):
                filters[_FILTER * shape + c] = old_filters[_FILTER * old + c]
            for c in range(_KNOWN):
                known[_KNOWN * shape + c] = old_known[_KNOWN * old + c]
            shape_flags[shape] = old_shape_flags[old]
            owner[shape], body[shape] = entity[i], i
            following[shape] = np.int64(shape_slots[taken]) if old + 1 < first + n else -1
            if old == first:
                first_shape[i] = shape
    return count


@njit(borrows=True)
def update_bodies(
    plan: Array, lists: Any, copies: Array, links: Any, contacts: Any, keys: Array, ended: Any, entity: Array,
    bodies: Any, shapes: Any, old_bodies: Any, old_shapes: Any, places: Any, speeds: Any, boxes: Any, free: Any,
    numbers: Array, moved: Array,
) -> int:  # fmt: skip
    """Remove bodies and add others as `find_changes` has planned; return the requested events of the new shapes.

    plan: of the entities. lists: int32: removed bodies, their shapes and contacts, added bodies by their number in the
    plan. links: body_of, shape_of, body_row, place_row, holders. boxes: pose, speculative distance and margin. numbers:
    int64: the number of rows of Free, which is updated, and the first new rows of Bodies and Shapes; receives the
    length of `moved` and the number of new static bodies. moved: int32, receives the shapes that came or went,
    ascending. See `remove_bodies` and `add_bodies` for the others.
    """
    removed, gone, rows, added = lists
    body_of, shape_of, body_row, place_row, holders = links
    _, shape_flags, _, _, owner, shape_body, following = shapes
    shape_numbers = shapes[0]
    count = numbers[0]
    if len(removed):
        count = remove_bodies(
            removed, gone, rows, entity, body_of, contacts, keys, ended, bodies, shapes, free, count
        )  # fmt: skip
    total = 0
    for k in range(len(added)):
        total += copies[3 * k + 2]
    shape_slots = moved[len(gone) : len(gone) + total]
    count = add_bodies(
        copies, plan, added, shape_slots, (numbers[1], numbers[2]), entity, (body_of, body_row, place_row), bodies,
        shapes, old_bodies, old_shapes, places, speeds, free, count,
    )  # fmt: skip
    pose, speculative, margin = boxes
    fit_boxes(
        shape_slots, shape_body, shape_flags, shape_numbers[1], shape_numbers[0], pose, bodies[1], speculative, margin,
        shape_numbers[4], shape_numbers[5],
    )  # fmt: skip
    events, still = 0, 0
    for k in range(len(plan) // PLAN):
        o = PLAN * k
        index, change, form = plan[o] & INDEX_MASK, plan[o + CHANGE], plan[o + FORM]
        if shape_of[index] >= 0 and owner[np.int64(shape_of[index])] & INDEX_MASK != index:
            shape_of[index] = -1
        if form >= 0:
            holders[form] = plan[o + SLOT] if change == STAYS or change >= COMES else 0
    for k in range(len(added)):
        handle, slot = plan[PLAN * np.int64(added[k])], plan[PLAN * np.int64(added[k]) + SLOT]
        still += bodies[1][slot] & TYPE == STATIC
        shape = np.int64(bodies[3][slot])
        lowest = shape
        while shape >= 0:
            events |= shape_flags[shape]
            lowest = min(lowest, shape)
            shape = np.int64(following[shape])
        shape_of[handle & INDEX_MASK] = lowest
    n = 0
    for k in range(len(gone)):
        n = put_once(gone[k], moved, n)
    for k in range(total):
        n = put_once(moved[len(gone) + k], moved, n)
    numbers[0], numbers[3], numbers[4] = count, n, still
    return events & (HIT_EVENTS | STAY_EVENTS)


@njit(borrows=True, inline="always")
def put_once(slot: Any, slots: Array, n: Any) -> Any:
    """Insert a slot into the first `n` of a list, ascending, if it is not among them; return their new number."""
    for k in range(n):
        if slots[k] == slot:
            return n
    return put(slot, slots, n)
